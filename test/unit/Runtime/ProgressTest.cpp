//===- ProgressTest.cpp ----------------------------------------------------===//

#include "amp/Runtime/Progress.h"
#include <gtest/gtest.h>

using namespace amp::runtime;

namespace {
/// A stream that keeps what is written to it.
class Output {
public:
  Output() : file(open_memstream(&bytes, &size)) {}
  ~Output() {
    std::fclose(file);
    std::free(bytes);
  }
  std::string text() {
    std::fflush(file);
    return std::string(bytes, size);
  }

private:
  char *bytes = nullptr;
  size_t size = 0;

public:
  std::FILE *file;
};
} // namespace

static StepRecord makeStep(uint64_t step, double loss, bool stepped, double scale) {
  StepRecord record;
  record.step = step;
  record.stepInEpoch = step;
  record.stepsPerEpoch = 4;
  record.result.loss = loss;
  record.result.stepped = stepped;
  record.result.scale = scale;
  return record;
}

TEST(Progress, PlainLines) {
  Output output;
  Progress progress(output.file, "f16", /*bar=*/false, 80);
  progress.onStart({}, 8);
  progress.onStep(makeStep(1, 2.0, true, 1024));
  progress.onStep(makeStep(2, 1.0, false, 512));
  EvaluationRecord evaluation;
  evaluation.epoch = 1;
  evaluation.result.loss = 0.25;
  evaluation.result.metric = 0.9;
  evaluation.metric = "accuracy";
  progress.onEvaluation(evaluation);
  progress.onEpochEnd(1, true);
  progress.onStep(makeStep(3, 0.5, true, 512));
  progress.onEpochEnd(2, false);
  progress.onWarning("the disk is full");
  progress.onStep(makeStep(4, 0.25, true, 1));
  progress.onFinish();
  EXPECT_EQ(output.text(), "f16: epoch 1: loss 1.5, scale 512, 1 skipped, eval_loss 0.25, accuracy "
                           "0.9000\n"
                           "f16: epoch 2: loss 0.5, scale 512\n"
                           "f16: warning: the disk is full\n"
                           "f16: step 4: loss 0.25\n");
}

TEST(Progress, Bar) {
  Output output;
  Progress progress(output.file, "", /*bar=*/true, 40);
  progress.onStart({}, 4);
  progress.onStep(makeStep(1, 2.0, true, 1));
  // Too soon to be drawn, and the last one, which is.
  progress.onStep(makeStep(2, 2.0, true, 1));
  progress.onStep(makeStep(4, 2.0, true, 1));
  progress.onEpochEnd(1, false);
  progress.onFinish();
  EXPECT_EQ(output.text(), "\r\033[Kepoch 1 [####..............] 1/4 loss 2"
                           "\r\033[Kepoch 1 [##################] 4/4 loss 2"
                           "\r\033[Kepoch 1: loss 2\n");
}

TEST(Progress, NarrowTerminalsGetText) {
  Output output;
  Progress progress(output.file, "", /*bar=*/true, 12);
  progress.onStep(makeStep(1, 2.0, true, 1));
  EXPECT_EQ(output.text(), "\r\033[Kepoch 1  1/");
}
