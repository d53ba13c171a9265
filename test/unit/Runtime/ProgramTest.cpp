//===- ProgramTest.cpp -----------------------------------------------------===//

#include "amp/Runtime/Program.h"
#include "TestUtils.h"
#include "amp/Runtime/Device.h"

using namespace amp::runtime;

/// y = x + v, and v = v + 1.
static std::unique_ptr<Executable> makeAdder() {
  FunctionSignature signature;
  signature.name = "add";
  signature.arguments = {{"x", ElementType::F32, {-1, 2}}};
  signature.variables = {"v"};
  signature.results = {{"y", ElementType::F32, {-1, 2}}};
  return std::make_unique<FunctionExecutable>(signature, [](Span<const Tensor *const> arguments,
                                                            Span<Tensor *const> state,
                                                            std::vector<Tensor> &results) {
    Tensor y = arguments[0]->clone();
    for (int64_t i = 0; i < y.numElements(); ++i)
      y.setFromDouble(i, y.toDouble(i) + state[0]->toDouble(0));
    state[0]->setFromDouble(0, state[0]->toDouble(0) + 1);
    results.push_back(std::move(y));
    return Status();
  });
}

TEST(Program, CallsFunctions) {
  std::unique_ptr<Executable> add = makeAdder();
  Tensor x = makeTensor(ElementType::F32, {1, 2}, {1, 2}), v;
  std::vector<const Tensor *> arguments{&x};
  std::vector<Tensor *> state{&v};
  std::vector<Tensor> results;
  for (int call = 0; call < 3; ++call) {
    ASSERT_OK(add->call(arguments, state, results));
    ASSERT_EQ(results.size(), 1u);
    EXPECT_EQ(results[0].toDouble(1), 2 + call);
  }
}

TEST(Program, CallErrors) {
  std::unique_ptr<Executable> add = makeAdder();
  Tensor x = makeTensor(ElementType::F32, {1, 2}, {1, 2}), v;
  Tensor wide(ElementType::F32, {1, 3}), flat(ElementType::F32, {2}), f64(ElementType::F64, {1, 2});
  std::vector<Tensor> results;
  auto call = [&](std::vector<const Tensor *> arguments, std::vector<Tensor *> state) {
    return add->call(arguments, state, results);
  };
  EXPECT_ERROR(call({}, {&v}), "function 'add' expects 1 arguments but got 0");
  EXPECT_ERROR(call({&wide}, {&v}),
               "function 'add' expects tensor<?x2xf32> for argument 'x' but got tensor<1x3xf32>");
  EXPECT_ERROR(call({&flat}, {&v}),
               "function 'add' expects tensor<?x2xf32> for argument 'x' but got tensor<2xf32>");
  EXPECT_ERROR(call({&f64}, {&v}),
               "function 'add' expects tensor<?x2xf32> for argument 'x' but got tensor<1x2xf64>");
  EXPECT_ERROR(call({&x}, {}), "function 'add' expects 1 variables but got 0");
}

TEST(Program, ResultErrors) {
  FunctionSignature signature;
  signature.name = "f";
  signature.results = {{"y", ElementType::F32, {}}};
  std::vector<Tensor> results;
  FunctionExecutable none(signature, [](auto, auto, auto &) { return Status(); });
  EXPECT_ERROR(none.call({}, {}, results), "function 'f' expects 1 results but got 0");
  FunctionExecutable wrong(signature, [](auto, auto, std::vector<Tensor> &results) {
    results.push_back(Tensor(ElementType::I32, {}));
    return Status();
  });
  EXPECT_ERROR(wrong.call({}, {}, results),
               "function 'f' expects tensor<f32> for result 'y' but got tensor<i32>");
  FunctionExecutable failing(signature, [](auto, auto, auto &) { return error("no device"); });
  EXPECT_ERROR(failing.call({}, {}, results), "no device");
}

TEST(Program, LooksUpByName) {
  Program program("task");
  ASSERT_OK(program.addVariable({"v", VariableRole::Parameter, ElementType::F32, {}, {}, ""}));
  ASSERT_OK(program.addFunction(makeAdder()));
  EXPECT_OK(program.verify());
  EXPECT_EQ(program.variable("v")->name, "v");
  EXPECT_EQ(program.variable("w"), nullptr);
  EXPECT_NE(program.function("add"), nullptr);
  EXPECT_EQ(program.step(), nullptr);
  EXPECT_EQ(program.eval(), nullptr);
  EXPECT_EQ(program.function("add")->signature().resultIndex("y"), 0);
  EXPECT_EQ(program.function("add")->signature().resultIndex("z"), -1);
}

TEST(Program, CountsBytes) {
  Program program;
  ASSERT_OK(program.addVariable({"a", VariableRole::Parameter, ElementType::F32, {2, 3}, {}, ""}));
  ASSERT_OK(program.addVariable({"b", VariableRole::Parameter, ElementType::F16, {}, {}, ""}));
  ASSERT_OK(
      program.addVariable({"a.f16", VariableRole::HalfCopy, ElementType::F16, {2, 3}, {}, "a"}));
  EXPECT_EQ(program.bytesOf(VariableRole::Parameter), 26);
  EXPECT_EQ(program.bytesOf(VariableRole::HalfCopy), 12);
  EXPECT_EQ(program.bytesOf(VariableRole::Counter), 0);
}

TEST(Program, Errors) {
  Program program("task");
  VariableSpec w{"w", VariableRole::Parameter, ElementType::F32, {2}, {}, ""};
  ASSERT_OK(program.addVariable(w));
  EXPECT_ERROR(program.addVariable(w), "variable 'w' is there twice");
  EXPECT_ERROR(program.addVariable({"d", VariableRole::Parameter, ElementType::F32, {-1}, {}, ""}),
               "variable 'd': extent -1 is negative");
  ASSERT_OK(program.addFunction(makeAdder()));
  EXPECT_ERROR(program.addFunction(makeAdder()), "function 'add' is there twice");
  EXPECT_ERROR(program.verify(), "function 'add' uses variable 'v', which does not exist");
}

static Status verifyCopy(VariableSpec copy) {
  Program program("task");
  EXPECT_OK(program.addVariable({"w", VariableRole::Parameter, ElementType::F32, {2}, {}, ""}));
  EXPECT_OK(program.addVariable(std::move(copy)));
  return program.verify();
}

TEST(Program, HalfCopyErrors) {
  constexpr VariableRole role = VariableRole::HalfCopy;
  EXPECT_OK(verifyCopy({"w.f16", role, ElementType::F16, {2}, {}, "w"}));
  EXPECT_ERROR(verifyCopy({"w.f16", role, ElementType::F16, {2}, {}, "u"}),
               "half copy 'w.f16' expects tensor<2xf32> as the type of 'u' but got no such "
               "variable");
  EXPECT_ERROR(verifyCopy({"w.f16", role, ElementType::F16, {3}, {}, "w"}),
               "half copy 'w.f16' expects tensor<3xf32> as the type of 'w' but got tensor<2xf32>");
  EXPECT_ERROR(verifyCopy({"w.f16", role, ElementType::F64, {2}, {}, "w"}),
               "half copy 'w.f16' expects f16 or bf16 elements but got f64");
}

TEST(Program, RolesPrint) {
  EXPECT_EQ(stringify(VariableRole::Parameter), "parameter");
  EXPECT_EQ(stringify(VariableRole::Frozen), "frozen");
  EXPECT_EQ(stringify(VariableRole::OptimizerState), "optimizer_state");
  EXPECT_EQ(stringify(VariableRole::Counter), "counter");
  EXPECT_EQ(stringify(VariableRole::ScaleState), "scale_state");
  EXPECT_EQ(stringify(VariableRole::HalfCopy), "half_copy");
}

TEST(Device, DescribesTheHost) {
  HostDevice device(1);
  EXPECT_EQ(device.name(), "cpu");
  EXPECT_EQ(device.threads(), 1u);
  EXPECT_NE(device.description().find(", 1 thread"), std::string::npos);
  EXPECT_GE(HostDevice().threads(), 1u);
}
