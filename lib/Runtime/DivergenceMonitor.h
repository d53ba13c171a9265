//===- DivergenceMonitor.h - when a training has to be given up ------------===//
#ifndef AMP_LIB_RUNTIME_DIVERGENCEMONITOR_H
#define AMP_LIB_RUNTIME_DIVERGENCEMONITOR_H

#include "amp/Runtime/TrainingLoop.h"

namespace amp::runtime {

/// "0.5", "nan", "1e+30": as messages show a number.
std::string formatNumber(double value);

/// Watches a run for three ends: too many skipped steps in a row, too many updates in a row after
/// a loss that was not finite, and parameters that are not finite.
class DivergenceMonitor {
public:
  /// `skips` is the number of steps that the resumed run had skipped last.
  DivergenceMonitor(const TrainingOptions &options, const std::vector<std::string> &gradients,
                    uint64_t skips)
      : options(options), gradients(gradients), skipsInRow(skips) {}

  /// An error if the run ends here, with what was seen and what to do.
  Status addStep(const StepRecord &record);
  /// An error if the last step updated the weights after a loss that was not finite.
  Status finish() const;
  /// An error if an element of a parameter is not finite.
  Status checkParameter(const std::string &name, const Tensor &value) const;

private:
  Status tooManySkips(const StepRecord &record) const;
  Status diverged(const StepRecord &record) const;

  const TrainingOptions &options;
  const std::vector<std::string> &gradients;
  uint64_t skipsInRow;
  /// Scales of the skipped steps in a row, and how often each gradient was not finite in them.
  std::vector<double> scales;
  std::vector<uint64_t> nonfiniteCounts;
  bool lossWasFinite = true;
  uint64_t badLossesInRow = 0;
  uint64_t firstBadStep = 0;
  std::optional<std::pair<uint64_t, double>> lastFiniteLoss;
  StepRecord last;
};

} // namespace amp::runtime

#endif // AMP_LIB_RUNTIME_DIVERGENCEMONITOR_H
