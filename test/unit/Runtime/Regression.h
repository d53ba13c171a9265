//===- Regression.h - a small training as a program ------------------------===//
#ifndef AMP_TEST_UNIT_RUNTIME_REGRESSION_H
#define AMP_TEST_UNIT_RUNTIME_REGRESSION_H

#include "TestUtils.h"
#include <cmath>

namespace amp::runtime {

/// What the small training does besides training.
struct RegressionOptions {
  /// With a loss scale and a half copy of the weight.
  bool scaled = false;
  /// The step, counted from 0, from which on gradients overflow; none if negative.
  int overflowFrom = -1;
  /// From this step on the loss is not a number.
  int nanFrom = -1;
  /// Extent of the batch in the signature.
  int64_t batch = -1;
  bool metric = true;
  /// Only every so many steps are bad.
  int every = 1;
  /// The scale stays where it is.
  bool staticScale = false;
  std::string task = "line";
};

/// Fits y = w x by gradient descent on the mean of (w x - y)^2 / 2: a step is
/// w -= 0.1 mean(x (w x - y)). With a loss scale an overflow halves the scale and skips the step.
inline Program makeRegression(const RegressionOptions &options = {}) {
  Program program(options.task);
  auto add = [&](VariableSpec variable) { EXPECT_OK(program.addVariable(std::move(variable))); };
  add({"w", VariableRole::Parameter, ElementType::F32, {}, Initializer::uniform(-1, 1), ""});
  add({"line.step_count", VariableRole::Counter, ElementType::I64, {}, {}, ""});
  if (options.scaled) {
    add({"amp.scale",
         VariableRole::ScaleState,
         ElementType::F32,
         {},
         Initializer::constant(65536),
         ""});
    add({"w.f16", VariableRole::HalfCopy, ElementType::F16, {}, {}, "w"});
  }
  FunctionSignature step;
  step.name = options.task + ".step";
  step.arguments = {{"x", ElementType::F32, {options.batch, 1}},
                    {"y", ElementType::F32, {options.batch}}};
  step.variables = {"w", "line.step_count"};
  step.results = {{"loss", ElementType::F32, {}},
                  {"stepped", ElementType::I1, {}},
                  {"scale", ElementType::F32, {}},
                  {"grad_norm", ElementType::F32, {}}};
  FunctionSignature eval = step;
  eval.name = options.task + ".eval";
  eval.variables = {"w"};
  eval.results.resize(1);
  if (options.metric) {
    eval.results.push_back({"metric", ElementType::F32, {}});
    eval.metric = "mean_w_x";
  }
  step.gradients = {"w"};
  if (options.scaled) {
    step.variables.insert(step.variables.end(), {"amp.scale", "w.f16"});
    step.results.push_back({"nonfinite", ElementType::I1, {1}});
  }
  auto scalar = [](ElementType type, double value) { return makeTensor(type, {}, {value}); };
  auto calls = std::make_shared<int>(0);
  EXPECT_OK(program.addFunction(std::make_unique<FunctionExecutable>(
      step, [=](Span<const Tensor *const> arguments, Span<Tensor *const> state,
                std::vector<Tensor> &results) {
        int call = (*calls)++;
        const Tensor &x = *arguments[0], &y = *arguments[1];
        int64_t n = y.dim(0);
        double w = state[0]->toDouble(0), gradient = 0, loss = 0;
        for (int64_t i = 0; i < n; ++i) {
          double difference = w * x.toDouble(i) - y.toDouble(i);
          loss += difference * difference / 2 / n;
          gradient += x.toDouble(i) * difference / n;
        }
        bool overflows =
            options.overflowFrom >= 0 && call >= options.overflowFrom && call % options.every == 0;
        if (overflows)
          gradient = INFINITY;
        bool stepped = !options.scaled || !overflows;
        if (stepped) {
          state[0]->setFromDouble(0, w - 0.1 * gradient);
          state[1]->setFromDouble(0, state[1]->toDouble(0) + 1);
        }
        if (options.nanFrom >= 0 && call >= options.nanFrom && call % options.every == 0)
          loss = NAN;
        results.push_back(scalar(ElementType::F32, loss));
        results.push_back(scalar(ElementType::I1, stepped));
        results.push_back(scalar(ElementType::F32, options.scaled ? state[2]->toDouble(0) : 1.0));
        results.push_back(scalar(ElementType::F32, std::fabs(gradient)));
        if (options.scaled) {
          if (overflows && !options.staticScale)
            state[2]->setFromDouble(0, state[2]->toDouble(0) / 2);
          convertElements(*state[0], *state[3]);
          results.push_back(makeTensor(ElementType::I1, {1}, {overflows ? 1.0 : 0.0}));
        }
        return Status();
      })));
  EXPECT_OK(program.addFunction(std::make_unique<FunctionExecutable>(
      eval, [=](Span<const Tensor *const> arguments, Span<Tensor *const> state,
                std::vector<Tensor> &results) {
        const Tensor &x = *arguments[0], &y = *arguments[1];
        int64_t n = y.dim(0);
        double w = state[0]->toDouble(0), loss = 0, mean = 0;
        for (int64_t i = 0; i < n; ++i) {
          loss += std::pow(w * x.toDouble(i) - y.toDouble(i), 2) / 2 / n;
          mean += w * x.toDouble(i) / n;
        }
        results.push_back(scalar(ElementType::F32, loss));
        if (options.metric)
          results.push_back(scalar(ElementType::F32, mean));
        return Status();
      })));
  return program;
}

} // namespace amp::runtime

#endif // AMP_TEST_UNIT_RUNTIME_REGRESSION_H
