//===- TrainingLoopTest.cpp ------------------------------------------------===//

#include "amp/Runtime/TrainingLoop.h"
#include "Regression.h"
#include <csignal>
#include <nlohmann/json.hpp>
#include <sys/resource.h>

using namespace amp::runtime;

/// Samples of y = 3 x.
static Dataset makeLine(int64_t count = 10) {
  std::vector<NamedTensor> arrays;
  Tensor x(ElementType::F32, {count, 1}), y(ElementType::F32, {count});
  for (int64_t i = 0; i < count; ++i) {
    x.setFromDouble(i, 0.25 * static_cast<double>(i % 7));
    y.setFromDouble(i, 0.75 * static_cast<double>(i % 7));
  }
  arrays.push_back({"x", std::move(x)});
  arrays.push_back({"y", std::move(y)});
  Result<Dataset> dataset = Dataset::create(
      std::move(arrays), {{"x", ElementType::F32, {-1, 1}}, {"y", ElementType::F32, {-1}}},
      "line.npz");
  EXPECT_OK(dataset);
  return dataset.take();
}

namespace {
/// Writes down what it is told.
struct Recorder : TrainingObserver {
  void onStart(const TrainingOptions &, uint64_t steps) override { totalSteps = steps; }
  void onStep(const StepRecord &record) override { steps.push_back(record); }
  void onEvaluation(const EvaluationRecord &record) override { evaluations.push_back(record); }
  void onEpochEnd(uint64_t, bool) override { ++epochEnds; }
  void onWarning(const std::string &text) override { warnings.push_back(text); }
  void onFinish() override { ++finished; }

  uint64_t totalSteps = 0;
  std::vector<StepRecord> steps;
  std::vector<EvaluationRecord> evaluations;
  std::vector<std::string> warnings;
  int epochEnds = 0;
  int finished = 0;
};

/// A program, its session and what a run of it says.
struct Fixture {
  explicit Fixture(const RegressionOptions &regression = {})
      : program(makeRegression(regression)), session(Session::create(program).take()) {
    options.batch = 4;
    options.seed = 5;
  }

  Result<TrainingSummary> run(const Dataset &training, const Dataset *evaluation = nullptr) {
    return train(session, training, evaluation, options, recorder);
  }

  Program program;
  Session session;
  TrainingOptions options;
  Recorder recorder;
};
} // namespace

static std::vector<nlohmann::json> readLog(const std::string &path) {
  std::vector<nlohmann::json> lines;
  std::istringstream text(readText(path));
  for (std::string line; std::getline(text, line);) {
    lines.push_back(nlohmann::json::parse(line, nullptr, false));
    EXPECT_TRUE(lines.back().is_object()) << line;
  }
  return lines;
}

TEST(TrainingLoop, Trains) {
  Fixture fixture;
  fixture.options.epochs = 100;
  Dataset data = makeLine();
  Result<TrainingSummary> summary = fixture.run(data, &data);
  ASSERT_OK(summary);
  EXPECT_EQ(summary->steps, 300u);
  EXPECT_EQ(summary->skippedSteps, 0u);
  EXPECT_GT(summary->secondsPerStep, 0.0);
  // Plain gradient descent on a quadratic: w converges to 3 geometrically, to the last bits of f32.
  EXPECT_NEAR(fixture.session.variable("w")->toDouble(0), 3.0, 3.0 * 0x1p-21);
  EXPECT_EQ(fixture.recorder.totalSteps, 300u);
  EXPECT_EQ(fixture.recorder.steps.size(), 300u);
  EXPECT_EQ(fixture.recorder.evaluations.size(), 100u);
  EXPECT_EQ(fixture.recorder.epochEnds, 100);
  EXPECT_EQ(fixture.recorder.finished, 1);
  const StepRecord &last = fixture.recorder.steps.back();
  EXPECT_EQ(last.step, 300u);
  EXPECT_EQ(last.epoch, 99u);
  EXPECT_EQ(last.stepInEpoch, 3u);
  EXPECT_EQ(last.stepsPerEpoch, 3u);
  EXPECT_EQ(summary->evaluation->epoch, 100u);
  EXPECT_EQ(summary->evaluation->metric, "mean_w_x");
}

TEST(TrainingLoop, StopsAfterSteps) {
  Fixture fixture;
  fixture.options.steps = 5;
  fixture.options.evaluateEvery = 0;
  Dataset data = makeLine();
  ASSERT_OK(fixture.run(data, &data));
  EXPECT_EQ(fixture.recorder.steps.size(), 5u);
  ASSERT_EQ(fixture.recorder.evaluations.size(), 1u);
  EXPECT_EQ(fixture.recorder.evaluations[0].epoch, 1u);
  EXPECT_EQ(fixture.recorder.evaluations[0].step, 5u);
}

TEST(TrainingLoop, EvaluatesEverySecondEpochAndAtTheEnd) {
  Fixture fixture;
  fixture.options.epochs = 5;
  fixture.options.evaluateEvery = 2;
  Dataset data = makeLine();
  ASSERT_OK(fixture.run(data, &data));
  std::vector<uint64_t> epochs;
  epochs.reserve(fixture.recorder.evaluations.size());
  for (const EvaluationRecord &record : fixture.recorder.evaluations)
    epochs.push_back(record.epoch);
  EXPECT_EQ(epochs, (std::vector<uint64_t>{2, 4, 5}));
}

/// A step sees one batch, so that interruption at any step, resuming and going on gives the same
/// bits as going through.
TEST(TrainingLoop, ResumesBitForBit) {
  TemporaryFolder folder;
  Dataset data = makeLine();
  Fixture whole({true});
  whole.options.epochs = 4;
  ASSERT_OK(whole.run(data));
  for (uint64_t stop = 1; stop < 12; ++stop) {
    Fixture first({true}), second({true});
    first.options.steps = stop;
    first.options.checkpointPath = folder.file("c.safetensors");
    ASSERT_OK(first.run(data));
    second.options.epochs = 4;
    second.options.resumePath = first.options.checkpointPath;
    Result<TrainingSummary> summary = second.run(data);
    ASSERT_OK(summary);
    EXPECT_EQ(summary->steps, 12u);
    EXPECT_EQ(second.recorder.steps.size(), 12 - stop);
    EXPECT_EQ(second.recorder.steps.front().step, stop + 1);
    for (const VariableSpec &variable : whole.program.variables())
      EXPECT_TRUE(
          second.session.variable(variable.name)->bitsEqual(*whole.session.variable(variable.name)))
          << variable.name << " after " << stop;
  }
}

TEST(TrainingLoop, ResumingAFinishedRunEvaluatesAndSaves) {
  TemporaryFolder folder;
  Dataset data = makeLine();
  Fixture first({true}), second({true});
  first.options.epochs = second.options.epochs = 2;
  first.options.checkpointPath = second.options.resumePath = folder.file("c.safetensors");
  ASSERT_OK(first.run(data));
  second.options.checkpointPath = folder.file("d.safetensors");
  Result<TrainingSummary> summary = second.run(data, &data);
  ASSERT_OK(summary);
  EXPECT_TRUE(second.recorder.steps.empty());
  EXPECT_EQ(second.recorder.evaluations.size(), 1u);
  EXPECT_EQ(second.recorder.warnings.size(), 1u);
  EXPECT_EQ(summary->last.scale, 65536.0);
  EXPECT_FALSE(summary->secondsPerStep);
  EXPECT_EQ(readText(second.options.checkpointPath), readText(first.options.checkpointPath));
}

TEST(TrainingLoop, StopsWhenAsked) {
  TemporaryFolder folder;
  Dataset data = makeLine();
  Fixture fixture;
  fixture.options.epochs = 3;
  fixture.options.stopRequested = [&] { return fixture.recorder.steps.size() == 4; };
  EXPECT_ERROR(fixture.run(data),
               "interrupted after step 4 in epoch 1; nothing was saved, for want of --checkpoint");
  fixture.recorder.steps.clear();
  fixture.options.checkpointPath = folder.file("c.safetensors");
  EXPECT_ERROR(fixture.run(data), "interrupted after step 4 in epoch 1; go on with --resume=" +
                                      fixture.options.checkpointPath);
  Result<CheckpointInfo> info = fixture.session.load(fixture.options.checkpointPath);
  ASSERT_OK(info);
  EXPECT_EQ(info->step, 4u);
}

TEST(TrainingLoop, ResumeErrors) {
  TemporaryFolder folder;
  std::string path = folder.file("c.safetensors");
  Dataset data = makeLine(), more = makeLine(11);
  Fixture first;
  first.options.checkpointPath = path;
  ASSERT_OK(first.run(data));
  auto resume = [&](uint64_t seed, uint64_t batch, const Dataset &dataset) {
    Fixture second;
    second.options.resumePath = path;
    second.options.seed = seed;
    second.options.batch = batch;
    return second.run(dataset);
  };
  EXPECT_OK(resume(5, 4, data));
  EXPECT_ERROR(resume(6, 4, data), path + ": was saved by a run with --seed=5 but this one has "
                                          "--seed=6; pass --seed=5");
  EXPECT_ERROR(resume(5, 3, data), path + ": was saved by a run with --batch=4 but this one has "
                                          "--batch=3; pass --batch=4");
  EXPECT_ERROR(resume(5, 4, more), path + ": was saved by a run with 10 training samples but "
                                          "line.npz has 11; pass the same --data");
}

TEST(TrainingLoop, OptionErrors) {
  TemporaryFolder folder;
  Dataset data = makeLine();
  auto run = [&](const std::function<void(TrainingOptions &)> &change,
                 const RegressionOptions &regression = {}, const Dataset *evaluation = nullptr) {
    Fixture fixture(regression);
    change(fixture.options);
    Result<TrainingSummary> summary = fixture.run(data, evaluation);
    EXPECT_TRUE(fixture.recorder.steps.empty());
    return summary.status();
  };
  EXPECT_ERROR(run([](TrainingOptions &options) { options.batch = 0; }),
               "expects a batch of at least 1 sample but got 0");
  EXPECT_ERROR(run([](TrainingOptions &options) { options.epochs = 0; }),
               "expects at least one epoch or one step but got 0 of both");
  RegressionOptions fixed;
  fixed.batch = 8;
  EXPECT_ERROR(run([](TrainingOptions &) {}, fixed),
               "expects a batch of 8, as function 'line.step' has it, but got 4; pass --batch=8 or "
               "write ? for the batch in the model");
  fixed.batch = 16;
  EXPECT_ERROR(run([](TrainingOptions &options) { options.batch = 16; }, fixed),
               "line.npz: expects at least one batch of 16 samples but got 10");
  fixed.batch = 4;
  EXPECT_ERROR(run([](TrainingOptions &) {}, fixed, &data),
               "line.npz: expects a multiple of 4 samples, the batch of function 'line.eval', but "
               "got 10; write ? for the batch in the model to allow any number");
  std::string below = folder.file("no/c");
  EXPECT_ERROR(run([&](TrainingOptions &options) { options.checkpointPath = below; }),
               below + ": cannot create the file: no such file or directory");
  EXPECT_ERROR(run([&](TrainingOptions &options) { options.logPath = below; }),
               below + ": cannot create the file: no such file or directory");
  Program empty;
  Session session = Session::create(empty).take();
  Recorder recorder;
  EXPECT_ERROR(train(session, data, nullptr, {}, recorder),
               "the program has no training step; the module needs a train.task");
  EXPECT_ERROR(evaluate(session, data, 4),
               "the program has no evaluation; the module needs a train.task");
}

TEST(TrainingLoop, StaticBatchesDropTheRest) {
  RegressionOptions fixed;
  fixed.batch = 4;
  Fixture fixture(fixed);
  ASSERT_OK(fixture.run(makeLine(10)));
  EXPECT_EQ(fixture.recorder.steps.size(), 2u);
}

/// The mean over samples: a last batch of another size counts by its size.
TEST(TrainingLoop, EvaluationIsWeightedBySamples) {
  Fixture fixture;
  Dataset data = makeLine();
  fixture.session.variable("w")->setFromDouble(0, 1.0);
  double loss = 0.0, mean = 0.0;
  for (int64_t i = 0; i < 10; ++i) {
    double x = data.arrays()[0].value.toDouble(i);
    loss += 2 * x * x / 10;
    mean += x / 10;
  }
  for (uint64_t batch : {1, 3, 4, 10, 100}) {
    Result<EvaluateResult> result = evaluate(fixture.session, data, batch);
    ASSERT_OK(result);
    // A batch's mean is rounded once to f32: half an ulp, 2^-24 of it.
    EXPECT_NEAR(result->loss, loss, loss * 0x1p-24);
    EXPECT_NEAR(*result->metric, mean, mean * 0x1p-24);
  }
}

TEST(TrainingLoop, Logs) {
  TemporaryFolder folder;
  std::string path = folder.file("log.jsonl");
  writeText(path, "old\n");
  Fixture fixture({true, 4});
  fixture.options.epochs = 2;
  fixture.options.logPath = path;
  fixture.options.amp = "f16";
  fixture.options.pipeline = "builtin.module(amp{dtype=f16})";
  fixture.options.learningRate = 0.1;
  fixture.options.headerEntries = {{"model", "line.mlir"}};
  Dataset data = makeLine();
  ASSERT_OK(fixture.run(data, &data));
  std::vector<nlohmann::json> lines = readLog(path);
  ASSERT_EQ(lines.size(), 1u + 6u + 2u);
  const nlohmann::json &header = lines[0];
  EXPECT_EQ(header["log_version"], 1);
  EXPECT_EQ(header["task"], "line");
  EXPECT_EQ(header["amp"], "f16");
  EXPECT_EQ(header["options"], "builtin.module(amp{dtype=f16})");
  EXPECT_EQ(header["device"], "cpu");
  EXPECT_TRUE(header["cpu"].is_string());
  EXPECT_TRUE(header["half_units"].is_array());
  EXPECT_EQ(header["seed"], 5);
  EXPECT_EQ(header["batch"], 4);
  EXPECT_EQ(header["samples"], 10);
  EXPECT_EQ(header["epochs"], 2);
  EXPECT_EQ(header["model"], "line.mlir");
  EXPECT_FALSE(header.contains("resumed_after_step"));
  const nlohmann::json &step = lines[1];
  EXPECT_EQ(step["step"], 1);
  EXPECT_EQ(step["epoch"], 0);
  EXPECT_EQ(step["loss"], fixture.recorder.steps[0].result.loss);
  EXPECT_EQ(step["scale"], 65536);
  EXPECT_EQ(step["stepped"], true);
  EXPECT_EQ(step["grad_norm"], fixture.recorder.steps[0].result.gradNorm);
  EXPECT_EQ(step["lr"], 0.1);
  EXPECT_FALSE(step.contains("nonfinite_gradients"));
  EXPECT_EQ(lines[4]["epoch"], 1);
  EXPECT_EQ(lines[4]["eval_loss"], fixture.recorder.evaluations[0].result.loss);
  EXPECT_EQ(lines[4]["mean_w_x"], *fixture.recorder.evaluations[0].result.metric);
  const nlohmann::json &skipped = lines[6];
  EXPECT_EQ(skipped["step"], 5);
  EXPECT_EQ(skipped["stepped"], false);
  EXPECT_TRUE(skipped["grad_norm"].is_null());
  EXPECT_EQ(skipped["nonfinite_gradients"], nlohmann::json::array({"w"}));
}

TEST(TrainingLoop, ResumedLogsAppend) {
  TemporaryFolder folder;
  Dataset data = makeLine();
  Fixture first, second;
  for (Fixture *fixture : {&first, &second}) {
    fixture->options.checkpointPath = folder.file("c.safetensors");
    fixture->options.logPath = folder.file("log.jsonl");
  }
  ASSERT_OK(first.run(data));
  second.options.resumePath = folder.file("c.safetensors");
  second.options.epochs = 2;
  ASSERT_OK(second.run(data));
  std::vector<nlohmann::json> lines = readLog(folder.file("log.jsonl"));
  ASSERT_EQ(lines.size(), 8u);
  EXPECT_EQ(lines[4]["resumed_after_step"], 3);
  EXPECT_EQ(lines[5]["step"], 4);
}

TEST(TrainingLoop, LogsThatCannotBeginAreErrors) {
  Fixture fixture;
  fixture.options.logPath = "/dev/full";
  EXPECT_ERROR(fixture.run(makeLine()), "/dev/full: cannot write the log: no space left on device");
  EXPECT_TRUE(fixture.recorder.steps.empty());
}

namespace {
/// Lets files grow no more from the start of the training on, as a full disk would.
struct FillingDisk : Recorder {
  explicit FillingDisk(const std::string &log) : log(log) { getrlimit(RLIMIT_FSIZE, &before); }
  void onStart(const TrainingOptions &, uint64_t) override {
    rlimit small = before;
    small.rlim_cur = readText(log).size() + 10;
    setrlimit(RLIMIT_FSIZE, &small);
  }
  void onFinish() override { setrlimit(RLIMIT_FSIZE, &before); }

  std::string log;
  rlimit before;
};
} // namespace

TEST(TrainingLoop, LogsThatFailLaterAreWarnedOfOnce) {
  TemporaryFolder folder;
  Fixture fixture;
  fixture.options.logPath = folder.file("log.jsonl");
  auto handler = std::signal(SIGXFSZ, SIG_IGN);
  FillingDisk observer(fixture.options.logPath);
  Dataset data = makeLine();
  Result<TrainingSummary> summary =
      train(fixture.session, data, nullptr, fixture.options, observer);
  std::signal(SIGXFSZ, handler);
  ASSERT_OK(summary);
  EXPECT_EQ(summary->steps, 3u);
  EXPECT_EQ(observer.warnings,
            std::vector<std::string>{fixture.options.logPath +
                                     ": cannot write the log: file too large; the training goes on "
                                     "without it"});
}

TEST(TrainingLoop, SkipLimit) {
  Fixture fixture({true, 2});
  fixture.options.epochs = 100;
  Dataset data = makeLine();
  EXPECT_ERROR(
      fixture.run(data),
      "diverged: 50 steps in a row were skipped, up to step 52 in epoch 17, because gradients were "
      "not finite in 'w'; the loss scale was 65536, 32768, 16384, ..., 4.65661e-10, 2.32831e-10, "
      "1.16415e-10; the loss was finite and a scale below 1 did not help, so that the backward "
      "pass "
      "overflows by itself: try --amp=bf16, a smaller learning rate, or keep the ops before these "
      "parameters in f32 with --policy");
  EXPECT_EQ(fixture.recorder.finished, 1);
  Fixture patient({true, 2});
  patient.options.epochs = 100;
  patient.options.maxConsecutiveSkips = 0;
  Result<TrainingSummary> summary = patient.run(data);
  ASSERT_OK(summary);
  EXPECT_EQ(summary->skippedSteps, 298u);
}

TEST(TrainingLoop, SkipLimitBeforeTheScaleIsSmall) {
  Fixture fixture({true, 0});
  fixture.options.epochs = 100;
  fixture.options.maxConsecutiveSkips = 3;
  EXPECT_ERROR(
      fixture.run(makeLine()),
      "diverged: 3 steps in a row were skipped, up to step 3 in epoch 0, because gradients "
      "were not finite in 'w'; the loss scale was 65536, 32768, 16384; the scale may need "
      "more steps to fall: try a smaller --init-scale or a larger "
      "--max-consecutive-skips");
}

TEST(TrainingLoop, SkipLimitWithStaticScale) {
  RegressionOptions regression{true, 0};
  regression.staticScale = true;
  Fixture fixture(regression);
  fixture.options.epochs = 100;
  fixture.options.maxConsecutiveSkips = 8;
  EXPECT_ERROR(
      fixture.run(makeLine()),
      "diverged: 8 steps in a row were skipped, up to step 8 in epoch 2, because gradients "
      "were not finite in 'w'; the loss scale was 65536, 65536, 65536, ..., 65536, 65536, "
      "65536; the scale did not fall: try --loss-scale=dynamic or a smaller "
      "--static-scale");
}

TEST(TrainingLoop, SkipLimitWithBadLoss) {
  RegressionOptions regression{true, 0, 0};
  Fixture fixture(regression);
  fixture.options.epochs = 100;
  fixture.options.maxConsecutiveSkips = 2;
  EXPECT_ERROR(
      fixture.run(makeLine()),
      "diverged: 2 steps in a row were skipped, up to step 2 in epoch 0, because gradients "
      "were not finite in 'w'; the loss scale was 65536, 32768; the loss was not finite "
      "either, so that a smaller loss scale does not help: try a smaller learning rate, "
      "--amp=bf16, or --amp=off to see whether the model diverges in f32 as well");
}

TEST(TrainingLoop, NonfiniteLosses) {
  RegressionOptions regression;
  regression.nanFrom = 2;
  Fixture fixture(regression);
  fixture.options.epochs = 100;
  Dataset data = makeLine();
  Result<TrainingSummary> summary = fixture.run(data);
  ASSERT_FALSE(summary.ok());
  char loss[32];
  std::snprintf(loss, sizeof(loss), "%g", fixture.recorder.steps[1].result.loss);
  EXPECT_EQ(summary.message(),
            "diverged: the loss was not finite in 10 steps in a row, from step 3 to step 12 in "
            "epoch 3; the last finite loss was " +
                std::string(loss) +
                " in step 2; try a smaller learning rate or clip_norm in the task, and look for "
                "numbers that are not finite in the data");
  // Also at the end of a run that is shorter than that.
  regression.nanFrom = 0;
  Fixture brief(regression);
  brief.options.steps = 1;
  EXPECT_ERROR(
      brief.run(data),
      "diverged: the loss was not finite in 1 step, from step 1 to step 1 in epoch 0; no "
      "loss was finite; try a smaller learning rate or clip_norm in the task, and look for "
      "numbers that are not finite in the data");
}

TEST(TrainingLoop, NonfiniteParameters) {
  TemporaryFolder folder;
  RegressionOptions regression;
  regression.overflowFrom = 3;
  Fixture fixture(regression);
  fixture.options.steps = 4;
  fixture.options.checkpointPath = folder.file("c.safetensors");
  EXPECT_ERROR(fixture.run(makeLine()),
               "diverged: parameter 'w' has -inf as element 0 after step 4 in epoch 1; try a "
               "smaller learning rate or clip_norm in the task");
  Result<CheckpointInfo> info = fixture.session.load(fixture.options.checkpointPath);
  ASSERT_OK(info);
  EXPECT_EQ(info->step, 3u);
  // Who sets no limit on divergence gets what there is, with a word about the evaluation.
  Fixture unlimited(regression);
  Dataset data = makeLine();
  unlimited.options.steps = 4;
  unlimited.options.maxNonfiniteLosses = 0;
  ASSERT_OK(unlimited.run(data, &data));
  EXPECT_EQ(unlimited.recorder.warnings,
            (std::vector<std::string>{"the loss of the evaluation after step 4 is nan"}));
}

/// Only bad steps in a row count.
TEST(TrainingLoop, GoodStepsBetweenBadOnes) {
  RegressionOptions skips{true, 0}, losses;
  losses.nanFrom = 0;
  for (RegressionOptions &regression : {std::ref(skips), std::ref(losses)}) {
    regression.every = 2;
    Fixture fixture(regression);
    fixture.options.steps = 10;
    fixture.options.maxConsecutiveSkips = fixture.options.maxNonfiniteLosses = 2;
    EXPECT_OK(fixture.run(makeLine()));
  }
}

/// What a caller's exit status needs: was the input bad, or did the run fail?
TEST(TrainingLoop, RunFailuresAreMarked) {
  RegressionOptions regression;
  regression.nanFrom = 0;
  Fixture diverging(regression), impossible;
  diverging.options.maxNonfiniteLosses = 1;
  impossible.options.batch = 0;
  EXPECT_TRUE(diverging.run(makeLine()).status().isRunFailure());
  EXPECT_FALSE(impossible.run(makeLine()).status().isRunFailure());
  Status failure = error("disk full").asRunFailure().withPrefix("log");
  EXPECT_EQ(failure.message(), "log: disk full");
  EXPECT_TRUE(failure.isRunFailure());
  EXPECT_FALSE(Status().asRunFailure().isRunFailure());
}

/// A diverged run must not replace the last good checkpoint.
TEST(TrainingLoop, DivergedRunsKeepTheCheckpoint) {
  TemporaryFolder folder;
  RegressionOptions regression;
  regression.nanFrom = 5;
  Fixture fixture(regression);
  fixture.options.epochs = 100;
  fixture.options.checkpointPath = folder.file("c.safetensors");
  fixture.options.maxNonfiniteLosses = 1;
  EXPECT_FALSE(fixture.run(makeLine()).ok());
  Result<CheckpointInfo> info = fixture.session.load(fixture.options.checkpointPath);
  ASSERT_OK(info);
  EXPECT_EQ(info->step, 3u);
}
