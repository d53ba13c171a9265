//===- Program.cpp - a compiled module: variables and functions ------------===//

#include "amp/Runtime/Program.h"

using namespace amp::runtime;

std::string_view amp::runtime::stringify(VariableRole role) {
  switch (role) {
  case VariableRole::Parameter:
    return "parameter";
  case VariableRole::Frozen:
    return "frozen";
  case VariableRole::OptimizerState:
    return "optimizer_state";
  case VariableRole::Counter:
    return "counter";
  case VariableRole::ScaleState:
    return "scale_state";
  case VariableRole::HalfCopy:
    return "half_copy";
  }
  return "";
}

int FunctionSignature::resultIndex(std::string_view resultName) const {
  for (size_t i = 0; i < results.size(); ++i)
    if (results[i].name == resultName)
      return static_cast<int>(i);
  return -1;
}

Executable::~Executable() = default;

/// Whether a tensor has the type and, where they are static, the extents of the specification.
static bool matches(const Tensor &tensor, const ValueSpec &spec) {
  if (tensor.elementType() != spec.elementType || tensor.shape().size() != spec.shape.size())
    return false;
  for (size_t axis = 0; axis < spec.shape.size(); ++axis)
    if (spec.shape[axis] >= 0 && spec.shape[axis] != tensor.shape()[axis])
      return false;
  return true;
}

Status Executable::checkCall(Span<const Tensor *const> arguments, Span<Tensor *const> state) const {
  const std::string prefix = "function '" + theSignature.name + "' expects ";
  if (arguments.size() != theSignature.arguments.size())
    return error(prefix + std::to_string(theSignature.arguments.size()) + " arguments but got " +
                 std::to_string(arguments.size()));
  for (size_t i = 0; i < arguments.size(); ++i) {
    const ArgumentSpec &spec = theSignature.arguments[i];
    if (!matches(*arguments[i], spec))
      return error(prefix + stringify(spec.elementType, spec.shape) + " for argument '" +
                   spec.name + "' but got " + arguments[i]->typeString());
  }
  if (state.size() != theSignature.variables.size())
    return error(prefix + std::to_string(theSignature.variables.size()) + " variables but got " +
                 std::to_string(state.size()));
  return {};
}

Status Executable::checkResults(const std::vector<Tensor> &results) const {
  const std::string prefix = "function '" + theSignature.name + "' expects ";
  if (results.size() != theSignature.results.size())
    return error(prefix + std::to_string(theSignature.results.size()) + " results but got " +
                 std::to_string(results.size()));
  for (size_t i = 0; i < results.size(); ++i) {
    const ResultSpec &spec = theSignature.results[i];
    if (!matches(results[i], spec))
      return error(prefix + stringify(spec.elementType, spec.shape) + " for result '" + spec.name +
                   "' but got " + results[i].typeString());
  }
  return {};
}

Status Executable::call(Span<const Tensor *const> arguments, Span<Tensor *const> state,
                        std::vector<Tensor> &results) {
  if (Status status = checkCall(arguments, state); !status.ok())
    return status;
  results.clear();
  if (Status status = invoke(arguments, state, results); !status.ok())
    return status;
  return checkResults(results);
}

Status Program::addVariable(VariableSpec variable) {
  if (this->variable(variable.name))
    return error("variable '" + variable.name + "' is there twice");
  if (Result<int64_t> count = checkedNumElements(variable.elementType, variable.shape); !count.ok())
    return count.status().withPrefix("variable '" + variable.name + "'");
  theVariables.push_back(std::move(variable));
  return {};
}

Status Program::addFunction(std::unique_ptr<Executable> function) {
  const std::string &name = function->signature().name;
  if (this->function(name))
    return error("function '" + name + "' is there twice");
  theFunctions.push_back(std::move(function));
  return {};
}

Status Program::verify() const {
  for (const VariableSpec &copy : theVariables) {
    if (copy.role != VariableRole::HalfCopy)
      continue;
    const VariableSpec *original = variable(copy.copyOf);
    if (!original || original->elementType != ElementType::F32 || original->shape != copy.shape)
      return error("half copy '" + copy.name + "' expects " +
                   stringify(ElementType::F32, copy.shape) + " as the type of '" + copy.copyOf +
                   "' but got " +
                   (original ? stringify(original->elementType, original->shape)
                             : std::string("no such variable")));
    if (!isHalf(copy.elementType))
      return error("half copy '" + copy.name + "' expects f16 or bf16 elements but got " +
                   std::string(stringify(copy.elementType)));
  }
  for (const std::unique_ptr<Executable> &function : theFunctions)
    for (const std::string &name : function->signature().variables)
      if (!variable(name))
        return error("function '" + function->signature().name + "' uses variable '" + name +
                     "', which does not exist");
  return {};
}

int64_t Program::bytesOf(VariableRole role) const {
  int64_t bytes = 0;
  for (const VariableSpec &variable : theVariables)
    if (variable.role == role)
      bytes += *checkedNumElements(variable.elementType, variable.shape) *
               static_cast<int64_t>(byteSize(variable.elementType));
  return bytes;
}

const VariableSpec *Program::variable(std::string_view name) const {
  for (const VariableSpec &variable : theVariables)
    if (variable.name == name)
      return &variable;
  return nullptr;
}

Executable *Program::function(std::string_view name) const {
  for (const std::unique_ptr<Executable> &function : theFunctions)
    if (function->signature().name == name)
      return function.get();
  return nullptr;
}

Executable *Program::step() const { return function(theTask + ".step"); }

Executable *Program::eval() const { return function(theTask + ".eval"); }
