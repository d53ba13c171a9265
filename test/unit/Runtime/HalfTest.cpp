//===- HalfTest.cpp --------------------------------------------------------===//

#include "amp/Runtime/Half.h"
#include "HalfGolden.h"
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace amp::runtime;

namespace {
template <typename To, typename From> To bitCast(From from) {
  To to;
  std::memcpy(&to, &from, sizeof(to));
  return to;
}

/// One half type: its conversions and format.
struct Type {
  uint16_t (*fromF32)(float);
  uint16_t (*fromF64)(double);
  float (*toF32)(uint16_t);
  uint16_t infinity;
  uint16_t quietBit;
};

class Half : public testing::TestWithParam<Type> {};
} // namespace

TEST_P(Half, EveryValueSurvivesWideningAndNarrowing) {
  Type type = GetParam();
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    auto half = static_cast<uint16_t>(bits);
    bool isNan = (half & 0x7fff) > type.infinity;
    uint16_t expected = isNan ? half | type.quietBit : half;
    float wide = type.toF32(half);
    EXPECT_EQ(std::isnan(wide), isNan);
    ASSERT_EQ(type.fromF32(wide), expected) << "bits " << bits;
    if (!isNan)
      ASSERT_EQ(type.fromF64(static_cast<double>(wide)), expected) << "bits " << bits;
  }
}

/// The definition of rounding to nearest even: what lies between two neighbours goes to the nearer,
/// the middle to the one with an even last bit.
TEST_P(Half, RoundsToNearestEven) {
  Type type = GetParam();
  for (uint16_t low = 0; low < type.infinity; ++low) {
    auto high = static_cast<uint16_t>(low + 1);
    double below = type.toF32(low);
    // The neighbour of the largest number is the power of two that would follow.
    double above = high == type.infinity ? below + (below - type.toF32(low - 1)) : type.toF32(high);
    double middle = below + (above - below) / 2;
    uint16_t even = (low & 1) ? high : low;
    ASSERT_EQ(type.fromF64(middle), even);
    ASSERT_EQ(type.fromF64(std::nextafter(middle, 0.0)), low);
    ASSERT_EQ(type.fromF64(std::nextafter(middle, 1e300)), high);
    ASSERT_EQ(type.fromF64(-middle), even | 0x8000);
    // The middle has one bit more than a half: it is an f32, and so are its neighbours.
    auto middle32 = static_cast<float>(middle);
    if (static_cast<double>(middle32) == middle) {
      ASSERT_EQ(type.fromF32(middle32), even);
      ASSERT_EQ(type.fromF32(std::nextafter(middle32, 0.0f)), low);
      ASSERT_EQ(type.fromF32(std::nextafter(middle32, std::numeric_limits<float>::infinity())),
                high);
    }
  }
}

TEST_P(Half, KeepsInfinityAndQuietsNan) {
  Type type = GetParam();
  float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(type.fromF32(infinity), type.infinity);
  EXPECT_EQ(type.fromF32(-infinity), type.infinity | 0x8000);
  EXPECT_EQ(type.fromF64(1e300), type.infinity);
  EXPECT_EQ(type.fromF64(-1e-300), 0x8000);
  EXPECT_EQ(type.fromF64(5e-324), 0);
  // A signalling NaN whose payload lies below the kept bits must not become infinity.
  EXPECT_EQ(type.fromF32(bitCast<float>(0x7f800001u)), type.infinity | type.quietBit);
  EXPECT_EQ(type.fromF32(bitCast<float>(0xff800001u)), type.infinity | type.quietBit | 0x8000);
  EXPECT_EQ(type.fromF64(bitCast<double>(0x7ff0000000000001ull)), type.infinity | type.quietBit);
}

INSTANTIATE_TEST_SUITE_P(Types, Half,
                         testing::Values(Type{f16FromF32, f16FromF64, f32FromF16, 0x7c00, 0x200},
                                         Type{bf16FromF32, bf16FromF64, f32FromBF16, 0x7f80, 0x40}),
                         [](const testing::TestParamInfo<Type> &info) {
                           return info.index ? "BF16" : "F16";
                         });

TEST(Half, AgreesWithNumPy) {
  for (const HalfGolden &golden : halfGoldens)
    EXPECT_EQ(f16FromF32(bitCast<float>(golden.f32)), golden.f16) << std::hex << golden.f32;
}
