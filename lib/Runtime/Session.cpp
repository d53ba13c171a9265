//===- Session.cpp - the state of a training and what runs on it -----------===//

#include "amp/Runtime/Session.h"

using namespace amp::runtime;

/// A result that must be there, with its type.
static Status checkResult(const FunctionSignature &signature, const char *name, const Shape &shape,
                          bool (*isRightType)(ElementType), const char *expected) {
  int index = signature.resultIndex(name);
  if (index < 0)
    return error("function '" + signature.name + "' expects a result '" + name +
                 "' but has none of that name");
  const ResultSpec &result = signature.results[static_cast<size_t>(index)];
  if (!isRightType(result.elementType) || result.shape != shape)
    return error("function '" + signature.name + "' expects " + expected + " as result '" + name +
                 "' but got " + stringify(result.elementType, result.shape));
  return {};
}

static bool isBoolean(ElementType type) { return type == ElementType::I1; }

static Status checkStep(const FunctionSignature &step) {
  constexpr const char *scalar = "a scalar float tensor";
  for (const char *name : {"loss", "scale", "grad_norm"})
    if (Status status = checkResult(step, name, {}, isFloat, scalar); !status.ok())
      return status;
  if (Status status = checkResult(step, "stepped", {}, isBoolean, "tensor<i1>"); !status.ok())
    return status;
  if (step.resultIndex("nonfinite") < 0)
    return {};
  auto count = static_cast<int64_t>(step.gradients.size());
  return checkResult(step, "nonfinite", {count}, isBoolean,
                     stringify(ElementType::I1, {count}).c_str());
}

static Status checkEval(const FunctionSignature &eval) {
  constexpr const char *scalar = "a scalar float tensor";
  if (Status status = checkResult(eval, "loss", {}, isFloat, scalar); !status.ok())
    return status;
  if (eval.metric.empty())
    return {};
  return checkResult(eval, "metric", {}, isFloat, scalar);
}

Result<Session> Session::create(const Program &program) {
  Status status = program.verify();
  if (status.ok() && program.step())
    status = checkStep(program.step()->signature());
  if (status.ok() && program.eval())
    status = checkEval(program.eval()->signature());
  if (!status.ok())
    return status;
  Session session(program);
  for (const VariableSpec &variable : program.variables()) {
    Result<Tensor> tensor = Tensor::create(variable.elementType, variable.shape);
    if (!tensor.ok())
      return tensor.status().withPrefix("variable '" + variable.name + "'");
    session.state.push_back(tensor.take());
  }
  return session;
}

Status Session::initialize(uint64_t seed) {
  for (size_t i = 0; i < state.size(); ++i) {
    const VariableSpec &variable = theProgram->variables()[i];
    if (variable.role == VariableRole::HalfCopy)
      continue;
    if (Status status = runtime::initialize(state[i], variable.initializer, seed, variable.name);
        !status.ok())
      return status;
  }
  refreshHalfCopies();
  return {};
}

void Session::refreshHalfCopies() {
  for (size_t i = 0; i < state.size(); ++i) {
    const VariableSpec &variable = theProgram->variables()[i];
    if (variable.role == VariableRole::HalfCopy)
      convertElements(*this->variable(variable.copyOf), state[i]);
  }
}

Tensor *Session::variable(std::string_view name) {
  const VariableSpec *variable = theProgram->variable(name);
  return variable ? &state[static_cast<size_t>(variable - theProgram->variables().data())]
                  : nullptr;
}

const Tensor *Session::variable(std::string_view name) const {
  return const_cast<Session *>(this)->variable(name);
}

Result<std::vector<Tensor>> Session::call(Executable &function,
                                          Span<const Tensor *const> arguments) {
  std::vector<Tensor *> used;
  for (const std::string &name : function.signature().variables)
    used.push_back(variable(name));
  std::vector<Tensor> results;
  if (Status status = function.call(arguments, used, results); !status.ok())
    return status;
  return results;
}

/// The first element of the result with the given name.
static double scalar(const FunctionSignature &signature, const std::vector<Tensor> &results,
                     std::string_view name) {
  return results[static_cast<size_t>(signature.resultIndex(name))].toDouble(0);
}

Result<StepResult> Session::step(Span<const Tensor *const> batch) {
  Executable *function = theProgram->step();
  if (!function)
    return error("the program has no training step; the module needs a train.task");
  Result<std::vector<Tensor>> results = call(*function, batch);
  if (!results.ok())
    return results.status();
  const FunctionSignature &signature = function->signature();
  StepResult step;
  step.loss = scalar(signature, *results, "loss");
  step.stepped = scalar(signature, *results, "stepped") != 0.0;
  step.scale = scalar(signature, *results, "scale");
  step.gradNorm = scalar(signature, *results, "grad_norm");
  if (int index = signature.resultIndex("nonfinite"); index >= 0) {
    const Tensor &flags = (*results)[static_cast<size_t>(index)];
    for (int64_t i = 0; i < flags.numElements(); ++i)
      step.nonfinite.push_back(flags.toDouble(i) != 0.0);
  }
  return step;
}

Result<EvaluateResult> Session::evaluate(Span<const Tensor *const> batch) {
  Executable *function = theProgram->eval();
  if (!function)
    return error("the program has no evaluation; the module needs a train.task");
  Result<std::vector<Tensor>> results = call(*function, batch);
  if (!results.ok())
    return results.status();
  const FunctionSignature &signature = function->signature();
  EvaluateResult evaluation;
  evaluation.loss = scalar(signature, *results, "loss");
  if (!signature.metric.empty())
    evaluation.metric = scalar(signature, *results, "metric");
  return evaluation;
}

Status Session::save(const std::string &path, CheckpointInfo info) const {
  info.task = theProgram->task();
  std::vector<TensorReference> tensors;
  for (size_t i = 0; i < state.size(); ++i)
    if (const VariableSpec &variable = theProgram->variables()[i];
        variable.role != VariableRole::HalfCopy)
      tensors.push_back({variable.name, &state[i]});
  return writeSafetensors(path, std::move(tensors), toMetadata(info));
}

Status Session::checkVariables(const Safetensors &file, const std::string &path,
                               const CheckpointInfo &info) const {
  const std::string savedBy = "; it was saved with --amp=" + info.amp + ": pass the same options";
  for (const VariableSpec &variable : theProgram->variables()) {
    if (variable.role == VariableRole::HalfCopy)
      continue;
    const Tensor *tensor = file.find(variable.name);
    if (!tensor)
      return error(path + ": expects variable '" + variable.name + "' of type " +
                   stringify(variable.elementType, variable.shape) +
                   " but the checkpoint has none of that name" + savedBy);
    if (tensor->elementType() != variable.elementType || tensor->shape() != variable.shape)
      return error(path + ": expects " + stringify(variable.elementType, variable.shape) +
                   " for variable '" + variable.name + "' but got " + tensor->typeString() +
                   "; it is a checkpoint of another model");
  }
  for (const NamedTensor &tensor : file.tensors) {
    const VariableSpec *variable = theProgram->variable(tensor.name);
    if (!variable || variable->role == VariableRole::HalfCopy)
      return error(path + ": has variable '" + tensor.name + "' of type " +
                   tensor.value.typeString() + ", which the model has not" + savedBy);
  }
  return {};
}

Result<CheckpointInfo> Session::load(const std::string &path) {
  Result<Safetensors> file = readSafetensors(path);
  if (!file.ok())
    return file.status();
  Result<CheckpointInfo> info = fromMetadata(file->metadata);
  if (!info.ok())
    return info.status().withPrefix(path);
  if (info->task != theProgram->task())
    return error(path + ": expects a checkpoint of task '" + theProgram->task() +
                 "' but got one of task '" + info->task + "'");
  if (Status status = checkVariables(*file, path, *info); !status.ok())
    return status;
  for (const NamedTensor &tensor : file->tensors)
    variable(tensor.name)->copyFrom(tensor.value);
  refreshHalfCopies();
  return info;
}
