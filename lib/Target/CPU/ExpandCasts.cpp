//===- ExpandCasts.cpp - conversions to and arithmetic in half types ------===//

#include "amp/Target/CPU/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_CPUEXPANDCASTS
#include "amp/Target/CPU/Passes.h.inc"
} // namespace amp

static bool isHalf(Type type) { return isa<Float16Type, BFloat16Type>(getElementTypeOrSelf(type)); }
static bool isBF16(Type type) { return getElementTypeOrSelf(type).isBF16(); }

/// `type` with the element type `element`: a scalar, or a vector like `type`.
static Type withElement(Type type, Type element) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.clone(element);
  return element;
}

namespace {

/// Builds arithmetic on scalars and vectors alike.
class Emitter {
public:
  explicit Emitter(Operation *op) : b(op->getLoc(), op) {}

  Value constant(Type like, unsigned width, uint64_t value) {
    Type type = withElement(like, b.getIntegerType(width));
    APInt bits(width, value);
    TypedAttr attr = isa<VectorType>(type)
                         ? TypedAttr(DenseElementsAttr::get(cast<ShapedType>(type), bits))
                         : TypedAttr(b.getIntegerAttr(type, bits));
    return arith::ConstantOp::create(b, attr);
  }
  Value bitcast(Value value, Type element) {
    return arith::BitcastOp::create(b, withElement(value.getType(), element), value);
  }

  /// f32 (or f64) from a half type.
  Value widen(Value value, Type element);
  /// f32 or f64 rounded once to `element`, a half type.
  Value narrow(Value value, Type element);
  /// An integer rounded once to `element`, a half type.
  Value narrowInteger(Value value, bool isSigned, Type element);

  ImplicitLocOpBuilder b;

private:
  Value roundToBF16(Value value);
  /// f64 to f32, such that a second rounding to a narrower type equals one rounding from f64: an
  /// inexact result is the neighbour with an odd last bit.
  Value roundToOdd(Value value);
};

} // namespace

Value Emitter::widen(Value value, Type element) {
  if (isBF16(value.getType())) {
    Type type = value.getType();
    Value bits = arith::ExtUIOp::create(b, withElement(type, b.getI32Type()),
                                        bitcast(value, b.getI16Type()));
    bits = arith::ShLIOp::create(b, bits, constant(type, 32, 16));
    value = bitcast(bits, b.getF32Type());
    if (element.isF32())
      return value;
  }
  return arith::ExtFOp::create(b, withElement(value.getType(), element), value);
}

Value Emitter::roundToBF16(Value value) {
  Type type = value.getType();
  Value bits = bitcast(value, b.getI32Type());
  Value upper = arith::ShRUIOp::create(b, bits, constant(type, 32, 16));
  Value odd = arith::AndIOp::create(b, upper, constant(type, 32, 1));
  Value bias = arith::AddIOp::create(b, odd, constant(type, 32, 0x7fff));
  Value rounded =
      arith::ShRUIOp::create(b, arith::AddIOp::create(b, bits, bias), constant(type, 32, 16));
  Value quiet = arith::OrIOp::create(b, upper, constant(type, 32, 0x40));
  Value isNan = arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, value, value);
  bits = arith::SelectOp::create(b, isNan, quiet, rounded);
  bits = arith::TruncIOp::create(b, withElement(type, b.getI16Type()), bits);
  return bitcast(bits, b.getBF16Type());
}

Value Emitter::roundToOdd(Value value) {
  Type type = value.getType();
  Value nearest = arith::TruncFOp::create(b, withElement(type, b.getF32Type()), value);
  Value back = arith::ExtFOp::create(b, type, nearest);
  Value inexact = arith::CmpFOp::create(b, arith::CmpFPredicate::ONE, back, value);
  // Toward zero first: one step back where the magnitude grew.
  Type magnitude = withElement(type, b.getI64Type());
  Value mask = constant(type, 64, 0x7fffffffffffffff);
  Value exactBits = arith::AndIOp::create(b, bitcast(value, b.getI64Type()), mask);
  Value backBits = arith::AndIOp::create(b, bitcast(back, b.getI64Type()), mask);
  assert(exactBits.getType() == magnitude && "magnitudes are compared as integers");
  (void)magnitude;
  Value grew = arith::CmpIOp::create(b, arith::CmpIPredicate::ugt, backBits, exactBits);
  Value bits = bitcast(nearest, b.getI32Type());
  Value toZero = arith::SubIOp::create(
      b, bits, arith::ExtUIOp::create(b, withElement(type, b.getI32Type()), grew));
  Value toOdd = arith::OrIOp::create(b, toZero, constant(type, 32, 1));
  return bitcast(arith::SelectOp::create(b, inexact, toOdd, bits), b.getF32Type());
}

Value Emitter::narrow(Value value, Type element) {
  Type from = getElementTypeOrSelf(value.getType());
  if (element.isBF16())
    return roundToBF16(from.isF64() ? roundToOdd(value) : value);
  return arith::TruncFOp::create(b, withElement(value.getType(), element), value);
}

Value Emitter::narrowInteger(Value value, bool isSigned, Type element) {
  Type type = value.getType();
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  if (width > 53) {
    // f64 does not hold every such integer: what is below its last bit only has to say that
    // something is there.
    Value low = arith::AndIOp::create(b, value, constant(type, width, 0xfff));
    Value zero = constant(type, width, 0);
    Value any = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, low, zero);
    Value upper = arith::SubIOp::create(b, value, low);
    Value sticky = arith::SelectOp::create(b, any, constant(type, width, 0x800), zero);
    Value jammed = arith::OrIOp::create(b, upper, sticky);
    // Small magnitudes are exact as they are: -2^52 <= value < 2^52, or value < 2^52.
    Value shifted = value;
    uint64_t bound = uint64_t(1) << 52;
    if (isSigned) {
      shifted = arith::AddIOp::create(b, value, constant(type, width, bound));
      bound *= 2;
    }
    Value isSmall =
        arith::CmpIOp::create(b, arith::CmpIPredicate::ult, shifted, constant(type, width, bound));
    value = arith::SelectOp::create(b, isSmall, value, jammed);
  }
  // f32 holds 24 bits, f64 53.
  Type wide = withElement(type, width <= 24 ? Type(b.getF32Type()) : Type(b.getF64Type()));
  Value converted = isSigned ? arith::SIToFPOp::create(b, wide, value).getResult()
                             : arith::UIToFPOp::create(b, wide, value).getResult();
  return narrow(converted, element);
}

static bool hasHalf(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), isHalf) || llvm::any_of(op->getResultTypes(), isHalf);
}

static bool isSign(Operation *op) { return isa<arith::NegFOp, math::AbsFOp, math::CopySignOp>(op); }

/// Whether `op` computes with its operands, and does not only move them.
static bool isArithmetic(Operation *op) {
  return (op->hasTrait<OpTrait::Elementwise>() || isa<vector::FMAOp>(op)) &&
         !isa<arith::ExtFOp, arith::TruncFOp, arith::BitcastOp, arith::SelectOp>(op);
}

/// Negation, absolute value and copied signs of bf16, which need no arithmetic.
static Value expandSign(Operation *op) {
  Emitter emit(op);
  Type type = op->getResult(0).getType();
  Value bits = emit.bitcast(op->getOperand(0), emit.b.getI16Type());
  Value sign = emit.constant(type, 16, 0x8000), rest = emit.constant(type, 16, 0x7fff);
  if (isa<arith::NegFOp>(op)) {
    bits = arith::XOrIOp::create(emit.b, bits, sign);
  } else {
    bits = arith::AndIOp::create(emit.b, bits, rest);
    if (isa<math::CopySignOp>(op)) {
      Value from = emit.bitcast(op->getOperand(1), emit.b.getI16Type());
      bits = arith::OrIOp::create(emit.b, bits, arith::AndIOp::create(emit.b, from, sign));
    }
  }
  return emit.bitcast(bits, emit.b.getBF16Type());
}

/// Widens the half operands of `op` to f32, computes there, and rounds the results.
static void computeInF32(Operation *op) {
  Emitter emit(op);
  IRMapping mapping;
  for (Value operand : op->getOperands())
    if (isHalf(operand.getType()) && !mapping.contains(operand))
      mapping.map(operand, emit.widen(operand, emit.b.getF32Type()));
  Operation *wide = emit.b.clone(*op, mapping);
  SmallVector<Value> results;
  for (Value result : wide->getResults()) {
    Type type = result.getType();
    if (isHalf(type)) {
      result.setType(withElement(type, emit.b.getF32Type()));
      result = emit.narrow(result, getElementTypeOrSelf(type));
    }
    results.push_back(result);
  }
  op->replaceAllUsesWith(results);
  op->erase();
}

static void replace(Operation *op, Value value) {
  op->getResult(0).replaceAllUsesWith(value);
  op->erase();
}

static LogicalResult expandTruncation(arith::TruncFOp op) {
  Type element = getElementTypeOrSelf(op.getType());
  if (!isHalf(element))
    return success();
  if (auto mode = op.getRoundingmode(); mode && *mode != arith::RoundingMode::to_nearest_even)
    return op.emitOpError("rounds ")
           << stringifyRoundingMode(*mode) << " into " << element
           << ", which this target cannot; use to_nearest_even, the default";
  if (element.isBF16())
    replace(op, Emitter(op).narrow(op.getIn(), element));
  return success();
}

static LogicalResult expand(Operation *op) {
  if (auto truncation = dyn_cast<arith::TruncFOp>(op))
    return expandTruncation(truncation);
  if (auto extension = dyn_cast<arith::ExtFOp>(op)) {
    if (isBF16(extension.getIn().getType()))
      replace(op, Emitter(op).widen(extension.getIn(), getElementTypeOrSelf(op->getResult(0))));
    return success();
  }
  if (isa<arith::SIToFPOp, arith::UIToFPOp>(op) && isHalf(op->getResult(0).getType())) {
    replace(op, Emitter(op).narrowInteger(op->getOperand(0), isa<arith::SIToFPOp>(op),
                                          getElementTypeOrSelf(op->getResult(0))));
    return success();
  }
  if (!hasHalf(op))
    return success();
  if (isSign(op)) {
    // f16 has the operations.
    if (isBF16(op->getResult(0).getType()))
      replace(op, expandSign(op));
  } else if (isArithmetic(op)) {
    computeInF32(op);
  }
  return success();
}

namespace {

struct CpuExpandCasts : amp::impl::CpuExpandCastsBase<CpuExpandCasts> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa_and_nonnull<arith::ArithDialect, math::MathDialect, vector::VectorDialect>(
              op->getDialect()))
        ops.push_back(op);
    });
    for (Operation *op : ops)
      if (failed(expand(op)))
        return signalPassFailure();
  }
};

} // namespace
