//===- ReducePatterns.cpp - reductions along dimensions -------------------===//

#include "Builders.h"
#include "Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace amp::conversion;
using namespace amp::train;

static Value getFirst(LocBuilder &, ValueRange args) { return args[0]; }

static Combiner getCombiner(ReduceKind kind) {
  switch (kind) {
  case ReduceKind::Max:
    return Combiner::Max;
  case ReduceKind::Min:
    return Combiner::Min;
  case ReduceKind::Sum:
  case ReduceKind::Mean:
    return Combiner::Sum;
  }
  llvm_unreachable("unknown kind of reduction");
}

static LogicalResult lowerReduce(ReduceOp op, PatternRewriter &rewriter) {
  LocBuilder builder(op.getLoc(), rewriter);
  FloatType computeType = getComputeType(op);
  auto type = cast<RankedTensorType>(op.getType());
  Sizes sizes = getSizes(builder, op.getInput());
  Value reduced = createReduction(builder, computeType, sizes, op.getDimensions(),
                                  getCombiner(op.getKind()), readInPlace(op.getInput()), getFirst);
  bool isMean = op.getKind() == ReduceKind::Mean;
  if (!isMean && reduced.getType() == type) {
    rewriter.replaceOp(op, reduced);
    return success();
  }
  Value count = isMean ? countElements(builder, sizes, op.getDimensions(), computeType) : Value();
  rewriter.replaceOp(op, createElementwise(builder, computeType, type, getSizes(builder, reduced),
                                           readInPlace(reduced),
                                           [&](LocBuilder &b, ValueRange args) -> Value {
                                             if (!isMean)
                                               return args[0];
                                             return arith::DivFOp::create(b, args[0], count);
                                           }));
  return success();
}

/// The gradient of a sum or a mean: the same for all elements that were added.
static Value createSumGradient(LocBuilder &builder, ReduceGradOp op, const Sizes &sizes,
                               AffineMap map) {
  FloatType computeType = getComputeType(op);
  bool isMean = op.getKind() == ReduceKind::Mean;
  Value count = isMean ? countElements(builder, sizes, op.getDimensions(), computeType) : Value();
  return createElementwise(builder, computeType, cast<RankedTensorType>(op.getType()), sizes,
                           Input{op.getGrad(), map}, [&](LocBuilder &b, ValueRange args) -> Value {
                             if (!isMean)
                               return args[0];
                             return arith::DivFOp::create(b, args[0], count);
                           });
}

/// Whether `element`, rounded into the type of the output, is the extremum `output`. Both are in
/// the compute type.
static Value isExtremum(LocBuilder &b, Value element, Value output, Type outputType) {
  Value rounded = extend(b, roundTo(b, element, outputType), element.getType());
  return arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, rounded, output);
}

/// The gradient of a maximum or minimum: in equal parts to the elements that are it.
static Value createExtremumGradient(LocBuilder &builder, ReduceGradOp op, const Sizes &sizes,
                                    AffineMap map) {
  FloatType computeType = getComputeType(op);
  Type outputType = getElementTypeOrSelf(op.getOutput());
  SmallVector<Input> inputs = readInPlace(op.getInput());
  inputs.push_back({op.getOutput(), map});
  Value count = createReduction(builder, computeType, sizes, op.getDimensions(), Combiner::Sum,
                                inputs, [&](LocBuilder &b, ValueRange args) {
                                  return createIndicator(
                                      b, isExtremum(b, args[0], args[1], outputType), computeType);
                                });
  inputs.push_back({op.getGrad(), map});
  inputs.push_back({count, map});
  return createElementwise(builder, computeType, cast<RankedTensorType>(op.getType()), sizes,
                           inputs, [&](LocBuilder &b, ValueRange args) -> Value {
                             Value share = arith::DivFOp::create(b, args[2], args[3]);
                             return arith::SelectOp::create(
                                 b, isExtremum(b, args[0], args[1], outputType), share,
                                 createConstant(b, computeType, 0.0));
                           });
}

static LogicalResult lowerReduceGrad(ReduceGradOp op, PatternRewriter &rewriter) {
  LocBuilder builder(op.getLoc(), rewriter);
  Sizes sizes = getSizes(builder, op.getInput());
  AffineMap map = getProjection(builder.getContext(), sizes.size(), op.getDimensions());
  bool isSum = getCombiner(op.getKind()) == Combiner::Sum;
  rewriter.replaceOp(op, isSum ? createSumGradient(builder, op, sizes, map)
                               : createExtremumGradient(builder, op, sizes, map));
  return success();
}

void amp::conversion::populateReducePatterns(RewritePatternSet &patterns) {
  patterns.add(lowerReduce).add(lowerReduceGrad);
}
