//===- VectorAddress.cpp - where a nest's vectors lie in memory -----------===//

#include "VectorEmitter.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace amp::cpu;

/// The type in which elements of `element` are in memory. A vector of i1 would be packed bits; a
/// vector of halves may be rounded on its way by a CPU that does not know them.
static Type getStored(Type element) {
  if (element.isInteger(1))
    return IntegerType::get(element.getContext(), 8);
  if (isa<Float16Type, BFloat16Type>(element))
    return IntegerType::get(element.getContext(), 16);
  return element;
}

static Value viewAsStored(ImplicitLocOpBuilder &b, Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  Type stored = getStored(type.getElementType());
  if (stored == type.getElementType())
    return buffer;
  MemRefType view = MemRefType::Builder(type).setElementType(stored);
  return UnrealizedConversionCastOp::create(b, Type(view), buffer).getResult(0);
}

static Type withElement(Type type, Type element) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.clone(element) : element;
}

Value amp::cpu::fromStored(ImplicitLocOpBuilder &b, Value value, Type element) {
  Type type = withElement(value.getType(), element);
  if (element.isInteger(1))
    return arith::TruncIOp::create(b, type, value);
  if (isa<Float16Type, BFloat16Type>(element))
    return arith::BitcastOp::create(b, type, value);
  return value;
}

Value amp::cpu::toStored(ImplicitLocOpBuilder &b, Value value) {
  Type element = getElementTypeOrSelf(value.getType());
  Type type = withElement(value.getType(), getStored(element));
  if (element.isInteger(1))
    return arith::ExtUIOp::create(b, type, value);
  if (isa<Float16Type, BFloat16Type>(element))
    return arith::BitcastOp::create(b, type, value);
  return value;
}

static Type getElement(Value buffer) { return cast<MemRefType>(buffer.getType()).getElementType(); }

Value VectorEmitter::createExtent(unsigned loop) {
  if (!ShapedType::isDynamic(nest.loops[loop].size))
    return createIndex(nest.loops[loop].size);
  Value extent;
  for (unsigned dim : nest.loops[loop].dims) {
    auto [buffer, position] = nest.extents[dim];
    Value factor = b.createOrFold<memref::DimOp>(buffer, position);
    extent = extent ? arith::MulIOp::create(b, extent, factor).getResult() : factor;
  }
  return extent;
}

void VectorEmitter::prepareOperands() {
  for (const NestOperand &operand : nest.operands) {
    Value buffer = operand.value;
    if (operand.isBuffer) {
      auto rank = cast<MemRefType>(buffer.getType()).getRank();
      if (int64_t(operand.groups.size()) != rank)
        buffer = memref::CollapseShapeOp::create(b, buffer, operand.groups);
      buffer = viewAsStored(b, buffer);
    }
    buffers.push_back(buffer);
  }
  for (unsigned loop = 0; loop < nest.loops.size(); ++loop)
    extents.push_back(createExtent(loop));
  positions.resize(nest.loops.size());
}

/// The operand's indices at the current positions of the loops, `position` of the vectors' loop.
VectorEmitter::Values VectorEmitter::createIndices(unsigned operand, Value position) {
  SmallVector<OpFoldResult> at;
  for (auto [loop, current] : llvm::enumerate(positions)) {
    Value value = loop == plan.loop ? position : current;
    at.push_back(value ? OpFoldResult(value) : OpFoldResult(b.getIndexAttr(0)));
  }
  Values indices;
  for (AffineExpr expr : nest.operands[operand].indices) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      indices.push_back(dim.getPosition() == plan.loop ? position : positions[dim.getPosition()]);
      continue;
    }
    auto map = AffineMap::get(nest.loops.size(), 0, expr);
    auto index = affine::makeComposedFoldedAffineApply(b, b.getLoc(), map, at);
    indices.push_back(getValueOrCreateConstantIndexOp(b, b.getLoc(), index));
  }
  return indices;
}

/// The one element of a row that the operand has.
Value VectorEmitter::loadScalar(unsigned operand) {
  if (!nest.operands[operand].isBuffer)
    return nest.operands[operand].value;
  Value value = memref::LoadOp::create(b, buffers[operand], createIndices(operand, Value()));
  return fromStored(b, value, getElement(nest.operands[operand].value));
}

void VectorEmitter::storeScalar(unsigned operand, Value value) {
  memref::StoreOp::create(b, toStored(b, value), buffers[operand], createIndices(operand, Value()));
}

Value VectorEmitter::loadVector(unsigned operand, Value position, const Lanes &lanes) {
  Value vector = nest.getAccess(operand, plan.loop) == Access::Strided
                     ? gather(operand, position, lanes)
                     : loadLanes(b, buffers[operand], createIndices(operand, position), lanes);
  return fromStored(b, vector, getElement(nest.operands[operand].value));
}

/// Loads element by element. Lanes beyond the row repeat its last element.
Value VectorEmitter::gather(unsigned operand, Value position, const Lanes &lanes) {
  Values elements;
  Value last;
  if (lanes.arePartial())
    last = arith::SubIOp::create(b, extents[plan.loop], createIndex(1));
  for (int64_t lane = 0; lane < kLanes; ++lane) {
    Value at = arith::AddIOp::create(b, position, createIndex(lane));
    if (last)
      at = arith::MinUIOp::create(b, at, last);
    elements.push_back(memref::LoadOp::create(b, buffers[operand], createIndices(operand, at)));
  }
  return vector::FromElementsOp::create(b, vectorOf(elements.front().getType()), elements);
}

/// Whether `value` counts up along the lanes: the loop's own index.
static bool isLoopIndex(Value value) { return value.getDefiningOp<linalg::IndexOp>() != nullptr; }

/// A load that the body itself does, at indices that it computed.
Value VectorEmitter::createLoad(Operation *op, Value position, const Lanes &lanes,
                                IRMapping &vectors) {
  auto load = cast<memref::LoadOp>(op);
  Value buffer = viewAsStored(b, load.getMemRef());
  auto isUniform = [&](Value index) { return !plan.varying.contains(index); };
  auto indices = load.getIndices();
  SmallVector<int64_t> strides;
  int64_t offset;
  (void)load.getMemRefType().getStridesAndOffset(strides, offset);
  Value vector;
  if (!strides.empty() && strides.back() == 1 && isLoopIndex(indices.back()) &&
      llvm::all_of(indices.drop_back(), isUniform)) {
    Values at;
    for (Value index : indices.drop_back())
      at.push_back(scalars.lookupOrDefault(index));
    at.push_back(position);
    vector = loadLanes(b, buffer, at, lanes);
  } else {
    // Lanes beyond the row read where the first one does: their own indices may lie outside.
    Values elements, columns;
    for (Value index : indices) {
      Value column = getVector(index, vectors);
      if (lanes.arePartial() && !isUniform(index)) {
        Value first = vector::ExtractOp::create(b, column, ArrayRef<int64_t>{0});
        Value firsts = vector::BroadcastOp::create(b, column.getType(), first);
        column = arith::SelectOp::create(b, lanes.mask, column, firsts);
      }
      columns.push_back(column);
    }
    for (int64_t lane = 0; lane < kLanes; ++lane) {
      Values at;
      for (Value column : columns)
        at.push_back(vector::ExtractOp::create(b, column, ArrayRef<int64_t>{lane}));
      elements.push_back(memref::LoadOp::create(b, buffer, at));
    }
    vector = vector::FromElementsOp::create(b, vectorOf(getElement(buffer)), elements);
  }
  return fromStored(b, vector, getElement(load.getMemRef()));
}
