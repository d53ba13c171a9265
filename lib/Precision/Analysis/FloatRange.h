//===- FloatRange.h - the finite numbers that a value may hold -------------===//
#ifndef AMP_LIB_PRECISION_ANALYSIS_FLOATRANGE_H
#define AMP_LIB_PRECISION_ANALYSIS_FLOATRANGE_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>

namespace amp {

/// Bounds of the finite elements of a value. Infinities and NaNs are outside: they are of the same
/// class in every float type, so that they never decide whether a value fits one. A bound that is
/// infinite is not known.
///
/// Arithmetic is that of exact real intervals in f64, widened by what the value's own type may add
/// when it rounds. The element types are at most f32 wide where it matters, so that the f64
/// roundings of the bounds themselves are covered too.
class FloatRange {
public:
  /// Anything.
  FloatRange() = default;
  /// A lower bound beyond all finite numbers is the largest of them, and so for an upper one: no
  /// sum of bounds is infinity minus infinity.
  FloatRange(double low, double high)
      : low(std::min(low, std::numeric_limits<double>::max())),
        high(std::max(high, std::numeric_limits<double>::lowest())) {
    assert(low <= high && "bounds in order, and not NaN");
  }
  static FloatRange constant(double value) { return {value, value}; }
  /// The elements of a constant; anything if its data are absent or no numbers.
  static FloatRange of(mlir::Attribute constant);

  double getLow() const { return low; }
  double getHigh() const { return high; }
  /// The largest magnitude; infinite if unknown.
  double getMagnitude() const;
  bool isBounded() const;
  bool operator==(const FloatRange &other) const { return low == other.low && high == other.high; }

  /// Whether every number rounds to a finite one in `type`.
  bool fits(mlir::FloatType type) const;

  /// The smallest range with all numbers of both.
  FloatRange hull(const FloatRange &other) const;
  /// The numbers of both; this range if there are none.
  FloatRange intersect(const FloatRange &other) const;
  /// The range after rounding to nearest in `type`.
  FloatRange rounded(mlir::FloatType type) const;

  FloatRange operator-() const { return {-high, -low}; }
  FloatRange operator+(const FloatRange &other) const;
  FloatRange operator-(const FloatRange &other) const { return *this + -other; }
  FloatRange operator*(const FloatRange &other) const;
  /// Anything if the divisor may be zero.
  FloatRange operator/(const FloatRange &other) const;
  FloatRange abs() const;
  /// The range of a function that never decreases.
  FloatRange map(double (*function)(double)) const { return {function(low), function(high)}; }

  void print(llvm::raw_ostream &os) const;

private:
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

inline llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const FloatRange &range) {
  range.print(os);
  return os;
}

} // namespace amp

#endif // AMP_LIB_PRECISION_ANALYSIS_FLOATRANGE_H
