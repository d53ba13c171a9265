//===- CpuCompilerDetail.h - the parts of the CPU compiler ----------------===//
#ifndef AMP_LIB_TARGET_CPU_CPUCOMPILERDETAIL_H
#define AMP_LIB_TARGET_CPU_CPUCOMPILERDETAIL_H

#include "amp/Target/CPU/CpuCompiler.h"
#include "llvm/ADT/StringMap.h"
#include <functional>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm
namespace mlir {
class ExecutionEngine;
} // namespace mlir

namespace amp {

/// Describes every public function with a body. Fails with an error at the function where an
/// argument or result has a type that cannot pass a call.
llvm::FailureOr<std::vector<FunctionInfo>> describeFunctions(mlir::ModuleOp module);

/// A target machine for this CPU with `changes` ("+a,-b") applied to its features.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createHostMachine(llvm::StringRef changes,
                                                                       unsigned optLevel);

/// Makes the conversions of f16 that compiled code calls on CPUs without the instructions known to
/// `engine`, so that no version of the system's runtime library matters.
void registerHalfHelpers(mlir::ExecutionEngine &engine);

/// Where an assertion of compiled code that fails leaves its message: what `amp-cpu-lower-asserts`
/// calls writes to the innermost one of its thread.
class CallFailure {
public:
  CallFailure();
  ~CallFailure();

  /// The failure of the call, if it has failed.
  llvm::Error take();

  bool hasFailed() const { return failed; }
  /// `{0}`, `{1}`, ... in `message` stand for `values`.
  void report(llvm::StringRef message, llvm::ArrayRef<int64_t> values);

private:
  CallFailure *outer;
  bool failed = false;
  std::string text;
};

/// Makes the functions that report a failure known to `engine`.
void registerFailureHooks(mlir::ExecutionEngine &engine);

/// Makes every access to memory in `module`, which is optimised, one that the address sanitizer
/// sees. Does nothing in a build without the sanitizer.
void addAddressChecks(llvm::Module &module, llvm::TargetMachine &machine);

struct CompiledModule::Impl {
  using Entry = void (*)(void **);

  /// The optimiser that `engine` was given refers to this machine, and the engine to it.
  std::unique_ptr<llvm::TargetMachine> machine;
  std::function<llvm::Error(llvm::Module *)> transformer;
  std::unique_ptr<mlir::ExecutionEngine> engine;
  std::vector<FunctionInfo> functions;
  llvm::StringMap<size_t> index;
  std::vector<Entry> entries;
  std::string lowered, llvm, assembly;
};

} // namespace amp

#endif // AMP_LIB_TARGET_CPU_CPUCOMPILERDETAIL_H
