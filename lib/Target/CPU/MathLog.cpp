//===- MathLog.cpp - logarithms, powers and the reciprocal root -----------===//
//
// Coefficients and their errors are from python/fit_math.py.

#include "MathBuilder.h"
#include <cmath>

using namespace mlir;
using namespace amp::cpu;

// log(1 + f) = f - f^2 / 2 + f^3 p(f) for 1 + f in [sqrt(1/2), sqrt(2)]; error 6.4e-9.
static constexpr float kLogF32[] = {0x1.55554ap-2f,  -0x1.00022p-2f, 0x1.99a596p-3f,
                                    -0x1.54788ap-3f, 0x1.226e54p-3f, -0x1.0ce088p-3f,
                                    0x1.07d0acp-3f,  -0x1.41ed14p-4f};

// 2 artanh(s) = 2 s + s z r(z) with z = s^2, for the same range; error 1.9e-18.
static constexpr double kLogF64[] = {
    0x1.5555555555592p-1, 0x1.999999997fd75p-2, 0x1.24924941f503ep-2, 0x1.c71c520609002p-3,
    0x1.74663fa0db3b9p-3, 0x1.39a1a72bac567p-3, 0x1.2f0631f230da6p-3};

// 2 artanh(s) = 2 s + s z (2 / 3 + z t(z)); error 1.1e-20.
static constexpr double kLogTailF64[] = {
    0x1.9999999999996p-2, 0x1.2492492493036p-2, 0x1.c71c71c580479p-3, 0x1.745d183262489p-3,
    0x1.3b1362b1f3afcp-3, 0x1.1120b63d0f886p-3, 0x1.de3358449283ap-4, 0x1.eb11eadf2c0c9p-4};

static constexpr double kLn2 = 0x1.62e42fefa39efp-1, kLn2Low = 0x1.abc9e3b39803fp-56;
static constexpr double kLn2F32 = 0x1.62e43p-1, kLn2LowF32 = -0x1.05c61p-29;
static constexpr double kLog2E = 0x1.71547652b82fep0, kLog10E = 0x1.bcb7b1526e50ep-2;
static constexpr double kLog10Of2 = 0x1.34413509f79ffp-2, kLog10Of2Low = -0x1.9dc1da994fd21p-59;
static constexpr double kSqrtHalf = 0x1.6a09e667f3bcdp-1;

Decomposed amp::cpu::decompose(MathBuilder &m, Value x) {
  // A subnormal number is scaled into the normal ones first.
  double shift = m.fractionBits() + 1;
  Value isSubnormal = m.less(x, m.constant(m.isF64() ? 0x1p-1022 : 0x1p-126));
  x = m.select(isSubnormal, m.mul(x, m.constant(std::ldexp(1.0, shift))), x);
  Value bits = m.bits(x);
  Value exponent = m.shiftRight(m.subInt(bits, m.bits(m.constant(kSqrtHalf))), m.fractionBits());
  Value mantissa = m.fromBits(m.subInt(bits, m.shiftLeft(exponent, m.fractionBits())));
  exponent = m.toFloat(exponent);
  exponent = m.select(isSubnormal, m.sub(exponent, m.constant(shift)), exponent);
  return {exponent, mantissa};
}

Value amp::cpu::selectLogarithm(MathBuilder &m, Value x, Value result) {
  Value zero = m.constant(0);
  Value other = m.select(m.equal(x, zero), m.infinity(/*negative=*/true), m.nan());
  result = m.select(m.equal(x, m.infinity()), x, result);
  return m.select(m.less(zero, x), result, other);
}

/// log(1 + f) + e ln(2) + c in f64, for 1 + f in [sqrt(1/2), sqrt(2)): with s = f / (2 + f),
/// log(1 + f) = f - s (f - z r) = f - (f^2/2 - s (f^2/2 + z r)), where little is subtracted.
static Value buildLogSum(MathBuilder &m, Value f, Value e, Value c) {
  Value s = m.div(f, m.add(m.constant(2), f)), z = m.mul(s, s);
  Value r = m.mul(z, m.polynomial(z, kLogF64));
  Value half = m.mul(m.mul(m.constant(0.5), f), f);
  Value low = e ? m.mul(e, m.constant(kLn2Low)) : m.constant(0);
  if (c)
    low = m.add(low, c);
  Value sum = m.sub(f, m.sub(half, m.fma(s, m.add(half, r), low)));
  return e ? m.fma(e, m.constant(kLn2), sum) : sum;
}

static Value buildLogF32(MathBuilder &m, Value x) {
  auto [e, mantissa] = decompose(m, x);
  Value f = m.sub(mantissa, m.constant(1)), square = m.mul(f, f);
  Value sum = m.mul(m.mul(f, square), m.polynomial(f, kLogF32));
  sum = m.fma(m.constant(-0.5), square, sum);
  sum = m.fma(e, m.constant(kLn2LowF32), sum);
  return m.fma(e, m.constant(kLn2F32), m.add(f, sum));
}

Value amp::cpu::buildLog(MathBuilder &m, Value x) {
  if (!m.isF64())
    return selectLogarithm(m, x, buildLogF32(m, x));
  auto [e, mantissa] = decompose(m, x);
  Value f = m.sub(mantissa, m.constant(1));
  return selectLogarithm(m, x, buildLogSum(m, f, e, Value()));
}

Value amp::cpu::buildLog2(MathBuilder &m, Value x) {
  auto [e, mantissa] = decompose(m, x);
  Value log = buildLogSum(m, m.sub(mantissa, m.constant(1)), Value(), Value());
  return selectLogarithm(m, x, m.fma(log, m.constant(kLog2E), e));
}

Value amp::cpu::buildLog10(MathBuilder &m, Value x) {
  auto [e, mantissa] = decompose(m, x);
  Value log = buildLogSum(m, m.sub(mantissa, m.constant(1)), Value(), Value());
  Value low = m.fma(e, m.constant(kLog10Of2Low), m.mul(log, m.constant(kLog10E)));
  return selectLogarithm(m, x, m.fma(e, m.constant(kLog10Of2), low));
}

Value amp::cpu::buildLog1p(MathBuilder &m, Value x) {
  // u = 1 + x, rounded; what the rounding took away is worth (1 + x - u) / u.
  Value one = m.constant(1), u = m.add(one, x);
  auto [e, mantissa] = decompose(m, u);
  Value isLarge = m.less(one, x);
  Value lost = m.select(isLarge, m.sub(one, m.sub(u, x)), m.sub(x, m.sub(u, one)));
  Value sum = buildLogSum(m, m.sub(mantissa, one), e, m.div(lost, u));
  Value result = selectLogarithm(m, u, sum);
  return m.select(m.equal(x, m.constant(0)), x, result);
}

Value amp::cpu::buildRsqrt(MathBuilder &m, Value x) { return m.div(m.constant(1), m.sqrt(x)); }

namespace {

/// An unevaluated sum of two numbers.
struct Double {
  Value high, low;
};

} // namespace

/// high + low, where |low| is not above |high|.
static Double normalise(MathBuilder &m, Value high, Value low) {
  Value sum = m.add(high, low);
  return {sum, m.sub(low, m.sub(sum, high))};
}

static Double multiply(MathBuilder &m, Double a, Double b) {
  Value high = m.mul(a.high, b.high);
  Value low = m.fma(a.high, b.high, m.neg(high));
  low = m.fma(a.high, b.low, low);
  return {high, m.fma(a.low, b.high, low)};
}

/// log(x) for a positive x, to about 100 bits less what cancels.
static Double buildLongLog(MathBuilder &m, Value x) {
  auto [e, mantissa] = decompose(m, x);
  Value one = m.constant(1), f = m.sub(mantissa, one);
  // s = f / (mantissa + 1)
  Value divisor = m.add(mantissa, one);
  Value divisorLow = m.sub(mantissa, m.sub(divisor, one));
  Value high = m.div(f, divisor);
  Value rest = m.fma(m.neg(high), divisor, f);
  rest = m.fma(m.neg(high), divisorLow, rest);
  Double s{high, m.div(rest, divisor)};

  Double z = multiply(m, s, s), cube = multiply(m, s, z);
  Double third =
      multiply(m, cube, {m.constant(0x1.5555555555555p-1), m.constant(0x1.5555555555555p-55)});
  Value tail = m.mul(m.mul(cube.high, z.high), m.polynomial(z.high, kLogTailF64));

  // Largest to smallest: e ln(2), 2 s, 2/3 s^3, the tail. The first product has its error beside
  // it.
  Value ln2 = m.constant(kLn2), large = m.mul(e, ln2);
  Value largeLow = m.fma(e, ln2, m.neg(large));
  largeLow = m.fma(e, m.constant(kLn2Low), largeLow);
  Value twice = m.add(s.high, s.high);
  // Where e is 0 the second summand is the larger one, and the sum is exact all the same.
  Double sum = normalise(m, large, twice);
  Double next = normalise(m, sum.high, third.high);
  Value low = m.add(m.add(s.low, s.low), m.add(third.low, tail));
  low = m.add(m.add(low, largeLow), m.add(sum.low, next.low));
  return normalise(m, next.high, low);
}

/// Whether each number is an integer, and whether it is an odd one.
static std::pair<Value, Value> classifyInteger(MathBuilder &m, Value y) {
  // From 2^53 on every number is an even integer.
  Value magnitude = m.abs(y), limit = m.constant(0x1p53);
  Value bounded = m.select(m.less(magnitude, limit), magnitude, m.constant(0));
  auto isIntegral = [&](Value a) {
    Value magic = m.constant(0x1p52);
    Value rounded = m.sub(m.add(a, magic), magic);
    // At 2^52 and above there are no fractions.
    rounded = m.select(m.less(a, magic), rounded, a);
    return m.equal(rounded, a);
  };
  Value isInteger = isIntegral(bounded), isEven = isIntegral(m.mul(bounded, m.constant(0.5)));
  Value isOdd = m.logicalAnd(
      isInteger, m.equal(m.select(isEven, m.constant(0), m.constant(1)), m.constant(1)));
  return {isInteger, isOdd};
}

/// |x|^y for finite x and y, x not 0.
static Value buildPositivePower(MathBuilder &m, Value x, Value y) {
  Double log = buildLongLog(m, x);
  Value product = m.mul(y, log.high);
  Value low = m.fma(y, log.low, m.fma(y, log.high, m.neg(product)));
  // Far outside the range the low part may be infinite, or what an infinity minus itself is.
  Value inRange = m.less(m.abs(product), m.constant(1000));
  return buildExpOfSum(m, product, m.select(inRange, low, m.constant(0)));
}

Value amp::cpu::buildPow(MathBuilder &m, Value x, Value y) {
  Value zero = m.constant(0), one = m.constant(1), infinity = m.infinity();
  Value magnitude = m.abs(x);
  auto [isInteger, isOdd] = classifyInteger(m, y);
  Value power = buildPositivePower(m, magnitude, y);

  // Zero and infinity: the one or the other, by the sign of y.
  Value isNegative = m.less(y, zero);
  power = m.select(m.equal(magnitude, zero), m.select(isNegative, infinity, zero), power);
  power = m.select(m.equal(magnitude, infinity), m.select(isNegative, zero, infinity), power);
  // A negative x with a fraction of a power has none.
  Value isImpossible = m.logicalAnd(m.less(x, zero), m.less(magnitude, infinity));
  Value forNegative = m.select(isInteger, power, m.nan());
  power = m.select(isImpossible, forNegative, power);
  power = m.select(isOdd, m.copySign(power, x), power);

  // An infinite y: by the size of x.
  Value growing = m.select(isNegative, m.less(magnitude, one), m.less(one, magnitude));
  Value limit = m.select(growing, infinity, zero);
  limit = m.select(m.equal(magnitude, one), one, limit);
  power = m.select(m.equal(m.abs(y), infinity), limit, power);
  power = m.select(m.isNan(x), x, power);
  power = m.select(m.isNan(y), y, power);
  power = m.select(m.equal(x, one), one, power);
  return m.select(m.equal(y, zero), one, power);
}
