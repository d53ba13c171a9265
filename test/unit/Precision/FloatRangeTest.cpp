//===- FloatRangeTest.cpp - bounds of values -------------------------------===//

#include "Analysis/FloatRangeAnalysis.h"
#include "PrecisionTestUtils.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace amp;

namespace {
class FloatRangeTest : public PrecisionTest {
protected:
  FloatRangeTest() {
    context.loadDialect<cf::ControlFlowDialect, linalg::LinalgDialect, math::MathDialect,
                        scf::SCFDialect, tensor::TensorDialect, tosa::TosaDialect>();
    context.allowUnregisteredDialects();
  }

  /// The bounds of what the last function of the module returns, printed.
  std::string boundsOf(StringRef text) {
    OwningOpRef<ModuleOp> module = parse(text);
    if (!module)
      return "no module";
    FloatRanges ranges(*module);
    std::string bounds;
    llvm::raw_string_ostream stream(bounds);
    auto function = cast<func::FuncOp>(module->getBody()->back());
    llvm::interleave(
        function.getBody().back().getTerminator()->getOperands(), stream,
        [&](Value value) { stream << ranges.get(value); }, " ");
    return bounds;
  }

  /// The same for the body of a function of one f32 scalar, %x, that gives %r.
  std::string boundsOfScalar(StringRef body) {
    return boundsOf(("func.func @f(%x: f32) -> f32 {\n" + body + "\nreturn %r : f32\n}").str());
  }
};
} // namespace

TEST(FloatRange, Arithmetic) {
  MLIRContext context;
  FloatRange anything, unit(0, 1), both(-2, 3);
  EXPECT_FALSE(anything.isBounded());
  EXPECT_EQ(unit + both, FloatRange(-2, 4));
  EXPECT_EQ(unit - both, FloatRange(-3, 3));
  EXPECT_EQ(both * both, FloatRange(-6, 9));
  EXPECT_EQ(both.abs(), FloatRange(0, 3));
  EXPECT_EQ((-unit).abs(), unit);
  EXPECT_EQ(unit / FloatRange(2, 4), FloatRange(0, 0.5));
  EXPECT_EQ(unit / both, anything);
  // The numbers are finite: nothing times anything is nothing.
  EXPECT_EQ(FloatRange::constant(0) * anything, FloatRange::constant(0));
  EXPECT_EQ(unit.hull(both), both);
  EXPECT_EQ(both.intersect(unit), unit);
  EXPECT_EQ(unit.intersect(FloatRange(2, 3)), unit);
  // What leaves f64 is bounded by its largest number on the one side.
  FloatRange beyond = FloatRange::constant(1e6).map(std::exp);
  EXPECT_TRUE(std::isfinite(beyond.getLow()));
  EXPECT_FALSE(std::isfinite(beyond.getHigh()));
  EXPECT_FALSE((beyond - beyond).isBounded());
  EXPECT_FALSE(beyond.rounded(Float32Type::get(&context)).fits(Float32Type::get(&context)));
}

TEST(FloatRange, RoundingMovesBoundsOutward) {
  MLIRContext context;
  FloatType f32 = Float32Type::get(&context), f16 = Float16Type::get(&context);
  FloatRange rounded = FloatRange(-1, 0.1).rounded(f32);
  EXPECT_LT(rounded.getLow(), -1);
  EXPECT_GT(rounded.getHigh(), double(0.1f));
  EXPECT_EQ(FloatRange(0, 0).rounded(f32), FloatRange(0, 0));
  // What may become infinite has no bound.
  EXPECT_TRUE(std::isinf(FloatRange(0, 3.4028235e38).rounded(f32).getHigh()));
  EXPECT_TRUE(std::isinf(FloatRange(0, 65504).rounded(f16).getHigh()));
}

/// 65520, half a unit above the largest f16, is the first number that becomes infinite.
TEST(FloatRange, Fits) {
  MLIRContext context;
  FloatType f16 = Float16Type::get(&context);
  FloatType bf16 = BFloat16Type::get(&context);
  EXPECT_TRUE(FloatRange(-65519.996, 1).fits(f16));
  EXPECT_FALSE(FloatRange(-65520, 1).fits(f16));
  EXPECT_FALSE(FloatRange(0, 65520).fits(f16));
  EXPECT_TRUE(FloatRange(0, 3e38).fits(bf16));
  EXPECT_FALSE(FloatRange(0, 3.4e38).fits(bf16));
  EXPECT_FALSE(FloatRange().fits(f16));
}

TEST_F(FloatRangeTest, Constants) {
  EXPECT_EQ(boundsOfScalar("%r = arith.constant 2.5 : f32"), "[2.5, 2.5]");
  EXPECT_EQ(boundsOfScalar("%r = arith.constant 0x7F800000 : f32"), "[0, 0]");
  EXPECT_EQ(boundsOf(R"(func.func @f() -> tensor<3xf32> {
    %0 = arith.constant dense<[-1.0, 0x7FC00000, 4.0]> : tensor<3xf32>
    return %0 : tensor<3xf32>
  })"),
            "[-1, 4]");
  EXPECT_EQ(boundsOf(R"(func.func @f() -> tensor<2xf32> {
    %0 = "stablehlo.constant"() <{value = dense<[-1.0, 4.0]> : tensor<2xf32>}> : () -> tensor<2xf32>
    return %0 : tensor<2xf32>
  })"),
            "[-1, 4]");
  EXPECT_EQ(boundsOf(R"(
  func.func @f() -> tensor<2xf32> {
    %0 = arith.constant dense_resource<r> : tensor<2xf32>
    return %0 : tensor<2xf32>
  }
  {-# dialect_resources: {builtin: {r: "0x04000000000080bf00004040"}} #-})"),
            "[-1, 3]");
  EXPECT_EQ(boundsOf(R"(func.func @f() -> tensor<2xf32> {
    %0 = arith.constant dense_resource<__elided__> : tensor<2xf32>
    return %0 : tensor<2xf32>
  })"),
            "[-inf, inf]");
}

TEST_F(FloatRangeTest, BoundedFunctions) {
  EXPECT_EQ(boundsOfScalar("%r = math.tanh %x : f32"), "[-1, 1]");
  EXPECT_EQ(boundsOfScalar("%r = math.erf %x : f32"), "[-1, 1]");
  EXPECT_EQ(boundsOfScalar("%r = math.sin %x : f32"), "[-1, 1]");
  EXPECT_EQ(boundsOfScalar("%r = math.exp %x : f32"), "[0, inf]");
  EXPECT_EQ(boundsOfScalar("%r = math.log %x : f32"), "[-149, 128]");
  EXPECT_EQ(boundsOfScalar("%r = math.absf %x : f32"), "[0, inf]");
  EXPECT_EQ(boundsOfScalar("%0 = math.tanh %x : f32\n%r = math.exp %0 : f32"),
            "[0.367879, 2.71828]");
  EXPECT_EQ(boundsOf(R"(func.func @f(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
    %0 = "stablehlo.logistic"(%x) : (tensor<?x8xf32>) -> tensor<?x8xf32>
    return %0 : tensor<?x8xf32>
  })"),
            "[0, 1]");
  EXPECT_EQ(boundsOf(R"(func.func @f(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
    %0 = train.softmax %x : (tensor<?x8xf32>) -> tensor<?x8xf32>
    return %0 : tensor<?x8xf32>
  })"),
            "[0, 1]");
  EXPECT_EQ(boundsOfScalar("%r = \"nobody.knows\"(%x) : (f32) -> f32"), "[-inf, inf]");
}

TEST_F(FloatRangeTest, Clamps) {
  EXPECT_EQ(boundsOfScalar(R"(%a = arith.constant -2.0 : f32
                              %b = arith.constant 6.0 : f32
                              %0 = arith.maximumf %x, %a : f32
                              %r = arith.minimumf %0, %b : f32)"),
            "[-2, 6]");
  EXPECT_EQ(boundsOfScalar(R"(%a = arith.constant -2.0 : f32
                              %b = arith.constant 6.0 : f32
                              %r = math.clampf %x to [%a, %b] : f32)"),
            "[-2, 6]");
  EXPECT_EQ(boundsOf(R"(func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = tosa.clamp %x {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  })"),
            "[0, 6]");
  EXPECT_EQ(boundsOf(R"(func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
    %a = "stablehlo.constant"() <{value = dense<-1.0> : tensor<f32>}> : () -> tensor<f32>
    %b = "stablehlo.constant"() <{value = dense<2.0> : tensor<f32>}> : () -> tensor<f32>
    %0 = "stablehlo.clamp"(%a, %x, %b) : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  })"),
            "[-1, 2]");
}

TEST_F(FloatRangeTest, IntegersAndPositions) {
  EXPECT_EQ(boundsOf(R"(func.func @f(%x: i8, %y: i1, %z: i32) -> (f32, f32, f32, f32) {
    %0 = arith.sitofp %x : i8 to f32
    %1 = arith.uitofp %x : i8 to f32
    %2 = arith.uitofp %y : i1 to f32
    %3 = arith.sitofp %z : i32 to f32
    return %0, %1, %2, %3 : f32, f32, f32, f32
  })"),
            "[-128, 127] [0, 255] [0, 1] [-2.14748e+09, 2.14748e+09]");
  EXPECT_EQ(boundsOf(R"(func.func @f() -> (tensor<4x100xf32>, tensor<4x?xf32>) {
    %0 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<4x100xf32>
    %1 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<4x?xf32>
    return %0, %1 : tensor<4x100xf32>, tensor<4x?xf32>
  })"),
            "[0, 99] [0, inf]");
}

TEST_F(FloatRangeTest, Reductions) {
  EXPECT_EQ(boundsOf(R"(func.func @f(%x: tensor<4x16xf32>) -> (tensor<4x1xf32>, tensor<4x1xf32>) {
    %0 = tosa.sigmoid %x : (tensor<4x16xf32>) -> tensor<4x16xf32>
    %1 = tosa.reduce_sum %0 {axis = 1 : i32} : (tensor<4x16xf32>) -> tensor<4x1xf32>
    %2 = tosa.reduce_max %0 {axis = 1 : i32} : (tensor<4x16xf32>) -> tensor<4x1xf32>
    return %1, %2 : tensor<4x1xf32>, tensor<4x1xf32>
  })"),
            "[0, 16] [0, 1]");
  EXPECT_EQ(boundsOf(R"(func.func @f(%x: tensor<4x?xf32>) -> tensor<4x1xf32> {
    %0 = tosa.sigmoid %x : (tensor<4x?xf32>) -> tensor<4x?xf32>
    %1 = tosa.reduce_sum %0 {axis = 1 : i32} : (tensor<4x?xf32>) -> tensor<4x1xf32>
    return %1 : tensor<4x1xf32>
  })"),
            "[0, inf]");
}

/// The padding comes from a region.
TEST_F(FloatRangeTest, Padding) {
  EXPECT_EQ(boundsOf(R"(func.func @f(%x: tensor<4xf32>, %p: f32) -> tensor<6xf32> {
    %0 = math.tanh %x : tensor<4xf32>
    %1 = tensor.pad %0 low[1] high[1] {
      ^bb0(%i: index):
        tensor.yield %p : f32
    } : tensor<4xf32> to tensor<6xf32>
    return %1 : tensor<6xf32>
  })"),
            "[-inf, inf]");
  EXPECT_EQ(boundsOf(R"(func.func @f(%x: tensor<4xf32>) -> tensor<6xf32> {
    %0 = math.tanh %x : tensor<4xf32>
    %c = "stablehlo.constant"() <{value = dense<-9.0> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.pad"(%0, %c) {edge_padding_high = array<i64: 1>, edge_padding_low = array<i64: 1>,
        interior_padding = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<6xf32>
    return %1 : tensor<6xf32>
  })"),
            "[-9, 1]");
}

TEST_F(FloatRangeTest, LinalgBodies) {
  EXPECT_EQ(boundsOf(R"(
  #id = affine_map<(i) -> (i)>
  func.func @f(%x: tensor<8xf32>, %init: tensor<8xf32>) -> tensor<8xf32> {
    %c = arith.constant 3.0 : f32
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%x : tensor<8xf32>) outs(%init : tensor<8xf32>) {
      ^bb0(%in: f32, %out: f32):
        %t = math.tanh %in : f32
        %s = arith.addf %t, %c : f32
        linalg.yield %s : f32
    } -> tensor<8xf32>
    return %0 : tensor<8xf32>
  })"),
            "[2, 4]");
  // A sum is anything.
  EXPECT_EQ(boundsOf(R"(
  #id = affine_map<(i) -> (i)>
  #none = affine_map<(i) -> ()>
  func.func @f(%x: tensor<8xf32>, %init: tensor<f32>) -> tensor<f32> {
    %0 = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction"]}
        ins(%x : tensor<8xf32>) outs(%init : tensor<f32>) {
      ^bb0(%in: f32, %out: f32):
        %t = math.tanh %in : f32
        %s = arith.addf %t, %out : f32
        linalg.yield %s : f32
    } -> tensor<f32>
    return %0 : tensor<f32>
  })"),
            "[-inf, inf]");
}

TEST_F(FloatRangeTest, ControlFlow) {
  // Both branches.
  EXPECT_EQ(boundsOf(R"(func.func @f(%c: i1, %x: f32) -> f32 {
    %0 = scf.if %c -> f32 {
      %1 = math.tanh %x : f32
      scf.yield %1 : f32
    } else {
      %2 = arith.constant 5.0 : f32
      scf.yield %2 : f32
    }
    return %0 : f32
  })"),
            "[-1, 5]");
  // A loop that keeps its bounds, and one whose sum grows: the bound that moves becomes infinite.
  EXPECT_EQ(boundsOf(R"(func.func @f(%n: index) -> (f32, f32) {
    %0 = arith.constant 0 : index
    %1 = arith.constant 1 : index
    %start = arith.constant 0.5 : f32
    %kept, %grown = scf.for %i = %0 to %n step %1 iter_args(%a = %start, %b = %start) -> (f32, f32) {
      %2 = math.tanh %a : f32
      %3 = arith.addf %b, %start : f32
      scf.yield %2, %3 : f32, f32
    }
    return %kept, %grown : f32, f32
  })"),
            "[0, 0.5] [0.5, inf]");
  // Through a private function, from all its callers.
  EXPECT_EQ(boundsOf(R"(
  func.func private @double(%x: f32) -> f32 {
    %0 = arith.addf %x, %x : f32
    return %0 : f32
  }
  func.func @f(%x: f32) -> f32 {
    %0 = math.tanh %x : f32
    %1 = call @double(%0) : (f32) -> f32
    return %1 : f32
  })"),
            "[-2, 2]");
}
