//===- CpuCompiler.h - from a module to functions that can be called ------===//
#ifndef AMP_TARGET_CPU_CPUCOMPILER_H
#define AMP_TARGET_CPU_CPUCOMPILER_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace amp {

struct CpuOptions {
  /// LLVM's optimisation level, 0 to 3.
  unsigned optLevel = 2;
  /// Changes to the host's features, e.g. "-avx512f,-avx512bf16"; the environment variable
  /// AMP_CPU_FEATURES is appended.
  std::string features;
  /// Keep texts for --emit: the module in the llvm dialect; LLVM IR and assembly.
  bool keepLowered = false;
  bool keepSource = false;
};

/// An argument or result of a compiled function.
struct ValueInfo {
  /// The attribute `train.name`, else arg0, arg1, ... or out0, out1, ...
  std::string name;
  /// In MLIR's spelling: f32, bf16, i1, ...
  std::string elementType;
  /// Bytes that one element takes in memory.
  unsigned byteSize = 0;
  /// -1 stands for a dynamic extent.
  std::vector<int64_t> shape;
  /// A scalar of the element type, passed by value, instead of a tensor.
  bool isScalar = false;
  /// The variable whose memory this argument is; empty for others.
  std::string variable;
};

struct FunctionInfo {
  std::string name;
  /// Own arguments first, then variables.
  std::vector<ValueInfo> arguments;
  std::vector<ValueInfo> results;
  /// Of a step: the attribute `train.gradients`.
  std::vector<std::string> gradients;
  /// Of an evaluation: the attribute `train.metric`.
  std::string metric;
};

/// A tensor's memory, row-major and dense, as it passes a call.
struct BufferRef {
  void *data = nullptr;
  std::vector<int64_t> shape;
  /// Of a result: what to hand to free(); null for arguments.
  void *allocated = nullptr;
};

/// Machine code of a module. Calls may run in several threads at once, as long as they write
/// different variables.
class CompiledModule {
public:
  ~CompiledModule();

  const std::vector<FunctionInfo> &functions() const;
  /// Null if there is none.
  const FunctionInfo *function(llvm::StringRef name) const;

  /// Calls a function. `arguments` has one entry per argument of its FunctionInfo, variables
  /// included; those are updated in place, others are only read. A scalar argument is its bytes at
  /// `data`. On success `results` holds what the function returned; the caller frees each
  /// `allocated`. An error if the number or a static extent of an argument differs, or if sizes
  /// turn out not to fit each other on the way: then there are no results, and variables hold what
  /// the function had written until then; it may be called again.
  llvm::Error call(llvm::StringRef name, llvm::ArrayRef<BufferRef> arguments,
                   std::vector<BufferRef> &results) const;

  /// The texts that CpuOptions asked to keep.
  const std::string &loweredText() const;
  const std::string &llvmText() const;
  const std::string &assemblyText() const;

  struct Impl;
  explicit CompiledModule(std::unique_ptr<Impl> impl);

private:
  std::unique_ptr<Impl> impl;
};

/// Compiles `module` (train after autodiff, TOSA, linalg, func, mixed freely) for this CPU. The
/// module is lowered in place: pass a clone to keep it. Its context needs no dialect loaded
/// beforehand, and must not be in use by another thread.
///
/// Every public function with a body can be called. On failure the error's text holds the
/// diagnostics, one per line; remarks and warnings go to the context's handlers.
llvm::Expected<std::unique_ptr<CompiledModule>> compileForCpu(mlir::ModuleOp module,
                                                              const CpuOptions &options);

/// The CPU's brand and its units for half types, e.g. "Intel(R) Xeon(R) ... (f16c, avx512_bf16)".
std::string describeCpu();

} // namespace amp

#endif // AMP_TARGET_CPU_CPUCOMPILER_H
