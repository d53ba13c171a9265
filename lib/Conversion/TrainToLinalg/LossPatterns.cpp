//===- LossPatterns.cpp - losses and metrics ------------------------------===//

#include "KnownValues.h"
#include "Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace amp::conversion;
using namespace amp::train;

//===----------------------------------------------------------------------===//
// Labels
//===----------------------------------------------------------------------===//

/// Compares labels, read inside a loop nest, with class numbers. Narrow labels are compared as i32,
/// so that as many fit into a vector as there are f32 logits.
struct LabelComparison {
  explicit LabelComparison(Value labels) {
    auto integer = cast<IntegerType>(getElementTypeOrSelf(labels));
    isSigned = integer.isSignless() && integer.getWidth() > 1;
    unsigned width = integer.getWidth() <= 32 ? 32 : std::max(integer.getWidth(), 64u);
    type = IntegerType::get(labels.getContext(), width);
  }

  /// The label, signless as it is stored, as an integer of `type`.
  Value read(LocBuilder &b, Value label) const {
    if (label.getType() == type)
      return label;
    if (isSigned)
      return arith::ExtSIOp::create(b, type, label);
    return arith::ExtUIOp::create(b, type, label);
  }

  /// The class number of the iteration, which is the loop `dimension`.
  Value readClass(LocBuilder &b, int64_t dimension) const {
    Value index = linalg::IndexOp::create(b, dimension);
    return arith::IndexCastOp::create(b, type, index);
  }

  /// The number of classes.
  Value createClassCount(LocBuilder &b, OpFoldResult size) const {
    Value count = getValueOrCreateConstantIndexOp(b, b.getLoc(), size);
    return arith::IndexCastOp::create(b, type, count);
  }

  /// Whether the loop `dimension` is at `label`.
  Value isAtLabel(LocBuilder &b, Value label, int64_t dimension) const {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, readClass(b, dimension),
                                 read(b, label));
  }

  IntegerType type;
  bool isSigned;
};

static AffineMap getRowMap(MLIRContext *context) { return getProjection(context, 2, 1); }

/// The mean over `dimensions`: `sum`, of rank 0, divided by the number of elements, as a scalar of
/// `type`.
static Value createMean(LocBuilder &builder, FloatType computeType, Value sum, const Sizes &sizes,
                        ArrayRef<int64_t> dimensions, Type type) {
  Value count = countElements(builder, sizes, dimensions, computeType);
  Value total = readScalar(builder, sum, computeType);
  return createScalar(builder, arith::DivFOp::create(builder, total, count), type);
}

//===----------------------------------------------------------------------===//
// Cross-entropy
//===----------------------------------------------------------------------===//

/// Whether `label` is a class, of which there are `classes`, an integer of its type.
static Value isClass(LocBuilder &b, Value label, Value classes) {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, label, classes);
}

static LogicalResult lowerCrossEntropy(CrossEntropyOp op, PatternRewriter &rewriter,
                                       KnownValues &known) {
  LocBuilder builder(op.getLoc(), rewriter);
  FloatType computeType = getComputeType(op);
  Value logits = op.getLogits();
  Value labels = known.getSignlessLabels(builder, op.getLabels());
  LabelComparison comparison(op.getLabels());
  Sizes sizes = getSizes(builder, logits);
  Value classes = comparison.createClassCount(builder, sizes[1]);
  SoftmaxStatistics row = known.getSoftmax(builder, computeType, logits, sizes);
  SmallVector<Input> inputs = readInPlace(logits);
  inputs.push_back({row.maximum, row.map});
  inputs.push_back({labels, row.map});
  Value chosen = createReduction(
      builder, computeType, sizes, /*dimensions=*/1, Combiner::Sum, inputs,
      [&](LocBuilder &b, ValueRange args) -> Value {
        Value isLabel = comparison.isAtLabel(b, args[2], /*dimension=*/1);
        return arith::SelectOp::create(b, isLabel, arith::SubFOp::create(b, args[0], args[1]),
                                       createConstant(b, computeType, 0.0));
      });
  Value sum = createReduction(
      builder, computeType, {sizes[0]}, /*dimensions=*/0, Combiner::Sum,
      readInPlace({row.sum, chosen, labels}), [&](LocBuilder &b, ValueRange args) -> Value {
        Value loss = arith::SubFOp::create(b, math::LogOp::create(b, args[0]), args[1]);
        Value contributes = isClass(b, comparison.read(b, args[2]), classes);
        return arith::SelectOp::create(b, contributes, loss, createConstant(b, computeType, 0.0));
      });
  rewriter.replaceOp(op,
                     createMean(builder, computeType, sum, sizes, /*dimensions=*/0, op.getType()));
  return success();
}

static LogicalResult lowerCrossEntropyGrad(CrossEntropyGradOp op, PatternRewriter &rewriter,
                                           KnownValues &known) {
  LocBuilder builder(op.getLoc(), rewriter);
  FloatType computeType = getComputeType(op);
  Value logits = op.getLogits();
  Value labels = known.getSignlessLabels(builder, op.getLabels());
  LabelComparison comparison(op.getLabels());
  Sizes sizes = getSizes(builder, logits);
  SoftmaxStatistics row = known.getSoftmax(builder, computeType, logits, sizes);
  Value rowCount = countElements(builder, sizes, /*dimensions=*/0, computeType);
  Value factor =
      arith::DivFOp::create(builder, readScalar(builder, op.getGrad(), computeType), rowCount);
  Value classes = comparison.createClassCount(builder, sizes[1]);
  SmallVector<Input> inputs = readInPlace(logits);
  for (Value perRow : {row.maximum, row.sum, labels})
    inputs.push_back({perRow, row.map});
  Value result = createElementwise(
      builder, computeType, cast<RankedTensorType>(op.getType()), sizes, inputs,
      [&](LocBuilder &b, ValueRange args) -> Value {
        Value e = math::ExpOp::create(b, arith::SubFOp::create(b, args[0], args[1]));
        Value probability = arith::DivFOp::create(b, e, args[2]);
        Value isLabel = comparison.isAtLabel(b, args[3], /*dimension=*/1);
        Value difference =
            arith::SubFOp::create(b, probability, createIndicator(b, isLabel, computeType));
        Value contributes = isClass(b, comparison.read(b, args[3]), classes);
        return arith::SelectOp::create(b, contributes, arith::MulFOp::create(b, factor, difference),
                                       createConstant(b, computeType, 0.0));
      });
  rewriter.replaceOp(op, result);
  return success();
}

//===----------------------------------------------------------------------===//
// Mean squared error
//===----------------------------------------------------------------------===//

static LogicalResult lowerMse(MseOp op, PatternRewriter &rewriter) {
  LocBuilder builder(op.getLoc(), rewriter);
  FloatType computeType = getComputeType(op);
  Sizes sizes = getSizes(builder, op.getPrediction());
  auto all = llvm::to_vector(llvm::seq<int64_t>(0, sizes.size()));
  Value sum = createReduction(builder, computeType, sizes, all, Combiner::Sum,
                              readInPlace({op.getPrediction(), op.getTarget()}),
                              [](LocBuilder &b, ValueRange args) -> Value {
                                Value error = arith::SubFOp::create(b, args[0], args[1]);
                                return arith::MulFOp::create(b, error, error);
                              });
  rewriter.replaceOp(op, createMean(builder, computeType, sum, sizes, all, op.getType()));
  return success();
}

static LogicalResult lowerMseGrad(MseGradOp op, PatternRewriter &rewriter) {
  LocBuilder builder(op.getLoc(), rewriter);
  FloatType computeType = getComputeType(op);
  Sizes sizes = getSizes(builder, op.getPrediction());
  auto all = llvm::to_vector(llvm::seq<int64_t>(0, sizes.size()));
  Value twice = arith::MulFOp::create(builder, createConstant(builder, computeType, 2.0),
                                      readScalar(builder, op.getGrad(), computeType));
  Value factor =
      arith::DivFOp::create(builder, twice, countElements(builder, sizes, all, computeType));
  Value result = createElementwise(builder, computeType, cast<RankedTensorType>(op.getType()),
                                   sizes, readInPlace({op.getPrediction(), op.getTarget()}),
                                   [&](LocBuilder &b, ValueRange args) -> Value {
                                     return arith::MulFOp::create(
                                         b, factor, arith::SubFOp::create(b, args[0], args[1]));
                                   });
  rewriter.replaceOp(op, result);
  return success();
}

//===----------------------------------------------------------------------===//
// Accuracy
//===----------------------------------------------------------------------===//

static LogicalResult lowerAccuracy(AccuracyOp op, PatternRewriter &rewriter, KnownValues &known) {
  LocBuilder builder(op.getLoc(), rewriter);
  FloatType computeType = getComputeType(op);
  Value logits = op.getLogits();
  Value labels = known.getSignlessLabels(builder, op.getLabels());
  LabelComparison comparison(op.getLabels());
  Sizes sizes = getSizes(builder, logits);
  AffineMap rowMap = getRowMap(builder.getContext());
  SmallVector<Input> inputs = readInPlace(logits);
  Value maximum = createReduction(builder, computeType, sizes, /*dimensions=*/1, Combiner::Max,
                                  inputs, [](LocBuilder &, ValueRange args) { return args[0]; });
  inputs.push_back({maximum, rowMap});
  inputs.push_back({labels, rowMap});
  // A maximum scores 2 before the label and 1 at it, so that a row is right if its best score is 1.
  // In a row with a NaN nothing equals the maximum, which is a NaN.
  Value scores = createReduction(
      builder, computeType, sizes, /*dimensions=*/1, Combiner::Max, inputs,
      [&](LocBuilder &b, ValueRange args) -> Value {
        Value zero = createConstant(b, computeType, 0.0);
        Value label = comparison.read(b, args[2]);
        Value index = comparison.readClass(b, /*dimension=*/1);
        Value isMaximum = arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, args[0], args[1]);
        Value isLabel = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, index, label);
        Value isBefore = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, index, label);
        Value score = arith::SelectOp::create(b, isBefore, createConstant(b, computeType, 2.0),
                                              createIndicator(b, isLabel, computeType));
        return arith::SelectOp::create(b, isMaximum, score, zero);
      });
  Value right = createReduction(builder, computeType, {sizes[0]}, /*dimensions=*/0, Combiner::Sum,
                                readInPlace(scores), [&](LocBuilder &b, ValueRange args) {
                                  Value one = createConstant(b, computeType, 1.0);
                                  Value isRight = arith::CmpFOp::create(
                                      b, arith::CmpFPredicate::OEQ, args[0], one);
                                  return createIndicator(b, isRight, computeType);
                                });
  rewriter.replaceOp(
      op, createMean(builder, computeType, right, sizes, /*dimensions=*/0, op.getType()));
  return success();
}

static LogicalResult lowerSeed(SeedOp op, PatternRewriter &rewriter) {
  auto one = rewriter.getFloatAttr(op.getType().getElementType(), 1.0);
  rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, DenseElementsAttr::get(op.getType(), one));
  return success();
}

void amp::conversion::populateLossPatterns(RewritePatternSet &patterns, KnownValues &known) {
  addPattern(patterns, known, lowerCrossEntropy);
  addPattern(patterns, known, lowerCrossEntropyGrad);
  addPattern(patterns, known, lowerAccuracy);
  patterns.add(lowerMse).add(lowerMseGrad).add(lowerSeed);
}
