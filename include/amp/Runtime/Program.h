//===- Program.h - a compiled module: variables and functions --------------===//
#ifndef AMP_RUNTIME_PROGRAM_H
#define AMP_RUNTIME_PROGRAM_H

#include "amp/Runtime/Random.h"
#include "amp/Runtime/Span.h"
#include "amp/Runtime/Tensor.h"
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace amp::runtime {

/// What a variable is for: the roles of `train.variable`, with the same numbers.
enum class VariableRole {
  Parameter = 0,
  Frozen = 1,
  OptimizerState = 2,
  Counter = 3,
  ScaleState = 4,
  HalfCopy = 5
};

/// "parameter", "optimizer_state", ...: the spelling of the train dialect.
std::string_view stringify(VariableRole role);

/// A named tensor that outlives a step.
struct VariableSpec {
  std::string name;
  VariableRole role = VariableRole::Parameter;
  ElementType elementType = ElementType::F32;
  /// Static.
  Shape shape;
  /// Without meaning for a half copy.
  Initializer initializer;
  /// The f32 variable that a half copy is the copy of; empty for all others.
  std::string copyOf;
};

/// An argument or a result of a function.
struct ValueSpec {
  /// The attribute `train.name`, or arg0, arg1, ... and out0, out1, ...
  std::string name;
  ElementType elementType = ElementType::F32;
  /// -1 marks a dynamic extent.
  Shape shape;
};
using ArgumentSpec = ValueSpec;
using ResultSpec = ValueSpec;

/// What a caller must know of a function.
struct FunctionSignature {
  std::string name;
  std::vector<ArgumentSpec> arguments;
  /// The variables that the function reads or writes, in the order in which it takes them.
  std::vector<std::string> variables;
  std::vector<ResultSpec> results;
  /// Of a step: the trained parameters, in the order of the result `nonfinite` (`train.gradients`).
  std::vector<std::string> gradients;
  /// Of an evaluation: the name of the metric's function (`train.metric`); empty without one.
  std::string metric;

  /// The index of the result with the given name, -1 if there is none.
  int resultIndex(std::string_view resultName) const;
};

/// A function that can be called. Not thread-safe: one call at a time per program.
class Executable {
public:
  explicit Executable(FunctionSignature signature) : theSignature(std::move(signature)) {}
  virtual ~Executable();

  const FunctionSignature &signature() const { return theSignature; }

  /// Runs the function. `arguments` are as the signature lists them, `state` holds one tensor per
  /// entry of `signature().variables`, updated in place. `results` is replaced. On an error the
  /// state is unchanged.
  ///
  /// Compares arguments and state with the signature, runs invoke(), and compares the results.
  Status call(Span<const Tensor *const> arguments, Span<Tensor *const> state,
              std::vector<Tensor> &results);

protected:
  /// The call itself. The number, types and static extents of arguments and state are right.
  virtual Status invoke(Span<const Tensor *const> arguments, Span<Tensor *const> state,
                        std::vector<Tensor> &results) = 0;

private:
  Status checkCall(Span<const Tensor *const> arguments, Span<Tensor *const> state) const;
  Status checkResults(const std::vector<Tensor> &results) const;

  FunctionSignature theSignature;
};

/// A module ready to run.
class Program {
public:
  /// `task` is the symbol of the module's `train.task`, empty without one.
  explicit Program(std::string task = {}) : theTask(std::move(task)) {}

  /// An error if the name is taken or the shape is not static.
  Status addVariable(VariableSpec variable);
  Status addFunction(std::unique_ptr<Executable> function);

  /// Checks what spans variables and functions: half copies have an original, functions use
  /// variables that exist.
  Status verify() const;

  const std::string &task() const { return theTask; }
  const std::vector<VariableSpec> &variables() const { return theVariables; }
  /// Bytes of all variables with the role.
  int64_t bytesOf(VariableRole role) const;
  /// Null if there is none.
  const VariableSpec *variable(std::string_view name) const;
  const std::vector<std::unique_ptr<Executable>> &functions() const { return theFunctions; }
  /// Null if there is none.
  Executable *function(std::string_view name) const;
  /// `<task>.step` and `<task>.eval`; null if there is none.
  Executable *step() const;
  Executable *eval() const;

private:
  std::string theTask;
  std::vector<VariableSpec> theVariables;
  std::vector<std::unique_ptr<Executable>> theFunctions;
};

} // namespace amp::runtime

#endif // AMP_RUNTIME_PROGRAM_H
