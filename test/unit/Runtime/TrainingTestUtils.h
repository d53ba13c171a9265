//===- TrainingTestUtils.h - a small training and what it says -------------===//
#ifndef AMP_TEST_UNIT_RUNTIME_TRAININGTESTUTILS_H
#define AMP_TEST_UNIT_RUNTIME_TRAININGTESTUTILS_H

#include "Regression.h"
#include "amp/Runtime/TrainingLoop.h"

namespace amp::runtime {

/// Samples of y = 3 x.
inline Dataset makeLine(int64_t count = 10) {
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

} // namespace amp::runtime

#endif // AMP_TEST_UNIT_RUNTIME_TRAININGTESTUTILS_H
