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
/// Emits the tile function for some of a panel's rows and vectors.
class TileEmitter {
public:
  TileEmitter(LoopBuilder &b, const Tile &tile, const MatmulTiling &tiling, FloatType accumulator,
              int64_t rows, int64_t vectors)
      : b(b), tile(tile), tiling(tiling), rows(rows), vectors(vectors),
        type(VectorType::get({tiling.lanes}, accumulator)) {}

  void emit();

private:
  SmallVector<Value> emitProducts();
  void emitFullStore(ArrayRef<Value> sums);
  void emitPartialStore(ArrayRef<Value> sums);
  void emitRowStore(Value copy, Value from, Value to);

  LoopBuilder &b;
  const Tile &tile;
  const MatmulTiling &tiling;
  int64_t rows, vectors;
  VectorType type;
};
} // namespace

/// The sums of products over K, one vector per row and group of columns, row by row.
SmallVector<Value> TileEmitter::emitProducts() {
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(type));
  SmallVector<Value> start(rows * vectors, zero);
  auto body = [&](OpBuilder &, Location, Value k, ValueRange sums) {
    Value left = b.add(tile.lhsOffset, b.mul(k, b.index(tiling.rows)));
    Value right = b.add(tile.rhsOffset, b.mul(k, b.index(tiling.columns())));
    SmallVector<Value> columns, next;
    for (int64_t v = 0; v < vectors; ++v)
      columns.push_back(
          vector::LoadOp::create(b, type, tile.rhs, b.add(right, b.index(v * tiling.lanes))));
    for (int64_t row = 0; row < rows; ++row) {
      Value element = memref::LoadOp::create(b, tile.lhs, b.add(left, b.index(row)));
      Value splat = vector::BroadcastOp::create(b, type, element);
      for (int64_t v = 0; v < vectors; ++v)
        next.push_back(math::FmaOp::create(b, splat, columns[v], sums[row * vectors + v]));
    }
    scf::YieldOp::create(b, next);
  };
  return SmallVector<Value>(b.reduce(tile.depth, start, body).getResults());
}

/// Adds complete rows of vectors to an output with contiguous rows.
void TileEmitter::emitFullStore(ArrayRef<Value> sums) {
  for (int64_t row = 0; row < rows; ++row) {
    Value start = b.add(tile.outOffset, b.mul(tile.rowStride, b.index(row)));
    for (int64_t v = 0; v < vectors; ++v) {
      Value at = b.add(start, b.index(v * tiling.lanes));
      Value old = vector::LoadOp::create(b, type, tile.out, at);
      Value sum = arith::AddFOp::create(b, old, sums[row * vectors + v]);
      vector::StoreOp::create(b, sum, tile.out, at);
    }
  }
}

/// Adds what exists of a row, which starts at `from` in the copy, to the output from `to` on.
void TileEmitter::emitRowStore(Value copy, Value from, Value to) {
  auto maskType = VectorType::get({tiling.lanes}, b.getI1Type());
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(type));
  for (int64_t v = 0; v < vectors; ++v) {
    Value first = b.index(v * tiling.lanes);
    Value at = b.add(to, first);
    Value count = b.sub(tile.columns, first);
    Value mask = vector::CreateMaskOp::create(b, maskType, count);
    Value old = vector::MaskedLoadOp::create(b, type, tile.out, at, mask, zero);
    Value sum = vector::LoadOp::create(b, type, copy, b.add(from, first));
    sum = arith::AddFOp::create(b, old, sum);
    vector::MaskedStoreOp::create(b, tile.out, at, mask, sum);
  }
}

/// Adds the rows and columns that exist through a copy of the tile in memory: vectors under a mask,
/// or element by element where the output's rows are not contiguous.
void TileEmitter::emitPartialStore(ArrayRef<Value> sums) {
  int64_t width = vectors * tiling.lanes;
  auto copyType = MemRefType::get({rows * width}, type.getElementType());
  Value copy = memref::AllocaOp::create(b, copyType, b.getI64IntegerAttr(64));
  for (auto [i, sum] : llvm::enumerate(sums))
    vector::StoreOp::create(b, sum, copy, b.index(i * tiling.lanes));
  Value contiguous = b.equal(tile.columnStride, b.index(1));
  b.loop(tile.rows, 1, [&](Value row) {
    Value from = b.mul(row, b.index(width));
    Value to = b.add(tile.outOffset, b.mul(row, tile.rowStride));
    auto storeElements = [&] {
      b.loop(tile.columns, 1, [&](Value column) {
        Value sum = memref::LoadOp::create(b, copy, b.add(from, column));
        Value at = b.add(to, b.mul(column, tile.columnStride));
        Value old = memref::LoadOp::create(b, tile.out, at);
        memref::StoreOp::create(b, arith::AddFOp::create(b, old, sum), tile.out, at);
      });
    };
    b.branch(contiguous, [&] { emitRowStore(copy, from, to); }, storeElements);
  });
}

void TileEmitter::emit() {
  SmallVector<Value> sums = emitProducts();
  Value complete = b.both(b.equal(tile.rows, b.index(rows)),
                          b.equal(tile.columns, b.index(vectors * tiling.lanes)));
  b.branch(
      b.both(complete, b.equal(tile.columnStride, b.index(1))), [&] { emitFullStore(sums); },
      [&] { emitPartialStore(sums); });
}

void amp::cpu::emitTile(LoopBuilder &b, ValueRange arguments, const MatmulTiling &tiling,
                        FloatType accumulator, int64_t rows, int64_t vectors) {
  Tile tile(arguments);
  TileEmitter(b, tile, tiling, accumulator, rows, vectors).emit();
}
