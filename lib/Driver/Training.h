//===- Training.h - one training of a compiled model ----------------------===//
#ifndef AMP_LIB_DRIVER_TRAINING_H
#define AMP_LIB_DRIVER_TRAINING_H

#include "Model.h"
#include "amp/Runtime/TrainingLoop.h"

namespace amp {

/// The data of a training, read once for all runs.
struct TrainingData {
  runtime::Dataset training;
  std::optional<runtime::Dataset> evaluation;
};

/// Reads --data and --eval-data and checks them against the model's step.
runtime::Result<TrainingData> loadData(const CompiledModel &model, const DriverOptions &options);

/// Trains `model` from `seed`; progress goes to stderr, every line with `label` before it.
runtime::Result<runtime::TrainingSummary> trainModel(const CompiledModel &model,
                                                     const TrainingData &data,
                                                     const DriverOptions &options, uint64_t seed,
                                                     const std::string &label);

/// Prints the table of finished trainings to stdout.
void printTable(llvm::ArrayRef<const CompiledModel *> models,
                llvm::ArrayRef<runtime::TrainingSummary> summaries);

} // namespace amp

#endif // AMP_LIB_DRIVER_TRAINING_H
