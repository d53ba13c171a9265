//===- VectorLanes.cpp - vectors of which only the first lanes are used ---===//

#include "VectorEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace amp::cpu;

static Value slice(ImplicitLocOpBuilder &b, Value vector, int64_t offset, int64_t count) {
  return vector::ExtractStridedSliceOp::create(b, vector, ArrayRef<int64_t>{offset},
                                               ArrayRef<int64_t>{count}, ArrayRef<int64_t>{1});
}

Value amp::cpu::loadLanes(ImplicitLocOpBuilder &b, Value buffer, ValueRange indices,
                          const Lanes &lanes) {
  Type element = cast<MemRefType>(buffer.getType()).getElementType();
  auto type = VectorType::get(kLanes, element);
  if (!lanes.arePartial())
    return vector::LoadOp::create(b, type, buffer, indices);
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(type));
  if (lanes.fixed == 0)
    return vector::MaskedLoadOp::create(b, type, buffer, indices, lanes.mask, zero);
  auto part = VectorType::get(lanes.fixed, element);
  Value loaded = vector::LoadOp::create(b, part, buffer, indices);
  return vector::InsertStridedSliceOp::create(b, loaded, zero, ArrayRef<int64_t>{0},
                                              ArrayRef<int64_t>{1});
}

/// Stores 8, 4, 2 and 1 elements, as the bits of `count` say. A masked store would do, but LLVM 22
/// makes one of a narrowed integer whose mask turns out to be one lane into a store of the wide
/// integer, over the elements behind it.
static void storeByBits(ImplicitLocOpBuilder &b, Value vector, Value buffer,
                        SmallVector<Value> indices, Value count) {
  for (int64_t half = kLanes / 2; half > 0; half /= 2) {
    Value width = arith::ConstantIndexOp::create(b, half);
    Value bit = arith::AndIOp::create(b, count, width);
    Value zero = arith::ConstantIndexOp::create(b, 0);
    Value isSet = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, bit, zero);
    Value lower = slice(b, vector, 0, half), upper = slice(b, vector, half, half);
    auto branch = scf::IfOp::create(b, isSet, /*withElseRegion=*/false);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(branch.thenBlock());
      vector::StoreOp::create(b, lower, buffer, indices);
    }
    vector = arith::SelectOp::create(b, isSet, upper, lower);
    indices.back() = arith::AddIOp::create(b, indices.back(), bit);
  }
}

void amp::cpu::storeLanes(ImplicitLocOpBuilder &b, Value vector, Value buffer, ValueRange indices,
                          const Lanes &lanes) {
  if (lanes.fixed != 0)
    vector = slice(b, vector, 0, lanes.fixed);
  if (!lanes.arePartial() || lanes.fixed != 0)
    vector::StoreOp::create(b, vector, buffer, indices);
  else if (isa<FloatType>(cast<VectorType>(vector.getType()).getElementType()))
    vector::MaskedStoreOp::create(b, buffer, indices, lanes.mask, vector);
  else
    storeByBits(b, vector, buffer, llvm::to_vector(indices), lanes.count);
}
