//===- Summary.h - what a module's precision comes to ---------------------===//
#ifndef AMP_PRECISION_SUMMARY_H
#define AMP_PRECISION_SUMMARY_H

#include "mlir/IR/BuiltinOps.h"

namespace amp {

/// Counts over the step functions of a module, or over all its functions if it has none, and bytes
/// of its variables. The same before and after the pass, so that two summaries compare.
struct PrecisionSummary {
  int64_t lowOps = 0;  ///< Ops with a precision model that read or give a half type.
  int64_t f32Ops = 0;  ///< Those that only read and give wider floats.
  int64_t keptOps = 0; ///< Ops without a precision model that give floats, the pass's own aside.
  int64_t casts = 0;   ///< Casts of the pass.

  int64_t weightBytes = 0; ///< Parameters and frozen variables.
  int64_t halfCopyBytes = 0;
  int64_t optimizerBytes = 0;
  int64_t gradientBytes = 0; ///< What the gradient statistics read.
  /// What the forward pass computes, casts of inputs among it, and the backward pass reads.
  int64_t activationBytes = 0;
};

/// Summarises `module`; dynamic dimensions count as `batchSize`.
PrecisionSummary summarizePrecision(mlir::ModuleOp module, int64_t batchSize);

} // namespace amp

#endif // AMP_PRECISION_SUMMARY_H
