//===- Epsilons.cpp - small constants that keep a division finite ----------===//

#include "Epsilons.h"
#include "FloatRange.h"
#include "OpFacts.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace amp;

/// The value that `value` is, casts and moves aside.
static Value lookThroughMoves(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    OpKind kind = getKind(op);
    if ((kind != OpKind::Move && kind != OpKind::FloatCast) || op->getNumOperands() == 0)
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// The one number that a constant holds; zero for all else.
static double getSplat(Value value) {
  Operation *op = lookThroughMoves(value).getDefiningOp();
  Attribute constant = op ? getConstantAttribute(op) : Attribute();
  if (!constant)
    return 0;
  FloatRange range = FloatRange::of(constant);
  return range.isBounded() && range.getLow() == range.getHigh() ? range.getLow() : 0;
}

/// The operand whose pole the op has; none for other ops.
static std::optional<unsigned> getPole(Operation *op) {
  switch (getKind(op)) {
  case OpKind::Div:
    return 1;
  case OpKind::Rsqrt:
  case OpKind::Reciprocal:
  case OpKind::Log:
  case OpKind::Log2:
  case OpKind::Log10:
  case OpKind::Sqrt:
  case OpKind::Pow:
    return 0;
  default:
    return std::nullopt;
  }
}

llvm::DenseMap<Operation *, std::string> amp::findEpsilons(ArrayRef<Operation *> ops,
                                                           FloatType low) {
  double least = APFloat::getSmallestNormalized(low.getFloatSemantics()).convertToDouble();
  llvm::DenseMap<Operation *, std::string> found;
  for (Operation *op : ops) {
    std::optional<unsigned> pole = getPole(op);
    if (!pole || *pole >= op->getNumOperands())
      continue;
    Operation *carrier = lookThroughMoves(op->getOperand(*pole)).getDefiningOp();
    // The square root of a sum is often what is divided by, with the constant beneath it.
    if (carrier && getKind(carrier) == OpKind::Sqrt && found.contains(carrier))
      found[op] = found[carrier];
    if (!carrier || (getKind(carrier) != OpKind::Add && getKind(carrier) != OpKind::Max))
      continue;
    for (Value operand : carrier->getOperands()) {
      double number = getSplat(operand);
      if (number <= 0 || number >= least)
        continue;
      std::string reason = llvm::formatv(
          "{0} keeps a divisor from zero, and is below the smallest normal number (P2)",
          llvm::format("%g", number));
      found[carrier] = found[op] = reason;
    }
  }
  return found;
}
