//===- CpuProgram.h - a compiled module as the runtime sees it ------------===//
#ifndef AMP_TARGET_CPU_CPUPROGRAM_H
#define AMP_TARGET_CPU_CPUPROGRAM_H

#include "amp/Runtime/Program.h"
#include "amp/Target/CPU/CpuCompiler.h"

namespace amp {

struct CpuProgram {
  runtime::Program program;
  /// Shared with the program's functions.
  std::shared_ptr<CompiledModule> module;
};

/// Compiles `module` as compileForCpu() does, in place, and describes its variables, its task and
/// its functions for the runtime. An error too if a function takes or returns scalars, or elements
/// that the runtime has no type for.
runtime::Result<CpuProgram> createCpuProgram(mlir::ModuleOp module, const CpuOptions &options);

} // namespace amp

#endif // AMP_TARGET_CPU_CPUPROGRAM_H
