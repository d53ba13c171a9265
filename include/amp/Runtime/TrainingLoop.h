//===- TrainingLoop.h - trains a session on a dataset ----------------------===//
#ifndef AMP_RUNTIME_TRAININGLOOP_H
#define AMP_RUNTIME_TRAININGLOOP_H

#include "amp/Runtime/Dataset.h"
#include "amp/Runtime/Device.h"
#include "amp/Runtime/Session.h"
#include <functional>
#include <utility>

namespace amp::runtime {

struct TrainingOptions {
  /// Length of the run: epochs, or steps if that is not 0. Both count from the beginning of the
  /// training, also when it is resumed.
  uint64_t epochs = 1;
  uint64_t steps = 0;
  uint64_t batch = 32;
  uint64_t seed = 0;
  /// Evaluates after every so many epochs and at the end; 0: only at the end.
  uint64_t evaluateEvery = 1;
  /// So many skipped steps in a row end the run with an error; 0: no limit.
  uint64_t maxConsecutiveSkips = 50;
  /// So many steps in a row that updated the weights although the loss was not finite end the run
  /// with an error, and so does any such step at the end of the run; 0: no limit. A single one may
  /// be a bad batch; weights that are not finite make all further losses bad. With a limit, a
  /// parameter that is not finite at the end of an epoch or of the run ends the run as well, and is
  /// never written over a good checkpoint.
  uint64_t maxNonfiniteLosses = 10;
  /// Asked after each step; true ends the run with an error once the checkpoint is written. Never
  /// if empty.
  std::function<bool()> stopRequested;
  /// Written after each epoch and at the end; none if empty.
  std::string checkpointPath;
  /// The checkpoint to go on from; empty for a new training.
  std::string resumePath;
  /// A log of JSON lines; "-" is standard output, none if empty. A new training replaces the file,
  /// a resumed one appends.
  std::string logPath;
  /// For the log: where the program runs; null means the host's processor.
  const Device *device = nullptr;
  /// For log and checkpoint: the value of `--amp`, the pipeline that reproduces the run, the
  /// learning rate, and further entries of the log's header, as name and text.
  std::string amp = "off";
  std::string pipeline;
  std::optional<double> learningRate;
  std::vector<std::pair<std::string, std::string>> headerEntries;
};

struct StepRecord {
  /// Counted from 1.
  uint64_t step = 0;
  /// Counted from 0.
  uint64_t epoch = 0;
  /// The step within its epoch, counted from 1, and the steps of an epoch.
  uint64_t stepInEpoch = 0;
  uint64_t stepsPerEpoch = 0;
  StepResult result;
};

struct EvaluationRecord {
  /// Epochs that are complete.
  uint64_t epoch = 0;
  uint64_t step = 0;
  EvaluateResult result;
  /// The metric's function; empty without one.
  std::string metric;
};

struct TrainingSummary {
  uint64_t steps = 0;
  uint64_t skippedSteps = 0;
  /// Of the last step. Without one, as after resuming a finished run, only the scale is known.
  StepResult last;
  /// Of the last evaluation; none without evaluation data.
  std::optional<EvaluationRecord> evaluation;
  /// Median time of a step; none without one.
  std::optional<double> secondsPerStep;
};

/// Is told how a training goes on. Does nothing by default.
class TrainingObserver {
public:
  virtual ~TrainingObserver();
  virtual void onStart(const TrainingOptions &, uint64_t /*totalSteps*/) {}
  virtual void onStep(const StepRecord &) {}
  virtual void onEvaluation(const EvaluationRecord &) {}
  /// After the evaluation, if there was one, of a complete epoch or of the end of the run.
  virtual void onEpochEnd(uint64_t /*epochsDone*/, bool /*evaluated*/) {}
  /// Something the user should know that does not end the run.
  virtual void onWarning(const std::string &) {}
  /// At the end of a run, also of one that failed.
  virtual void onFinish() {}
};

/// Trains. The session is initialised from the options' seed, or loaded from the checkpoint to
/// resume. `evaluation` may be null. Stops with an error if the training diverges.
Result<TrainingSummary> train(Session &session, const Dataset &training, const Dataset *evaluation,
                              const TrainingOptions &options, TrainingObserver &observer);

/// Loss and metric over a dataset: the mean over the samples, added in f64. Batches have `batch`
/// samples, the last one fewer. An error if the evaluation has a static batch that does not divide
/// the number of samples.
Result<EvaluateResult> evaluate(Session &session, const Dataset &dataset, uint64_t batch);

} // namespace amp::runtime

#endif // AMP_RUNTIME_TRAININGLOOP_H
