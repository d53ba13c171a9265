//===- Training.cpp - one training of a compiled model --------------------===//

#include "Training.h"
#include "Commands.h"
#include "Interrupt.h"
#include "amp/Runtime/Progress.h"
#include "amp/Runtime/Table.h"
#include "llvm/Support/raw_ostream.h"

using namespace amp;
using runtime::Dataset;
using runtime::Result;
using runtime::Status;

/// One file of data, with the labels checked: the compiled code does not.
static Result<Dataset> loadDataset(const std::string &path, const runtime::Executable &function,
                                   llvm::ArrayRef<LabelArgument> labels) {
  Result<Dataset> dataset = Dataset::load(path, function.signature().arguments);
  if (!dataset.ok())
    return dataset.status();
  for (const LabelArgument &label : labels)
    if (Status status = dataset->checkLabels(label.name, label.classes); !status.ok())
      return status;
  return dataset;
}

Result<TrainingData> amp::loadData(const CompiledModel &model, const DriverOptions &options) {
  Result<Dataset> training = loadDataset(options.data, *model.program().step(), model.labels);
  if (!training.ok())
    return training.status();
  TrainingData data{training.take(), std::nullopt};
  if (options.evalData.empty())
    return data;
  Result<Dataset> evaluation = loadDataset(options.evalData, *model.program().eval(), model.labels);
  if (!evaluation.ok())
    return evaluation.status();
  data.evaluation = evaluation.take();
  return data;
}

Result<runtime::TrainingSummary> amp::trainModel(const CompiledModel &model,
                                                 const TrainingData &data,
                                                 const DriverOptions &options, uint64_t seed,
                                                 const std::string &label) {
  Result<runtime::Session> session = runtime::Session::create(model.program());
  if (!session.ok())
    return session.status();
  DriverOptions own = options;
  own.amp = model.amp;
  runtime::TrainingOptions training;
  training.epochs = options.epochs.value_or(1);
  training.steps = options.steps.value_or(0);
  training.batch = options.batch;
  training.seed = seed;
  training.maxConsecutiveSkips = options.maxConsecutiveSkips;
  training.checkpointPath = options.checkpoint;
  training.resumePath = options.resume;
  training.logPath = options.log;
  runtime::HostDevice device(/*threads=*/1);
  training.device = &device;
  training.amp = model.amp;
  training.pipeline = getPipelineText(own);
  training.learningRate = model.learningRate;
  watchInterrupts();
  training.stopRequested = isInterrupted;
  runtime::Progress progress(stderr, label);
  return runtime::train(*session, data.training, data.evaluation ? &*data.evaluation : nullptr,
                        training, progress);
}

void amp::printTable(llvm::ArrayRef<const CompiledModel *> models,
                     llvm::ArrayRef<runtime::TrainingSummary> summaries) {
  std::vector<runtime::PrecisionResult> columns;
  std::string metric;
  for (auto [model, summary] : llvm::zip_equal(models, summaries)) {
    runtime::PrecisionResult column;
    column.precision = model->precision();
    if (summary.evaluation) {
      column.metric = summary.evaluation->result.metric;
      column.evalLoss = summary.evaluation->result.loss;
      metric = summary.evaluation->metric;
    }
    column.skippedSteps = summary.skippedSteps;
    column.finalScale = summary.last.scale;
    column.casts = model->summary.casts;
    column.weightBytes = model->summary.weightBytes;
    column.halfCopyBytes = model->summary.halfCopyBytes;
    column.gradientBytes = model->summary.gradientBytes;
    column.optimizerBytes = model->summary.optimizerBytes;
    column.activationBytes = model->summary.activationBytes;
    column.secondsPerStep = summary.secondsPerStep;
    columns.push_back(column);
  }
  llvm::outs() << runtime::formatComparison(columns, metric, runtime::HostDevice(1));
}

int amp::trainOnce(mlir::ModuleOp module, const DriverOptions &options) {
  std::optional<CompiledModel> model = compileModel(module, options, options.amp);
  if (!model)
    return kBadInput;
  Result<TrainingData> data = loadData(*model, options);
  if (!data.ok()) {
    llvm::errs() << "error: " << data.message() << "\n";
    return kBadInput;
  }
  Result<runtime::TrainingSummary> summary =
      trainModel(*model, *data, options, options.seed, /*label=*/"");
  if (!summary.ok()) {
    llvm::errs() << "error: " << summary.message() << "\n";
    return summary.status().isRunFailure() ? kRunFailed : kBadInput;
  }
  printTable({&*model}, {*summary});
  return kDone;
}
