//===- MathExp.cpp - exponentials, tanh and erf ---------------------------===//
//
// Coefficients and their errors are from python/fit_math.py.

#include "MathBuilder.h"

using namespace mlir;
using namespace amp::cpu;

// exp(r) = 1 + r + r^2 q(r) for |r| <= ln(2) / 2; errors 8.1e-9 and 1.4e-17.
static constexpr float kExpF32[] = {0x1p-1f, 0x1.5554dcp-3f, 0x1.5554b8p-5f, 0x1.120b72p-7f,
                                    0x1.6d754ap-10f};
static constexpr double kExpF64[] = {
    0x1.0000000000001p-1,  0x1.5555555555558p-3,  0x1.5555555553d62p-5,  0x1.111111110f803p-7,
    0x1.6c16c1788c44dp-10, 0x1.a01a01b00c2c6p-13, 0x1.a019b90bc3fbdp-16, 0x1.71ddf6b3f10d1p-19,
    0x1.289186d6aea07p-22, 0x1.af632ad6abee8p-26};

// tanh(x) = x + x^3 p(x^2) for |x| <= 0.625; errors 1.1e-9 and 6.7e-18.
static constexpr float kTanhF32[] = {-0x1.555554p-2f, 0x1.11106cp-3f,  -0x1.b9ef7ep-5f,
                                     0x1.6394dep-6f,  -0x1.0c215ap-7f, 0x1.197bbep-9f};
static constexpr double kTanhF64[] = {
    -0x1.5555555555555p-2,  0x1.111111111110ep-3,  -0x1.ba1ba1ba1b653p-5,  0x1.664f4882ad611p-6,
    -0x1.226e355a9f82fp-7,  0x1.d6d3cfede2a9fp-9,  -0x1.7da34f7cc99d4p-10, 0x1.3556e1f9fee22p-11,
    -0x1.f561645a97283p-13, 0x1.959b511be2d19p-14, -0x1.44519b34aedfcp-15, 0x1.eb2464df9045fp-17,
    -0x1.352a20ae362ffp-18, 0x1.cb8faf8e0c66ap-21};

// erf(x) = x + x p(x^2) for |x| <= 0.9375; errors 1.1e-8 and 1.1e-17.
static constexpr float kErfF32[] = {0x1.06eba8p-3f,  -0x1.812742p-2f, 0x1.ce2df4p-4f,
                                    -0x1.b80cb4p-6f, 0x1.54b5e6p-8f,  -0x1.a99efep-11f,
                                    0x1.5ac34p-14f};
static constexpr double kErfF64[] = {
    0x1.06eba8214db69p-3,  -0x1.812746b0379e7p-2,  0x1.ce2f21a042be1p-4,  -0x1.b82ce31288ae2p-6,
    0x1.565bcd0e68b33p-8,  -0x1.c02db3ffcadf7p-11, 0x1.f9a326e418014p-14, -0x1.f4d2598b0938p-17,
    0x1.b9e68d9ede6e6p-20, -0x1.5f7078c8ed848p-23, 0x1.fc72f05b50e06p-27, -0x1.4f5c4de12b957p-30,
    0x1.8515e5f072765p-34, -0x1.3a391bc45a892p-38};

// erf(x) = 1 - exp(-x - x q(x)) for x >= 0.9375, up to where it is 1; errors 3.5e-9 and 1.5e-17.
static constexpr float kErfcF32[] = {0x1.077e1ep-3f,  0x1.452d3cp-1f, 0x1.b36b84p-4f,
                                     -0x1.8641d8p-6f, 0x1.e0f732p-9f, -0x1.596dd6p-12f,
                                     0x1.8efeep-17f};
static constexpr double kErfcF64[] = {
    0x1.06eba58e821dap-3,   0x1.45f30b74c4fd8p-1,   0x1.a4f4921a2d089p-4,   -0x1.39685103d33abp-6,
    -0x1.adafb6182a1fcp-13, 0x1.b933683867a57p-10,  -0x1.283431813daa7p-11, -0x1.200fd3347e1d1p-17,
    0x1.a42255e70eab7p-14,  -0x1.e91f17dac4182p-15, 0x1.63fbadb74934cp-16,  -0x1.7acf668475112p-18,
    0x1.318abbe7d2006p-20,  -0x1.74bed515ad3dap-23, 0x1.4ec292d564b4bp-26,  -0x1.a27a450033f6fp-30,
    0x1.456a67da4a98bp-34,  -0x1.da1656495799ap-40};

static constexpr double kLog2E = 0x1.71547652b82fep0, kLn2 = 0x1.62e42fefa39efp-1;
/// ln(2) minus its value in f32, minus its value in f64.
static constexpr double kLn2LowF32 = -0x1.05c61p-29, kLn2LowF64 = 0x1.abc9e3b39803fp-56;
static constexpr double kLn2F32 = 0x1.62e43p-1;

/// `x` between the bounds; a NaN stays one.
static Value clamp(MathBuilder &m, Value x, double low, double high) {
  Value lower = m.constant(low), upper = m.constant(high);
  x = m.select(m.less(x, lower), lower, x);
  return m.select(m.less(upper, x), upper, x);
}

/// `x` rounded to an integer, as a number and as an integer: adding 1.5 * 2^(fraction bits) leaves
/// no room for a fraction. |x| is below 2^(fraction bits - 1).
static std::pair<Value, Value> roundToInteger(MathBuilder &m, Value x, Value factor) {
  Value magic = m.constant(m.isF64() ? 0x1.8p52 : 0x1.8p23);
  Value sum = m.fma(x, factor, magic);
  return {m.sub(sum, magic), m.subInt(m.bits(sum), m.bits(magic))};
}

/// exp(r) - 1 - r + c for |r| <= ln(2) / 2.
static Value buildReducedExp(MathBuilder &m, Value r, Value c) {
  Value q = m.isF64() ? m.polynomial(r, kExpF64) : m.polynomial(r, kExpF32);
  return m.fma(m.mul(r, r), q, c);
}

/// x - n ln(2).
static Value subtractLn2(MathBuilder &m, Value x, Value n) {
  x = m.fma(n, m.constant(m.isF64() ? -kLn2 : -kLn2F32), x);
  return m.fma(n, m.constant(m.isF64() ? -kLn2LowF64 : -kLn2LowF32), x);
}

/// x * 2^n in two steps: 2^n itself may be too large, or too small to be normal.
static Value scale(MathBuilder &m, Value x, Value n) {
  Value half = m.shiftRight(n, 1);
  x = m.mul(x, m.powerOfTwo(half));
  return m.mul(x, m.powerOfTwo(m.subInt(n, half)));
}

Value amp::cpu::buildExpOfSum(MathBuilder &m, Value x, Value low) {
  // Beyond the bounds the result is 0 or infinite, and at them too.
  x = m.isF64() ? clamp(m, x, -746, 710) : clamp(m, x, -105, 90);
  auto [n, integer] = roundToInteger(m, x, m.constant(kLog2E));
  Value r = subtractLn2(m, x, n);
  if (low)
    r = m.add(r, low);
  return scale(m, m.add(buildReducedExp(m, r, r), m.constant(1)), integer);
}

Value amp::cpu::buildExp(MathBuilder &m, Value x) { return buildExpOfSum(m, x, Value()); }

Value amp::cpu::buildExp2(MathBuilder &m, Value x) {
  x = m.isF64() ? clamp(m, x, -1076, 1025) : clamp(m, x, -151, 129);
  auto [n, integer] = roundToInteger(m, x, m.constant(1));
  Value fraction = m.sub(x, n);
  Value ln2 = m.constant(m.isF64() ? kLn2 : kLn2F32);
  Value r = m.mul(fraction, ln2);
  Value low = m.fma(fraction, ln2, m.neg(r));
  low = m.fma(fraction, m.constant(m.isF64() ? kLn2LowF64 : kLn2LowF32), low);
  r = m.add(r, low);
  return scale(m, m.add(buildReducedExp(m, r, r), m.constant(1)), integer);
}

Value amp::cpu::buildExpm1(MathBuilder &m, Value x) {
  assert(m.isF64() && "in f64 only");
  // Below -40 the result is -1.
  Value clamped = clamp(m, x, -40, 710);
  auto [n, integer] = roundToInteger(m, clamped, m.constant(kLog2E));
  Value r = subtractLn2(m, clamped, n);
  // exp(x) - 1 = 2^n (exp(r) - 1 + (1 - 2^-n)); 2^-n vanishes beyond 2^-64.
  Value small = clamp(m, n, -64, 64);
  auto [same, exponent] = roundToInteger(m, small, m.constant(-1));
  (void)same;
  Value rest = m.sub(m.constant(1), m.powerOfTwo(exponent));
  // What the sum of the two large parts loses goes to the small one.
  Value sum = m.add(rest, r), lost = m.sub(r, m.sub(sum, rest));
  return m.copySign(scale(m, m.add(sum, buildReducedExp(m, r, lost)), integer), x);
}

Value amp::cpu::buildTanh(MathBuilder &m, Value x) {
  Value magnitude = m.abs(x), square = m.mul(x, x);
  Value p = m.isF64() ? m.polynomial(square, kTanhF64) : m.polynomial(square, kTanhF32);
  Value small = m.fma(m.mul(square, p), magnitude, magnitude);
  // 1 - 2 / (exp(2 |x|) + 1)
  Value e = buildExp(m, m.add(magnitude, magnitude));
  Value large = m.sub(m.constant(1), m.div(m.constant(2), m.add(e, m.constant(1))));
  // The sign also of a zero.
  return m.copySign(m.select(m.less(magnitude, m.constant(0.625)), small, large), x);
}

Value amp::cpu::buildErf(MathBuilder &m, Value x) {
  Value magnitude = m.abs(x), square = m.mul(x, x);
  Value p = m.isF64() ? m.polynomial(square, kErfF64) : m.polynomial(square, kErfF32);
  Value small = m.fma(x, p, x);
  // Beyond 4 in f32 and 6 in f64 the result is 1; a NaN passes.
  Value y = clamp(m, magnitude, 0.9375, m.isF64() ? 6 : 4);
  Value q = m.isF64() ? m.polynomial(y, kErfcF64) : m.polynomial(y, kErfcF32);
  Value e = buildExp(m, m.neg(m.fma(y, q, y)));
  Value large = m.copySign(m.sub(m.constant(1), e), x);
  return m.select(m.less(magnitude, m.constant(0.9375)), small, large);
}
