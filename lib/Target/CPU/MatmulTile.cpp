//===- MatmulTile.cpp - the part of a matrix product that stays in registers -----===//

#include "LoopBuilder.h"
#include "MatmulKernel.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace amp::cpu;

namespace {
/// The arguments of a tile function, in order.
struct Tile {
  Value lhs, lhsOffset, rhs, rhsOffset, depth, out, outOffset, rowStride, columnStride, rows,
      columns;

  explicit Tile(ValueRange a)
      : lhs(a[0]), lhsOffset(a[1]), rhs(a[2]), rhsOffset(a[3]), depth(a[4]), out(a[5]),
        outOffset(a[6]), rowStride(a[7]), columnStride(a[8]), rows(a[9]), columns(a[10]) {}
};
} // namespace

/// The sums of products over K, one vector per row and group of columns, row by row.
static SmallVector<Value> emitProducts(LoopBuilder &b, const Tile &tile, const MatmulTiling &tiling,
                                       VectorType type, int64_t vectors) {
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(type));
  SmallVector<Value> start(tiling.rows * vectors, zero);
  auto body = [&](OpBuilder &, Location, Value k, ValueRange sums) {
    Value left = b.add(tile.lhsOffset, b.mul(k, b.index(tiling.rows)));
    Value right = b.add(tile.rhsOffset, b.mul(k, b.index(tiling.columns())));
    SmallVector<Value> columns, next;
    for (int64_t v = 0; v < vectors; ++v)
      columns.push_back(
          vector::LoadOp::create(b, type, tile.rhs, b.add(right, b.index(v * tiling.lanes))));
    for (int64_t row = 0; row < tiling.rows; ++row) {
      Value element = memref::LoadOp::create(b, tile.lhs, b.add(left, b.index(row)));
      Value splat = vector::BroadcastOp::create(b, type, element);
      for (int64_t v = 0; v < vectors; ++v)
        next.push_back(math::FmaOp::create(b, splat, columns[v], sums[row * vectors + v]));
    }
    scf::YieldOp::create(b, next);
  };
  auto loop = b.reduce(tile.depth, start, body);
  return SmallVector<Value>(loop.getResults());
}

/// Adds complete rows of vectors to an output with contiguous rows.
static void emitFullStore(LoopBuilder &b, const Tile &tile, const MatmulTiling &tiling,
                          VectorType type, int64_t vectors, ArrayRef<Value> sums) {
  for (int64_t row = 0; row < tiling.rows; ++row) {
    Value start = b.add(tile.outOffset, b.mul(tile.rowStride, b.index(row)));
    for (int64_t v = 0; v < vectors; ++v) {
      Value at = b.add(start, b.index(v * tiling.lanes));
      Value old = vector::LoadOp::create(b, type, tile.out, at);
      Value sum = arith::AddFOp::create(b, old, sums[row * vectors + v]);
      vector::StoreOp::create(b, sum, tile.out, at);
    }
  }
}

/// Adds the rows and columns that exist, element by element, through a copy of the tile in memory.
static void emitPartialStore(LoopBuilder &b, const Tile &tile, const MatmulTiling &tiling,
                             VectorType type, int64_t vectors, ArrayRef<Value> sums) {
  int64_t width = vectors * tiling.lanes;
  auto copyType = MemRefType::get({tiling.rows * width}, type.getElementType());
  Value copy = memref::AllocaOp::create(b, copyType, b.getI64IntegerAttr(64));
  for (auto [i, sum] : llvm::enumerate(sums))
    vector::StoreOp::create(b, sum, copy, b.index(i * tiling.lanes));
  b.loop(tile.rows, 1, [&](Value row) {
    Value from = b.mul(row, b.index(width));
    Value to = b.add(tile.outOffset, b.mul(row, tile.rowStride));
    b.loop(tile.columns, 1, [&](Value column) {
      Value sum = memref::LoadOp::create(b, copy, b.add(from, column));
      Value at = b.add(to, b.mul(column, tile.columnStride));
      Value old = memref::LoadOp::create(b, tile.out, at);
      memref::StoreOp::create(b, arith::AddFOp::create(b, old, sum), tile.out, at);
    });
  });
}

void amp::cpu::emitTile(LoopBuilder &b, ValueRange arguments, const MatmulTiling &tiling,
                        FloatType accumulator, int64_t vectors) {
  Tile tile(arguments);
  auto type = VectorType::get({tiling.lanes}, accumulator);
  SmallVector<Value> sums = emitProducts(b, tile, tiling, type, vectors);
  Value complete = b.both(b.equal(tile.rows, b.index(tiling.rows)),
                          b.equal(tile.columns, b.index(vectors * tiling.lanes)));
  b.branch(
      b.both(complete, b.equal(tile.columnStride, b.index(1))),
      [&] { emitFullStore(b, tile, tiling, type, vectors, sums); },
      [&] { emitPartialStore(b, tile, tiling, type, vectors, sums); });
}
