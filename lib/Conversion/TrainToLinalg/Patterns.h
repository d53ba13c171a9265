//===- Patterns.h - the lowering of train and amp, by family --------------===//
#ifndef AMP_LIB_CONVERSION_TRAINTOLINALG_PATTERNS_H
#define AMP_LIB_CONVERSION_TRAINTOLINALG_PATTERNS_H

#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/DenseMap.h"

namespace amp::conversion {

/// The powers of the step number that one function has computed already. A pass visits the ops of a
/// block in order, so that a power found here dominates who asks for it.
class StepPowers {
public:
  /// `base` to the power of the element of `step`, an i64 tensor of rank 0, as an f64.
  mlir::Value get(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value step, double base);

private:
  llvm::DenseMap<std::tuple<mlir::Block *, mlir::Value, uint64_t>, mlir::Value> known;
};

void populateElementwisePatterns(mlir::RewritePatternSet &patterns);
void populateLinearPatterns(mlir::RewritePatternSet &patterns);
void populateShapePatterns(mlir::RewritePatternSet &patterns);
void populateReducePatterns(mlir::RewritePatternSet &patterns);
void populateSoftmaxPatterns(mlir::RewritePatternSet &patterns);
void populateLossPatterns(mlir::RewritePatternSet &patterns);
void populateScalingPatterns(mlir::RewritePatternSet &patterns);

/// `powers` outlives the patterns.
void populateOptimizerPatterns(mlir::RewritePatternSet &patterns, StepPowers &powers);

} // namespace amp::conversion

#endif // AMP_LIB_CONVERSION_TRAINTOLINALG_PATTERNS_H
