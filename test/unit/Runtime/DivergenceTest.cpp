//===- DivergenceTest.cpp - runs that are given up --------------------------===//

#include "TrainingTestUtils.h"

using namespace amp::runtime;

TEST(Divergence, SkipLimit) {
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

TEST(Divergence, SkipLimitBeforeTheScaleIsSmall) {
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

TEST(Divergence, SkipLimitWithStaticScale) {
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

TEST(Divergence, SkipLimitWithBadLoss) {
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

TEST(Divergence, NonfiniteLosses) {
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

TEST(Divergence, NonfiniteParameters) {
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
TEST(Divergence, GoodStepsBetweenBadOnes) {
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
TEST(Divergence, RunFailuresAreMarked) {
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
TEST(Divergence, DivergedRunsKeepTheCheckpoint) {
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
