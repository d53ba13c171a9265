//===- CastTest.cpp - roundings to and arithmetic in half types -----------===//

#include "Compile.h"
#include "amp/Runtime/Half.h"
#include <cmath>
#include <random>

using namespace amp::runtime;

/// `elementwise(from, to, body)`: a function @f over a dynamic vector.
static std::string elementwise(const std::string &from, const std::string &to,
                               const std::string &body) {
  return "#id = affine_map<(d0) -> (d0)>\n"
         "func.func @f(%x: tensor<?x" +
         from + ">) -> tensor<?x" + to +
         "> {\n"
         "  %c0 = arith.constant 0 : index\n"
         "  %n = tensor.dim %x, %c0 : tensor<?x" +
         from +
         ">\n"
         "  %e = tensor.empty(%n) : tensor<?x" +
         to +
         ">\n"
         "  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = [\"parallel\"]}\n"
         "    ins(%x : tensor<?x" +
         from + ">) outs(%e : tensor<?x" + to +
         ">) {\n"
         "  ^bb0(%a: " +
         from + ", %o: " + to + "):\n" + body + "    linalg.yield %y : " + to +
         "\n"
         "  } -> tensor<?x" +
         to +
         ">\n"
         "  return %r : tensor<?x" +
         to + ">\n}\n";
}

/// Interesting f32: all of bf16 and its neighbours and midpoints, and random bits.
static std::vector<float> floatSamples() {
  std::vector<float> values;
  for (uint32_t high = 0; high < 0x10000; ++high)
    for (uint32_t low : {0x0000u, 0x0001u, 0x7fffu, 0x8000u, 0x8001u, 0xffffu})
      values.push_back(floatOf(high << 16 | low));
  std::mt19937 random(1);
  for (int i = 0; i < 200000; ++i)
    values.push_back(floatOf(random()));
  return values;
}

TEST(Cast, F32ToBF16) {
  auto values = floatSamples();
  for (const std::string &features : featureSets()) {
    Compiled f(elementwise("f32", "bf16", "%y = arith.truncf %a : f32 to bf16\n"), features);
    auto got = f.arg(values, {int64_t(values.size())}).call("f").result<uint16_t>(0);
    ASSERT_EQ(got.size(), values.size());
    for (size_t i = 0; i < values.size(); ++i)
      ASSERT_EQ(got[i], bf16FromF32(values[i])) << bitsOf(values[i]) << " " << features;
  }
}

TEST(Cast, SubnormalBF16IsKept) {
  std::vector<float> values{1e-39f};
  for (const std::string &features : featureSets()) {
    Compiled f(elementwise("f32", "bf16", "%y = arith.truncf %a : f32 to bf16\n"), features);
    EXPECT_EQ(f.arg(values, {1}).call("f").result<uint16_t>(0)[0], 0x000b) << features;
  }
}

TEST(Cast, F32ToF16) {
  auto values = floatSamples();
  for (const std::string &features : featureSets()) {
    Compiled f(elementwise("f32", "f16", "%y = arith.truncf %a : f32 to f16\n"), features);
    auto got = f.arg(values, {int64_t(values.size())}).call("f").result<uint16_t>(0);
    for (size_t i = 0; i < values.size(); ++i)
      ASSERT_EQ(got[i], f16FromF32(values[i])) << bitsOf(values[i]) << " " << features;
  }
}

TEST(Cast, F64RoundsOnce) {
  // 1 + 2^-8 + 2^-40 lies just above the middle between two bf16, and rounds to it in f32.
  std::vector<double> values{1 + 0x1p-8 + 0x1p-40,
                             1 + 0x1p-8,
                             1 + 0x1p-8 - 0x1p-40,
                             -(1 + 0x1p-8 + 0x1p-40),
                             1e300,
                             -1e300,
                             1e-300,
                             0x1p-134,
                             0x1p-134 + 0x1p-180,
                             INFINITY,
                             NAN,
                             0.0,
                             -0.0};
  std::mt19937_64 random(2);
  for (int i = 0; i < 100000; ++i) {
    uint64_t bits = random();
    // Exponents around those of the half types.
    bits = (bits & 0x800fffffffffffff) | (uint64_t(1023 - 140 + random() % 280) << 52);
    double value;
    std::memcpy(&value, &bits, sizeof(value));
    values.push_back(value);
  }
  for (const std::string &features : featureSets()) {
    Compiled b(elementwise("f64", "bf16", "%y = arith.truncf %a : f64 to bf16\n"), features);
    auto bf16 = b.arg(values, {int64_t(values.size())}).call("f").result<uint16_t>(0);
    EXPECT_EQ(bf16[0], 0x3f81);
    Compiled h(elementwise("f64", "f16", "%y = arith.truncf %a : f64 to f16\n"), features);
    auto f16 = h.arg(values, {int64_t(values.size())}).call("f").result<uint16_t>(0);
    for (size_t i = 0; i < values.size(); ++i) {
      ASSERT_EQ(bf16[i], bf16FromF64(values[i])) << values[i] << " " << features;
      ASSERT_EQ(f16[i], f16FromF64(values[i])) << values[i] << " " << features;
    }
  }
}

TEST(Cast, HalfToF32) {
  std::vector<uint16_t> values(0x10000);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = i;
  for (const std::string &features : featureSets()) {
    Compiled b(elementwise("bf16", "f32", "%y = arith.extf %a : bf16 to f32\n"), features);
    auto bf16 = b.arg(values, {0x10000}).call("f").result<float>(0);
    Compiled h(elementwise("f16", "f32", "%y = arith.extf %a : f16 to f32\n"), features);
    auto f16 = h.arg(values, {0x10000}).call("f").result<float>(0);
    for (size_t i = 0; i < values.size(); ++i) {
      ASSERT_EQ(bitsOf(bf16[i]), uint32_t(i) << 16) << features;
      ASSERT_EQ(bitsOf(f16[i]), bitsOf(f32FromF16(i))) << features;
    }
  }
}

TEST(Cast, IntegersRoundOnce) {
  // 2^62 + 2^54 + 1 lies just above the middle between two bf16; f64 cannot hold it.
  std::vector<int64_t> values{(int64_t(1) << 62) + (int64_t(1) << 54) + 1,
                              -((int64_t(1) << 62) + (int64_t(1) << 54) + 1),
                              (int64_t(1) << 62) + (int64_t(1) << 54),
                              0,
                              1,
                              -1,
                              257,
                              65519,
                              65520,
                              INT64_MAX,
                              INT64_MIN,
                              (int64_t(1) << 52) - 1,
                              -(int64_t(1) << 52)};
  std::vector<uint16_t> want{0x5e81, 0xde81, 0x5e80, 0,      0x3f80, 0xbf80, 0x4380,
                             0x4780, 0x4780, 0x5f00, 0xdf00, 0x5980, 0xd980};
  Compiled f(elementwise("i64", "bf16", "%y = arith.sitofp %a : i64 to bf16\n"));
  auto got = f.arg(values, {int64_t(values.size())}).call("f").result<uint16_t>(0);
  for (size_t i = 0; i < want.size(); ++i)
    EXPECT_EQ(got[i], want[i]) << values[i];
  // 2049 lies between two f16; 65519 is the last integer that does not overflow.
  std::vector<int32_t> small{2049, 2051, 65519, 65520, -65520};
  std::vector<uint16_t> wantHalf{0x6800, 0x6802, 0x7bff, 0x7c00, 0xfc00};
  Compiled h(elementwise("i32", "f16", "%y = arith.sitofp %a : i32 to f16\n"));
  EXPECT_EQ(h.arg(small, {5}).call("f").result<uint16_t>(0), wantHalf);
}

TEST(Cast, RoundingsSurvive) {
  // 1/3 rounded to a half type and widened again is not 1/3 any more.
  std::vector<float> values{1.0f / 3.0f};
  for (const std::string &features : featureSets()) {
    Compiled h(elementwise("f32", "f32",
                           "%t = arith.truncf %a : f32 to f16\n%y = arith.extf %t : f16 to f32\n"),
               features);
    EXPECT_EQ(h.arg(values, {1}).call("f").result<float>(0)[0], 0.333251953125f) << features;
    Compiled b(
        elementwise("f32", "f32",
                    "%t = arith.truncf %a : f32 to bf16\n%y = arith.extf %t : bf16 to f32\n"),
        features);
    EXPECT_EQ(b.arg(values, {1}).call("f").result<float>(0)[0], 0.333984375f) << features;
  }
}

TEST(Cast, EveryHalfOperationRounds) {
  // (2048 + 1) * 2 is 4098 exactly, 4096 with a rounding after the sum; the same for 256 in bf16.
  // Flags from outside that allow to drop the rounding are not followed.
  for (const std::string &features : featureSets()) {
    for (const char *flags : {"", " fastmath<contract>"}) {
      std::string body =
          std::string("%one = arith.constant 1.0 : T\n%two = arith.constant 2.0 : T\n"
                      "%s = arith.addf %a, %one") +
          flags + " : T\n" + "%y = arith.mulf %s, %two" + flags + " : T\n";
      auto of = [&](const std::string &type) {
        std::string text = body;
        for (size_t at; (at = text.find(": T")) != std::string::npos;)
          text.replace(at, 3, ": " + type);
        return elementwise(type, type, text);
      };
      std::vector<uint16_t> f16{f16FromF32(2048)}, bf16{bf16FromF32(256)};
      Compiled h(of("f16"), features);
      EXPECT_EQ(f32FromF16(h.arg(f16, {1}).call("f").result<uint16_t>(0)[0]), 4096) << features;
      Compiled b(of("bf16"), features);
      EXPECT_EQ(f32FromBF16(b.arg(bf16, {1}).call("f").result<uint16_t>(0)[0]), 512) << features;
    }
  }
}
