//===- VectorizeTest.cpp - loops of vectors compute what linalg says ------===//

#include "Compile.h"
#include "amp/Runtime/Half.h"
#include <cmath>
#include <random>

using namespace amp::runtime;

static std::vector<float> randomValues(size_t count, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (float &value : values)
    value = normal(random);
  return values;
}

/// The documented order: 16 lanes over all rows, pairwise, then the initial value.
template <typename T, typename F>
static T reduceLanes(const T *values, size_t rows, size_t columns, T neutral, T initial,
                     F combine) {
  T lanes[16];
  std::fill(lanes, lanes + 16, neutral);
  for (size_t row = 0; row < rows; ++row)
    for (size_t column = 0; column < columns; ++column)
      lanes[column % 16] = combine(values[row * columns + column], lanes[column % 16]);
  for (size_t half = 8; half > 0; half /= 2)
    for (size_t lane = 0; lane < half; ++lane)
      lanes[lane] = combine(lanes[lane], lanes[lane + half]);
  return combine(lanes[0], initial);
}

static std::string replaceAll(std::string text, const std::string &from, const std::string &to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

TEST(Vectorize, RowSumsHaveOneOrder) {
  std::string text = R"(
    func.func @f(%x: tensor<?xCOLxf32>) -> tensor<?xf32> {
      %c0 = arith.constant 0 : index
      %n = tensor.dim %x, %c0 : tensor<?xCOLxf32>
      %init = arith.constant 0.5 : f32
      %e = tensor.empty(%n) : tensor<?xf32>
      %f = linalg.fill ins(%init : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
      %r = linalg.reduce ins(%x : tensor<?xCOLxf32>) outs(%f : tensor<?xf32>) dimensions = [1]
        (%a: f32, %s: f32) {
          %0 = arith.mulf %a, %a : f32
          %1 = arith.addf %0, %s : f32
          linalg.yield %1 : f32
        }
      return %r : tensor<?xf32>
    })";
  for (const std::string &features : featureSets()) {
    Compiled dynamic(replaceAll(text, "COL", "?"), features);
    for (int64_t columns : {0, 1, 10, 15, 16, 17, 100, 1000}) {
      auto x = randomValues(3 * columns, columns + 1);
      auto got = dynamic.arg(x, {3, columns}).call("f").result<float>(0);
      std::vector<float> squares;
      squares.reserve(x.size());
      for (float value : x)
        squares.push_back(value * value);
      for (int64_t row = 0; row < 3; ++row)
        EXPECT_EQ(bitsOf(got[row]), bitsOf(reduceLanes(squares.data() + row * columns, 1, columns,
                                                       -0.0f, 0.5f, std::plus<float>())))
            << columns << " " << features;
      if (columns != 10 && columns != 100)
        continue;
      Compiled fixed(replaceAll(text, "COL", std::to_string(columns)), features);
      EXPECT_EQ(fixed.arg(x, {3, columns}).call("f").result<float>(0), got) << features;
    }
  }
}

TEST(Vectorize, TotalSumIsOneRow) {
  // Both dimensions are reduced: they are one row of 35 elements.
  Compiled c(R"(
    func.func @f(%x: tensor<5x7xf32>) -> tensor<f32> {
      %f = arith.constant dense<-0.0> : tensor<f32>
      %r = linalg.reduce { arith.addf } ins(%x : tensor<5x7xf32>) outs(%f : tensor<f32>)
        dimensions = [0, 1]
      return %r : tensor<f32>
    })");
  auto x = randomValues(35);
  auto got = c.arg(x, {5, 7}).call("f").result<float>(0);
  EXPECT_EQ(got[0], reduceLanes(x.data(), 1, 35, -0.0f, -0.0f, std::plus<float>()));
}

TEST(Vectorize, ReducesOverSeparateDimensions) {
  // 'c' stands between the reduced ones: lanes go on from row to row.
  Compiled c(R"(
    func.func @f(%x: tensor<3x2x20xf32>) -> tensor<2xf32> {
      %f = arith.constant dense<0.0> : tensor<2xf32>
      %r = linalg.reduce { arith.addf } ins(%x : tensor<3x2x20xf32>) outs(%f : tensor<2xf32>)
        dimensions = [0, 2]
      return %r : tensor<2xf32>
    })");
  auto x = randomValues(3 * 2 * 20);
  auto got = c.arg(x, {3, 2, 20}).call("f").result<float>(0);
  for (int channel = 0; channel < 2; ++channel) {
    std::vector<float> values;
    for (int i = 0; i < 3; ++i)
      values.insert(values.end(), x.begin() + (i * 2 + channel) * 20,
                    x.begin() + (i * 2 + channel + 1) * 20);
    EXPECT_EQ(got[channel], reduceLanes(values.data(), 3, 20, -0.0f, 0.0f, std::plus<float>()));
  }
}

TEST(Vectorize, MaximumSeesEveryLane) {
  std::string text = R"(
    func.func @f(%x: tensor<?xf32>) -> (tensor<f32>, tensor<f32>) {
      %lo = arith.constant dense<0xFF800000> : tensor<f32>
      %hi = arith.constant dense<0x7F800000> : tensor<f32>
      %r = linalg.reduce { arith.maximumf } ins(%x : tensor<?xf32>) outs(%lo : tensor<f32>)
        dimensions = [0]
      %s = linalg.reduce { arith.minimumf } ins(%x : tensor<?xf32>) outs(%hi : tensor<f32>)
        dimensions = [0]
      return %r, %s : tensor<f32>, tensor<f32>
    })";
  for (const std::string &features : featureSets()) {
    Compiled c(text, features);
    for (size_t at = 0; at < 40; ++at) {
      std::vector<float> x(40, -3.0f);
      x[at] = 5.0f;
      c.arg(x, {40}).call("f");
      EXPECT_EQ(c.result<float>(0)[0], 5.0f) << at << " " << features;
      EXPECT_EQ(c.result<float>(1)[0], -3.0f) << at << " " << features;
      x[at] = NAN;
      c.arg(x, {40}).call("f");
      EXPECT_TRUE(std::isnan(c.result<float>(0)[0])) << at << " " << features;
      EXPECT_TRUE(std::isnan(c.result<float>(1)[0])) << at << " " << features;
    }
  }
}

TEST(Vectorize, TwoReductionsAtOnce) {
  Compiled c(R"(
    func.func @f(%x: tensor<?xf32>) -> (tensor<f32>, tensor<i32>) {
      %zero = arith.constant dense<0.0> : tensor<f32>
      %none = arith.constant dense<0> : tensor<i32>
      %r:2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>,
                                              affine_map<(i) -> ()>],
                             iterator_types = ["reduction"]}
          ins(%x : tensor<?xf32>) outs(%zero, %none : tensor<f32>, tensor<i32>) {
      ^bb0(%a: f32, %s: f32, %n: i32):
        %c0 = arith.constant 0.0 : f32
        %one = arith.constant 1 : i32
        %two = arith.constant 0 : i32
        %0 = arith.addf %s, %a : f32
        %neg = arith.cmpf olt, %a, %c0 : f32
        %t = arith.select %neg, %one, %two : i32
        %1 = arith.addi %n, %t : i32
        linalg.yield %0, %1 : f32, i32
      } -> (tensor<f32>, tensor<i32>)
      return %r#0, %r#1 : tensor<f32>, tensor<i32>
    })");
  auto x = randomValues(77);
  c.arg(x, {77}).call("f");
  EXPECT_EQ(c.result<float>(0)[0], reduceLanes(x.data(), 1, 77, -0.0f, 0.0f, std::plus<float>()));
  EXPECT_EQ(c.result<int32_t>(1)[0],
            std::count_if(x.begin(), x.end(), [](float v) { return v < 0; }));
}

TEST(Vectorize, AnyAndAllOfBooleans) {
  std::string text = R"(
    func.func @f(%x: tensor<?xi1>) -> (tensor<i1>, tensor<i1>, tensor<?xi1>) {
      %no = arith.constant dense<false> : tensor<i1>
      %yes = arith.constant dense<true> : tensor<i1>
      %any = linalg.reduce { arith.ori } ins(%x : tensor<?xi1>) outs(%no : tensor<i1>) dimensions = [0]
      %all = linalg.reduce { arith.andi } ins(%x : tensor<?xi1>) outs(%yes : tensor<i1>) dimensions = [0]
      %c0 = arith.constant 0 : index
      %n = tensor.dim %x, %c0 : tensor<?xi1>
      %e = tensor.empty(%n) : tensor<?xi1>
      %not = linalg.map ins(%x : tensor<?xi1>) outs(%e : tensor<?xi1>) (%a: i1, %o: i1) {
        %true = arith.constant true
        %0 = arith.xori %a, %true : i1
        linalg.yield %0 : i1
      }
      return %any, %all, %not : tensor<i1>, tensor<i1>, tensor<?xi1>
    })";
  for (const std::string &features : featureSets()) {
    Compiled c(text, features);
    for (int64_t count : {0, 1, 16, 21, 40})
      for (int64_t ones : {int64_t(0), int64_t(1), count}) {
        std::vector<uint8_t> x(count);
        for (int64_t i = 0; i < std::min(ones, count); ++i)
          x[count - 1 - i] = 1;
        c.arg(x, {count}).call("f");
        EXPECT_EQ(c.result<uint8_t>(0)[0], count != 0 && ones != 0);
        EXPECT_EQ(c.result<uint8_t>(1)[0], std::min(ones, count) == count);
        auto inverted = c.result<uint8_t>(2);
        for (int64_t i = 0; i < count; ++i)
          EXPECT_EQ(inverted[i], 1 - x[i]);
      }
  }
}

TEST(Vectorize, Transposes) {
  Compiled c(R"(
    func.func @f(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = tensor.dim %x, %c0 : tensor<?x?xf32>
      %m = tensor.dim %x, %c1 : tensor<?x?xf32>
      %e = tensor.empty(%m, %n) : tensor<?x?xf32>
      %r = linalg.transpose ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) permutation = [1, 0]
      return %r : tensor<?x?xf32>
    })");
  auto x = randomValues(19 * 37);
  auto got = c.arg(x, {19, 37}).call("f").result<float>(0);
  for (int i = 0; i < 19; ++i)
    for (int j = 0; j < 37; ++j)
      ASSERT_EQ(got[j * 19 + i], x[i * 37 + j]);
}

TEST(Vectorize, GathersRows) {
  // An embedding: rows by label, with the column as the contiguous index, and by a varying row.
  Compiled c(R"(
    func.func @f(%t: tensor<5x20xf32>, %i: tensor<3xi32>) -> (tensor<3x20xf32>, tensor<3xf32>) {
      %e = tensor.empty() : tensor<3x20xf32>
      %r = linalg.generic {indexing_maps = [affine_map<(n, d) -> (n)>, affine_map<(n, d) -> (n, d)>],
                           iterator_types = ["parallel", "parallel"]}
          ins(%i : tensor<3xi32>) outs(%e : tensor<3x20xf32>) {
      ^bb0(%k: i32, %o: f32):
        %row = arith.index_cast %k : i32 to index
        %d = linalg.index 1 : index
        %0 = tensor.extract %t[%row, %d] : tensor<5x20xf32>
        linalg.yield %0 : f32
      } -> tensor<3x20xf32>
      %f = tensor.empty() : tensor<3xf32>
      %s = linalg.generic {indexing_maps = [affine_map<(n) -> (n)>, affine_map<(n) -> (n)>],
                           iterator_types = ["parallel"]}
          ins(%i : tensor<3xi32>) outs(%f : tensor<3xf32>) {
      ^bb0(%k: i32, %o: f32):
        %row = arith.index_cast %k : i32 to index
        %0 = tensor.extract %t[%row, %row] : tensor<5x20xf32>
        linalg.yield %0 : f32
      } -> tensor<3xf32>
      return %r, %s : tensor<3x20xf32>, tensor<3xf32>
    })");
  auto table = randomValues(100);
  std::vector<int32_t> rows{4, 0, 2};
  c.arg(table, {5, 20}).arg(rows, {3}).call("f");
  auto got = c.result<float>(0), diagonal = c.result<float>(1);
  for (int n = 0; n < 3; ++n) {
    EXPECT_EQ(diagonal[n], table[rows[n] * 20 + rows[n]]);
    for (int d = 0; d < 20; ++d)
      EXPECT_EQ(got[n * 20 + d], table[rows[n] * 20 + d]);
  }
}

TEST(Vectorize, IndexAndBroadcast) {
  std::string text = R"(
    func.func @f(%x: tensor<?x1x20xTYPE>, %b: tensor<1x3x1xTYPE>) -> tensor<?x3x20xTYPE> {
      %c0 = arith.constant 0 : index
      %n = tensor.dim %x, %c0 : tensor<?x1x20xTYPE>
      %e = tensor.empty(%n) : tensor<?x3x20xTYPE>
      %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, 0, k)>,
                                            affine_map<(i, j, k) -> (0, j, 0)>,
                                            affine_map<(i, j, k) -> (i, j, k)>],
                           iterator_types = ["parallel", "parallel", "parallel"]}
          ins(%x, %b : tensor<?x1x20xTYPE>, tensor<1x3x1xTYPE>) outs(%e : tensor<?x3x20xTYPE>) {
      ^bb0(%p: TYPE, %q: TYPE, %o: TYPE):
        %k = linalg.index 2 : index
        %i = linalg.index 0 : index
        %ik = arith.addi %i, %k : index
        %int = arith.index_cast %ik : index to i32
        %fp = arith.sitofp %int : i32 to TYPE
        %0 = arith.addf %p, %q : TYPE
        %1 = arith.addf %0, %fp : TYPE
        linalg.yield %1 : TYPE
      } -> tensor<?x3x20xTYPE>
      return %r : tensor<?x3x20xTYPE>
    })";
  for (const std::string &features : featureSets()) {
    Compiled f32(replaceAll(text, "TYPE", "f32"), features);
    Compiled bf16(replaceAll(text, "TYPE", "bf16"), features);
    auto x = randomValues(2 * 20), b = randomValues(3, 2);
    std::vector<uint16_t> xh, bh;
    for (float value : x)
      xh.push_back(bf16FromF32(value));
    for (float value : b)
      bh.push_back(bf16FromF32(value));
    auto got = f32.arg(x, {2, 1, 20}).arg(b, {1, 3, 1}).call("f").result<float>(0);
    auto half = bf16.arg(xh, {2, 1, 20}).arg(bh, {1, 3, 1}).call("f").result<uint16_t>(0);
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 20; ++k) {
          size_t at = (i * 3 + j) * 20 + k;
          ASSERT_EQ(got[at], x[i * 20 + k] + b[j] + float(i + k)) << features;
          float sum = f32FromBF16(xh[i * 20 + k]) + f32FromBF16(bh[j]);
          sum = f32FromBF16(bf16FromF32(sum)) + float(i + k);
          ASSERT_EQ(half[at], bf16FromF32(sum)) << features;
        }
  }
}

TEST(Vectorize, LastLanesStayInTheirRow) {
  // Rows of 33 in place: what is stored behind the last element is the next row's first.
  for (const char *columns : {"33", "?"}) {
    std::string text = replaceAll(R"(
      func.func @f(%x: tensor<?xCOLxbf16>) -> tensor<?xCOLxbf16> {
        %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>],
                             iterator_types = ["parallel", "parallel"]}
            outs(%x : tensor<?xCOLxbf16>) {
        ^bb0(%o: bf16):
          %i = linalg.index 0 : index
          %k = arith.index_cast %i : index to i32
          %v = arith.sitofp %k : i32 to bf16
          %s = arith.addf %o, %v : bf16
          linalg.yield %s : bf16
        } -> tensor<?xCOLxbf16>
        return %r : tensor<?xCOLxbf16>
      })",
                                  "COL", columns);
    for (const std::string &features : featureSets()) {
      Compiled c(text, features);
      for (int64_t width : {33, 47, 23}) {
        if (width != 33 && std::string(columns) == "33")
          continue;
        std::vector<uint16_t> x(4 * width, bf16FromF32(1));
        auto got = c.arg(x, {4, width}).call("f").result<uint16_t>(0);
        for (int64_t i = 0; i < 4 * width; ++i) {
          int64_t row = i / width;
          ASSERT_EQ(got[i], bf16FromF32(1.0f + float(row))) << i << " " << features;
        }
      }
    }
  }
}

TEST(Vectorize, MeanOfHalfOnes) {
  // The count 65520 is no f16, nor are the partial sums: the mean is still one.
  std::string text = R"(
    func.func @f(%x: tensor<65520xf16>) -> tensor<f16> {
      %0 = train.reduce mean %x dimensions [0] : (tensor<65520xf16>) -> tensor<f16>
      return %0 : tensor<f16>
    })";
  for (const std::string &features : featureSets()) {
    Compiled c(text, features);
    std::vector<uint16_t> x(65520, 0x3c00);
    EXPECT_EQ(c.arg(x, {65520}).call("f").result<uint16_t>(0)[0], 0x3c00) << features;
  }
}
