//===- ProgramTest.cpp - compiled modules through the runtime's interface -===//

#include "amp/InitAll.h"
#include "amp/Target/CPU/CpuProgram.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace amp;
using namespace amp::runtime;

static Result<CpuProgram> build(mlir::MLIRContext &context, const char *text) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  amp::registerAllDialects(registry);
  context.appendDialectRegistry(registry);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  EXPECT_TRUE(module);
  return createCpuProgram(*module, {});
}

TEST(Program, CallsFunctions) {
  mlir::MLIRContext context;
  auto built = build(context, R"(
    func.func @twice(%x: tensor<?xf32> {train.name = "x"}) -> (tensor<?xf32> {train.name = "y"}) {
      %0 = arith.addf %x, %x : tensor<?xf32>
      return %0 : tensor<?xf32>
    })");
  ASSERT_TRUE(built.ok()) << built.message();
  Executable *twice = built->program.function("twice");
  ASSERT_TRUE(twice);
  EXPECT_EQ(twice->signature().arguments[0].name, "x");
  EXPECT_EQ(twice->signature().results[0].name, "y");
  EXPECT_TRUE(twice->signature().variables.empty());

  Tensor x(ElementType::F32, {3});
  for (int i = 0; i < 3; ++i)
    x.data<float>()[i] = i;
  const Tensor *arguments[] = {&x};
  std::vector<Tensor> results;
  Status status = twice->call({arguments, 1}, {}, results);
  ASSERT_TRUE(status.ok()) << status.message();
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].shape(), Shape{3});
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(results[0].data<float>()[i], 2.0f * i);
}

TEST(Program, UpdatesVariables) {
  mlir::MLIRContext context;
  auto built = build(context, R"(
    train.variable @w : tensor<2x3xf32> = #train.glorot<normal, in_axis = 1>
    train.variable frozen @unused : tensor<4xf32> = #train.constant<0.5>
    train.variable counter @n : tensor<i64> = #train.zeros
    func.func @step(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
      %w = train.read @w : tensor<2x3xf32>
      %n = train.read @n : tensor<i64>
      %one = arith.constant dense<1> : tensor<i64>
      %n1 = arith.addi %n, %one : tensor<i64>
      train.assign @n, %n1 : tensor<i64>
      %w1 = train.add %w, %x : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
      train.assign @w, %w1 : tensor<2x3xf32>
      return %w : tensor<2x3xf32>
    })");
  ASSERT_TRUE(built.ok()) << built.message();
  const VariableSpec *w = built->program.variable("w");
  ASSERT_TRUE(w);
  EXPECT_EQ(w->initializer.kind, Initializer::Kind::Glorot);
  EXPECT_EQ(w->initializer.distribution, Initializer::Distribution::Normal);
  EXPECT_EQ(w->initializer.inAxis, 1);
  EXPECT_EQ(built->program.variable("unused")->role, VariableRole::Frozen);
  Executable *step = built->program.function("step");
  ASSERT_TRUE(step);
  EXPECT_EQ(step->signature().variables, (std::vector<std::string>{"w", "n"}));

  Tensor x(ElementType::F32, {2, 3}), weights(ElementType::F32, {2, 3}), n(ElementType::I64, {});
  for (int i = 0; i < 6; ++i) {
    x.data<float>()[i] = i;
    weights.data<float>()[i] = 10;
  }
  const Tensor *arguments[] = {&x};
  Tensor *state[] = {&weights, &n};
  std::vector<Tensor> results;
  Status status = step->call({arguments, 1}, {state, 2}, results);
  ASSERT_TRUE(status.ok()) << status.message();
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(weights.data<float>()[i], 10.0f + i);
    EXPECT_EQ(results[0].data<float>()[i], 10.0f);
  }
  EXPECT_EQ(n.data<int64_t>()[0], 1);
}

TEST(Program, RefusesScalars) {
  mlir::MLIRContext context;
  auto built = build(context, "func.func @f(%x: f32) { return }");
  EXPECT_EQ(built.message(), "function 'f' takes or returns 'arg0' of type f32, but the runtime "
                             "calls functions on tensors only");
}
