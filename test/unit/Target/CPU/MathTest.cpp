//===- MathTest.cpp - errors of the transcendental functions --------------===//
//
// The references are the C library's functions of the next wider type, whose own errors (below one
// ulp of that type) do not show. AMP_EXHAUSTIVE=1 in the environment visits every f32.

#include "Compile.h"
#include <cmath>
#include <cstdlib>
#include <functional>
#include <random>

namespace {

struct Function {
  const char *name;
  double (*wide)(double);
  long double (*wider)(long double);
  /// Bounds in ulp: the ones that the pass documents.
  double boundF32, boundF64;
};

} // namespace

static double rsqrtWide(double x) { return 1 / std::sqrt(x); }
static long double rsqrtWider(long double x) { return 1 / std::sqrt(x); }

static const Function functions[] = {
    {"exp", std::exp, std::exp, 1.1, 1.2},      {"exp2", std::exp2, std::exp2, 1.1, 1.2},
    {"expm1", std::expm1, std::expm1, 0.51, 2}, {"log", std::log, std::log, 1.1, 1.2},
    {"log2", std::log2, std::log2, 0.51, 2},    {"log10", std::log10, std::log10, 0.51, 2},
    {"log1p", std::log1p, std::log1p, 0.51, 2}, {"tanh", std::tanh, std::tanh, 1.5, 1.5},
    {"erf", std::erf, std::erf, 1.1, 1.2},      {"rsqrt", rsqrtWide, rsqrtWider, 1.5, 1.5},
};

static std::string unary(const std::string &name, const std::string &type) {
  return "func.func @f(%x: tensor<?x" + type + ">) -> tensor<?x" + type + "> {\n  %0 = math." +
         name + " %x : tensor<?x" + type + ">\n  return %0 : tensor<?x" + type + ">\n}\n";
}

/// |got - exact| in units of the last place of `T` at `exact`; huge if one is a NaN or they are
/// infinities of different signs.
template <typename T, typename Wide> static double ulps(T got, Wide exact) {
  if (std::isnan(exact) || std::isnan(got))
    return std::isnan(exact) && std::isnan(got) ? 0 : HUGE_VAL;
  using Limits = std::numeric_limits<T>;
  // An infinity counts as the next power of two.
  Wide top = std::ldexp(Wide(1), Limits::max_exponent);
  auto bounded = [&](Wide value) { return std::min(std::max(value, -top), top); };
  Wide difference = std::abs(bounded(got) - bounded(exact));
  int exponent = exact == 0 ? Limits::min_exponent : std::ilogb(bounded(exact)) + 1;
  exponent = std::min(std::max(exponent, Limits::min_exponent), Limits::max_exponent);
  return double(std::ldexp(difference, Limits::digits - exponent));
}

TEST(Math, ErrorsInF32) {
  bool exhaustive = std::getenv("AMP_EXHAUSTIVE");
  // 4093 is odd: every position of the bits is visited.
  uint64_t stride = exhaustive ? 1 : 4093;
  constexpr size_t kChunk = 1 << 20;
  for (const Function &function : functions) {
    Compiled f(unary(function.name, "f32"));
    double worst = 0;
    float at = 0;
    for (uint64_t bits = 0; bits < (uint64_t(1) << 32);) {
      std::vector<float> x;
      for (; x.size() < kChunk && bits < (uint64_t(1) << 32); bits += stride)
        x.push_back(floatOf(bits));
      auto got = f.arg(x, {int64_t(x.size())}).call("f").result<float>(0);
      ASSERT_EQ(got.size(), x.size());
      for (size_t i = 0; i < x.size(); ++i)
        if (double error = ulps(got[i], function.wide(x[i])); error > worst)
          worst = error, at = x[i];
    }
    std::printf("%-6s f32 %.3f ulp at %a\n", function.name, worst, at);
    EXPECT_LE(worst, function.boundF32) << function.name << " at " << at;
  }
}

/// Numbers of all sizes, and many of moderate size.
static std::vector<double> doubleSamples(size_t count) {
  std::mt19937_64 random(7);
  std::vector<double> values;
  std::uniform_real_distribution<double> moderate(-40, 40), near(-1.5, 1.5), wide(-800, 800);
  while (values.size() < count) {
    uint64_t bits = random();
    double value;
    std::memcpy(&value, &bits, sizeof(value));
    values.insert(values.end(), {value, moderate(random), near(random), wide(random),
                                 1 + near(random) / 1024, std::exp(-std::abs(wide(random)))});
  }
  return values;
}

TEST(Math, ErrorsInF64) {
  auto x = doubleSamples(std::getenv("AMP_EXHAUSTIVE") ? 60000000 : 300000);
  for (const Function &function : functions) {
    Compiled f(unary(function.name, "f64"));
    auto got = f.arg(x, {int64_t(x.size())}).call("f").result<double>(0);
    ASSERT_EQ(got.size(), x.size());
    double worst = 0, at = 0;
    for (size_t i = 0; i < x.size(); ++i)
      if (double error = ulps(got[i], function.wider(x[i])); error > worst)
        worst = error, at = x[i];
    std::printf("%-6s f64 %.3f ulp at %a\n", function.name, worst, at);
    EXPECT_LE(worst, function.boundF64) << function.name << " at " << at;
  }
}

TEST(Math, SpecialValues) {
  float inf = INFINITY;
  auto check = [&](const char *name, std::vector<float> x, std::vector<float> want) {
    for (const char *type : {"f32", "f64"}) {
      Compiled f(unary(name, type));
      std::vector<float> got;
      if (std::string(type) == "f32") {
        got = f.arg(x, {int64_t(x.size())}).call("f").result<float>(0);
      } else {
        std::vector<double> wide(x.begin(), x.end());
        for (double value : f.arg(wide, {int64_t(x.size())}).call("f").result<double>(0))
          got.push_back(float(value));
      }
      ASSERT_EQ(got.size(), want.size());
      for (size_t i = 0; i < x.size(); ++i)
        EXPECT_TRUE(std::isnan(want[i]) ? std::isnan(got[i]) : bitsOf(got[i]) == bitsOf(want[i]))
            << name << "(" << x[i] << ") in " << type << " is " << got[i];
    }
  };
  check("exp", {0, -0.0f, inf, -inf, NAN, 1e30f, -1e30f}, {1, 1, inf, 0, NAN, inf, 0});
  check("exp2", {0, 10, -10, inf, -inf, NAN}, {1, 1024, 0x1p-10f, inf, 0, NAN});
  check("expm1", {0, -0.0f, inf, -inf, NAN, -1e30f}, {0, -0.0f, inf, -1, NAN, -1});
  check("log", {1, 0, -0.0f, inf, -inf, NAN, -1}, {0, -inf, -inf, inf, NAN, NAN, NAN});
  check("log2", {1, 8, 0x1p-20f, 0, inf, -1}, {0, 3, -20, -inf, inf, NAN});
  check("log10", {1, 0, inf, -1}, {0, -inf, inf, NAN});
  check("log1p", {0, -0.0f, -1, inf, -2, NAN}, {0, -0.0f, -inf, inf, NAN, NAN});
  check("tanh", {0, -0.0f, inf, -inf, NAN, 1e30f}, {0, -0.0f, 1, -1, NAN, 1});
  check("erf", {0, -0.0f, inf, -inf, NAN, 1e30f}, {0, -0.0f, 1, -1, NAN, 1});
  check("rsqrt", {1, 4, 0, -0.0f, inf, -1, NAN}, {1, 0.5f, inf, -inf, 0, NAN, NAN});
}

static std::string powerText() {
  return "func.func @f(%x: tensor<?xT>, %y: tensor<?xT>) -> tensor<?xT> {\n"
         "  %0 = math.powf %x, %y : tensor<?xT>\n  return %0 : tensor<?xT>\n}\n";
}

template <typename T> static std::vector<T> power(std::vector<T> x, std::vector<T> y) {
  std::string type = sizeof(T) == 4 ? "f32" : "f64", text = powerText();
  for (size_t at; (at = text.find("xT>")) != std::string::npos;)
    text.replace(at, 3, "x" + type + ">");
  Compiled f(text);
  return f.arg(x, {int64_t(x.size())}).arg(y, {int64_t(y.size())}).call("f").template result<T>(0);
}

TEST(Math, ErrorsOfPowers) {
  auto moderate = doubleSamples(200000);
  std::vector<double> x, y;
  std::vector<float> xf, yf;
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> logarithm(-745, 710);
  for (double value : moderate) {
    // Powers that neither vanish nor overflow, negative ones with integer exponents among them.
    double target = logarithm(random), base = std::abs(value);
    double exponent = target / std::log(base);
    if (value < 0)
      exponent = std::nearbyint(exponent);
    if (!std::isfinite(exponent) || exponent == 0)
      continue;
    x.push_back(value < 0 ? -base : base);
    y.push_back(exponent);
    xf.push_back(float(x.back()));
    yf.push_back(value < 0 ? std::nearbyint(exponent / 8) : float(exponent / 8));
  }
  double worst = 0, worstFloat = 0;
  auto got = power(x, y);
  auto gotFloat = power(xf, yf);
  for (size_t i = 0; i < x.size(); ++i) {
    worst = std::max(worst, ulps(got[i], std::pow((long double)(x[i]), (long double)(y[i]))));
    worstFloat = std::max(worstFloat, ulps(gotFloat[i], std::pow(double(xf[i]), double(yf[i]))));
  }
  std::printf("powf   f32 %.3f ulp, f64 %.3f ulp\n", worstFloat, worst);
  EXPECT_LE(worst, 1.5);
  EXPECT_LE(worstFloat, 0.51);
}

TEST(Math, SpecialPowers) {
  // Every pair of these, against the C library: Annex F fixes all the special ones.
  std::vector<double> values{0.0,
                             -0.0,
                             1,
                             -1,
                             2,
                             -2,
                             0.5,
                             -0.5,
                             3,
                             -3,
                             1e300,
                             -1e300,
                             0x1p53,
                             0x1p53 + 2,
                             -0x1p53,
                             2.5,
                             -2.5,
                             INFINITY,
                             -INFINITY,
                             NAN,
                             5e-324,
                             4503599627370497.0,
                             4503599627370495.5,
                             1e-5};
  std::vector<double> x, y;
  for (double a : values)
    for (double b : values) {
      x.push_back(a);
      y.push_back(b);
    }
  auto got = power(x, y);
  for (size_t i = 0; i < x.size(); ++i) {
    double want = std::pow(x[i], y[i]);
    EXPECT_LE(ulps(got[i], (long double)(want)), 2.5) << x[i] << " ^ " << y[i] << " is " << got[i];
    if (!std::isnan(want))
      EXPECT_EQ(std::signbit(got[i]), std::signbit(want)) << x[i] << " ^ " << y[i];
  }
}

TEST(Math, IntegerPowers) {
  Compiled f(R"(
    func.func @f(%x: tensor<?xf32>, %n: tensor<?xi32>) -> tensor<?xf32> {
      %0 = math.fpowi %x, %n : tensor<?xf32>, tensor<?xi32>
      return %0 : tensor<?xf32>
    })");
  std::vector<float> x{2, -2, -2, 0, 10, 3};
  std::vector<int32_t> n{10, 3, -2, 0, -1, 4};
  EXPECT_EQ(f.arg(x, {6}).arg(n, {6}).call("f").result<float>(0),
            (std::vector<float>{1024, -8, 0.25f, 1, 0.1f, 81}));
}

TEST(Math, SameBitsOnEveryCpu) {
  std::vector<float> x;
  for (uint64_t bits = 0; bits < (uint64_t(1) << 32); bits += 1000003)
    x.push_back(floatOf(bits));
  std::string text;
  for (const Function &function : functions) {
    std::string one = unary(function.name, "f32");
    text += one.replace(one.find("@f"), 2, std::string("@") + function.name);
  }
  std::vector<std::vector<float>> first;
  for (const std::string &features : featureSets()) {
    Compiled module(text, features);
    for (size_t number = 0; number < std::size(functions); ++number) {
      const char *name = functions[number].name;
      auto got = module.arg(x, {int64_t(x.size())}).call(name).result<float>(0);
      if (features.empty())
        first.push_back(got);
      for (size_t i = 0; i < x.size(); ++i)
        ASSERT_TRUE(bitsOf(got[i]) == bitsOf(first[number][i]) ||
                    (std::isnan(got[i]) && std::isnan(first[number][i])))
            << name << "(" << x[i] << ") " << features;
    }
  }
}

TEST(Math, HalfFunctionsRoundOnce) {
  // exp in f32 of the f16, rounded to f16.
  Compiled f16(unary("exp", "f16"));
  std::vector<_Float16> x{_Float16(1), _Float16(-0.333f), _Float16(11.5f), _Float16(-18)};
  auto got = f16.arg(x, {4}).call("f").result<_Float16>(0);
  for (size_t i = 0; i < x.size(); ++i)
    EXPECT_EQ(float(got[i]), float(_Float16(std::exp(double(float(x[i]))))));
}
