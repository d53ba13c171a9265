//===- Pipelines.h - the stages of the compiler as pass pipelines ---------===//
#ifndef AMP_PIPELINES_PIPELINES_H
#define AMP_PIPELINES_PIPELINES_H

#include <cstdint>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace amp {

/// What the lowering wants to know of a CPU. It decides speed, never a bit of a result. The
/// defaults are no host's, so that amp-opt prints the same everywhere.
struct CpuShape {
  unsigned vectorBits = 256;     ///< Width of the vector registers.
  int64_t l2Bytes = 1024 * 1024; ///< Size of the second-level cache.
};

/// Stage 2, `amp-stage-autodiff`: tasks become step and evaluation functions. Runs on a module.
void buildAutodiffPipeline(mlir::OpPassManager &manager);

/// Registers `amp-stage-autodiff` with the global registry; once per process.
void registerAutodiffPipeline();

/// Stage 4, first half: train ops, variables, elementwise arith on tensors and TOSA become linalg
/// on tensors; variables become memref arguments. `pm` is for modules, as in the next two.
void buildConvertToLinalgPipeline(mlir::OpPassManager &pm);

/// Stage 4, second half: linalg on tensors or memrefs becomes the llvm dialect.
void buildLowerLinalgPipeline(mlir::OpPassManager &pm, const CpuShape &shape);

/// Stage 4, `amp-stage-lower-cpu`: both halves.
void buildLowerCpuPipeline(mlir::OpPassManager &pm);

/// Registers `amp-stage-lower-cpu`; once per process.
void registerLowerCpuPipeline();

} // namespace amp

#endif // AMP_PIPELINES_PIPELINES_H
