//===- FloatTransfer.cpp - the bounds of an op's result --------------------===//

#include "FloatTransfer.h"
#include "OpFacts.h"
#include "mlir/IR/TypeUtilities.h"
#include <cmath>

using namespace mlir;
using namespace amp;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The number that an attribute of the op holds; none if it has no such attribute.
static std::optional<double> getNumber(Operation *op, StringRef name) {
  auto number = dyn_cast_or_null<FloatAttr>(getNamedAttribute(op, name));
  if (!number)
    return std::nullopt;
  APFloat value = number.getValue();
  bool losesInfo;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
  return value.convertToDouble();
}

/// How many elements of the first operand go into one of the result; none if it is not known.
static std::optional<double> getReducedElements(Operation *op) {
  auto operand = dyn_cast<ShapedType>(op->getOperand(0).getType());
  if (!operand || !operand.hasRank())
    return std::nullopt;
  // The spellings of train and of TOSA.
  SmallVector<int64_t> axes;
  if (auto dimensions = dyn_cast_or_null<DenseI64ArrayAttr>(getNamedAttribute(op, "dimensions")))
    axes.assign(dimensions.asArrayRef().begin(), dimensions.asArrayRef().end());
  else if (auto axis = dyn_cast_or_null<IntegerAttr>(getNamedAttribute(op, "axis")))
    axes.push_back(axis.getInt());
  else
    return std::nullopt;
  double count = 1;
  for (int64_t axis : axes) {
    if (axis < 0 || axis >= operand.getRank() || operand.isDynamicDim(axis))
      return std::nullopt;
    count *= double(operand.getDimSize(axis));
  }
  return count;
}

/// A sum of `count` numbers, accumulated in f32: each addition may round once.
static FloatRange sum(const FloatRange &element, std::optional<double> count) {
  if (!count) {
    // Sums of numbers of one sign keep it.
    if (element.getLow() >= 0)
      return {0, kInfinity};
    return element.getHigh() <= 0 ? FloatRange(-kInfinity, 0) : FloatRange();
  }
  // (1 + 2^-24)^count < 1 + count 2^-23 as long as that is below 2.
  if (*count > 0x1p23)
    return {};
  FloatRange growth(1 - *count * 0x1p-23, 1 + *count * 0x1p-23);
  return element * FloatRange::constant(*count) * growth;
}

/// The positions along an axis of the result: 0, 1, ...; along any axis if none is named.
static FloatRange getPositions(Operation *op) {
  auto type = dyn_cast<ShapedType>(op->getResult(0).getType());
  auto axis = dyn_cast_or_null<IntegerAttr>(getNamedAttribute(op, "iota_dimension"));
  if (!type || !type.hasRank() || !axis || axis.getValue().uge(type.getRank()) ||
      type.isDynamicDim(axis.getValue().getZExtValue()))
    return {0, kInfinity};
  int64_t extent = type.getDimSize(axis.getValue().getZExtValue());
  return {0, double(std::max<int64_t>(extent - 1, 0))};
}

/// What an integer of the operand's type may be, as a float.
static FloatRange getIntegers(Operation *op) {
  auto type = dyn_cast<IntegerType>(getElementTypeOrSelf(op->getOperand(0).getType()));
  if (!type || type.getWidth() > 64)
    return {};
  StringRef name = op->getName().getStringRef();
  // StableHLO says it in the type: signless is signed, except for booleans.
  bool isUnsigned = type.isUnsigned() || type.getWidth() == 1 || name == "arith.uitofp";
  if (name == "arith.sitofp" && type.getWidth() == 1)
    return {-1, 0};
  double top = std::ldexp(1.0, int(type.getWidth()) - (isUnsigned ? 0 : 1));
  return {isUnsigned ? 0 : -top, top - (type.getWidth() <= 32 ? 1 : 0)};
}

/// The one number that lies between the other two.
static FloatRange clamp(Operation *op, ArrayRef<FloatRange> numbers) {
  auto within = [](const FloatRange &value, double low, double high) {
    return FloatRange(std::clamp(value.getLow(), low, high),
                      std::clamp(value.getHigh(), low, high));
  };
  if (numbers.size() == 1) {
    double low = getNumber(op, "min_val").value_or(-kInfinity);
    double high = getNumber(op, "max_val").value_or(kInfinity);
    return low <= high ? within(numbers[0], low, high) : FloatRange();
  }
  if (numbers.size() != 3)
    return {};
  // StableHLO has the lower bound first, math the value.
  bool valueIsFirst = op->getName().getStringRef() == "math.clampf";
  const FloatRange &value = numbers[valueIsFirst ? 0 : 1], &least = numbers[valueIsFirst ? 1 : 0];
  double low = least.getLow(), high = numbers[2].getHigh();
  return low <= high ? within(value, low, high) : FloatRange();
}

/// Functions of one number.
static std::optional<FloatRange> computeUnary(OpKind kind, const FloatRange &x, FloatType type) {
  auto map = [&](double (*function)(double)) { return x.map(function).rounded(type); };
  // A function with values between two constants, whatever its argument. Library functions round
  // into these bounds too.
  constexpr double halfPi = 0x1.921fb6p+0; // in f32
  switch (kind) {
  case OpKind::Neg:
    return -x;
  case OpKind::Abs:
    return x.abs();
  case OpKind::Sign:
    return FloatRange(x.getLow() >= 0 ? 0 : -1, x.getHigh() <= 0 ? 0 : 1);
  case OpKind::Round:
    return FloatRange(std::floor(x.getLow()), std::ceil(x.getHigh()));
  case OpKind::Relu:
    return FloatRange(std::max(x.getLow(), 0.0), std::max(x.getHigh(), 0.0));
  case OpKind::Gelu:
    // The least value is -0.17 at -0.75.
    return FloatRange(-0.18, std::max(x.getHigh(), 0.0));
  case OpKind::Exp:
    return map(std::exp).intersect({0, kInfinity});
  case OpKind::Exp2:
    return map(std::exp2).intersect({0, kInfinity});
  case OpKind::Expm1:
    return map(std::expm1).intersect({-1, kInfinity});
  case OpKind::Log:
  case OpKind::Log2:
  case OpKind::Log10:
    // Of the smallest and of the largest f32, to base 2: base e and 10 stay within.
    return type.getWidth() <= 32 ? FloatRange(-149, 128) : FloatRange();
  case OpKind::Sqrt:
    return FloatRange(std::sqrt(std::max(x.getLow(), 0.0)), std::sqrt(std::max(x.getHigh(), 0.0)))
        .rounded(type)
        .intersect({0, kInfinity});
  case OpKind::Cbrt:
    return map(std::cbrt);
  case OpKind::Rsqrt:
    return x.getLow() > 0
               ? FloatRange(1 / std::sqrt(x.getHigh()), 1 / std::sqrt(x.getLow())).rounded(type)
               : FloatRange(0, kInfinity);
  case OpKind::Reciprocal:
    return (FloatRange::constant(1) / x).rounded(type);
  case OpKind::Sin:
  case OpKind::Cos:
    return FloatRange(-1, 1);
  case OpKind::Asin:
  case OpKind::Atan:
    return FloatRange(-halfPi, halfPi);
  case OpKind::Acos:
    return FloatRange(0, 2 * halfPi);
  case OpKind::Tanh:
    return map(std::tanh).intersect({-1, 1});
  case OpKind::Erf:
    return map(std::erf).intersect({-1, 1});
  case OpKind::Erfc:
    return FloatRange(0, 2);
  case OpKind::Sigmoid:
  case OpKind::Softmax:
    return FloatRange(0, 1);
  case OpKind::LogSoftmax:
    return FloatRange(-kInfinity, 0);
  default:
    return std::nullopt;
  }
}

/// Functions of two numbers.
static std::optional<FloatRange> computeBinary(OpKind kind, const FloatRange &x,
                                               const FloatRange &y, FloatType type) {
  switch (kind) {
  case OpKind::Add:
    return (x + y).rounded(type);
  case OpKind::Sub:
    return (x - y).rounded(type);
  case OpKind::Mul:
    return (x * y).rounded(type);
  case OpKind::Div:
    return (x / y).rounded(type);
  case OpKind::Rem:
    return x.hull(FloatRange::constant(0));
  case OpKind::Max:
    return FloatRange(std::max(x.getLow(), y.getLow()), std::max(x.getHigh(), y.getHigh()));
  case OpKind::Min:
    return FloatRange(std::min(x.getLow(), y.getLow()), std::min(x.getHigh(), y.getHigh()));
  case OpKind::Atan2:
    return FloatRange(-0x1.921fb6p+1, 0x1.921fb6p+1);
  case OpKind::CopySign:
    return x.abs().hull(-x.abs());
  default:
    return std::nullopt;
  }
}

/// The hull of all numbers.
static FloatRange hullOf(ArrayRef<FloatRange> numbers) {
  FloatRange hull = numbers.front();
  for (const FloatRange &number : numbers.drop_front())
    hull = hull.hull(number);
  return hull;
}

/// Ops over many elements, or that move them.
static FloatRange computeOther(Operation *op, OpKind kind, ArrayRef<FloatRange> numbers,
                               FloatType type) {
  switch (kind) {
  case OpKind::Fma:
    return numbers.size() == 3 ? (numbers[0] * numbers[1] + numbers[2]).rounded(type)
                               : FloatRange();
  case OpKind::Clamp:
    return clamp(op, numbers);
  case OpKind::Select:
  case OpKind::Concat:
  case OpKind::Pad:
    return hullOf(numbers);
  case OpKind::Move:
  case OpKind::Gather:
    return numbers.front();
  case OpKind::ReduceMax:
  case OpKind::ReduceMin:
    // An initial value takes part.
    return hullOf(numbers);
  case OpKind::ReduceMean:
    return numbers.front().rounded(type);
  case OpKind::ReduceSum:
    return sum(numbers.front(), getReducedElements(op)).rounded(type);
  default:
    return {};
  }
}

FloatRange amp::computeRange(Operation *op, unsigned index, ArrayRef<FloatRange> numbers) {
  auto type = dyn_cast<FloatType>(getElementTypeOrSelf(op->getResult(index).getType()));
  if (!type)
    return {};
  if (Attribute constant = getConstantAttribute(op))
    return FloatRange::of(constant);
  OpKind kind = getKind(op);
  // Some dialects convert from integers and from floats by one op.
  if (kind == OpKind::FloatCast && op->getNumOperands() == 1 &&
      isa<IntegerType>(getElementTypeOrSelf(op->getOperand(0).getType())))
    kind = OpKind::IntToFloat;
  if (kind == OpKind::IntToFloat)
    return getIntegers(op).rounded(type);
  if (kind == OpKind::Iota)
    return getPositions(op).rounded(type);
  // Only the first result of an op like a sort or a normalisation is what the kind says.
  if (index != 0 || numbers.empty())
    return {};
  // Beside a number TOSA has zero points, which are zero for floats.
  if (kind == OpKind::Neg)
    numbers = numbers.take_front();
  if (kind == OpKind::FloatCast)
    return numbers.front().rounded(type);
  if (numbers.size() == 1)
    if (std::optional<FloatRange> range = computeUnary(kind, numbers.front(), type))
      return *range;
  if (numbers.size() == 2)
    if (std::optional<FloatRange> range = computeBinary(kind, numbers[0], numbers[1], type))
      return *range;
  return computeOther(op, kind, numbers, type);
}
