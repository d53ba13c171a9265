//===- PortableMath.cpp - functions with the same bits everywhere ---------===//
//
// Compiled without contraction to fused multiply-add, which would differ by machine.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/PortableMath.h"
#include <cassert>
#include <cmath>

double amp::runtime::portableLog(double x) {
  assert(std::isnormal(x) && x > 0 && "the logarithm of a positive normal number");
  // x = 2^exponent m with m in [sqrt(1/2), sqrt(2)). Both operations are exact.
  int exponent;
  double m = std::frexp(x, &exponent);
  constexpr double rootOfHalf = 0x1.6a09e667f3bcdp-1;
  if (m < rootOfHalf) {
    m *= 2.0;
    --exponent;
  }
  // log m = 2 artanh(s) with s = (m - 1) / (m + 1), |s| < 0.172. The series sum s^(2n+1) / (2n+1)
  // up to n = 10 leaves out less than 0.172^22 / 23 < 2^-60 of s.
  double s = (m - 1.0) / (m + 1.0);
  double square = s * s;
  double sum = 0.0;
  for (int n = 10; n >= 1; --n)
    sum = (sum + 1.0 / (2 * n + 1)) * square;
  double logM = 2.0 * s + 2.0 * s * sum;
  // log 2 in two parts: the first has 17 zero bits at its end, so that its product is exact.
  constexpr double highOfLog2 = 0x1.62e42fefa0000p-1, restOfLog2 = 0x1.cf79abc9e3b3ap-40;
  return exponent * highOfLog2 + (logM + exponent * restOfLog2);
}

/// cos(angle), |angle| <= pi / 4: the series up to angle^18 / 18! leaves out less than 2^-64.
static double cosOfSmall(double angle) {
  double square = angle * angle, sum = 0.0;
  for (int n = 18; n >= 2; n -= 2)
    sum = (1.0 + sum) * -square / (n * (n - 1));
  return 1.0 + sum;
}

/// sin(angle), |angle| <= pi / 4: the series up to angle^17 / 17! leaves out less than 2^-60.
static double sinOfSmall(double angle) {
  double square = angle * angle, sum = 0.0;
  for (int n = 17; n >= 3; n -= 2)
    sum = (1.0 + sum) * -square / (n * (n - 1));
  return angle + angle * sum;
}

double amp::runtime::portableCosTurns(double x) {
  assert(x >= 0.0 && x < 1.0 && "a part of a turn");
  // The nearest quarter, and what is left: at most an eighth, and exact.
  double quarter = std::floor(4.0 * x + 0.5);
  constexpr double twoPi = 6.283185307179586476925;
  double angle = twoPi * (x - 0.25 * quarter);
  switch (static_cast<int>(quarter) % 4) {
  case 0:
    return cosOfSmall(angle);
  case 1:
    return -sinOfSmall(angle);
  case 2:
    return -cosOfSmall(angle);
  default:
    return sinOfSmall(angle);
  }
}
