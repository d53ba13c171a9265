//===- DivergenceMonitor.cpp - when a training has to be given up ----------===//

#include "DivergenceMonitor.h"
#include <cmath>

using namespace amp::runtime;

std::string amp::runtime::formatNumber(double value) {
  // The sign of a NaN says nothing.
  if (std::isnan(value))
    return "nan";
  char text[32];
  std::snprintf(text, sizeof(text), "%g", value);
  return text;
}

/// "65536, 32768, 16384, ..., 2, 1": the first and the last of a long list.
static std::string listScales(const std::vector<double> &scales) {
  constexpr size_t ends = 3;
  std::string text;
  for (size_t i = 0; i < scales.size(); ++i) {
    if (scales.size() > 2 * ends + 1 && i == ends) {
      text += ", ...";
      i = scales.size() - ends;
    }
    text += (i ? ", " : "") + formatNumber(scales[i]);
  }
  return text;
}

/// "'w1' and 'w2'", at most a handful.
static std::string listGradients(const std::vector<std::string> &names,
                                 const std::vector<uint64_t> &counts) {
  constexpr size_t most = 5;
  std::vector<std::string> found;
  for (size_t i = 0; i < counts.size(); ++i)
    if (counts[i])
      found.push_back(names[i]);
  if (found.empty())
    return "some parameters";
  std::string text;
  for (size_t i = 0; i < std::min(found.size(), most); ++i)
    text += (i ? ", '" : "'") + found[i] + "'";
  if (found.size() == names.size() && names.size() > 1)
    return "all " + std::to_string(names.size()) + " parameters (" + text +
           (found.size() > most ? ", ...)" : ")");
  return found.size() > most ? text + " and " + std::to_string(found.size() - most) + " more"
                             : text;
}

/// Whether a limit that is set is reached.
static bool reached(uint64_t count, uint64_t limit) { return limit && count >= limit; }

Status DivergenceMonitor::addStep(const StepRecord &record) {
  last = record;
  const StepResult &result = record.result;
  if (!result.stepped) {
    if (scales.empty())
      lossWasFinite = true;
    ++skipsInRow;
    scales.push_back(result.scale);
    nonfiniteCounts.resize(result.nonfinite.size());
    for (size_t i = 0; i < result.nonfinite.size(); ++i)
      nonfiniteCounts[i] += result.nonfinite[i];
    lossWasFinite &= std::isfinite(result.loss);
    return reached(skipsInRow, options.maxConsecutiveSkips) ? tooManySkips(record) : Status();
  }
  skipsInRow = 0;
  scales.clear();
  nonfiniteCounts.clear();
  if (std::isfinite(result.loss)) {
    badLossesInRow = 0;
    lastFiniteLoss = {record.step, result.loss};
    return {};
  }
  if (badLossesInRow++ == 0)
    firstBadStep = record.step;
  return reached(badLossesInRow, options.maxNonfiniteLosses) ? diverged(record) : Status();
}

Status DivergenceMonitor::tooManySkips(const StepRecord &record) const {
  std::string text =
      "diverged: " + std::to_string(skipsInRow) + " steps in a row were skipped, up to step " +
      std::to_string(record.step) + " in epoch " + std::to_string(record.epoch) +
      ", because gradients were not finite in " + listGradients(gradients, nonfiniteCounts) +
      "; the loss scale was " + listScales(scales) + "; ";
  bool fell = scales.back() < scales.front();
  if (!lossWasFinite)
    return error(text +
                 "the loss was not finite either, so that a smaller loss scale does not "
                 "help: try a smaller learning rate, --amp=bf16, or --amp=off to see whether "
                 "the model diverges in f32 as well");
  if (!fell && scales.size() > 1)
    return error(text + "the scale did not fall: try --loss-scale=dynamic or a smaller "
                        "--static-scale");
  if (scales.back() < 1.0)
    return error(text +
                 "the loss was finite and a scale below 1 did not help, so that the backward "
                 "pass overflows by itself: try --amp=bf16, a smaller learning rate, or keep "
                 "the ops before these parameters in f32 with --policy");
  return error(text +
               "the scale may need more steps to fall: try a smaller --init-scale or a larger "
               "--max-consecutive-skips");
}

Status DivergenceMonitor::diverged(const StepRecord &record) const {
  std::string text = "diverged: the loss was not finite in " + std::to_string(badLossesInRow) +
                     (badLossesInRow == 1 ? " step" : " steps in a row") + ", from step " +
                     std::to_string(firstBadStep) + " to step " + std::to_string(record.step) +
                     " in epoch " + std::to_string(record.epoch) + "; ";
  if (lastFiniteLoss)
    text += "the last finite loss was " + formatNumber(lastFiniteLoss->second) + " in step " +
            std::to_string(lastFiniteLoss->first);
  else
    text += "no loss was finite";
  return error(text + "; try a smaller learning rate or clip_norm in the task, and look for "
                      "numbers that are not finite in the data");
}

Status DivergenceMonitor::finish() const {
  return options.maxNonfiniteLosses && badLossesInRow && last.result.stepped ? diverged(last)
                                                                             : Status();
}

Status DivergenceMonitor::checkParameter(const std::string &name, const Tensor &value) const {
  if (options.maxNonfiniteLosses == 0)
    return {};
  for (int64_t i = 0; i < value.numElements(); ++i)
    if (double element = value.toDouble(i); !std::isfinite(element))
      return error("diverged: parameter '" + name + "' has " + formatNumber(element) +
                   " as element " + std::to_string(i) + " after step " + std::to_string(last.step) +
                   " in epoch " + std::to_string(last.epoch) +
                   "; try a smaller learning rate or clip_norm in the task");
  return {};
}
