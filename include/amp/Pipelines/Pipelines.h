//===- Pipelines.h - the stages of the compiler as pass pipelines ---------===//
#ifndef AMP_PIPELINES_PIPELINES_H
#define AMP_PIPELINES_PIPELINES_H

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace amp {

/// Stage 2, `amp-stage-autodiff`: tasks become step and evaluation functions. Runs on a module.
void buildAutodiffPipeline(mlir::OpPassManager &manager);

/// Registers `amp-stage-autodiff` with the global registry; once per process.
void registerAutodiffPipeline();

} // namespace amp

#endif // AMP_PIPELINES_PIPELINES_H
