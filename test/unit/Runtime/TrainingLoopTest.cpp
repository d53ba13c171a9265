//===- TrainingLoopTest.cpp ------------------------------------------------===//

#include "TrainingTestUtils.h"
#include <csignal>
#include <nlohmann/json.hpp>
#include <sys/resource.h>

using namespace amp::runtime;

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
  fixed.batch = 0;
  EXPECT_ERROR(run([](TrainingOptions &) {}, fixed),
               "function 'line.step' takes a batch of 0 samples; write ? or a number above 0 for "
               "the batch in the model");
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
