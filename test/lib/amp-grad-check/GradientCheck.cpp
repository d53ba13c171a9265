//===- GradientCheck.cpp - a gradient function against differences --------===//

#include "GradientCheck.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <cstring>

using namespace amp;
using namespace amp::test;
using llvm::Error;
using llvm::Expected;

static constexpr double kStep = 0x1p-17;
static constexpr double kEpsilon = 0x1p-53;
static constexpr double kMaxTruncation = 1e-6;

namespace {

/// A tensor argument with its memory.
struct Tensor {
  std::vector<int64_t> shape;
  bool isFloat = false;
  std::vector<double> floats;
  std::vector<char> bytes;

  BufferRef ref() {
    void *data = isFloat ? static_cast<void *>(floats.data()) : static_cast<void *>(bytes.data());
    return {data, shape, nullptr};
  }
};

/// Uniform numbers in [0, 1) that depend on (seed, stream, index) alone: SplitMix64 of a counter.
class Random {
public:
  Random(uint64_t seed, uint64_t stream) : state(mix(seed) ^ mix(~stream)) {}
  double uniform(uint64_t index) const { return (mix(state + index) >> 11) * 0x1p-53; }

private:
  static uint64_t mix(uint64_t value) {
    value += 0x9e3779b97f4a7c15;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
    value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
    return value ^ (value >> 31);
  }
  uint64_t state;
};

/// Calls of f and f.grad at one point.
class Checker {
public:
  Checker(const CompiledModule &module, llvm::StringRef name, const GradientCheckOptions &options)
      : module(module), name(name.str()), options(options) {}

  Expected<GradientCheckResult> run();

private:
  Error makeArguments(const FunctionInfo &info);
  Expected<std::vector<std::vector<double>>> call(llvm::StringRef function, bool withSeed);
  /// phi(x), and S beside it.
  Expected<double> evaluate();
  Expected<double> getDifference(double &element, double step);
  Error checkElement(unsigned argument, unsigned element, double gradient);

  const CompiledModule &module;
  std::string name;
  const GradientCheckOptions &options;
  std::vector<Tensor> arguments;
  Tensor seed;
  double scale = 0;
  GradientCheckResult result;
};

} // namespace

template <typename... Args> static Error makeError(const char *format, Args &&...args) {
  return llvm::createStringError(llvm::formatv(format, std::forward<Args>(args)...).str());
}

static int64_t countElements(llvm::ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

Error Checker::makeArguments(const FunctionInfo &info) {
  for (auto [index, argument] : llvm::enumerate(info.arguments)) {
    if (!argument.variable.empty())
      return makeError("@{0} reads the variable @{1}; expects a function of its arguments alone",
                       name, argument.variable);
    Tensor tensor;
    for (int64_t extent : argument.shape)
      tensor.shape.push_back(extent < 0 ? options.dim : extent);
    int64_t count = countElements(tensor.shape);
    Random random(options.seed, index);
    tensor.isFloat = argument.elementType == "f64";
    if (!tensor.isFloat && argument.elementType[0] == 'f')
      return makeError("argument {0} of @{1} has elements of type {2}; expects f64", index, name,
                       argument.elementType);
    for (int64_t i = 0; i < count; ++i) {
      if (tensor.isFloat) {
        tensor.floats.push_back(options.low + (options.high - options.low) * random.uniform(i));
        continue;
      }
      auto label = static_cast<int64_t>(options.labels * random.uniform(i));
      // Little endian, as all CPUs that the target knows.
      tensor.bytes.resize((i + 1) * argument.byteSize);
      std::memcpy(&tensor.bytes[i * argument.byteSize], &label, argument.byteSize);
    }
    arguments.push_back(std::move(tensor));
  }
  if (info.results.size() != 1 || info.results[0].elementType != "f64")
    return makeError("@{0} has to return one tensor of f64", name);
  return Error::success();
}

Expected<std::vector<std::vector<double>>> Checker::call(llvm::StringRef function, bool withSeed) {
  std::vector<BufferRef> refs, outputs;
  for (Tensor &tensor : arguments)
    refs.push_back(tensor.ref());
  if (withSeed)
    refs.push_back(seed.ref());
  if (Error error = module.call(function, refs, outputs))
    return std::move(error);
  std::vector<std::vector<double>> values;
  for (BufferRef &output : outputs) {
    const double *data = static_cast<const double *>(output.data);
    values.emplace_back(data, data + countElements(output.shape));
    if (!withSeed && seed.floats.empty())
      seed.shape = output.shape;
    std::free(output.allocated);
  }
  return values;
}

Expected<double> Checker::evaluate() {
  Expected<std::vector<std::vector<double>>> values = call(name, /*withSeed=*/false);
  if (!values)
    return values.takeError();
  // In the wider type, so that this sum adds no rounding worth counting.
  long double sum = 0;
  for (auto [weight, value] : llvm::zip_equal(seed.floats, values->front()))
    sum += static_cast<long double>(weight) * value;
  return static_cast<double>(sum);
}

Expected<double> Checker::getDifference(double &element, double step) {
  double saved = element, upper = saved + step, lower = saved - step;
  element = upper;
  Expected<double> above = evaluate();
  element = lower;
  Expected<double> below = evaluate();
  element = saved;
  if (!above || !below)
    return llvm::joinErrors(above.takeError(), below.takeError());
  return (*above - *below) / (upper - lower);
}

Error Checker::checkElement(unsigned argument, unsigned element, double gradient) {
  double &value = arguments[argument].floats[element];
  Expected<double> difference = getDifference(value, kStep);
  if (!difference)
    return difference.takeError();
  Expected<double> wider = getDifference(value, 2 * kStep);
  if (!wider)
    return wider.takeError();
  double truncation = std::abs(*wider - *difference);
  double rounding = options.roundings * kEpsilon * scale / kStep;
  if (!(truncation <= kMaxTruncation * std::max(1.0, std::abs(*difference))))
    return makeError("@{0} is not smooth at element {1} of argument {2}: the difference quotients "
                     "are {3:e9} and {4:e9}; "
                     "choose another --seed",
                     name, element, argument, *difference, *wider);
  double tolerance = truncation + rounding;
  double error = std::abs(gradient - *difference);
  ++result.derivatives;
  if (!(error <= tolerance))
    return makeError("@{0}: the gradient of element {1} of argument {2} is {3} but the difference "
                     "quotient is {4}: the "
                     "error {5:e} exceeds the tolerance {6:e}",
                     name, element, argument, gradient, *difference, error, tolerance);
  result.maxError = std::max(result.maxError, error);
  result.maxRatio = std::max(result.maxRatio, error / tolerance);
  return Error::success();
}

Expected<GradientCheckResult> Checker::run() {
  const FunctionInfo *info = module.function(name);
  if (!info)
    return makeError("there is no function @{0}", name);
  if (Error error = makeArguments(*info))
    return std::move(error);
  Expected<std::vector<std::vector<double>>> values = call(name, /*withSeed=*/false);
  if (!values)
    return values.takeError();
  seed.isFloat = true;
  Random random(options.seed, ~0u);
  for (auto [index, value] : llvm::enumerate(values->front())) {
    seed.floats.push_back(2 * random.uniform(index) - 1);
    scale += std::abs(seed.floats.back()) * std::max(1.0, std::abs(value));
  }
  Expected<std::vector<std::vector<double>>> gradients = call(name + ".grad", /*withSeed=*/true);
  if (!gradients)
    return gradients.takeError();
  unsigned position = 0;
  for (unsigned argument = 0; argument < arguments.size(); ++argument) {
    if (!arguments[argument].isFloat)
      continue;
    const std::vector<double> &gradient = (*gradients)[position++];
    if (gradient.size() != arguments[argument].floats.size())
      return makeError("@{0}: the gradient of argument {1} has {2} elements; expects {3}", name,
                       argument, gradient.size(), arguments[argument].floats.size());
    for (unsigned element = 0; element < gradient.size(); ++element)
      if (Error error = checkElement(argument, element, gradient[element]))
        return std::move(error);
  }
  return result;
}

Expected<GradientCheckResult> amp::test::checkGradient(const CompiledModule &module,
                                                       llvm::StringRef name,
                                                       const GradientCheckOptions &options) {
  return Checker(module, name, options).run();
}
