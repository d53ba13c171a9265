//===- CpuProgram.cpp - a compiled module as the runtime sees it ----------===//

#include "amp/Target/CPU/CpuProgram.h"
#include "amp/Dialect/Train/IR/Train.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace amp;
using runtime::Initializer;
using runtime::Result;
using runtime::Span;
using runtime::Status;
using runtime::Tensor;

static Initializer::Distribution convert(train::Distribution distribution) {
  return distribution == train::Distribution::Uniform ? Initializer::Distribution::Uniform
                                                      : Initializer::Distribution::Normal;
}

static Initializer convertInitializer(mlir::Attribute attribute) {
  return llvm::TypeSwitch<mlir::Attribute, Initializer>(attribute)
      .Case([](train::ConstantAttr attr) { return Initializer::constant(attr.getValue()); })
      .Case([](train::UniformAttr attr) {
        return Initializer::uniform(attr.getLow(), attr.getHigh());
      })
      .Case([](train::NormalAttr attr) {
        return Initializer::normal(attr.getMean(), attr.getStddev());
      })
      .Case([](train::GlorotAttr attr) {
        return Initializer::glorot(convert(attr.getDistribution()), attr.getInAxis());
      })
      .Case([](train::HeAttr attr) {
        return Initializer::he(convert(attr.getDistribution()), attr.getInAxis());
      })
      .Default([](mlir::Attribute) { return Initializer::zeros(); });
}

static std::string printType(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

static Status addVariables(mlir::ModuleOp module, runtime::Program &program) {
  for (auto variable : module.getOps<train::VariableOp>()) {
    runtime::VariableSpec spec;
    spec.name = variable.getSymName().str();
    spec.role = static_cast<runtime::VariableRole>(variable.getRole());
    auto type = variable.getTensorType();
    auto element = runtime::symbolizeElementType(printType(type.getElementType()));
    assert(element && "the verifier of train.variable admits the types of the runtime only");
    spec.elementType = *element;
    spec.shape = type.getShape().vec();
    if (variable.getInitialValue())
      spec.initializer = convertInitializer(*variable.getInitialValue());
    if (variable.getCopyOf())
      spec.copyOf = variable.getCopyOf()->str();
    if (Status status = program.addVariable(std::move(spec)); !status.ok())
      return status;
  }
  return {};
}

namespace {

class CpuExecutable : public runtime::Executable {
public:
  CpuExecutable(runtime::FunctionSignature signature, std::shared_ptr<CompiledModule> module)
      : Executable(std::move(signature)), module(std::move(module)) {}

protected:
  Status invoke(Span<const Tensor *const> arguments, Span<Tensor *const> state,
                std::vector<Tensor> &results) override;

private:
  std::shared_ptr<CompiledModule> module;
};

} // namespace

Status CpuExecutable::invoke(Span<const Tensor *const> arguments, Span<Tensor *const> state,
                             std::vector<Tensor> &results) {
  std::vector<BufferRef> buffers, returned;
  for (const Tensor *tensor : arguments)
    buffers.push_back({const_cast<void *>(tensor->rawData()), tensor->shape(), nullptr});
  for (Tensor *tensor : state)
    buffers.push_back({tensor->rawData(), tensor->shape(), nullptr});
  if (llvm::Error error = module->call(signature().name, buffers, returned))
    return runtime::error(llvm::toString(std::move(error)));
  for (auto [index, buffer] : llvm::enumerate(returned))
    results.push_back(Tensor::adopt(signature().results[index].elementType, std::move(buffer.shape),
                                    buffer.data, buffer.allocated));
  return {};
}

static Result<runtime::ValueSpec> describeValue(const FunctionInfo &function,
                                                const ValueInfo &info) {
  auto element = runtime::symbolizeElementType(info.elementType);
  if (info.isScalar || !element)
    return runtime::error("function '" + function.name + "' takes or returns '" + info.name +
                          "' of type " + info.elementType +
                          (info.isScalar ? ", but the runtime calls functions on tensors only"
                                         : ", which the runtime has no type for"));
  return runtime::ValueSpec{info.name, *element, info.shape};
}

static Result<runtime::FunctionSignature> describeFunction(const FunctionInfo &function) {
  runtime::FunctionSignature signature;
  signature.name = function.name;
  signature.gradients = function.gradients;
  signature.metric = function.metric;
  for (const ValueInfo &info : function.arguments) {
    if (!info.variable.empty()) {
      signature.variables.push_back(info.variable);
      continue;
    }
    auto spec = describeValue(function, info);
    if (!spec.ok())
      return spec.status();
    signature.arguments.push_back(spec.take());
  }
  for (const ValueInfo &info : function.results) {
    auto spec = describeValue(function, info);
    if (!spec.ok())
      return spec.status();
    signature.results.push_back(spec.take());
  }
  return signature;
}

Result<CpuProgram> amp::createCpuProgram(mlir::ModuleOp module, const CpuOptions &options) {
  CpuProgram result;
  auto tasks = module.getOps<train::TaskOp>();
  if (!tasks.empty())
    result.program = runtime::Program((*tasks.begin()).getSymName().str());
  if (Status status = addVariables(module, result.program); !status.ok())
    return status;
  auto compiled = compileForCpu(module, options);
  if (!compiled)
    return runtime::error(llvm::toString(compiled.takeError()));
  result.module = std::move(*compiled);
  for (const FunctionInfo &function : result.module->functions()) {
    auto signature = describeFunction(function);
    if (!signature.ok())
      return signature.status();
    Status status = result.program.addFunction(
        std::make_unique<CpuExecutable>(signature.take(), result.module));
    if (!status.ok())
      return status;
  }
  if (Status status = result.program.verify(); !status.ok())
    return status;
  return result;
}
