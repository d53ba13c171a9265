//===- MatmulPack.cpp - copies a block of a matrix into panels ------------===//

#include "LoopBuilder.h"
#include "MatmulKernel.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace amp::cpu;

namespace {
/// The arguments of a packing function, in order, and what is fixed for it.
struct Pack {
  Value source, offset, widthStride, depthStride, width, depth, destination;
  FloatType from, to;
  int64_t panel, lanes;

  Pack(ValueRange a, FloatType to, int64_t panel, int64_t lanes)
      : source(a[0]), offset(a[1]), widthStride(a[2]), depthStride(a[3]), width(a[4]), depth(a[5]),
        destination(a[6]), from(cast<FloatType>(cast<MemRefType>(a[0].getType()).getElementType())),
        to(to), panel(panel), lanes(lanes) {}
};
} // namespace

/// Converts a value or vector to the accumulator's type.
static Value convert(LoopBuilder &b, Value value, FloatType to) {
  auto from = cast<FloatType>(getElementTypeOrSelf(value));
  Type type = to;
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    type = vector.clone(to);
  if (from.getWidth() < to.getWidth())
    return arith::ExtFOp::create(b, type, value);
  if (from.getWidth() > to.getWidth())
    return arith::TruncFOp::create(b, type, value);
  return value;
}

/// Copies the values of K in [from, depth) of one panel, `count` of its `panel` places.
static void emitElements(LoopBuilder &b, const Pack &p, Value start, Value panelStart, Value from,
                         Value count) {
  b.loop(from, p.depth, b.index(1), [&](Value k) {
    Value row = b.add(start, b.mul(k, p.depthStride));
    Value to = b.add(panelStart, b.mul(k, b.index(p.panel)));
    b.loop(count, 1, [&](Value w) {
      Value element = memref::LoadOp::create(b, p.source, b.add(row, b.mul(w, p.widthStride)));
      memref::StoreOp::create(b, convert(b, element, p.to), p.destination, b.add(to, w));
    });
  });
}

/// One complete panel whose places are neighbours in the source: a copy, vector by vector.
static void emitCopy(LoopBuilder &b, const Pack &p, Value start, Value panelStart) {
  b.loop(p.depth, 1, [&](Value k) {
    Value row = b.add(start, b.mul(k, p.depthStride));
    Value to = b.add(panelStart, b.mul(k, b.index(p.panel)));
    for (int64_t w = 0; w < p.panel; w += p.lanes) {
      int64_t lanes = std::min(p.lanes, p.panel - w);
      Value part = vector::LoadOp::create(b, VectorType::get({lanes}, p.from), p.source,
                                          b.add(row, b.index(w)));
      vector::StoreOp::create(b, convert(b, part, p.to), p.destination, b.add(to, b.index(w)));
    }
  });
}

/// The places of an incomplete panel that are neighbours in the source: vectors of half the width
/// and less, each at most once, as the count's binary digits say.
static void emitPartialCopy(LoopBuilder &b, const Pack &p, Value start, Value panelStart,
                            Value count) {
  Value zero = b.index(0);
  for (int64_t size = llvm::PowerOf2Ceil(p.panel) / 2; size > 0; size /= 2) {
    Value digit = b.both(count, b.index(size));
    Value before = b.both(count, b.index(-2 * size));
    b.branch(
        b.equal(digit, zero), [] {},
        [&] {
          auto type = VectorType::get({size}, p.from);
          b.loop(p.depth, 1, [&](Value k) {
            Value from = b.add(b.add(start, before), b.mul(k, p.depthStride));
            Value to = b.add(b.add(panelStart, before), b.mul(k, b.index(p.panel)));
            Value part = vector::LoadOp::create(b, type, p.source, from);
            vector::StoreOp::create(b, convert(b, part, p.to), p.destination, to);
          });
        });
  }
}

/// Transposes a square of vectors: in log2(n) rounds, each interleaves the first half of the
/// vectors with the second.
static void transpose(LoopBuilder &b, SmallVectorImpl<Value> &rows) {
  int64_t n = rows.size();
  SmallVector<int64_t> low, high;
  for (int64_t i = 0; i < n / 2; ++i) {
    low.append({i, n + i});
    high.append({n / 2 + i, n + n / 2 + i});
  }
  for (int64_t round = 1; round < n; round *= 2) {
    SmallVector<Value> next;
    for (int64_t i = 0; i < n / 2; ++i)
      for (ArrayRef<int64_t> mask : {ArrayRef<int64_t>(low), ArrayRef<int64_t>(high)})
        next.push_back(vector::ShuffleOp::create(b, rows[i], rows[i + n / 2], mask));
    rows.assign(next);
  }
}

/// `n` values of K of the places from `group` on.
static void emitSquare(LoopBuilder &b, const Pack &p, ArrayRef<Value> sourceRows, Value k,
                       Value panelStart, int64_t group, int64_t n) {
  auto type = VectorType::get({n}, p.from);
  int64_t size = std::min(n, p.panel - group);
  SmallVector<Value> rows;
  for (Value row : sourceRows.slice(group, size))
    rows.push_back(convert(b, vector::LoadOp::create(b, type, p.source, b.add(row, k)), p.to));
  rows.resize(n, ub::PoisonOp::create(b, type.clone(p.to)));
  transpose(b, rows);
  auto head = llvm::to_vector(llvm::seq<int64_t>(size));
  for (int64_t i = 0; i < n; ++i) {
    Value row = size == n ? rows[i] : vector::ShuffleOp::create(b, rows[i], rows[i], head);
    Value at = b.add(panelStart, b.mul(b.add(k, b.index(i)), b.index(p.panel)));
    vector::StoreOp::create(b, row, p.destination, b.add(at, b.index(group)));
  }
}

/// One panel whose values of K are neighbours in the source: squares are transposed in registers.
/// Places from `count` on repeat the last one that exists, or are left as they are.
static void emitTransposed(LoopBuilder &b, const Pack &p, Value start, Value panelStart,
                           Value count) {
  int64_t n = std::min<int64_t>(llvm::PowerOf2Ceil(p.panel), p.lanes);
  Value last = b.sub(count, b.index(1));
  SmallVector<Value> sourceRows;
  for (int64_t w = 0; w < p.panel; ++w)
    sourceRows.push_back(b.add(start, b.mul(b.min(b.index(w), last), p.widthStride)));
  Value even = b.mul(arith::DivSIOp::create(b, p.depth, b.index(n)), b.index(n));
  b.loop(even, n, [&](Value k) {
    for (int64_t group = 0; group < p.panel; group += n)
      b.branch(
          b.less(b.index(group), count),
          [&] { emitSquare(b, p, sourceRows, k, panelStart, group, n); }, [] {});
  });
  emitElements(b, p, start, panelStart, even, count);
}

void amp::cpu::emitPack(LoopBuilder &b, ValueRange arguments, FloatType accumulator, int64_t width,
                        int64_t lanes) {
  Pack p(arguments, accumulator, width, lanes);
  b.loop(p.width, p.panel, [&](Value first) {
    Value start = b.add(p.offset, b.mul(first, p.widthStride));
    Value panelStart = b.mul(first, p.depth);
    Value count = b.min(b.sub(p.width, first), b.index(p.panel));
    b.branch(
        b.equal(p.widthStride, b.index(1)),
        [&] {
          b.branch(
              b.equal(count, b.index(p.panel)), [&] { emitCopy(b, p, start, panelStart); },
              [&] { emitPartialCopy(b, p, start, panelStart, count); });
        },
        [&] {
          b.branch(
              b.equal(p.depthStride, b.index(1)),
              [&] { emitTransposed(b, p, start, panelStart, count); },
              [&] { emitElements(b, p, start, panelStart, b.index(0), count); });
        });
  });
}
