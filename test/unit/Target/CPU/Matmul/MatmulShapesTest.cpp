//===- MatmulShapesTest.cpp - batches, strides and several dimensions -----===//

#include "MatmulTestUtils.h"
#include <cmath>
#include <functional>

using namespace amp;
using namespace amp::test;

namespace {

template <int Rank> struct Ref {
  void *allocated, *aligned;
  int64_t offset, sizes[Rank], strides[Rank];
};

template <int Rank>
Ref<Rank> describe(const Buffer &buffer, const std::array<int64_t, Rank> &sizes) {
  Ref<Rank> ref{buffer.data(), buffer.data(), 0, {}, {}};
  int64_t stride = 1;
  for (int i = Rank; i-- > 0;) {
    ref.sizes[i] = sizes[i];
    ref.strides[i] = stride;
    stride *= sizes[i];
  }
  return ref;
}

struct Operands {
  Buffer lhs, rhs, out;
  std::vector<double> before;

  Operands(const std::string &type, int64_t lhsSize, int64_t rhsSize, int64_t outSize)
      : lhs(type, lhsSize), rhs(type, rhsSize), out("f32", outSize) {
    std::mt19937 random(lhsSize * 31 + rhsSize);
    for (Buffer *buffer : {&lhs, &rhs, &out})
      buffer->fillRandom(random);
    for (int64_t i = 0; i < outSize; ++i)
      before.push_back(out.get(i));
  }

  /// Compares element `at` with the sum over `depth` of the elements at the given places.
  void check(int64_t at, int64_t depth, const std::function<int64_t(int64_t)> &lhsAt,
             const std::function<int64_t(int64_t)> &rhsAt) {
    std::vector<double> a, b;
    for (int64_t k = 0; k < depth; ++k) {
      a.push_back(lhs.get(lhsAt(k)));
      b.push_back(rhs.get(rhsAt(k)));
    }
    ASSERT_EQ(out.get(at), multiplyInOrder<float>(before[at], a, b)) << "at " << at;
  }
};

TEST(MatmulShapesTest, Batch) {
  auto jit = compile(R"(
func.func @batch(%a: memref<?x?x?xbf16>, %b: memref<?x?x?xbf16>, %c: memref<?x?x?xf32>)
    attributes {llvm.emit_c_interface} {
  linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, k, m)>,
    affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
    ins(%a, %b : memref<?x?x?xbf16>, memref<?x?x?xbf16>) outs(%c : memref<?x?x?xf32>)
  return
})");
  ASSERT_TRUE(jit);
  constexpr int64_t b = 3, m = 11, n = 21, k = 270;
  Operands o("bf16", b * k * m, b * n * k, b * m * n);
  auto lhs = describe<3>(o.lhs, {b, k, m}), rhs = describe<3>(o.rhs, {b, n, k});
  auto out = describe<3>(o.out, {b, m, n});
  call(*jit, "batch", lhs, rhs, out);
  for (int64_t i = 0; i < b * m * n; ++i) {
    int64_t batch = i / (m * n), row = i / n % m, column = i % n;
    o.check(
        i, k, [&](int64_t p) { return (batch * k + p) * m + row; },
        [&](int64_t p) { return (batch * n + column) * k + p; });
  }
}

/// Attention: heads lie between rows and values, so that every stride of a head is a step.
TEST(MatmulShapesTest, HeadsBetweenRowsAndValues) {
  auto jit = compile(R"(
func.func @scores(%q: memref<2x9x4x8xf16>, %k: memref<2x9x4x8xf16>, %s: memref<2x4x9x9xf32>)
    attributes {llvm.emit_c_interface} {
  linalg.generic {
    indexing_maps = [affine_map<(b, h, i, j, d) -> (b, i, h, d)>,
                     affine_map<(b, h, i, j, d) -> (b, j, h, d)>,
                     affine_map<(b, h, i, j, d) -> (b, h, i, j)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%q, %k : memref<2x9x4x8xf16>, memref<2x9x4x8xf16>) outs(%s : memref<2x4x9x9xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %0 = arith.extf %x : f16 to f32
    %1 = arith.extf %y : f16 to f32
    %2 = arith.mulf %1, %0 : f32
    %3 = arith.addf %2, %acc : f32
    linalg.yield %3 : f32
  }
  return
})");
  ASSERT_TRUE(jit);
  Operands o("f16", 2 * 9 * 4 * 8, 2 * 9 * 4 * 8, 2 * 4 * 9 * 9);
  auto lhs = describe<4>(o.lhs, {2, 9, 4, 8}), rhs = describe<4>(o.rhs, {2, 9, 4, 8});
  auto out = describe<4>(o.out, {2, 4, 9, 9});
  call(*jit, "scores", lhs, rhs, out);
  for (int64_t at = 0; at < o.out.size(); ++at) {
    int64_t b = at / 324, h = at / 81 % 4, i = at / 9 % 9, j = at % 9;
    o.check(
        at, 8, [&](int64_t d) { return ((b * 9 + i) * 4 + h) * 8 + d; },
        [&](int64_t d) { return ((b * 9 + j) * 4 + h) * 8 + d; });
  }
}

/// A weight gradient: two dimensions are summed over, which lie together in both operands.
TEST(MatmulShapesTest, SeveralSummedDimensions) {
  auto jit = compile(R"(
func.func @gradient(%x: memref<?x?x?xf32>, %dy: memref<?x?x?xf32>, %dw: memref<?x?xf32>)
    attributes {llvm.emit_c_interface} {
  linalg.generic {
    indexing_maps = [affine_map<(m, n, b, t) -> (b, t, m)>, affine_map<(m, n, b, t) -> (b, t, n)>,
                     affine_map<(m, n, b, t) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
    ins(%x, %dy : memref<?x?x?xf32>, memref<?x?x?xf32>) outs(%dw : memref<?x?xf32>) {
  ^bb0(%x1: f32, %dy1: f32, %acc: f32):
    %0 = arith.mulf %x1, %dy1 : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  }
  return
})");
  ASSERT_TRUE(jit);
  constexpr int64_t b = 5, t = 60, m = 10, n = 18;
  Operands o("f32", b * t * m, b * t * n, m * n);
  auto lhs = describe<3>(o.lhs, {b, t, m}), rhs = describe<3>(o.rhs, {b, t, n});
  auto out = describe<2>(o.out, {m, n});
  call(*jit, "gradient", lhs, rhs, out);
  for (int64_t at = 0; at < m * n; ++at)
    o.check(
        at, b * t, [&](int64_t p) { return p * m + at / n; },
        [&](int64_t p) { return p * n + at % n; });
}

/// A matrix times a vector has no columns.
TEST(MatmulShapesTest, Vectors) {
  auto jit = compile(R"(
func.func @matvec(%a: memref<?x?xf32>, %x: memref<?xf32>, %y: memref<?xf32>)
    attributes {llvm.emit_c_interface} {
  linalg.matvec ins(%a, %x : memref<?x?xf32>, memref<?xf32>) outs(%y : memref<?xf32>)
  return
}
func.func @vecmat(%x: memref<?xf32>, %a: memref<?x?xf32>, %y: memref<?xf32>)
    attributes {llvm.emit_c_interface} {
  linalg.vecmat ins(%x, %a : memref<?xf32>, memref<?x?xf32>) outs(%y : memref<?xf32>)
  return
})");
  ASSERT_TRUE(jit);
  constexpr int64_t m = 37, k = 41;
  Operands o("f32", m * k, k, m);
  auto matrix = describe<2>(o.lhs, {m, k});
  auto vector = describe<1>(o.rhs, {k}), out = describe<1>(o.out, {m});
  call(*jit, "matvec", matrix, vector, out);
  for (int64_t i = 0; i < m; ++i)
    o.check(i, k, [&](int64_t p) { return i * k + p; }, [&](int64_t p) { return p; });

  Operands v("f32", k, k * m, m);
  auto row = describe<1>(v.lhs, {k}), out2 = describe<1>(v.out, {m});
  auto matrix2 = describe<2>(v.rhs, {k, m});
  call(*jit, "vecmat", row, matrix2, out2);
  for (int64_t j = 0; j < m; ++j)
    v.check(j, k, [&](int64_t p) { return p; }, [&](int64_t p) { return p * m + j; });
}

/// Views with steps in both dimensions, and an output whose columns are contiguous: nothing outside
/// of the view changes.
TEST(MatmulShapesTest, Strides) {
  auto jit = compile(R"(
!view = memref<?x?xf32, strided<[?, ?], offset: ?>>
func.func @strided(%a: !view, %b: !view, %c: !view) attributes {llvm.emit_c_interface} {
  linalg.matmul ins(%a, %b : !view, !view) outs(%c : !view)
  return
})");
  ASSERT_TRUE(jit);
  constexpr int64_t m = 19, n = 40, k = 33;
  struct Layout {
    int64_t outRow, outColumn;
  };
  for (auto [outRow, outColumn] : {Layout{n + 3, 1}, Layout{1, m + 2}, Layout{3 * n, 3}}) {
    Operands o("f32", 2 * m * 3 * k + 5, 4 * k * 2 * n + 7, 3 * m * 3 * n + 9);
    Ref<2> lhs{o.lhs.data(), o.lhs.data(), 5, {m, k}, {6 * k, 3}};
    Ref<2> rhs{o.rhs.data(), o.rhs.data(), 7, {k, n}, {2, 2 * k}};
    Ref<2> out{o.out.data(), o.out.data(), 9, {m, n}, {outRow, outColumn}};
    call(*jit, "strided", lhs, rhs, out);
    std::vector<bool> inside(o.out.size());
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        int64_t at = 9 + i * outRow + j * outColumn;
        inside[at] = true;
        o.check(
            at, k, [&](int64_t p) { return 5 + i * 6 * k + p * 3; },
            [&](int64_t p) { return 7 + p * 2 + j * 2 * k; });
      }
    for (int64_t at = 0; at < o.out.size(); ++at)
      if (!inside[at])
        ASSERT_EQ(o.out.get(at), o.before[at]) << "outside of the view, at " << at;
  }
}

} // namespace
