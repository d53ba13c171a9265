//===- PortableMathTest.cpp ------------------------------------------------===//

#include "amp/Runtime/PortableMath.h"
#include "PortableMathGolden.h"
#include "TestUtils.h"
#include "amp/Runtime/Random.h"
#include <cmath>

using namespace amp::runtime;

/// Numbers in (0, 1], near 0, near 1 and between.
static std::vector<double> makeArguments() {
  std::vector<double> numbers = {
      1.0, 0.5, 0.25, std::nextafter(1.0, 0.0), 0x1p-53, M_SQRT1_2, std::nextafter(M_SQRT1_2, 0.0)};
  RandomStream random(1, "arguments", RandomPurpose::Initialize);
  for (uint64_t i = 0; i < 100000; ++i) {
    double uniform = random.uniformDouble(i);
    numbers.push_back(std::ldexp(uniform + 0x1p-53, -static_cast<int>(i % 4) * 12));
    numbers.push_back(1.0 - std::ldexp(uniform, -static_cast<int>(i % 50)));
  }
  return numbers;
}

/// The machine's library in a wider type is exact enough to measure by.
TEST(PortableMath, Log) {
  for (double x : makeArguments()) {
    if (!(x > 0))
      continue;
    long double exact = std::log(static_cast<long double>(x));
    long double error = std::fabs(portableLog(x) - exact);
    // 2 units in the last place: 2^-51 of the value.
    ASSERT_LE(error, 0x1p-51L * std::fabs(exact)) << x;
  }
  EXPECT_EQ(portableLog(1.0), 0.0);
  EXPECT_EQ(portableLog(0x1p-53), -0x1.25e4f7b2737fap+5);
}

TEST(PortableMath, CosTurns) {
  for (double x : makeArguments()) {
    if (!(x < 1))
      continue;
    long double exact = std::cos(2 * 3.14159265358979323846264338327950288L * x);
    ASSERT_LE(std::fabs(portableCosTurns(x) - exact), 0x1p-51L) << x;
  }
  EXPECT_EQ(portableCosTurns(0.0), 1.0);
  EXPECT_EQ(portableCosTurns(0.25), 0.0);
  EXPECT_EQ(portableCosTurns(0.5), -1.0);
  EXPECT_EQ(portableCosTurns(0.75), 0.0);
}

/// The same operations in another language give the same bits.
TEST(PortableMath, SameBits) {
  for (const PortableMathGolden &golden : portableMathGolden) {
    EXPECT_EQ(portableLog(golden.x), golden.log) << golden.x;
    EXPECT_EQ(portableCosTurns(golden.x), golden.cosTurns) << golden.x;
  }
}
