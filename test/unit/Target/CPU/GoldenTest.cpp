//===- GoldenTest.cpp - scale and optimizers against PyTorch's records ----===//

#include "Compile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>

using namespace llvm;

/// The trajectories of a file of test/golden; empty, with a failure, if it cannot be read.
static json::Array readTrajectories(StringRef name) {
  std::string path = formatv("{0}/test/golden/{1}", AMP_SOURCE_DIR, name);
  auto buffer = MemoryBuffer::getFile(path);
  if (!buffer) {
    ADD_FAILURE() << path << ": " << buffer.getError().message();
    return {};
  }
  Expected<json::Value> value = json::parse((*buffer)->getBuffer());
  if (!value) {
    ADD_FAILURE() << path << ": " << toString(value.takeError());
    return {};
  }
  json::Array trajectories = std::move(*value->getAsObject()->getArray("trajectories"));
  EXPECT_FALSE(trajectories.empty()) << path;
  return trajectories;
}

/// An f64 as an attribute that reads back the same.
static std::string attribute(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return formatv("{0} : f64", format_hex(bits, 18));
}

//===----------------------------------------------------------------------===//
// The loss scale
//===----------------------------------------------------------------------===//

static uint32_t bitsFromHex(StringRef text) {
  uint32_t bits = 0;
  EXPECT_FALSE(text.getAsInteger(16, bits)) << text.str();
  return bits;
}

static std::string updateScale(const json::Object &trajectory) {
  return formatv(R"(
func.func @update(%finite: tensor<i1>, %s: tensor<f32>, %g: tensor<i32>, %h: tensor<i32>,
                  %c: tensor<i32>, %t: tensor<i32>)
    -> (tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) {{
  %0:5 = amp.update_scale %finite, %s, %g, %h, %c, %t
      {{growth_factor = {0}, backoff_factor = {1}, growth_interval = {2} : i32, hysteresis = 1 : i32}
      : (tensor<i1>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
      -> (tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
  return %0#0, %0#1, %0#2, %0#3, %0#4
      : tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>
})",
                 attribute(*trajectory.getNumber("growth_factor")),
                 attribute(*trajectory.getNumber("backoff_factor")),
                 *trajectory.getInteger("growth_interval"));
}

TEST(Golden, ScaleHasPyTorchsBits) {
  for (const json::Value &entry : readTrajectories("grad_scaler.json")) {
    const json::Object &trajectory = *entry.getAsObject();
    SCOPED_TRACE(trajectory.getString("name")->str());
    Compiled compiled(updateScale(trajectory));
    std::vector<float> scale{floatOf(bitsFromHex(*trajectory.getString("init_scale")))};
    std::vector<int32_t> tracker{0}, hysteresis{1}, consecutive{0}, total{0};
    StringRef foundInf = *trajectory.getString("found_inf");
    const json::Array &scales = *trajectory.getArray("scale");
    const json::Array &trackers = *trajectory.getArray("growth_tracker");
    ASSERT_EQ(scales.size(), foundInf.size());
    for (auto [step, overflow] : enumerate(foundInf)) {
      std::vector<uint8_t> finite{uint8_t(overflow == '0')};
      compiled.arg(finite, {}).arg(scale, {}).arg(tracker, {}).arg(hysteresis, {});
      compiled.arg(consecutive, {}).arg(total, {}).call("update");
      scale = compiled.result<float>(0);
      tracker = compiled.result<int32_t>(1);
      hysteresis = compiled.result<int32_t>(2);
      consecutive = compiled.result<int32_t>(3);
      total = compiled.result<int32_t>(4);
      ASSERT_EQ(bitsOf(scale[0]), bitsFromHex(*scales[step].getAsString())) << "step " << step;
      ASSERT_EQ(tracker[0], *trackers[step].getAsInteger()) << "step " << step;
    }
    EXPECT_EQ(total[0], int64_t(foundInf.count('1')));
  }
}

//===----------------------------------------------------------------------===//
// Optimizers
//===----------------------------------------------------------------------===//

static std::vector<float> floats(const json::Array &numbers) {
  std::vector<float> values;
  for (const json::Value &number : numbers)
    values.push_back(static_cast<float>(*number.getAsNumber()));
  return values;
}

/// `op` with its attributes, as function @step of parameter, gradient, `states` and, for Adam, the
/// step's number.
static std::string optimizerStep(StringRef op, const json::Object &attributes, size_t size,
                                 size_t states, bool counts) {
  std::string vector = formatv("tensor<{0}xf32>", size);
  std::string arguments, operands, types, results, attributeText;
  ListSeparator comma, typeComma, resultComma, attributeComma;
  auto addArgument = [&](Twine name, StringRef type) {
    arguments += formatv("{0}%{1}: {2}", StringRef(comma), name.str(), type);
    operands += formatv("{0}%{1}", operands.empty() ? "" : ", ", name.str());
    types += formatv("{0}{1}", StringRef(typeComma), type);
  };
  addArgument("p", vector);
  addArgument("g", vector);
  for (size_t state = 0; state < states; ++state)
    addArgument("s" + Twine(state), vector);
  if (counts)
    addArgument("t", "tensor<i64>");
  for (size_t result = 0; result <= states; ++result)
    results += formatv("{0}{1}", StringRef(resultComma), vector);
  for (const auto &[name, value] : attributes) {
    std::optional<bool> flag = value.getAsBoolean();
    attributeText += formatv("{0}{1} = {2}", StringRef(attributeComma), StringRef(name),
                             flag ? (*flag ? "true" : "false") : attribute(*value.getAsNumber()));
  }
  std::string returned = states == 0 ? "%0" : "%0#0";
  for (size_t state = 1; state <= states; ++state)
    returned += formatv(", %0#{0}", state);
  return formatv("func.func @step({0}) -> ({1}) {{\n"
                 "  %0{2} = {3} {4} {{{5}} : ({6}) -> ({1})\n"
                 "  return {7} : {1}\n}",
                 arguments, results, states == 0 ? "" : formatv(":{0}", states + 1).str(), op,
                 operands, attributeText, types, returned);
}

/// How far two f32 evaluations of one step may lie apart.
///
/// Each side makes at most `roundings` roundings on the way to a value, each of at most 2^-24 of
/// the sizes that are added up on that way. Two sides, so twice that. PyTorch orders the operations
/// otherwise (a lerp for the moment, fused multiply-adds), which changes their number but not these
/// sizes.
static double bound(int roundings, double size) { return 2 * roundings * std::ldexp(size, -24); }

namespace {
/// One element's values before and after a step, and the sizes of what is added up on the way.
struct ElementBounds {
  double parameter;
  SmallVector<double> states;
};
} // namespace

static ElementBounds boundsOf(const json::Object &attributes, double p, double g,
                              ArrayRef<double> before, ArrayRef<double> after) {
  auto get = [&](StringRef name) { return attributes.getNumber(name).value_or(0); };
  double rate = get("learning_rate"), decay = get("weight_decay");
  double gradient = std::abs(g) + decay * std::abs(p); // 2 roundings
  if (before.empty())
    return {bound(4, std::abs(p) + rate * gradient), {}}; // times rate, minus
  if (before.size() == 1) {
    double momentum = get("momentum");
    double velocity = momentum * std::abs(before[0]) + gradient; // 2 more
    // Nesterov: 2 more, of gradient + momentum * velocity; then times rate, minus.
    double direction = gradient + velocity;
    return {bound(8, std::abs(p) + rate * direction), {bound(4, velocity)}};
  }
  double beta1 = get("beta1"), beta2 = get("beta2");
  // Rounding the factors (beta, 1 - beta) to f32 is one more each; a lerp subtracts m from g first,
  // which (1 - beta) makes no larger than both sizes.
  double first =
      std::abs(before[0]) + (1 - beta1) * gradient; // 2 of the gradient, 2 products, factor, sum
  double second =
      beta2 * before[1] + (1 - beta2) * gradient * gradient; // as above, the gradient twice
  double root = std::sqrt(std::max(after[1], 1e-300)) + get("epsilon");
  // The denominator: half of the moment's relative roundings, root, division, factor, sum. Then
  // quotient and step size. The bias corrections are at most 1 / (1 - beta1) and 1 / sqrt(1 -
  // beta2) at the first step; taken as such.
  double step = rate / (1 - beta1);
  double quotient = first / root;
  return {bound(3, std::abs(p)) + step * bound(18, quotient), {bound(6, first), bound(8, second)}};
}

static void checkTrajectory(const json::Object &trajectory) {
  StringRef op = *trajectory.getString("op");
  const json::Object &attributes = *trajectory.getObject("attributes");
  SmallVector<StringRef> stateNames;
  if (op.starts_with("train.adam"))
    stateNames = {"exp_avg", "exp_avg_sq"};
  else if (op == "train.momentum")
    stateNames = {"velocity"};
  bool counts = stateNames.size() == 2;
  // Each step starts from PyTorch's own values, so that the bound is that of one step.
  std::vector<float> parameter = floats(*trajectory.getArray("start"));
  size_t size = parameter.size();
  std::vector<std::vector<float>> states(stateNames.size(), std::vector<float>(size, 0.0f));
  Compiled compiled(optimizerStep(op, attributes, size, states.size(), counts));
  for (auto [index, entry] : enumerate(*trajectory.getArray("steps"))) {
    const json::Object &row = *entry.getAsObject();
    std::vector<float> gradient = floats(*row.getArray("gradient"));
    std::vector<int64_t> number{int64_t(index) + 1};
    std::vector<int64_t> shape{int64_t(size)};
    compiled.arg(parameter, shape).arg(gradient, shape);
    for (std::vector<float> &state : states)
      compiled.arg(state, shape);
    if (counts)
      compiled.arg(number, {});
    compiled.call("step");
    std::vector<float> expected = floats(*row.getArray("parameter"));
    std::vector<std::vector<float>> expectedStates;
    for (StringRef name : stateNames)
      expectedStates.push_back(floats(*row.getArray(name)));
    for (size_t i = 0; i < size; ++i) {
      SmallVector<double> before, after;
      for (size_t state = 0; state < states.size(); ++state) {
        before.push_back(states[state][i]);
        after.push_back(expectedStates[state][i]);
      }
      ElementBounds bounds = boundsOf(attributes, parameter[i], gradient[i], before, after);
      EXPECT_NEAR(compiled.result<float>(0)[i], expected[i], bounds.parameter)
          << "parameter " << i << " after step " << index;
      for (size_t state = 0; state < states.size(); ++state)
        EXPECT_NEAR(compiled.result<float>(state + 1)[i], after[state], bounds.states[state])
            << stateNames[state].str() << " " << i << " after step " << index;
    }
    parameter = expected;
    states = expectedStates;
  }
}

TEST(Golden, OptimizersStepAsPyTorchs) {
  for (const json::Value &entry : readTrajectories("optimizers.json")) {
    const json::Object &trajectory = *entry.getAsObject();
    SCOPED_TRACE(trajectory.getString("op")->str());
    checkTrajectory(trajectory);
  }
}
