//===- CpuCompilerDetail.h - the parts of the CPU compiler ----------------===//
#ifndef AMP_LIB_TARGET_CPU_CPUCOMPILERDETAIL_H
#define AMP_LIB_TARGET_CPU_CPUCOMPILERDETAIL_H

#include "amp/Target/CPU/CpuCompiler.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ExecutionEngine/Orc/Shared/ExecutorSymbolDef.h"
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

/// One call of compiled code. Its hooks go to the innermost call of their thread.
class ActiveCall {
public:
  ActiveCall();
  /// Frees what the call has allocated and not freed, if it has failed; else its results are there.
  ~ActiveCall();

  /// Why the call has failed, if it has.
  llvm::Error takeFailure();

  bool hasFailed() const { return failed; }
  /// `{0}`, `{1}`, ... in `text` stand for `values`.
  void fail(llvm::StringRef text, llvm::ArrayRef<int64_t> values);

  void addBuffer(void *buffer) { buffers.insert(buffer); }
  void removeBuffer(void *buffer) { buffers.erase(buffer); }

private:
  ActiveCall *outer;
  bool failed = false;
  std::string message;
  llvm::DenseSet<void *> buffers;
};

/// Makes known to `engine` what `amp-cpu-lower-asserts` calls, and the functions that allocate and
/// free: a function that fails returns at once and leaves its buffers to the call.
void registerCallHooks(mlir::ExecutionEngine &engine);

/// `function` as a symbol for compiled code.
template <typename Result, typename... Arguments>
llvm::orc::ExecutorSymbolDef getCallable(Result (*function)(Arguments...)) {
  return {llvm::orc::ExecutorAddr::fromPtr(function),
          llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
}

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
