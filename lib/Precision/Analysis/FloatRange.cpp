//===- FloatRange.cpp - the finite numbers that a value may hold -----------===//

#include "FloatRange.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/Format.h"
#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace amp;
using llvm::APFloat;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

static double toDouble(APFloat value) {
  bool losesInfo;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
  return value.convertToDouble();
}

/// The hull of the finite numbers among `values`, which `read` turns into doubles.
template <typename Values, typename Read>
static FloatRange hullOf(const Values &values, Read read) {
  double low = kInfinity, high = -kInfinity;
  for (const auto &value : values) {
    double number = read(value);
    if (!std::isfinite(number))
      continue;
    low = std::min(low, number);
    high = std::max(high, number);
  }
  // Nothing finite fits every type, as zero does.
  return low <= high ? FloatRange(low, high) : FloatRange::constant(0);
}

FloatRange FloatRange::of(Attribute constant) {
  if (auto number = dyn_cast<FloatAttr>(constant))
    return hullOf(ArrayRef<APFloat>(number.getValue()), toDouble);
  if (auto dense = dyn_cast<DenseElementsAttr>(constant)) {
    if (!isa<FloatType>(dense.getElementType()))
      return {};
    if (dense.isSplat())
      return hullOf(ArrayRef<APFloat>(dense.getSplatValue<APFloat>()), toDouble);
    if (dense.getElementType().isF32())
      return hullOf(dense.getValues<float>(), [](float value) { return double(value); });
    return hullOf(dense.getValues<APFloat>(), toDouble);
  }
  // Only the type that the pass assigns is worth a walk through a large blob.
  auto resource = dyn_cast<DenseF32ResourceElementsAttr>(constant);
  if (std::optional<ArrayRef<float>> data = resource ? resource.tryGetAsArrayRef() : std::nullopt)
    return hullOf(*data, [](float value) { return double(value); });
  return {};
}

double FloatRange::getMagnitude() const { return std::max(std::fabs(low), std::fabs(high)); }

bool FloatRange::isBounded() const { return std::isfinite(low) && std::isfinite(high); }

bool FloatRange::fits(FloatType type) const {
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  // Half a unit in the last place above the largest number, values round to infinity.
  double largest = toDouble(APFloat::getLargest(semantics));
  double unit =
      std::ldexp(1.0, std::ilogb(largest) + 1 - int(APFloat::semanticsPrecision(semantics)));
  return getMagnitude() < largest + unit / 2;
}

FloatRange FloatRange::hull(const FloatRange &other) const {
  return {std::min(low, other.low), std::max(high, other.high)};
}

FloatRange FloatRange::intersect(const FloatRange &other) const {
  double from = std::max(low, other.low), to = std::min(high, other.high);
  return from <= to ? FloatRange(from, to) : *this;
}

FloatRange FloatRange::rounded(FloatType type) const {
  // A number moves by at most half a unit in its last place, or half the smallest subnormal; twice
  // that covers the bounds' own roundings in f64.
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  double relative = std::ldexp(1.0, 1 - int(APFloat::semanticsPrecision(semantics)));
  double absolute = toDouble(APFloat::getSmallest(semantics));
  double largest = toDouble(APFloat::getLargest(semantics));
  auto away = [&](double bound, double sign) {
    if (bound == 0)
      return bound;
    double moved = bound + sign * (std::fabs(bound) * relative + absolute);
    // What rounds beyond the largest number is infinite, and outside.
    return std::fabs(moved) > largest ? sign * kInfinity : moved;
  };
  return {away(low, -1), away(high, 1)};
}

FloatRange FloatRange::operator+(const FloatRange &other) const {
  // Infinite bounds of one side never meet the opposite infinity: low bounds are never +inf.
  return {low + other.low, high + other.high};
}

/// A product of bounds, where an unknown bound times zero is zero: the numbers are finite.
static double multiplyBounds(double lhs, double rhs) {
  return lhs == 0 || rhs == 0 ? 0 : lhs * rhs;
}

FloatRange FloatRange::operator*(const FloatRange &other) const {
  auto [least, most] =
      std::minmax({multiplyBounds(low, other.low), multiplyBounds(low, other.high),
                   multiplyBounds(high, other.low), multiplyBounds(high, other.high)});
  return {least, most};
}

FloatRange FloatRange::operator/(const FloatRange &other) const {
  if (other.low <= 0 && other.high >= 0)
    return {};
  return *this * FloatRange(1 / other.high, 1 / other.low);
}

FloatRange FloatRange::abs() const {
  if (low >= 0)
    return *this;
  if (high <= 0)
    return -*this;
  return {0, std::max(-low, high)};
}

void FloatRange::print(llvm::raw_ostream &os) const {
  // A negative zero is zero.
  os << "[" << llvm::format("%g", low + 0.0) << ", " << llvm::format("%g", high + 0.0) << "]";
}
