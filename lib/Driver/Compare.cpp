//===- Compare.cpp - f32 and mixed precision side by side -----------------===//

#include "Commands.h"
#include "Training.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace amp;
using runtime::Result;
using runtime::TrainingSummary;

namespace {
/// The trainings of one precision, one per seed.
struct Column {
  CompiledModel model;
  std::vector<TrainingSummary> runs;
};
} // namespace

/// The mean of what `select` gives for each run.
template <typename Select> static double mean(llvm::ArrayRef<TrainingSummary> runs, Select select) {
  double sum = 0.0;
  for (const TrainingSummary &run : runs)
    sum += select(run);
  return sum / runs.size();
}

/// The means over all seeds, in the form of one run; the last scale is that of the last seed.
static TrainingSummary averageRuns(llvm::ArrayRef<TrainingSummary> runs) {
  TrainingSummary average = runs.back();
  average.skippedSteps =
      std::llround(mean(runs, [](const TrainingSummary &run) { return double(run.skippedSteps); }));
  average.secondsPerStep =
      mean(runs, [](const TrainingSummary &run) { return run.secondsPerStep.value_or(0.0); });
  average.evaluation->result.loss =
      mean(runs, [](const TrainingSummary &run) { return run.evaluation->result.loss; });
  if (average.evaluation->result.metric)
    average.evaluation->result.metric =
        mean(runs, [](const TrainingSummary &run) { return *run.evaluation->result.metric; });
  return average;
}

/// Compares two averages; prints the verdict and returns whether the difference is within the
/// tolerance. An accuracy is compared in points, a loss in per cent of the f32 one.
static bool checkDifference(const TrainingSummary &reference, const TrainingSummary &mixed,
                            llvm::StringRef precision, const DriverOptions &options) {
  const runtime::EvaluateResult &f32 = reference.evaluation->result;
  const runtime::EvaluateResult &low = mixed.evaluation->result;
  bool byMetric = f32.metric.has_value();
  double difference = byMetric ? 100.0 * (*low.metric - *f32.metric)
                               : 100.0 * (low.loss - f32.loss) / std::abs(f32.loss);
  // A NaN on either side is a difference.
  double tolerance = options.tolerance.value_or(0.5);
  bool within = std::abs(difference) <= tolerance;
  llvm::outs() << llvm::formatv(
      "{0}: {1} differs from f32 by {2:f3} {3}, {4} the tolerance of {5}\n", precision,
      byMetric ? reference.evaluation->metric : "loss", difference,
      byMetric ? "points" : "per cent", within ? "within" : "more than", tolerance);
  return within;
}

int amp::comparePrecisions(mlir::ModuleOp module, const DriverOptions &options) {
  if (options.evalData.empty()) {
    llvm::errs() << "error: --compare needs --eval-data=FILE.npz to compare on\n";
    return kBadInput;
  }
  if (options.ampGiven && options.amp == "off") {
    llvm::errs() << "error: --compare needs a half type to compare with; leave --amp out for both "
                    "f16 and bf16\n";
    return kBadInput;
  }
  std::vector<std::string> precisions = {"off"};
  if (options.ampGiven)
    precisions.push_back(options.amp);
  else
    precisions.insert(precisions.end(), {"f16", "bf16"});

  std::vector<Column> columns;
  for (const std::string &precision : precisions) {
    std::optional<CompiledModel> model = compileModel(module, options, precision);
    if (!model)
      return kBadInput;
    if (precision != "off" && model->summary.lowOps == 0) {
      llvm::errs() << "error: mixed precision in " << precision
                   << " made no value low, so there is nothing to compare; the policy or the "
                      "level keeps every op in f32\n";
      return kBadInput;
    }
    columns.push_back({std::move(*model), {}});
  }
  Result<TrainingData> data = loadData(columns.front().model, options);
  if (!data.ok()) {
    llvm::errs() << "error: " << data.message() << "\n";
    return kBadInput;
  }
  int64_t seeds = options.seeds.value_or(1);
  for (Column &column : columns)
    for (int64_t index = 0; index < seeds; ++index) {
      std::string label = column.model.precision();
      if (seeds > 1)
        label += " seed " + std::to_string(options.seed + index);
      Result<TrainingSummary> run =
          trainModel(column.model, *data, options, options.seed + index, label);
      if (!run.ok()) {
        llvm::errs() << "error: " << label << ": " << run.message() << "\n";
        return run.status().isRunFailure() ? kRunFailed : kBadInput;
      }
      column.runs.push_back(run.take());
    }

  std::vector<const CompiledModel *> models;
  std::vector<TrainingSummary> averages;
  for (const Column &column : columns) {
    models.push_back(&column.model);
    averages.push_back(averageRuns(column.runs));
  }
  printTable(models, averages);
  if (seeds > 1)
    llvm::outs() << "means over " << seeds << " seeds\n";
  bool within = true;
  for (size_t index = 1; index < columns.size(); ++index)
    within &=
        checkDifference(averages[0], averages[index], columns[index].model.precision(), options);
  return within ? kDone : kRunFailed;
}
