//===- Patterns.h - the lowering of train and amp, by family --------------===//
#ifndef AMP_LIB_CONVERSION_TRAINTOLINALG_PATTERNS_H
#define AMP_LIB_CONVERSION_TRAINTOLINALG_PATTERNS_H

#include "mlir/IR/PatternMatch.h"

namespace amp::conversion {

class KnownValues;

/// A pattern from a function that also gets what the pass has computed before.
template <typename OpTy> struct LowerWithKnown : public mlir::OpRewritePattern<OpTy> {
  using Function = llvm::LogicalResult (*)(OpTy, mlir::PatternRewriter &, KnownValues &);

  LowerWithKnown(mlir::MLIRContext *context, KnownValues &known, Function function)
      : mlir::OpRewritePattern<OpTy>(context), known(known), function(function) {}

  llvm::LogicalResult matchAndRewrite(OpTy op, mlir::PatternRewriter &rewriter) const override {
    return function(op, rewriter, known);
  }

  KnownValues &known;
  Function function;
};

/// Adds the pattern from `function`; `known` outlives it.
template <typename OpTy>
void addPattern(mlir::RewritePatternSet &patterns, KnownValues &known,
                llvm::LogicalResult (*function)(OpTy, mlir::PatternRewriter &, KnownValues &)) {
  patterns.add<LowerWithKnown<OpTy>>(patterns.getContext(), known, function);
}

void populateElementwisePatterns(mlir::RewritePatternSet &patterns);
void populateLinearPatterns(mlir::RewritePatternSet &patterns);
void populateShapePatterns(mlir::RewritePatternSet &patterns);
void populateReducePatterns(mlir::RewritePatternSet &patterns);
void populateScalingPatterns(mlir::RewritePatternSet &patterns);
void populateSoftmaxPatterns(mlir::RewritePatternSet &patterns, KnownValues &known);
void populateLossPatterns(mlir::RewritePatternSet &patterns, KnownValues &known);
void populateOptimizerPatterns(mlir::RewritePatternSet &patterns, KnownValues &known);

} // namespace amp::conversion

#endif // AMP_LIB_CONVERSION_TRAINTOLINALG_PATTERNS_H
