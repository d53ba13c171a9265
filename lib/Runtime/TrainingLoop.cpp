//===- TrainingLoop.cpp - trains a session on a dataset --------------------===//

#include "amp/Runtime/TrainingLoop.h"
#include "DivergenceMonitor.h"
#include "TrainingLog.h"
#include "amp/Runtime/File.h"
#include <algorithm>
#include <chrono>
#include <cmath>

using namespace amp::runtime;

TrainingObserver::~TrainingObserver() = default;

/// The number of samples per call of the evaluation; an error if it cannot take the dataset.
static Result<int64_t> evaluationBatch(const Program &program, const Dataset &dataset,
                                       uint64_t batch) {
  Executable *function = program.eval();
  if (!function)
    return error("the program has no evaluation; the module needs a train.task");
  Result<int64_t> fixed = batchOf(function->signature());
  if (!fixed.ok())
    return fixed.status();
  if (*fixed < 0)
    return static_cast<int64_t>(batch);
  if (*fixed == 0 || dataset.size() % *fixed != 0)
    return error(dataset.origin() + ": expects a multiple of " + std::to_string(*fixed) +
                 " samples, the batch of function '" + function->signature().name + "', but got " +
                 std::to_string(dataset.size()) +
                 "; write ? for the batch in the model to allow any number");
  return fixed;
}

Result<EvaluateResult> amp::runtime::evaluate(Session &session, const Dataset &dataset,
                                              uint64_t batch) {
  Result<int64_t> perCall = evaluationBatch(session.program(), dataset, batch);
  if (!perCall.ok())
    return perCall.status();
  int64_t size = dataset.size(), step = *perCall;
  double loss = 0.0, metric = 0.0;
  bool hasMetric = false;
  for (int64_t begin = 0; begin < size; begin += step) {
    int64_t count = std::min(step, size - begin);
    std::vector<Tensor> tensors = dataset.slice(begin, count);
    Result<EvaluateResult> part = session.evaluate(pointersTo(tensors));
    if (!part.ok())
      return part;
    loss += part->loss * static_cast<double>(count);
    hasMetric = part->metric.has_value();
    metric += part->metric.value_or(0.0) * static_cast<double>(count);
  }
  EvaluateResult result;
  result.loss = loss / static_cast<double>(size);
  if (hasMetric)
    result.metric = metric / static_cast<double>(size);
  return result;
}

namespace {
/// One run of train().
class Training {
public:
  Training(Session &session, const Dataset &training, const Dataset *evaluation,
           const TrainingOptions &options, TrainingObserver &observer)
      : session(session), training(training), evaluation(evaluation), options(options),
        observer(observer) {}

  Result<TrainingSummary> run();

private:
  Status checkOptions();
  Status start();
  Status checkResumed(const CheckpointInfo &info) const;
  void warnOfOtherOptions(const CheckpointInfo &info);
  Status runSteps(BatchIterator &batches);
  Status runStep(BatchIterator &batches, DivergenceMonitor &monitor);
  Status finishResumed(const BatchIterator &batches);
  Status stopEarly(const BatchIterator &batches);
  Status checkParameters(const DivergenceMonitor &monitor) const;
  Status endEpoch(uint64_t epochsDone, bool last);
  Status evaluateNow(uint64_t epochsDone);
  Status saveCheckpoint(uint64_t epoch, uint64_t position);
  void logOutcome(const Status &status);
  bool isDone(const BatchIterator &batches) const;

  Session &session;
  const Dataset &training;
  const Dataset *evaluation;
  const TrainingOptions &options;
  TrainingObserver &observer;

  TrainingLog *log = nullptr;
  bool dropLast = false;
  std::optional<CheckpointInfo> resumed;
  TrainingSummary summary;
  std::vector<double> seconds;
};
} // namespace

Status Training::checkOptions() {
  Executable *step = session.program().step();
  if (!step)
    return session.step({}).status();
  Result<int64_t> fixed = batchOf(step->signature());
  if (!fixed.ok())
    return fixed.status();
  if (options.batch == 0)
    return error("expects a batch of at least 1 sample but got 0");
  if (*fixed == 0)
    return error("function '" + step->signature().name +
                 "' takes a batch of 0 samples; write ? or a number above 0 for the batch in the "
                 "model");
  if (*fixed >= 0 && static_cast<uint64_t>(*fixed) != options.batch)
    return error("expects a batch of " + std::to_string(*fixed) + ", as function '" +
                 step->signature().name + "' has it, but got " + std::to_string(options.batch) +
                 "; pass --batch=" + std::to_string(*fixed) +
                 " or write ? for the batch in the model");
  dropLast = *fixed >= 0;
  if (dropLast && training.size() < *fixed)
    return error(training.origin() + ": expects at least one batch of " + std::to_string(*fixed) +
                 " samples but got " + std::to_string(training.size()));
  if (options.steps == 0 && options.epochs == 0)
    return error("expects at least one epoch or one step but got 0 of both");
  if (evaluation)
    if (Result<int64_t> perCall = evaluationBatch(session.program(), *evaluation, options.batch);
        !perCall.ok())
      return perCall.status();
  // Better now than after the first epoch; nothing is written without commit().
  return options.checkpointPath.empty() ? Status()
                                        : AtomicFile::create(options.checkpointPath).status();
}

/// What must be the same for a run to go on as if it had not been interrupted.
Status Training::checkResumed(const CheckpointInfo &info) const {
  const std::string prefix = options.resumePath + ": was saved by a run with ";
  if (info.seed != options.seed)
    return error(prefix + "--seed=" + std::to_string(info.seed) + " but this one has --seed=" +
                 std::to_string(options.seed) + "; pass --seed=" + std::to_string(info.seed));
  if (info.batch != options.batch)
    return error(prefix + "--batch=" + std::to_string(info.batch) + " but this one has --batch=" +
                 std::to_string(options.batch) + "; pass --batch=" + std::to_string(info.batch));
  if (info.samples != static_cast<uint64_t>(training.size()))
    return error(prefix + std::to_string(info.samples) + " training samples but " +
                 training.origin() + " has " + std::to_string(training.size()) +
                 "; pass the same --data");
  return {};
}

/// The state that a checkpoint holds is stronger than the options that would begin it.
void Training::warnOfOtherOptions(const CheckpointInfo &info) {
  if (info.options.empty() || info.options == options.pipeline)
    return;
  std::string text = options.resumePath + ": was saved by a run of '" + info.options +
                     "' but this one is '" + options.pipeline + "'";
  if (const Tensor *scale = session.variable("amp.scale"))
    text +=
        "; the loss scale goes on from " + formatNumber(scale->toDouble(0)) + " of the checkpoint";
  observer.onWarning(text);
}

Status Training::start() {
  if (Status status = checkOptions(); !status.ok())
    return status;
  if (options.resumePath.empty())
    return session.initialize(options.seed);
  Result<CheckpointInfo> info = session.load(options.resumePath);
  if (!info.ok())
    return info.status();
  resumed = info.take();
  return checkResumed(*resumed);
}

/// A log that cannot be written is no reason to lose the training.
void Training::logOutcome(const Status &status) {
  if (!status.ok())
    observer.onWarning(status.message() + "; the training goes on without it");
}

Result<TrainingSummary> Training::run() {
  if (Status status = start(); !status.ok())
    return status;
  auto samples = static_cast<uint64_t>(training.size());
  Result<TrainingLog> opened =
      TrainingLog::open(options, session.program().task(), samples, resumed ? &*resumed : nullptr);
  if (!opened.ok())
    return opened.status();
  log = &*opened;
  BatchIterator batches(training, static_cast<int64_t>(options.batch), dropLast, options.seed);
  if (resumed) {
    summary.steps = resumed->step;
    batches.seek(resumed->epoch, resumed->position);
    warnOfOtherOptions(*resumed);
  }
  observer.onStart(options,
                   options.steps ? options.steps : options.epochs * batches.batchesPerEpoch());
  Status status = runSteps(batches);
  observer.onFinish();
  if (!status.ok())
    return status;
  if (!seconds.empty()) {
    auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
    std::nth_element(seconds.begin(), middle, seconds.end());
    summary.secondsPerStep = *middle;
  }
  return summary;
}

bool Training::isDone(const BatchIterator &batches) const {
  return options.steps ? summary.steps >= options.steps : batches.epoch() >= options.epochs;
}

Status Training::runSteps(BatchIterator &batches) {
  uint64_t skips = 0;
  if (const Tensor *counter = session.variable("amp.consecutive_skips"))
    skips = static_cast<uint64_t>(std::max(counter->toDouble(0), 0.0));
  DivergenceMonitor monitor(options, session.program().step()->signature().gradients, skips);
  if (isDone(batches))
    return finishResumed(batches);
  while (!isDone(batches)) {
    if (Status status = runStep(batches, monitor); !status.ok())
      return status;
    bool epochEnds = batches.atEnd();
    if (epochEnds)
      batches.startNextEpoch();
    bool last = isDone(batches);
    if (last)
      if (Status status = monitor.finish(); !status.ok())
        return status.asRunFailure();
    if (!epochEnds && !last) {
      if (options.stopRequested && options.stopRequested())
        return stopEarly(batches);
      continue;
    }
    if (Status status = checkParameters(monitor); !status.ok())
      return status;
    if (Status status = endEpoch(batches.epoch(), last); !status.ok())
      return status;
    if (Status status = saveCheckpoint(batches.epoch(), batches.position()); !status.ok())
      return status;
    if (!last && options.stopRequested && options.stopRequested())
      return stopEarly(batches);
  }
  return {};
}

/// A run that was over when it was saved: evaluated again, and saved where this one is asked to.
Status Training::finishResumed(const BatchIterator &batches) {
  observer.onWarning(options.resumePath + ": is at step " + std::to_string(summary.steps) +
                     " in epoch " + std::to_string(batches.epoch()) +
                     ", the end of this run, so that nothing is left to train; ask for more "
                     "epochs or steps to go on");
  if (const Tensor *scale = session.variable("amp.scale"))
    summary.last.scale = scale->toDouble(0);
  if (Status status = endEpoch(batches.epoch(), /*last=*/true); !status.ok())
    return status;
  return saveCheckpoint(batches.epoch(), batches.position());
}

Status Training::stopEarly(const BatchIterator &batches) {
  std::string text = "interrupted after step " + std::to_string(summary.steps) + " in epoch " +
                     std::to_string(batches.epoch()) + "; ";
  if (options.checkpointPath.empty())
    return error(text + "nothing was saved, for want of --checkpoint").asRunFailure();
  if (Status status = saveCheckpoint(batches.epoch(), batches.position()); !status.ok())
    return status;
  return error(text + "go on with --resume=" + options.checkpointPath).asRunFailure();
}

Status Training::checkParameters(const DivergenceMonitor &monitor) const {
  for (const VariableSpec &variable : session.program().variables())
    if (variable.role == VariableRole::Parameter)
      if (Status status = monitor.checkParameter(variable.name, *session.variable(variable.name));
          !status.ok())
        return status.asRunFailure();
  return {};
}

Status Training::runStep(BatchIterator &batches, DivergenceMonitor &monitor) {
  StepRecord record;
  record.epoch = batches.epoch();
  record.stepInEpoch = batches.position() / options.batch + 1;
  record.stepsPerEpoch = batches.batchesPerEpoch();
  std::vector<Tensor> tensors = batches.next();
  std::vector<const Tensor *> pointers = pointersTo(tensors);
  auto begin = std::chrono::steady_clock::now();
  Result<StepResult> result = session.step(pointers);
  std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  if (!result.ok())
    return result.status();
  seconds.push_back(elapsed.count());
  record.step = ++summary.steps;
  record.result = result.take();
  summary.skippedSteps += !record.result.stepped;
  summary.last = record.result;
  logOutcome(log->writeStep(record, session.program().step()->signature().gradients,
                            options.learningRate));
  observer.onStep(record);
  return monitor.addStep(record).asRunFailure();
}

Status Training::endEpoch(uint64_t epochsDone, bool last) {
  bool due = options.evaluateEvery && epochsDone % options.evaluateEvery == 0;
  bool evaluates = evaluation && (due || last);
  if (evaluates)
    if (Status status = evaluateNow(epochsDone); !status.ok())
      return status;
  observer.onEpochEnd(epochsDone, evaluates);
  return {};
}

Status Training::evaluateNow(uint64_t epochsDone) {
  Result<EvaluateResult> result = evaluate(session, *evaluation, options.batch);
  if (!result.ok())
    return result.status();
  EvaluationRecord record;
  record.epoch = epochsDone;
  record.step = summary.steps;
  record.result = result.take();
  record.metric = session.program().eval()->signature().metric;
  logOutcome(log->writeEvaluation(record));
  observer.onEvaluation(record);
  if (!std::isfinite(record.result.loss))
    observer.onWarning("the loss of the evaluation after step " + std::to_string(record.step) +
                       " is " + formatNumber(record.result.loss));
  summary.evaluation = std::move(record);
  return {};
}

Status Training::saveCheckpoint(uint64_t epoch, uint64_t position) {
  if (options.checkpointPath.empty())
    return {};
  CheckpointInfo info;
  info.seed = options.seed;
  info.epoch = epoch;
  info.position = position;
  info.step = summary.steps;
  info.batch = options.batch;
  info.samples = static_cast<uint64_t>(training.size());
  info.amp = options.amp;
  info.options = options.pipeline;
  return session.save(options.checkpointPath, std::move(info)).asRunFailure();
}

Result<TrainingSummary> amp::runtime::train(Session &session, const Dataset &training,
                                            const Dataset *evaluation,
                                            const TrainingOptions &options,
                                            TrainingObserver &observer) {
  return Training(session, training, evaluation, options, observer).run();
}
