//===- SoftmaxPatterns.cpp - softmax and its relatives --------------------===//

#include "KnownValues.h"
#include "Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace amp::conversion;
using namespace amp::train;

/// Lowers softmax and log_softmax; `body` gets the input less its maximum, and the sum.
template <typename OpTy>
static LogicalResult lowerForward(OpTy op, PatternRewriter &rewriter, KnownValues &known,
                                  Value (*body)(LocBuilder &, Value x, Value sum)) {
  LocBuilder builder(op.getLoc(), rewriter);
  FloatType computeType = getComputeType(op);
  Sizes sizes = getSizes(builder, op.getInput());
  SoftmaxStatistics row = known.getSoftmax(builder, computeType, op.getInput(), sizes);
  SmallVector<Input> inputs = readInPlace(op.getInput());
  inputs.push_back({row.maximum, row.map});
  inputs.push_back({row.sum, row.map});
  rewriter.replaceOp(
      op, createElementwise(builder, computeType, cast<RankedTensorType>(op.getType()), sizes,
                            inputs, [&](LocBuilder &b, ValueRange args) {
                              return body(b, arith::SubFOp::create(b, args[0], args[1]), args[2]);
                            }));
  return success();
}

static LogicalResult lowerSoftmax(SoftmaxOp op, PatternRewriter &rewriter, KnownValues &known) {
  return lowerForward(
      op, rewriter, known, +[](LocBuilder &b, Value x, Value sum) -> Value {
        return arith::DivFOp::create(b, math::ExpOp::create(b, x), sum);
      });
}

static LogicalResult lowerLogSoftmax(LogSoftmaxOp op, PatternRewriter &rewriter,
                                     KnownValues &known) {
  return lowerForward(
      op, rewriter, known, +[](LocBuilder &b, Value x, Value sum) -> Value {
        return arith::SubFOp::create(b, x, math::LogOp::create(b, sum));
      });
}

/// Lowers a gradient: a sum of `term(grad, output)` along the rows, then `body(grad, output, sum)`.
template <typename OpTy>
static LogicalResult lowerGradient(OpTy op, PatternRewriter &rewriter, Body term, Body body) {
  LocBuilder builder(op.getLoc(), rewriter);
  FloatType computeType = getComputeType(op);
  Sizes sizes = getSizes(builder, op.getGrad());
  int64_t last = sizes.size() - 1;
  SmallVector<Input> inputs = readInPlace({op.getGrad(), op.getOutput()});
  Value sum = createReduction(builder, computeType, sizes, last, Combiner::Sum, inputs, term);
  inputs.push_back({sum, getProjection(builder.getContext(), sizes.size(), last)});
  rewriter.replaceOp(op,
                     createElementwise(builder, computeType, cast<RankedTensorType>(op.getType()),
                                       sizes, inputs, body));
  return success();
}

static LogicalResult lowerSoftmaxGrad(SoftmaxGradOp op, PatternRewriter &rewriter) {
  return lowerGradient(
      op, rewriter,
      [](LocBuilder &b, ValueRange args) -> Value {
        return arith::MulFOp::create(b, args[0], args[1]);
      },
      [](LocBuilder &b, ValueRange args) -> Value {
        return arith::MulFOp::create(b, args[1], arith::SubFOp::create(b, args[0], args[2]));
      });
}

static LogicalResult lowerLogSoftmaxGrad(LogSoftmaxGradOp op, PatternRewriter &rewriter) {
  return lowerGradient(
      op, rewriter, [](LocBuilder &, ValueRange args) { return args[0]; },
      [](LocBuilder &b, ValueRange args) -> Value {
        Value share = arith::MulFOp::create(b, math::ExpOp::create(b, args[1]), args[2]);
        return arith::SubFOp::create(b, args[0], share);
      });
}

void amp::conversion::populateSoftmaxPatterns(RewritePatternSet &patterns, KnownValues &known) {
  addPattern(patterns, known, lowerSoftmax);
  addPattern(patterns, known, lowerLogSoftmax);
  patterns.add(lowerSoftmaxGrad).add(lowerLogSoftmaxGrad);
}
