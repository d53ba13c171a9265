//===- LinearPatterns.cpp - contractions and bias -------------------------===//

#include "Builders.h"
#include "Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace amp::conversion;
using namespace amp::train;

/// A matrix whose elements an operand of another element type can meet: extended exactly to
/// `elementType`.
static Value extendMatrix(LocBuilder &builder, Value matrix, FloatType elementType) {
  auto type = cast<RankedTensorType>(matrix.getType());
  if (type.getElementType() == elementType)
    return matrix;
  return createElementwise(builder, elementType, type.clone(elementType), getSizes(builder, matrix),
                           readInPlace(matrix),
                           [](LocBuilder &, ValueRange args) { return args[0]; });
}

/// The narrowest float type that holds the elements of both matrices exactly.
static FloatType getCommonType(Value lhs, Value rhs) {
  auto left = cast<FloatType>(getElementTypeOrSelf(lhs));
  auto right = cast<FloatType>(getElementTypeOrSelf(rhs));
  if (left == right)
    return left;
  if (left.getWidth() == right.getWidth())
    return Float32Type::get(left.getContext());
  return left.getWidth() < right.getWidth() ? right : left;
}

/// How the loops (m, n, k) read a matrix with the dimensions `row` and `column`.
static AffineMap getMatrixMap(MLIRContext *context, unsigned row, unsigned column,
                              bool transposed) {
  if (transposed)
    std::swap(row, column);
  return AffineMap::get(/*dimCount=*/3, /*symbolCount=*/0,
                        {getAffineDimExpr(row, context), getAffineDimExpr(column, context)},
                        context);
}

/// `op(lhs) . op(rhs)` accumulated in `computeType`: a matrix of that type and `shape`.
static Value createProduct(LocBuilder &builder, FloatType computeType, ArrayRef<int64_t> shape,
                           Value lhs, bool transposeLhs, Value rhs, bool transposeRhs) {
  MLIRContext *context = builder.getContext();
  Sizes sizes = {getSizes(builder, lhs)[transposeLhs ? 1 : 0],
                 getSizes(builder, rhs)[transposeRhs ? 0 : 1]};
  FloatType common = getCommonType(lhs, rhs);
  lhs = extendMatrix(builder, lhs, common);
  rhs = extendMatrix(builder, rhs, common);
  Value empty = createEmpty(builder, RankedTensorType::get(shape, computeType), sizes);
  Value zero = createConstant(builder, computeType, 0.0);
  Value output = linalg::FillOp::create(builder, zero, empty).getResult(0);
  auto product = linalg::MatmulOp::create(builder, output.getType(), ValueRange{lhs, rhs}, output);
  if (transposeLhs || transposeRhs)
    product.setIndexingMapsAttr(builder.getAffineMapArrayAttr(
        {getMatrixMap(context, 0, 2, transposeLhs), getMatrixMap(context, 2, 1, transposeRhs),
         getMatrixMap(context, 0, 1, /*transposed=*/false)}));
  return product.getResult(0);
}

/// `input` plus `bias`, which may be null, along the last dimension, rounded once into `type`.
static Value addBias(LocBuilder &builder, FloatType computeType, Value input, Value bias,
                     RankedTensorType type) {
  if (!bias && input.getType() == type)
    return input;
  SmallVector<Input> inputs = readInPlace(input);
  if (bias) {
    AffineExpr last = getAffineDimExpr(type.getRank() - 1, builder.getContext());
    inputs.push_back({bias, AffineMap::get(type.getRank(), 0, last)});
  }
  return createElementwise(builder, computeType, type, getSizes(builder, input), inputs,
                           [](LocBuilder &inner, ValueRange args) -> Value {
                             if (args.size() == 1)
                               return args[0];
                             return arith::AddFOp::create(inner, args[0], args[1]);
                           });
}

static LogicalResult lowerMatmul(MatmulOp op, PatternRewriter &rewriter) {
  LocBuilder builder(op.getLoc(), rewriter);
  FloatType computeType = getComputeType(op);
  RankedTensorType type = op.getResult().getType();
  Value product = createProduct(builder, computeType, type.getShape(), op.getLhs(),
                                op.getTransposeLhs(), op.getRhs(), op.getTransposeRhs());
  rewriter.replaceOp(op, addBias(builder, computeType, product, /*bias=*/nullptr, type));
  return success();
}

static LogicalResult lowerLinear(LinearOp op, PatternRewriter &rewriter) {
  LocBuilder builder(op.getLoc(), rewriter);
  FloatType computeType = getComputeType(op);
  RankedTensorType type = op.getResult().getType();
  Value product = createProduct(builder, computeType, type.getShape(), op.getInput(),
                                /*transposeLhs=*/false, op.getWeight(), op.getTransposeWeight());
  rewriter.replaceOp(op, addBias(builder, computeType, product, op.getBias(), type));
  return success();
}

static LogicalResult lowerBiasAdd(BiasAddOp op, PatternRewriter &rewriter) {
  LocBuilder builder(op.getLoc(), rewriter);
  rewriter.replaceOp(op, addBias(builder, getComputeType(op), op.getInput(), op.getBias(),
                                 cast<RankedTensorType>(op.getType())));
  return success();
}

void amp::conversion::populateLinearPatterns(RewritePatternSet &patterns) {
  patterns.add(lowerMatmul).add(lowerLinear).add(lowerBiasAdd);
}
