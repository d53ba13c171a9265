//===- ProgramTest.cpp - compiled modules through the runtime's interface -===//

#include "amp/InitAll.h"
#include "amp/Target/CPU/CpuProgram.h"
#include "gtest/gtest.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"

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

TEST(Program, RefusesScalars) {
  mlir::MLIRContext context;
  auto built = build(context, "func.func @f(%x: f32) { return }");
  EXPECT_EQ(built.message(), "function 'f' takes or returns 'arg0' of type f32, but the runtime "
                             "calls functions on tensors only");
}
