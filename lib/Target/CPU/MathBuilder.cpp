//===- MathBuilder.cpp - IEEE arithmetic on scalars and vectors -----------===//

#include "MathBuilder.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace amp::cpu;

MathBuilder::MathBuilder(Operation *op, Type type)
    : b(op->getLoc(), op), type(type), element(cast<FloatType>(getElementTypeOrSelf(type))) {}

MathBuilder MathBuilder::inF64() const {
  MathBuilder wide(*this);
  wide.element = Float64Type::get(type.getContext());
  wide.type = withElement(wide.element);
  return wide;
}

Type MathBuilder::withElement(Type newElement) const {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.clone(newElement);
  return newElement;
}

Value MathBuilder::splat(TypedAttr attr) {
  if (auto vector = dyn_cast<VectorType>(type))
    attr = DenseElementsAttr::get(vector.clone(attr.getType()), attr);
  return arith::ConstantOp::create(b, attr);
}

Value MathBuilder::constant(double value) { return splat(b.getFloatAttr(element, value)); }
Value MathBuilder::infinity(bool negative) {
  return splat(b.getFloatAttr(element, APFloat::getInf(element.getFloatSemantics(), negative)));
}
Value MathBuilder::nan() {
  return splat(b.getFloatAttr(element, APFloat::getQNaN(element.getFloatSemantics())));
}
Value MathBuilder::integer(int64_t value) {
  return splat(b.getIntegerAttr(b.getIntegerType(element.getWidth()), value));
}

Value MathBuilder::add(Value a, Value c) { return arith::AddFOp::create(b, a, c); }
Value MathBuilder::sub(Value a, Value c) { return arith::SubFOp::create(b, a, c); }
Value MathBuilder::mul(Value a, Value c) { return arith::MulFOp::create(b, a, c); }
Value MathBuilder::div(Value a, Value c) { return arith::DivFOp::create(b, a, c); }
Value MathBuilder::neg(Value a) { return arith::NegFOp::create(b, a); }
Value MathBuilder::abs(Value a) { return math::AbsFOp::create(b, a); }
Value MathBuilder::sqrt(Value a) { return math::SqrtOp::create(b, a); }
Value MathBuilder::fma(Value a, Value c, Value d) { return math::FmaOp::create(b, a, c, d); }
Value MathBuilder::copySign(Value magnitude, Value sign) {
  return math::CopySignOp::create(b, magnitude, sign);
}

Value MathBuilder::compare(arith::CmpFPredicate predicate, Value a, Value c) {
  return arith::CmpFOp::create(b, predicate, a, c);
}
Value MathBuilder::logicalAnd(Value a, Value c) { return arith::AndIOp::create(b, a, c); }
Value MathBuilder::select(Value condition, Value a, Value c) {
  return arith::SelectOp::create(b, condition, a, c);
}

Value MathBuilder::bits(Value a) {
  return arith::BitcastOp::create(b, withElement(b.getIntegerType(element.getWidth())), a);
}
Value MathBuilder::fromBits(Value a) { return arith::BitcastOp::create(b, type, a); }
Value MathBuilder::addInt(Value a, Value c) { return arith::AddIOp::create(b, a, c); }
Value MathBuilder::subInt(Value a, Value c) { return arith::SubIOp::create(b, a, c); }
Value MathBuilder::shiftLeft(Value a, int64_t count) {
  return arith::ShLIOp::create(b, a, integer(count));
}
Value MathBuilder::shiftRight(Value a, int64_t count) {
  return arith::ShRSIOp::create(b, a, integer(count));
}
Value MathBuilder::toFloat(Value integer) { return arith::SIToFPOp::create(b, type, integer); }
Value MathBuilder::powerOfTwo(Value n) {
  return fromBits(shiftLeft(addInt(n, integer(bias())), fractionBits()));
}

Value MathBuilder::extend(Value a) { return arith::ExtFOp::create(b, type, a); }
Value MathBuilder::truncate(Value a) {
  return arith::TruncFOp::create(b, withElement(b.getF32Type()), a);
}
