//===- MathBuilder.h - IEEE arithmetic on scalars and vectors -------------===//
#ifndef AMP_LIB_TARGET_CPU_MATHBUILDER_H
#define AMP_LIB_TARGET_CPU_MATHBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace amp::cpu {

/// Builds arithmetic in f32 or f64, on numbers or vectors, without fast-math flags.
class MathBuilder {
public:
  using Value = mlir::Value;

  /// Values have the shape of `type`, whose element type is f32 or f64.
  MathBuilder(mlir::Operation *op, mlir::Type type);
  /// The same shape in f64.
  MathBuilder inF64() const;

  bool isF64() const { return element.isF64(); }
  /// Bits of the fraction: 23 or 52.
  unsigned fractionBits() const { return isF64() ? 52 : 23; }
  int64_t bias() const { return isF64() ? 1023 : 127; }

  Value constant(double value);
  Value infinity(bool negative = false);
  Value nan();
  Value integer(int64_t value);

  Value add(Value a, Value b);
  Value sub(Value a, Value b);
  Value mul(Value a, Value b);
  Value div(Value a, Value b);
  Value neg(Value a);
  Value abs(Value a);
  Value sqrt(Value a);
  /// a * b + c, rounded once.
  Value fma(Value a, Value b, Value c);
  Value copySign(Value magnitude, Value sign);
  /// The sum of coefficients[i] x^i, by Horner's rule in fma.
  template <typename T, size_t n> Value polynomial(Value x, const T (&coefficients)[n]) {
    Value sum = constant(coefficients[n - 1]);
    for (size_t i = n - 1; i-- > 0;)
      sum = fma(sum, x, constant(coefficients[i]));
    return sum;
  }

  Value compare(mlir::arith::CmpFPredicate predicate, Value a, Value b);
  Value less(Value a, Value b) { return compare(mlir::arith::CmpFPredicate::OLT, a, b); }
  Value equal(Value a, Value b) { return compare(mlir::arith::CmpFPredicate::OEQ, a, b); }
  Value isNan(Value a) { return compare(mlir::arith::CmpFPredicate::UNO, a, a); }
  Value logicalAnd(Value a, Value b);
  Value select(Value condition, Value a, Value b);

  Value bits(Value a);
  Value fromBits(Value a);
  Value addInt(Value a, Value b);
  Value subInt(Value a, Value b);
  Value shiftLeft(Value a, int64_t count);
  /// Copies the sign in from the left.
  Value shiftRight(Value a, int64_t count);
  Value toFloat(Value integer);
  /// 2^n for an integer n in the range of normal numbers.
  Value powerOfTwo(Value n);

  Value extend(Value a);
  Value truncate(Value a);

private:
  mlir::Type withElement(mlir::Type newElement) const;
  Value splat(mlir::TypedAttr attr);

  mlir::ImplicitLocOpBuilder b;
  mlir::Type type;
  mlir::FloatType element;
};

// The functions, each as one fixed sequence. Bounds in ulp are stated and tested in
// test/unit/Target/CPU/MathTest.cpp.
mlir::Value buildExp(MathBuilder &m, mlir::Value x);
mlir::Value buildExp2(MathBuilder &m, mlir::Value x);
mlir::Value buildLog(MathBuilder &m, mlir::Value x);
mlir::Value buildTanh(MathBuilder &m, mlir::Value x);
mlir::Value buildErf(MathBuilder &m, mlir::Value x);
mlir::Value buildRsqrt(MathBuilder &m, mlir::Value x);

// These are for f64; f32 computes in it and rounds.
mlir::Value buildExpm1(MathBuilder &m, mlir::Value x);
mlir::Value buildLog2(MathBuilder &m, mlir::Value x);
mlir::Value buildLog10(MathBuilder &m, mlir::Value x);
mlir::Value buildLog1p(MathBuilder &m, mlir::Value x);
mlir::Value buildPow(MathBuilder &m, mlir::Value x, mlir::Value y);

// Parts of them.

/// exp(x + low), where `low` is null or no larger than an ulp of x.
mlir::Value buildExpOfSum(MathBuilder &m, mlir::Value x, mlir::Value low);

/// A positive number as 2^exponent * mantissa, the mantissa in [sqrt(1/2), sqrt(2)).
struct Decomposed {
  mlir::Value exponent, mantissa;
};
Decomposed decompose(MathBuilder &m, mlir::Value x);
/// `result` where x is positive and finite; what a logarithm is elsewhere.
mlir::Value selectLogarithm(MathBuilder &m, mlir::Value x, mlir::Value result);

} // namespace amp::cpu

#endif // AMP_LIB_TARGET_CPU_MATHBUILDER_H
