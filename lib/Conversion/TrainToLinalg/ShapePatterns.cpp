//===- ShapePatterns.cpp - shape changes ----------------------------------===//

#include "Builders.h"
#include "Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

using namespace mlir;
using namespace amp::conversion;
using namespace amp::train;

static Value getFirst(LocBuilder &, ValueRange args) { return args[0]; }

/// The dimensions of `type` for as many elements as `from` has. Both have at most one dynamic
/// dimension.
static Sizes getReshapedSizes(LocBuilder &builder, const Sizes &from, RankedTensorType type) {
  int64_t knownFrom = 1, knownTo = 1;
  Value dynamic;
  for (OpFoldResult size : from) {
    if (std::optional<int64_t> known = getConstantIntValue(size))
      knownFrom *= *known;
    else
      dynamic = cast<Value>(size);
  }
  for (int64_t dim : type.getShape())
    knownTo *= ShapedType::isDynamic(dim) ? 1 : dim;
  Sizes sizes;
  for (int64_t dim : type.getShape()) {
    if (!ShapedType::isDynamic(dim)) {
      sizes.push_back(builder.getIndexAttr(dim));
      continue;
    }
    Value size = dynamic;
    if (knownFrom != knownTo) {
      size =
          arith::MulIOp::create(builder, size, arith::ConstantIndexOp::create(builder, knownFrom));
      size =
          arith::DivUIOp::create(builder, size, arith::ConstantIndexOp::create(builder, knownTo));
    }
    sizes.push_back(size);
  }
  return sizes;
}

/// All dimensions in one group; a tensor of rank 0 has no group.
static SmallVector<ReassociationIndices> getOneGroup(int64_t rank) {
  if (rank == 0)
    return {};
  return {llvm::to_vector<2>(llvm::seq<int64_t>(0, rank))};
}

/// A view of `input` as `type`, which has the same element type and number of elements.
static Value createReshape(LocBuilder &builder, Value input, RankedTensorType type) {
  auto from = cast<RankedTensorType>(input.getType());
  if (from.getShape() == type.getShape())
    return input;
  Sizes sizes = getReshapedSizes(builder, getSizes(builder, input), type);
  // Views of nothing are not worth their special cases.
  if (llvm::is_contained(type.getShape(), 0))
    return createEmpty(builder, type, sizes);
  if (auto groups = getReassociationIndicesForReshape(from, type)) {
    if (from.getRank() > type.getRank())
      return tensor::CollapseShapeOp::create(builder, type, input, *groups);
    return tensor::ExpandShapeOp::create(builder, type, input, *groups, sizes);
  }
  // Through one dimension: what the two shapes have in common does not matter then.
  bool isStatic = from.hasStaticShape();
  auto flat = RankedTensorType::get({isStatic ? from.getNumElements() : ShapedType::kDynamic},
                                    from.getElementType());
  if (from.getRank() == 0)
    input = tensor::ExpandShapeOp::create(builder, flat, input, getOneGroup(0),
                                          Sizes{builder.getIndexAttr(1)});
  else if (from.getRank() > 1)
    input = tensor::CollapseShapeOp::create(builder, flat, input, getOneGroup(from.getRank()));
  if (type.getRank() == 1)
    return input;
  if (type.getRank() == 0)
    return tensor::CollapseShapeOp::create(builder, type, input, getOneGroup(0));
  return tensor::ExpandShapeOp::create(builder, type, input, getOneGroup(type.getRank()), sizes);
}

static LogicalResult lowerReshape(ReshapeOp op, PatternRewriter &rewriter) {
  LocBuilder builder(op.getLoc(), rewriter);
  auto from = cast<RankedTensorType>(op.getInput().getType());
  auto type = cast<RankedTensorType>(op.getType());
  Value input = op.getInput();
  if (from.getElementType() != type.getElementType())
    input = createElementwise(builder, getComputeType(op), from.clone(type.getElementType()),
                              getSizes(builder, input), readInPlace(input), getFirst);
  rewriter.replaceOp(op, createReshape(builder, input, type));
  return success();
}

static LogicalResult lowerTranspose(TransposeOp op, PatternRewriter &rewriter) {
  LocBuilder builder(op.getLoc(), rewriter);
  ArrayRef<int64_t> permutation = op.getPermutation();
  Sizes from = getSizes(builder, op.getInput()), sizes;
  for (int64_t dimension : permutation)
    sizes.push_back(from[dimension]);
  // Loop i walks along dimension permutation[i] of the input.
  AffineMap map =
      inversePermutation(AffineMap::getPermutationMap(permutation, builder.getContext()));
  rewriter.replaceOp(op, createElementwise(builder, getComputeType(op),
                                           cast<RankedTensorType>(op.getType()), sizes,
                                           Input{op.getInput(), map}, getFirst));
  return success();
}

static LogicalResult lowerBroadcast(BroadcastOp op, PatternRewriter &rewriter) {
  LocBuilder builder(op.getLoc(), rewriter);
  auto type = cast<RankedTensorType>(op.getType());
  AffineMap map = getProjection(builder.getContext(), type.getRank(), op.getDimensions());
  rewriter.replaceOp(op, createElementwise(builder, getComputeType(op), type,
                                           getSizes(builder, op.getLike()),
                                           Input{op.getInput(), map}, getFirst));
  return success();
}

void amp::conversion::populateShapePatterns(RewritePatternSet &patterns) {
  patterns.add(lowerReshape).add(lowerTranspose).add(lowerBroadcast);
}
