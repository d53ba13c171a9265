//===- MatmulTest.cpp - numbers of the matrix product kernels -------------===//

#include "MatmulTestUtils.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <map>

using namespace amp;
using namespace amp::test;

namespace {

struct Types {
  std::string lhs, rhs, out;
};

struct Case {
  int64_t m, n, k;
  bool transposeLhs = false, transposeRhs = false;
};

std::string functionName(const Types &types, bool transposeLhs, bool transposeRhs) {
  return llvm::formatv("{0}_{1}_{2}_{3}{4}", types.lhs, types.rhs, types.out,
                       transposeLhs ? "t" : "n", transposeRhs ? "t" : "n")
      .str();
}

/// A function per combination of types and transposed operands, of dynamic sizes.
std::string makeModule(const std::vector<Types> &combinations) {
  std::string text;
  for (const Types &types : combinations)
    for (int form = 0; form < 4; ++form)
      text +=
          llvm::formatv("func.func @{0}(%a: memref<?x?x{1}>, %b: memref<?x?x{2}>,\n"
                        "    %c: memref<?x?x{3}>) attributes {{llvm.emit_c_interface} {{\n"
                        "  linalg.matmul indexing_maps = [affine_map<(m, n, k) -> {4}>,\n"
                        "    affine_map<(m, n, k) -> {5}>, affine_map<(m, n, k) -> (m, n)>]\n"
                        "    ins(%a, %b : memref<?x?x{1}>, memref<?x?x{2}>)\n"
                        "    outs(%c : memref<?x?x{3}>)\n  return\n}\n",
                        functionName(types, form & 1, form & 2), types.lhs, types.rhs, types.out,
                        form & 1 ? "(k, m)" : "(m, k)", form & 2 ? "(n, k)" : "(k, n)")
              .str();
  return text;
}

MatrixRef describe(const Buffer &buffer, int64_t rows, int64_t columns, bool transposed) {
  if (transposed)
    std::swap(rows, columns);
  return {buffer.data(), buffer.data(), 0, {rows, columns}, {columns, 1}};
}

std::vector<double> lhsRow(const Buffer &lhs, const Case &c, int64_t row) {
  std::vector<double> values(c.k);
  for (int64_t k = 0; k < c.k; ++k)
    values[k] = lhs.get(c.transposeLhs ? k * c.m + row : row * c.k + k);
  return values;
}

std::vector<double> rhsColumn(const Buffer &rhs, const Case &c, int64_t column) {
  std::vector<double> values(c.k);
  for (int64_t k = 0; k < c.k; ++k)
    values[k] = rhs.get(c.transposeRhs ? column * c.k + k : k * c.n + column);
  return values;
}

/// Runs one product on random operands and a random output to add to, and compares every element
/// with the contract's value, bit for bit, and with the exact value, within the bound.
void check(MatmulJit &jit, const Types &types, const Case &c) {
  SCOPED_TRACE(llvm::formatv("{0}, {1}x{2}x{3}",
                             functionName(types, c.transposeLhs, c.transposeRhs), c.m, c.n, c.k)
                   .str());
  std::mt19937 random(c.m * 10007 + c.n * 101 + c.k);
  Buffer lhs(types.lhs, c.m * c.k), rhs(types.rhs, c.k * c.n), out(types.out, c.m * c.n);
  for (Buffer *buffer : {&lhs, &rhs, &out})
    buffer->fillRandom(random);
  std::vector<double> before(out.size());
  for (int64_t i = 0; i < out.size(); ++i)
    before[i] = out.get(i);
  MatrixRef lhsRef = describe(lhs, c.m, c.k, c.transposeLhs);
  MatrixRef rhsRef = describe(rhs, c.k, c.n, c.transposeRhs);
  MatrixRef outRef = describe(out, c.m, c.n, false);
  call(jit, functionName(types, c.transposeLhs, c.transposeRhs), lhsRef, rhsRef, outRef);

  bool isDouble = types.out == "f64";
  std::string compute = isDouble ? "f64" : "f32";
  std::vector<std::vector<double>> rows, columns;
  for (int64_t i = 0; i < c.m; ++i)
    rows.push_back(lhsRow(lhs, c, i));
  for (int64_t j = 0; j < c.n; ++j)
    columns.push_back(rhsColumn(rhs, c, j));
  for (std::vector<std::vector<double>> *vectors : {&rows, &columns})
    for (std::vector<double> &vector : *vectors)
      for (double &value : vector)
        value = roundTo(compute, value); // f64 operands of an f32 product
  for (int64_t i = 0; i < c.m; ++i)
    for (int64_t j = 0; j < c.n; ++j) {
      double start = before[i * c.n + j], found = out.get(i * c.n + j);
      double expected = isDouble ? multiplyInOrder<double>(start, rows[i], columns[j])
                                 : multiplyInOrder<float>(start, rows[i], columns[j]);
      ASSERT_EQ(found, roundTo(types.out, expected)) << "at " << i << ", " << j;
      Bounded exact = multiplyExactly(start, rows[i], columns[j], isDouble ? 53 : 24);
      if (types.out == compute)
        ASSERT_LE(std::abs(found - exact.value), exact.bound) << "at " << i << ", " << j;
    }
}

std::vector<Types> allTypes() {
  std::vector<Types> all;
  for (const char *out : {"f32", "f64"})
    for (const char *lhs : {"f16", "bf16", "f32", "f64"})
      for (const char *rhs : {"f16", "bf16", "f32", "f64"})
        all.push_back({lhs, rhs, out});
  all.push_back({"f16", "f16", "f16"});
  all.push_back({"bf16", "bf16", "bf16"});
  return all;
}

TEST(MatmulTest, EveryCombinationOfTypesAndForms) {
  auto jit = compile(makeModule(allTypes()));
  ASSERT_TRUE(jit);
  for (const Types &types : allTypes())
    for (bool transposeLhs : {false, true})
      for (bool transposeRhs : {false, true})
        for (auto [m, n, k] : {std::array<int64_t, 3>{13, 37, 29}, {35, 50, 300}, {70, 9, 41}})
          check(*jit, types, {m, n, k, transposeLhs, transposeRhs});
}

/// The tile's sizes depend on the vectors' width, the blocks' on the cache; the numbers do not.
class MatmulTilingTest : public testing::TestWithParam<std::pair<unsigned, int64_t>> {};

TEST_P(MatmulTilingTest, SizesAroundEveryBoundary) {
  std::vector<Types> combinations{{"f32", "f32", "f32"}, {"bf16", "f16", "f64"}};
  MatmulJit::Options options;
  std::tie(options.vectorBits, options.l2Bytes) = GetParam();
  auto jit = compile(makeModule(combinations), options);
  ASSERT_TRUE(jit);
  std::vector<Case> cases{{1, 1, 1},     {0, 5, 7},    {5, 0, 7},    {5, 7, 0},   {0, 0, 0},
                          {8, 32, 256},  {6, 16, 255}, {8, 16, 257}, {1, 64, 64}, {64, 1, 64},
                          {3, 5, 512},   {2, 3, 513},  {7, 4097, 3}, {65, 6, 9},  {512, 3, 5},
                          {513, 17, 31}, {97, 89, 83}};
  for (int64_t i = 1; i <= 70; ++i)
    for (Case c : {Case{i, 33, 5}, {9, i, 6}, {7, 18, i}, {i, i, 3}})
      cases.push_back(c);
  for (size_t i = 0; i < cases.size(); ++i) {
    Case c = cases[i];
    c.transposeLhs = i % 2, c.transposeRhs = i / 2 % 2;
    check(*jit, combinations[i % 3 == 0], c);
    c.transposeLhs = !c.transposeLhs, c.transposeRhs = i / 3 % 2;
    check(*jit, combinations[i % 5 == 0], c);
  }
}

INSTANTIATE_TEST_SUITE_P(Widths, MatmulTilingTest,
                         testing::Values(std::pair<unsigned, int64_t>{128, 1 << 20},
                                         std::pair<unsigned, int64_t>{256, 1 << 15},
                                         std::pair<unsigned, int64_t>{512, 1 << 20},
                                         std::pair<unsigned, int64_t>{512, 1}));

TEST(MatmulTest, SumsOnesBeyondTheHalfTypesIntegers) {
  // f16 has no odd integers above 2048, bf16 none above 256: a sum in half would stop there.
  std::vector<Types> combinations{
      {"f16", "f16", "f32"}, {"f16", "f16", "f16"}, {"bf16", "bf16", "bf16"}};
  auto jit = compile(makeModule(combinations));
  ASSERT_TRUE(jit);
  for (const Types &types : combinations) {
    Buffer lhs(types.lhs, 3 * 4096), rhs(types.rhs, 4096 * 5), out(types.out, 15);
    lhs.fill(1), rhs.fill(1), out.fill(0);
    MatrixRef lhsRef = describe(lhs, 3, 4096, false), rhsRef = describe(rhs, 4096, 5, false);
    MatrixRef outRef = describe(out, 3, 5, false);
    call(*jit, functionName(types, false, false), lhsRef, rhsRef, outRef);
    for (int64_t i = 0; i < out.size(); ++i)
      EXPECT_EQ(out.get(i), 4096) << types.out;
  }
}

TEST(MatmulTest, NonFiniteValuesStayInTheirRowsAndColumns) {
  Types types{"f16", "f32", "f32"};
  auto jit = compile(makeModule({types}));
  ASSERT_TRUE(jit);
  for (auto [m, n] : {std::pair<int64_t, int64_t>{9, 35}, {8, 32}, {3, 5}}) {
    constexpr int64_t k = 20;
    Buffer lhs("f16", m * k), rhs("f32", k * n), out("f32", m * n);
    lhs.fill(1), rhs.fill(2), out.fill(3);
    lhs.set((m - 1) * k + 7, NAN);
    rhs.set(11 * n + n - 1, INFINITY);
    MatrixRef lhsRef = describe(lhs, m, k, false), rhsRef = describe(rhs, k, n, false);
    MatrixRef outRef = describe(out, m, n, false);
    call(*jit, functionName(types, false, false), lhsRef, rhsRef, outRef);
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        double found = out.get(i * n + j);
        if (i == m - 1)
          EXPECT_TRUE(std::isnan(found));
        else
          EXPECT_EQ(found, j == n - 1 ? INFINITY : 3 + 2.0 * k);
      }
  }
}

} // namespace
