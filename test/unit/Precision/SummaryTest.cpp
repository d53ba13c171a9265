//===- SummaryTest.cpp - what a module's precision comes to ---------------===//

#include "amp/Precision/Summary.h"
#include "PrecisionTestUtils.h"

using namespace mlir;
using namespace amp;

class Summary : public PrecisionTest {};

/// One hidden layer, in the form that autodiff gives a step.
static constexpr llvm::StringLiteral kModule = R"(
  train.variable @w1 : tensor<8x16xf32> = #train.zeros
  train.variable @w2 : tensor<16x4xf32> = #train.zeros
  train.variable frozen @offset : tensor<4x4xf32> = #train.zeros
  train.variable optimizer_state @w1.velocity : tensor<8x16xf32> = #train.zeros
  train.variable counter @t.step_count : tensor<i64> = #train.zeros
  func.func @other(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %y = train.matmul %x, %x : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    return %y : tensor<8x8xf32>
  }
  func.func @t.step(%x: tensor<?x8xf32>, %t: tensor<?xi32>)
      -> (tensor<f32> {train.name = "loss"}, tensor<i1> {train.name = "stepped"},
          tensor<f32> {train.name = "scale"}, tensor<f32> {train.name = "grad_norm"})
      attributes {train.step_of = @t, train.gradients = ["w1", "w2"]} {
    %w1 = train.read @w1 : tensor<8x16xf32>
    %w2 = train.read @w2 : tensor<16x4xf32>
    %h = train.matmul %x, %w1 {train.forward = 0 : i64} : (tensor<?x8xf32>, tensor<8x16xf32>) -> tensor<?x16xf32>
    %a = train.relu %h {train.forward = 1 : i64} : (tensor<?x16xf32>) -> tensor<?x16xf32>
    %z = train.matmul %a, %w2 {train.forward = 2 : i64} : (tensor<?x16xf32>, tensor<16x4xf32>) -> tensor<?x4xf32>
    %loss = train.cross_entropy %z, %t {train.forward = 3 : i64} : (tensor<?x4xf32>, tensor<?xi32>) -> tensor<f32>
    %seed = train.seed : tensor<f32>
    %dz = train.cross_entropy_grad %seed, %z, %t {train.gradient_of = 3 : i64} : (tensor<f32>, tensor<?x4xf32>, tensor<?xi32>) -> tensor<?x4xf32>
    %da = train.matmul %dz, %w2 {transpose_rhs, train.gradient_of = 2 : i64} : (tensor<?x4xf32>, tensor<16x4xf32>) -> tensor<?x16xf32>
    %dw2 = train.matmul %a, %dz {transpose_lhs, train.gradient_of = 2 : i64} : (tensor<?x16xf32>, tensor<?x4xf32>) -> tensor<16x4xf32>
    %dh = train.relu_grad %da, %h {train.gradient_of = 1 : i64} : (tensor<?x16xf32>, tensor<?x16xf32>) -> tensor<?x16xf32>
    %dw1 = train.matmul %x, %dh {transpose_lhs, train.gradient_of = 0 : i64} : (tensor<?x8xf32>, tensor<?x16xf32>) -> tensor<8x16xf32>
    %norm = train.global_norm %dw1, %dw2 : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<f32>
    %true = arith.constant dense<true> : tensor<i1>
    %one = arith.constant dense<1.0> : tensor<f32>
    %u1 = train.sgd %w1, %dw1 {learning_rate = 0.1 : f64, weight_decay = 0.0 : f64} : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %u2 = train.sgd %w2, %dw2 {learning_rate = 0.1 : f64, weight_decay = 0.0 : f64} : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    train.assign @w1, %u1 : tensor<8x16xf32>
    train.assign @w2, %u2 : tensor<16x4xf32>
    return %loss, %true, %one, %norm : tensor<f32>, tensor<i1>, tensor<f32>, tensor<f32>
  })";

TEST_F(Summary, StepInF32) {
  OwningOpRef<ModuleOp> module = parse(kModule);
  PrecisionSummary summary = summarizePrecision(*module, /*batchSize=*/10);
  EXPECT_EQ(summary.lowOps, 0);
  // Of the step alone: 4 forward, 5 backward, the norm and 2 optimizer steps.
  EXPECT_EQ(summary.f32Ops, 12);
  EXPECT_EQ(summary.keptOps, 0);
  EXPECT_EQ(summary.casts, 0);
  EXPECT_EQ(summary.weightBytes, 4 * (8 * 16 + 16 * 4 + 4 * 4));
  EXPECT_EQ(summary.halfCopyBytes, 0);
  EXPECT_EQ(summary.optimizerBytes, 4 * 8 * 16);
  EXPECT_EQ(summary.gradientBytes, 4 * (8 * 16 + 16 * 4));
  // h and a, 16 wide, and z, 4 wide.
  EXPECT_EQ(summary.activationBytes, 4 * 10 * (16 + 16 + 4));
}

TEST_F(Summary, StepInF16) {
  OwningOpRef<ModuleOp> module = parse(kModule);
  AmpOptions options;
  options.dtype = "f16";
  ASSERT_TRUE(succeeded(run(*module, options))) << diagnostics;
  PrecisionSummary summary = summarizePrecision(*module, /*batchSize=*/10);
  // The matmuls, two of which give f32, and relu with its gradient.
  EXPECT_EQ(summary.lowOps, 7);
  // Both loss ops and the optimizer steps; the norm is one of the amp dialect now, which is
  // neither.
  EXPECT_EQ(summary.f32Ops, 4);
  EXPECT_EQ(summary.keptOps, 0);
  // x, z back to f32, dz, and the half copies of w1 and w2.
  EXPECT_EQ(summary.casts, 5);
  EXPECT_EQ(summary.weightBytes, 4 * (8 * 16 + 16 * 4 + 4 * 4));
  EXPECT_EQ(summary.halfCopyBytes, 2 * (8 * 16 + 16 * 4));
  EXPECT_EQ(summary.optimizerBytes, 4 * 8 * 16);
  EXPECT_EQ(summary.gradientBytes, 4 * (8 * 16 + 16 * 4));
  // h and a in f16, the cast of x (8 wide) too; z is read as the f32 that the loss reads.
  EXPECT_EQ(summary.activationBytes, 2 * 10 * (16 + 16 + 8) + 4 * 10 * 4);
}

TEST_F(Summary, ModuleWithoutStep) {
  OwningOpRef<ModuleOp> module = parse(R"(
    func.func @f(%x: tensor<8x8xf32>, %i: i32) -> tensor<8x8xf32> {
      %y = train.matmul %x, %x : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
      %z = arith.addf %y, %y : tensor<8x8xf32>
      %k = arith.sitofp %i : i32 to f32
      %r = func.call @f(%z, %i) : (tensor<8x8xf32>, i32) -> tensor<8x8xf32>
      return %r : tensor<8x8xf32>
    })");
  PrecisionSummary summary = summarizePrecision(*module, /*batchSize=*/1);
  // The product, the sum and the conversion; the call is left alone.
  EXPECT_EQ(summary.f32Ops, 3);
  EXPECT_EQ(summary.keptOps, 1);
  EXPECT_EQ(summary.activationBytes, 0);
}
