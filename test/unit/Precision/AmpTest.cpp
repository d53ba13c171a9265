//===- AmpTest.cpp - the pass is all or nothing ---------------------------===//

#include "PrecisionTestUtils.h"

using namespace mlir;
using namespace amp;

static AmpOptions optionsFor(llvm::StringRef dtype) {
  AmpOptions options;
  options.dtype = dtype.str();
  return options;
}

/// A step that can be cast and given half copies, but not scaled: the last part of the pass fails.
static constexpr llvm::StringLiteral kUnscalable = R"(
  train.variable @w : tensor<8x4xf32> = #train.zeros
  func.func @t.step(%x: tensor<?x8xf32>) -> tensor<?x4xf32> attributes {train.step_of = @t} {
    %w = train.read @w : tensor<8x4xf32>
    %y = train.matmul %x, %w : (tensor<?x8xf32>, tensor<8x4xf32>) -> tensor<?x4xf32>
    return %y : tensor<?x4xf32>
  }
)";

class Transaction : public PrecisionTest {};

TEST_F(Transaction, FailureInTheLastPartChangesNothing) {
  OwningOpRef<ModuleOp> module = parse(kUnscalable);
  std::string before = print(*module);
  EXPECT_TRUE(failed(run(*module, optionsFor("f16"))));
  EXPECT_NE(diagnostics.find("cannot scale the loss of @t.step"), std::string::npos);
  EXPECT_EQ(print(*module), before);
}

TEST_F(Transaction, TheSameModuleCanBeRunAgain) {
  OwningOpRef<ModuleOp> module = parse(kUnscalable);
  EXPECT_TRUE(failed(run(*module, optionsFor("f16"))));
  AmpOptions options = optionsFor("f16");
  options.lossScale = "none";
  ASSERT_TRUE(succeeded(run(*module, options)));
  EXPECT_NE(print(*module).find("half_copy @w.f16"), std::string::npos);
}

TEST_F(Transaction, FailureInTheMiddleChangesNothing) {
  OwningOpRef<ModuleOp> module = parse((kUnscalable + R"(
    train.variable @w.f16 : tensor<2xf32> = #train.zeros)")
                                           .str());
  std::string before = print(*module);
  EXPECT_TRUE(failed(run(*module, optionsFor("f16"))));
  EXPECT_EQ(print(*module), before);
}

TEST_F(Transaction, FailureOfAMarkChangesNothing) {
  OwningOpRef<ModuleOp> module = parse(R"(
    func.func @f(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
      %y = train.matmul %x, %x : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
      %z = train.relu %y {amp.precision = "half"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
      return %z : tensor<8x8xf32>
    })");
  std::string before = print(*module);
  EXPECT_TRUE(failed(run(*module, optionsFor("bf16"))));
  EXPECT_EQ(print(*module), before);
}

TEST_F(Transaction, SuccessKeepsTheModuleOp) {
  OwningOpRef<ModuleOp> module = parse(kUnscalable);
  Operation *op = module->getOperation();
  op->setAttr("users.attribute", UnitAttr::get(&context));
  ASSERT_TRUE(succeeded(run(*module, optionsFor("bf16"))));
  EXPECT_TRUE(op->hasAttr("users.attribute"));
  EXPECT_EQ(op->getAttrOfType<TypeAttr>("amp.low_type").getValue(), BFloat16Type::get(&context));
}
