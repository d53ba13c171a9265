//===- Session.h - the state of a training and what runs on it -------------===//
#ifndef AMP_RUNTIME_SESSION_H
#define AMP_RUNTIME_SESSION_H

#include "amp/Runtime/Checkpoint.h"
#include "amp/Runtime/Program.h"
#include <optional>

namespace amp::runtime {

struct StepResult {
  /// The mean loss of the batch before the update, unscaled.
  double loss = 0.0;
  /// Whether the update ran.
  bool stepped = false;
  /// The loss scale of this step; 1 without scaling.
  double scale = 1.0;
  /// The global norm of the unscaled gradients, before clipping.
  double gradNorm = 0.0;
  /// Per entry of the step's `gradients`, whether it was not finite; empty without a loss scale.
  std::vector<bool> nonfinite;
};

struct EvaluateResult {
  double loss = 0.0;
  std::optional<double> metric;
};

/// Owns the state of a program, a dictionary from the variables' names to tensors, and runs its
/// functions on it. Not thread-safe.
class Session {
public:
  /// Allocates the state, all zeros. The program must outlive the session. An error if the program
  /// does not verify or its step or evaluation lacks a result.
  static Result<Session> create(const Program &program);

  /// Gives every variable its initial value.
  Status initialize(uint64_t seed);

  /// Writes every half copy from its f32 original, rounded to nearest even.
  void refreshHalfCopies();

  /// One training step on a batch, its tensors in the order of the step's arguments.
  Result<StepResult> step(Span<const Tensor *const> batch);
  /// Loss and metric of a batch; changes nothing.
  Result<EvaluateResult> evaluate(Span<const Tensor *const> batch);
  /// Calls any function of the program on the state.
  Result<std::vector<Tensor>> call(Executable &function, Span<const Tensor *const> arguments);

  /// Writes all variables but half copies, all or nothing. The info's task is the program's.
  Status save(const std::string &path, CheckpointInfo info) const;
  /// Reads what save() wrote and refreshes the half copies. Nothing changes if the file does not
  /// fit the program in every point.
  Result<CheckpointInfo> load(const std::string &path);

  const Program &program() const { return *theProgram; }
  /// Null if there is none.
  Tensor *variable(std::string_view name);
  const Tensor *variable(std::string_view name) const;

private:
  explicit Session(const Program &program) : theProgram(&program) {}

  Status checkVariables(const Safetensors &file, const std::string &path,
                        const CheckpointInfo &info) const;

  const Program *theProgram;
  /// In the order of the program's variables.
  std::vector<Tensor> state;
};

} // namespace amp::runtime

#endif // AMP_RUNTIME_SESSION_H
