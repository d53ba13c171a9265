//===- ConvertTrainToLinalg.cpp - computing ops of train and amp to linalg ===//

#include "KnownValues.h"
#include "Patterns.h"
#include "amp/Conversion/Passes.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace amp {
#define GEN_PASS_DEF_CONVERTTRAINTOLINALG
#include "amp/Conversion/Passes.h.inc"
} // namespace amp

using namespace mlir;
using namespace amp;

namespace {
struct ConvertTrainToLinalg : public amp::impl::ConvertTrainToLinalgBase<ConvertTrainToLinalg> {
  using ConvertTrainToLinalgBase::ConvertTrainToLinalgBase;

  void runOnOperation() override {
    conversion::KnownValues known;
    RewritePatternSet patterns(&getContext());
    conversion::populateElementwisePatterns(patterns);
    conversion::populateLinearPatterns(patterns);
    conversion::populateShapePatterns(patterns);
    conversion::populateReducePatterns(patterns);
    conversion::populateSoftmaxPatterns(patterns, known);
    conversion::populateLossPatterns(patterns, known);
    conversion::populateOptimizerPatterns(patterns, known);
    conversion::populateScalingPatterns(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace
