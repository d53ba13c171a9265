//===- RandomTest.cpp ------------------------------------------------------===//

#include "amp/Runtime/Random.h"
#include "RandomGolden.h"
#include "TestUtils.h"
#include <cmath>
#include <set>

using namespace amp::runtime;

using Words = std::array<uint32_t, 4>;

/// The known answers that come with the authors' library Random123 (kat_vectors).
TEST(Random, PhiloxKnownAnswers) {
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
            (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

static uint32_t bitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

TEST(Random, StreamsNeverChange) {
  RandomStream random(goldenSeed, "w1", RandomPurpose::Initialize);
  for (size_t i = 0; i < std::size(goldenPositions); ++i) {
    EXPECT_EQ(bitsOf(random.uniform(goldenPositions[i])), goldenUniform[i]);
    EXPECT_EQ(bitsOf(static_cast<float>(random.normal(goldenPositions[i]))), goldenNormal[i]);
  }
}

TEST(Random, InitialValuesNeverChange) {
  Tensor w3(ElementType::F32, {64, 10});
  ASSERT_OK(
      initialize(w3, Initializer::glorot(Initializer::Distribution::Uniform), goldenSeed, "w3"));
  for (size_t i = 0; i < std::size(goldenGlorot); ++i)
    EXPECT_EQ(bitsOf(w3.data<float>()[i]), goldenGlorot[i]);
  Tensor w2(ElementType::F32, {128, 64});
  ASSERT_OK(
      initialize(w2, Initializer::he(Initializer::Distribution::Normal, 1), goldenSeed, "w2"));
  for (size_t i = 0; i < std::size(goldenHe); ++i)
    EXPECT_EQ(bitsOf(w2.data<float>()[i]), goldenHe[i]);
}

TEST(Random, StreamsDifferBySeedNameAndPurpose) {
  std::set<uint64_t> values;
  for (uint64_t seed : {uint64_t{0}, uint64_t{1}, uint64_t{1} << 32})
    for (const char *name : {"", "a", "b", "ab"})
      for (RandomPurpose purpose : {RandomPurpose::Initialize, RandomPurpose::Shuffle})
        values.insert(RandomStream(seed, name, purpose).bits(0));
  EXPECT_EQ(values.size(), 3u * 4u * 2u);
}

TEST(Random, BelowStaysBelowAndReachesEverything) {
  RandomStream random(7, "below", RandomPurpose::Shuffle);
  std::vector<int> counts(10);
  constexpr int n = 10000, expected = n / 10;
  for (int i = 0; i < n; ++i)
    ++counts[random.below(static_cast<uint64_t>(i), 10)];
  // A count is binomial: deviation sqrt(n p q) = 30; five of them.
  for (int count : counts)
    EXPECT_NEAR(count, expected, 5 * 30);
}

namespace {
struct Statistics {
  double mean = 0.0;
  double variance = 0.0;
  double smallest = INFINITY;
  double largest = -INFINITY;
};
} // namespace

static Statistics statistics(const Initializer &initializer, Shape shape) {
  Tensor tensor(ElementType::F32, std::move(shape));
  EXPECT_OK(initialize(tensor, initializer, 3, "w"));
  Statistics result;
  int64_t n = tensor.numElements();
  for (int64_t i = 0; i < n; ++i) {
    result.mean += tensor.toDouble(i) / n;
    result.smallest = std::min(result.smallest, tensor.toDouble(i));
    result.largest = std::max(result.largest, tensor.toDouble(i));
  }
  for (int64_t i = 0; i < n; ++i)
    result.variance += std::pow(tensor.toDouble(i) - result.mean, 2) / n;
  return result;
}

/// Five standard deviations of the estimators of n samples: sigma / sqrt(n) for the mean,
/// sigma^2 sqrt((kurtosis - 1) / n) for the variance. Kurtosis is 3 of a normal, 9/5 of a uniform
/// distribution.
static void expectMoments(const Statistics &found, double mean, double variance, double kurtosis,
                          double n) {
  EXPECT_NEAR(found.mean, mean, 5 * std::sqrt(variance / n));
  EXPECT_NEAR(found.variance, variance, 5 * variance * std::sqrt((kurtosis - 1) / n));
}

TEST(Random, InitializersHaveTheirMoments) {
  using Distribution = Initializer::Distribution;
  Shape shape{200, 300};
  constexpr double n = 200 * 300;
  Statistics uniform = statistics(Initializer::uniform(-1.0, 3.0), shape);
  expectMoments(uniform, 1.0, 16.0 / 12, 1.8, n);
  EXPECT_GE(uniform.smallest, -1.0);
  EXPECT_LT(uniform.largest, 3.0);
  expectMoments(statistics(Initializer::normal(-2.0, 0.5), shape), -2.0, 0.25, 3.0, n);
  for (int64_t inAxis : {0, 1}) {
    double fanIn = static_cast<double>(shape[inAxis]);
    expectMoments(statistics(Initializer::he(Distribution::Normal, inAxis), shape), 0.0, 2 / fanIn,
                  3.0, n);
    Statistics he = statistics(Initializer::he(Distribution::Uniform, inAxis), shape);
    expectMoments(he, 0.0, 2 / fanIn, 1.8, n);
    EXPECT_LE(he.largest, std::sqrt(6 / fanIn));
    // The largest of n uniform numbers misses the bound by more than 20 / n with chance e^-10.
    EXPECT_GE(he.largest, std::sqrt(6 / fanIn) * (1 - 20 / n));
  }
  expectMoments(statistics(Initializer::glorot(Distribution::Normal), shape), 0.0, 2.0 / 500, 3.0,
                n);
  expectMoments(statistics(Initializer::glorot(Distribution::Uniform), shape), 0.0, 2.0 / 500, 1.8,
                n);
}

TEST(Random, ConstantsAreRoundedToTheType) {
  Tensor half(ElementType::F16, {2});
  ASSERT_OK(initialize(half, Initializer::constant(0.1), 0, "c"));
  EXPECT_EQ(half.data<uint16_t>()[1], 0x2e66);
  Tensor count(ElementType::I64, {});
  ASSERT_OK(initialize(count, Initializer::constant(2000), 0, "c"));
  EXPECT_EQ(count.data<int64_t>()[0], 2000);
  ASSERT_OK(initialize(count, Initializer::zeros(), 0, "c"));
  EXPECT_EQ(count.data<int64_t>()[0], 0);
}

TEST(Random, InitializerErrors) {
  Tensor integers(ElementType::I32, {2});
  EXPECT_ERROR(initialize(integers, Initializer::normal(0, 1), 0, "n"),
               "variable 'n' expects a float type for a random initial value but got "
               "tensor<2xi32>");
  Tensor vector(ElementType::F32, {2});
  EXPECT_ERROR(initialize(vector, Initializer::he(Initializer::Distribution::Normal), 0, "b"),
               "variable 'b' expects rank 2 for a glorot or he initial value but got "
               "tensor<2xf32>");
  Tensor matrix(ElementType::F32, {2, 2});
  EXPECT_ERROR(initialize(matrix, Initializer::he(Initializer::Distribution::Normal, 2), 0, "w"),
               "variable 'w' expects in_axis 0 or 1 but got 2");
  Tensor empty(ElementType::F32, {0, 4});
  EXPECT_OK(initialize(empty, Initializer::he(Initializer::Distribution::Normal), 0, "w"));
}
