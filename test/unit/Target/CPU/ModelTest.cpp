//===- ModelTest.cpp - whole functions: norms, softmax, a training step ---===//

#include "Compile.h"
#include "amp/InitAll.h"
#include "amp/Pipelines/Pipelines.h"
#include "amp/Runtime/Half.h"
#include "amp/Runtime/Session.h"
#include "amp/Target/CPU/CpuProgram.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include <cmath>
#include <mutex>
#include <random>

using namespace amp::runtime;

static std::vector<float> randomValues(size_t count, float deviation, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0, deviation);
  std::vector<float> values(count);
  for (float &value : values)
    value = normal(random);
  return values;
}

static std::string replaceAll(std::string text, const std::string &from, const std::string &to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

/// Half of an ulp of one in f32: the largest relative error of one operation.
static constexpr double kRounding = 0x1p-24;

/// Roundings that a term of a sum of `count` goes through: its lane's, the lanes', the initial one.
static double roundingsOfSum(size_t count) {
  size_t perLane = (count + 15) / 16;
  return double(perLane) + 5;
}

static const char *softmaxText = R"(
  func.func @softmax(%x: tensor<ROWSxCOLSxf32>) -> tensor<ROWSxCOLSxf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %x2 = tensor.cast %x : tensor<ROWSxCOLSxf32> to tensor<?x?xf32>
    %rows = tensor.dim %x2, %c0 : tensor<?x?xf32>
    %columns = tensor.dim %x2, %c1 : tensor<?x?xf32>
    %lowest = arith.constant 0xFF800000 : f32
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty(%rows) : tensor<?xf32>
    %m0 = linalg.fill ins(%lowest : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    %m = linalg.reduce { arith.maximumf } ins(%x2 : tensor<?x?xf32>) outs(%m0 : tensor<?xf32>)
      dimensions = [1]
    %e2 = tensor.empty(%rows, %columns) : tensor<?x?xf32>
    %exp = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>,
                                            affine_map<(i, j) -> (i, j)>],
                           iterator_types = ["parallel", "parallel"]}
        ins(%x2, %m : tensor<?x?xf32>, tensor<?xf32>) outs(%e2 : tensor<?x?xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %0 = arith.subf %a, %b : f32
      %1 = math.exp %0 : f32
      linalg.yield %1 : f32
    } -> tensor<?x?xf32>
    %s0 = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    %s = linalg.reduce { arith.addf } ins(%exp : tensor<?x?xf32>) outs(%s0 : tensor<?xf32>)
      dimensions = [1]
    %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>,
                                          affine_map<(i, j) -> (i, j)>],
                         iterator_types = ["parallel", "parallel"]}
        ins(%exp, %s : tensor<?x?xf32>, tensor<?xf32>) outs(%e2 : tensor<?x?xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %0 = arith.divf %a, %b : f32
      linalg.yield %0 : f32
    } -> tensor<?x?xf32>
    %result = tensor.cast %r : tensor<?x?xf32> to tensor<ROWSxCOLSxf32>
    return %result : tensor<ROWSxCOLSxf32>
  })";

TEST(Model, Softmax) {
  constexpr size_t kRows = 7, kColumns = 131;
  auto x = randomValues(kRows * kColumns, 3);
  std::string fixed = replaceAll(replaceAll(softmaxText, "ROWS", "7"), "COLS", "131");
  std::string dynamic = replaceAll(replaceAll(softmaxText, "ROWS", "?"), "COLS", "?");
  std::vector<float> first;
  for (const std::string &text : {fixed, dynamic})
    for (const std::string &features : featureSets()) {
      Compiled c(text, features);
      auto got = c.arg(x, {kRows, kColumns}).call("softmax").result<float>(0);
      ASSERT_EQ(got.size(), x.size());
      if (first.empty())
        first = got;
      EXPECT_EQ(got, first) << features;
    }
  for (size_t row = 0; row < kRows; ++row) {
    const float *in = x.data() + row * kColumns;
    double maximum = *std::max_element(in, in + kColumns), sum = 0, spread = 0;
    for (size_t i = 0; i < kColumns; ++i) {
      sum += std::exp(in[i] - maximum);
      spread = std::max(spread, maximum - in[i]);
    }
    // The argument's rounding counts times its size; exp is within 2 ulp (4 roundings), in the
    // numerator and in the sum; the sum's own roundings; the quotient's.
    double roundings = 2 * (spread + 4) + roundingsOfSum(kColumns) + 1;
    for (size_t i = 0; i < kColumns; ++i) {
      double want = std::exp(in[i] - maximum) / sum;
      EXPECT_NEAR(first[row * kColumns + i], want, want * roundings * kRounding);
    }
  }
}

TEST(Model, SoftmaxInHalfRoundsOnce) {
  // In f32 from the f16 values, then one rounding: within half an ulp and what f32 adds.
  std::string text = R"(
    func.func @f(%x: tensor<4x300xf16>) -> tensor<4x300xf16> {
      %e = tensor.empty() : tensor<4x300xf16>
      %r = linalg.softmax dimension(1) ins(%x : tensor<4x300xf16>) outs(%e : tensor<4x300xf16>)
        -> tensor<4x300xf16>
      return %r : tensor<4x300xf16>
    })";
  std::vector<uint16_t> x;
  for (float value : randomValues(4 * 300, 2))
    x.push_back(f16FromF32(value));
  Compiled c(text);
  auto got = c.arg(x, {4, 300}).call("f").result<uint16_t>(0);
  ASSERT_EQ(got.size(), x.size());
  for (size_t row = 0; row < 4; ++row) {
    double maximum = -INFINITY, sum = 0;
    auto in = [&](size_t i) { return double(f32FromF16(x[row * 300 + i])); };
    for (size_t i = 0; i < 300; ++i)
      maximum = std::max(maximum, in(i));
    for (size_t i = 0; i < 300; ++i)
      sum += std::exp(in(i)-maximum);
    for (size_t i = 0; i < 300; ++i) {
      double want = std::exp(in(i)-maximum) / sum;
      // Half an ulp is 2^-11 of a normal number, 2^-25 of a subnormal one; f32's error is below a
      // hundredth of it.
      double bound = std::max(want * 0x1p-11, 0x1p-25) * 1.01;
      EXPECT_NEAR(f32FromF16(got[row * 300 + i]), want, bound);
    }
  }
}

static const char *layerNormText = R"(
  #row = affine_map<(i, j) -> (i)>
  #all = affine_map<(i, j) -> (i, j)>
  func.func @f(%x: tensor<?xCOLSxf32>) -> tensor<?xCOLSxf32> {
    %c0 = arith.constant 0 : index
    %rows = tensor.dim %x, %c0 : tensor<?xCOLSxf32>
    %zero = arith.constant 0.0 : f32
    %inverse = arith.constant INVERSE : f32
    %epsilon = arith.constant 1.0e-5 : f32
    %e = tensor.empty(%rows) : tensor<?xf32>
    %e2 = tensor.empty(%rows) : tensor<?xCOLSxf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    %s = linalg.reduce { arith.addf } ins(%x : tensor<?xCOLSxf32>) outs(%z : tensor<?xf32>)
      dimensions = [1]
    %c = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
        ins(%x, %s : tensor<?xCOLSxf32>, tensor<?xf32>) outs(%e2 : tensor<?xCOLSxf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %mean = arith.mulf %b, %inverse : f32
      %0 = arith.subf %a, %mean : f32
      linalg.yield %0 : f32
    } -> tensor<?xCOLSxf32>
    %v = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
        ins(%c : tensor<?xCOLSxf32>) outs(%z : tensor<?xf32>) {
    ^bb0(%a: f32, %o: f32):
      %0 = arith.mulf %a, %a : f32
      %1 = arith.addf %0, %o : f32
      linalg.yield %1 : f32
    } -> tensor<?xf32>
    %r = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
        ins(%c, %v : tensor<?xCOLSxf32>, tensor<?xf32>) outs(%e2 : tensor<?xCOLSxf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %variance = arith.mulf %b, %inverse : f32
      %0 = arith.addf %variance, %epsilon : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %a, %1 : f32
      linalg.yield %2 : f32
    } -> tensor<?xCOLSxf32>
    return %r : tensor<?xCOLSxf32>
  })";

TEST(Model, LayerNorm) {
  constexpr size_t kRows = 5, kColumns = 200;
  auto x = randomValues(kRows * kColumns, 2);
  for (float &value : x)
    value += 10;
  char inverse[32];
  std::snprintf(inverse, sizeof(inverse), "0x%08X", bitsOf(1.0f / kColumns));
  Compiled c(replaceAll(replaceAll(layerNormText, "COLS", "200"), "INVERSE", inverse));
  auto got = c.arg(x, {kRows, kColumns}).call("f").result<float>(0);
  ASSERT_EQ(got.size(), x.size());
  for (size_t row = 0; row < kRows; ++row) {
    const float *in = x.data() + row * kColumns;
    double sum = 0, size = 0, squares = 0, squaresError = 0;
    for (size_t i = 0; i < kColumns; ++i) {
      sum += in[i];
      size += std::abs(in[i]);
    }
    double mean = sum / kColumns;
    // The sum's roundings; that of 1 / n and of the product.
    double meanError =
        roundingsOfSum(kColumns) * kRounding * size / kColumns + 2 * kRounding * std::abs(mean);
    auto centredError = [&](size_t i) { return meanError + kRounding * std::abs(in[i] - mean); };
    for (size_t i = 0; i < kColumns; ++i) {
      double centred = in[i] - mean, error = centredError(i);
      squares += centred * centred;
      squaresError += 2 * std::abs(centred) * error + error * error;
    }
    squaresError += (roundingsOfSum(kColumns) + 1) * kRounding * squares;
    double variance = squares / kColumns + 1e-5;
    double varianceError = squaresError / kColumns + 4 * kRounding * variance;
    // rsqrt halves the relative error and adds at most 2 ulp, 4 roundings.
    double relative = 0.5 * varianceError / variance + 4 * kRounding;
    for (size_t i = 0; i < kColumns; ++i) {
      double scale = 1 / std::sqrt(variance), want = (in[i] - mean) * scale;
      double bound = std::abs(want) * (relative + kRounding) + centredError(i) * scale;
      EXPECT_NEAR(got[row * kColumns + i], want, bound * 1.01);
    }
  }
}

//===----------------------------------------------------------------------===//
// A training step
//===----------------------------------------------------------------------===//

static const char *perceptron = R"(
  train.variable @w1 : tensor<20x33xf32> = #train.he<normal>
  train.variable @b1 : tensor<33xf32> = #train.zeros
  train.variable @w2 : tensor<33x5xf32> = #train.glorot<uniform>
  func.func @loss(%x: tensor<?x20xf32>, %label: tensor<?xi32>) -> tensor<f32> {
    %w1 = train.read @w1 : tensor<20x33xf32>
    %b1 = train.read @b1 : tensor<33xf32>
    %w2 = train.read @w2 : tensor<33x5xf32>
    %0 = train.linear %x, %w1 bias %b1 : (tensor<?x20xf32>, tensor<20x33xf32>, tensor<33xf32>) -> tensor<?x33xf32>
    %1 = train.gelu %0 : (tensor<?x33xf32>) -> tensor<?x33xf32>
    %2 = train.linear %1, %w2 : (tensor<?x33xf32>, tensor<33x5xf32>) -> tensor<?x5xf32>
    %3 = train.cross_entropy %2, %label : (tensor<?x5xf32>, tensor<?xi32>) -> tensor<f32>
    return %3 : tensor<f32>
  }
  train.task @t loss(@loss) optimizer(#train.adamw<learning_rate = 1.0e-2>)
)";

/// The state after three steps, compiled with the given changes to the CPU's features.
static std::vector<Tensor> trainThreeSteps(const std::string &dtype, const std::string &features) {
  static std::once_flag once;
  std::call_once(once, amp::registerAllPasses);
  mlir::MLIRContext context;
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  amp::registerAllDialects(registry);
  context.appendDialectRegistry(registry);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(perceptron, &context);
  mlir::PassManager pm(&context);
  amp::buildAutodiffPipeline(pm);
  EXPECT_TRUE(succeeded(mlir::parsePassPipeline("amp{dtype=" + dtype + "}", pm)));
  EXPECT_TRUE(succeeded(pm.run(*module)));
  amp::CpuOptions options;
  options.features = features;
  auto built = amp::createCpuProgram(*module, options);
  EXPECT_TRUE(built.ok()) << built.message();
  std::vector<Tensor> state;
  if (!built.ok())
    return state;
  auto session = Session::create(built->program);
  EXPECT_TRUE(session.ok()) << session.message();
  EXPECT_TRUE(session->initialize(3).ok());
  Tensor x(ElementType::F32, {9, 20}), label(ElementType::I32, {9});
  auto values = randomValues(9 * 20, 1);
  std::copy(values.begin(), values.end(), x.data<float>());
  for (int i = 0; i < 9; ++i)
    label.data<int32_t>()[i] = i % 5;
  const Tensor *batch[] = {&x, &label};
  for (int step = 0; step < 3; ++step) {
    auto result = session->step({batch, 2});
    EXPECT_TRUE(result.ok()) << result.message();
  }
  for (const VariableSpec &variable : built->program.variables())
    state.push_back(session->variable(variable.name)->clone());
  return state;
}

TEST(Model, TrainingHasTheSameBitsOnEveryCpu) {
  for (const char *dtype : {"none", "f16", "bf16"}) {
    auto first = trainThreeSteps(dtype, "");
    ASSERT_FALSE(first.empty());
    // The smallest CPU and one in between: a module with its products takes a second to compile.
    for (const std::string &features :
         {featureSets().back(), featureSets()[featureSets().size() / 2]}) {
      auto state = trainThreeSteps(dtype, features);
      ASSERT_EQ(state.size(), first.size());
      for (size_t i = 0; i < state.size(); ++i)
        EXPECT_TRUE(state[i].bitsEqual(first[i])) << dtype << " " << features << " variable " << i;
    }
  }
}
