//===- CheckBuilder.cpp - emits the comparisons that shapes need ----------===//

#include "CheckBuilder.h"
#include "DimensionMaps.h"
#include "amp/Dialect/Amp/IR/Amp.h"
#include "amp/Dialect/Train/IR/Train.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace amp::conversion;
using Extent = CheckBuilder::Extent;

std::optional<int64_t> amp::conversion::getConstant(Extent extent) {
  return getConstantIntValue(extent);
}

static Extent getIndex(MLIRContext *context, int64_t value) {
  return Builder(context).getIndexAttr(value);
}

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

Extent CheckBuilder::getExtent(Value shaped, int64_t dimension) {
  auto key = std::make_pair(shaped, dimension);
  auto known = extents.find(key);
  if (known != extents.end())
    return known->second;
  Extent extent = computeExtent(shaped, dimension);
  extents[key] = extent;
  return extent;
}

Extent CheckBuilder::computeExtent(Value shaped, int64_t dimension) {
  auto type = dyn_cast<ShapedType>(shaped.getType());
  if (type && type.hasRank() && !type.isDynamicDim(dimension))
    return getIndex(shaped.getContext(), type.getDimSize(dimension));
  if (auto result = dyn_cast<OpResult>(shaped))
    if (std::optional<Extent> extent = traceResult(result, dimension))
      return *extent;
  return createDim(shaped, dimension);
}

Extent CheckBuilder::createDim(Value shaped, int64_t dimension) {
  Operation *definition = shaped.getDefiningOp();
  OpBuilder builder(shaped.getContext());
  if (definition) {
    builder.setInsertionPointAfter(definition);
  } else {
    Block *block = shaped.getParentBlock();
    builder.setInsertionPointToStart(block);
    while (builder.getInsertionPoint() != block->end() &&
           created.contains(&*builder.getInsertionPoint()))
      builder.setInsertionPointAfter(&*builder.getInsertionPoint());
  }
  Location loc = shaped.getLoc();
  auto index = create<arith::ConstantIndexOp>(builder, loc, dimension);
  if (isa<TensorType>(shaped.getType()))
    return create<tensor::DimOp>(builder, loc, shaped, index).getResult();
  return create<memref::DimOp>(builder, loc, shaped, index).getResult();
}

Extent CheckBuilder::trace(Extent value) {
  if (std::optional<int64_t> constant = getConstant(value))
    return getIndex(value.getContext(), *constant);
  auto dim = dyn_cast_or_null<ShapedDimOpInterface>(cast<Value>(value).getDefiningOp());
  if (!dim || created.contains(dim))
    return value;
  std::optional<int64_t> index = getConstant(dim.getDimension());
  auto type = dyn_cast<ShapedType>(dim.getShapedValue().getType());
  if (!index || !type || !type.hasRank() || *index < 0 || *index >= type.getRank())
    return value;
  return getExtent(dim.getShapedValue(), *index);
}

/// The dimension of the source that becomes dimension `dimension` of the slice.
static int64_t getSourceDimension(tensor::ExtractSliceOp slice, int64_t dimension) {
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  for (int64_t source = 0;; ++source)
    if (!dropped.test(source) && dimension-- == 0)
      return source;
}

/// The extent of the result from the dimension of the operand that it is; none if it is none.
static std::optional<std::pair<Value, int64_t>> findSameDimension(OpResult result,
                                                                  int64_t dimension) {
  Operation *op = result.getOwner();
  if (auto destination = dyn_cast<DestinationStyleOpInterface>(op))
    return std::make_pair(destination.getTiedOpOperand(result)->get(), dimension);
  if (auto cast = dyn_cast<tensor::CastOp>(op)) {
    if (isa<RankedTensorType>(cast.getSource().getType()))
      return std::make_pair(cast.getSource(), dimension);
    return std::nullopt;
  }
  std::optional<DimensionMaps> maps = getDimensionMaps(op);
  if (!maps)
    return std::nullopt;
  AffineExpr loop = maps->results[result.getResultNumber()].getResult(dimension);
  for (auto [operand, map] : llvm::zip_equal(op->getOperands(), maps->operands))
    if (map)
      if (std::optional<unsigned> position = map.getResultPosition(loop))
        return std::make_pair(operand, *position);
  return std::nullopt;
}

std::optional<Extent> CheckBuilder::traceResult(OpResult result, int64_t dimension) {
  if (auto same = findSameDimension(result, dimension))
    return getExtent(same->first, same->second);
  Operation *op = result.getOwner();
  return llvm::TypeSwitch<Operation *, std::optional<Extent>>(op)
      .Case([&](tensor::EmptyOp empty) { return trace(empty.getMixedSizes()[dimension]); })
      .Case([&](tensor::ExtractSliceOp slice) {
        return trace(slice.getMixedSizes()[getSourceDimension(slice, dimension)]);
      })
      .Case([&](tensor::ExpandShapeOp expand) {
        return trace(expand.getMixedOutputShape()[dimension]);
      })
      .Case([&](tensor::CollapseShapeOp collapse) {
        Extent product = getIndex(op->getContext(), 1);
        SmallVector<ReassociationIndices> groups = collapse.getReassociationIndices();
        for (int64_t source : groups[dimension])
          product = multiply(op, product, getExtent(collapse.getSrc(), source));
        return product;
      })
      .Default([](Operation *) { return std::nullopt; });
}

bool CheckBuilder::isNonNegative(Extent extent) {
  if (std::optional<int64_t> constant = getConstant(extent))
    return *constant >= 0;
  Operation *op = cast<Value>(extent).getDefiningOp();
  if (!op || !isa<arith::AddIOp, arith::MulIOp, arith::DivUIOp, arith::DivSIOp>(op))
    return isa_and_nonnull<ShapedDimOpInterface>(op);
  return llvm::all_of(op->getOperands(), [&](Value operand) { return isNonNegative(operand); });
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

OpBuilder CheckBuilder::getEarliest(Operation *op, ArrayRef<Extent> values) {
  // What runs in parallel is listed alone in its block.
  if (isa_and_nonnull<scf::InParallelOp>(op->getParentOp()))
    op = op->getParentOp();
  Block *block = op->getBlock();
  Operation *last = nullptr;
  for (Extent extent : values) {
    auto value = dyn_cast_if_present<Value>(extent);
    Operation *definition = value ? value.getDefiningOp() : nullptr;
    if (definition && definition->getBlock() == block &&
        (!last || last->isBeforeInBlock(definition)))
      last = definition;
  }
  Block::iterator place = last ? std::next(last->getIterator()) : block->begin();
  // In the order of the ops that are checked.
  while (&*place != op && created.contains(&*place))
    ++place;
  return OpBuilder(block, place);
}

Value CheckBuilder::materialize(OpBuilder &builder, Location loc, Extent extent) {
  if (std::optional<int64_t> constant = getConstant(extent))
    return create<arith::ConstantIndexOp>(builder, loc, *constant);
  return cast<Value>(extent);
}

template <typename OpTy> Extent CheckBuilder::combine(Operation *op, Extent lhs, Extent rhs) {
  OpBuilder builder = getEarliest(op, {lhs, rhs});
  Value a = materialize(builder, op->getLoc(), lhs), b = materialize(builder, op->getLoc(), rhs);
  return create<OpTy>(builder, op->getLoc(), a, b).getResult();
}

Extent CheckBuilder::add(Operation *op, Extent lhs, Extent rhs) {
  std::optional<int64_t> left = getConstant(lhs), right = getConstant(rhs);
  if (left && right)
    return getIndex(op->getContext(), *left + *right);
  if (left == 0 || right == 0)
    return left ? rhs : lhs;
  return combine<arith::AddIOp>(op, lhs, rhs);
}

Extent CheckBuilder::multiply(Operation *op, Extent lhs, Extent rhs) {
  std::optional<int64_t> left = getConstant(lhs), right = getConstant(rhs);
  if (left && right)
    return getIndex(op->getContext(), *left * *right);
  if (left == 1 || right == 1)
    return left ? rhs : lhs;
  return combine<arith::MulIOp>(op, lhs, rhs);
}

Extent CheckBuilder::apply(Operation *op, AffineMap map, ArrayRef<Extent> operands) {
  OpBuilder builder = getEarliest(op, operands);
  OpFoldResult result = affine::makeComposedFoldedAffineApply(builder, op->getLoc(), map, operands);
  if (auto value = dyn_cast_if_present<Value>(result))
    if (auto apply = value.getDefiningOp<affine::AffineApplyOp>())
      created.insert(apply);
  return result;
}

//===----------------------------------------------------------------------===//
// Assertions
//===----------------------------------------------------------------------===//

Extent CheckBuilder::resolve(Extent extent) const {
  while (auto value = dyn_cast_if_present<Value>(extent)) {
    auto same = facts.same.find(value);
    if (same == facts.same.end())
      return extent;
    extent = same->second;
  }
  return extent;
}

bool CheckBuilder::holds(Predicate predicate, Extent found, Extent expected) const {
  found = resolve(found);
  expected = resolve(expected);
  std::optional<int64_t> lhs = getConstant(found), rhs = getConstant(expected);
  if (lhs && rhs)
    return arith::applyCmpPredicate(predicate, APInt(64, *lhs, true), APInt(64, *rhs, true));
  if (predicate == Predicate::ule && lhs == 0)
    return true;
  bool admitsEqual = predicate == Predicate::eq || predicate == Predicate::ule ||
                     predicate == Predicate::uge || predicate == Predicate::sge;
  return admitsEqual && found == expected;
}

void CheckBuilder::emitAssert(OpBuilder &builder, Operation *op, Value condition, ValueRange values,
                              const Twine &message) {
  std::string text = ("'" + op->getName().getStringRef() + "' op " + message).str();
  create<AssertOp>(builder, op->getLoc(), condition, builder.getStringAttr(text), values);
}

void CheckBuilder::expectAt(Operation *place, Operation *op, Predicate predicate, Extent found,
                            Extent expected, const Twine &message, ArrayRef<Extent> unlessEmpty) {
  auto isZero = [&](Extent extent) { return getConstant(resolve(extent)) == 0; };
  if (holds(predicate, found, expected) || llvm::any_of(unlessEmpty, isZero))
    return;
  SmallVector<Extent> all{found, expected};
  llvm::append_range(all, unlessEmpty);
  OpBuilder builder = getEarliest(place, all);
  Location loc = op->getLoc();
  Value lhs = materialize(builder, loc, found), rhs = materialize(builder, loc, expected);
  Value condition = create<arith::CmpIOp>(builder, loc, predicate, lhs, rhs);
  for (Extent extent : unlessEmpty) {
    if (getConstant(extent))
      continue;
    Value zero = create<arith::ConstantIndexOp>(builder, loc, 0);
    Value isEmpty = create<arith::CmpIOp>(builder, loc, Predicate::eq, cast<Value>(extent), zero);
    condition = create<arith::OrIOp>(builder, loc, condition, isEmpty);
  }
  emitAssert(builder, op, condition, {lhs, rhs}, message);
  if (predicate != Predicate::eq || !unlessEmpty.empty())
    return;
  Extent first = resolve(found), second = resolve(expected);
  if (isa<Attribute>(first))
    std::swap(first, second);
  if (auto value = dyn_cast_if_present<Value>(first))
    facts.same[value] = second;
}

void CheckBuilder::expectMultiple(Operation *op, Extent found, int64_t divisor,
                                  const Twine &message) {
  OpBuilder builder = getEarliest(op, found);
  Location loc = op->getLoc();
  Value number = materialize(builder, loc, found);
  Value by = materialize(builder, loc, getIndex(op->getContext(), divisor));
  Value remainder = create<arith::RemUIOp>(builder, loc, number, by);
  Value zero = create<arith::ConstantIndexOp>(builder, loc, 0);
  Value condition = create<arith::CmpIOp>(builder, loc, Predicate::eq, remainder, zero);
  emitAssert(builder, op, condition, {number, by}, message);
}
