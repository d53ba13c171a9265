//===- Epsilons.cpp - small constants that keep a division finite ----------===//

#include "Epsilons.h"
#include "../Model/OpModel.h"
#include "FloatRange.h"
#include "OpFacts.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace amp;

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

namespace {

class EpsilonFinder {
public:
  explicit EpsilonFinder(FloatType low)
      : least(APFloat::getSmallestNormalized(low.getFloatSemantics()).convertToDouble()) {}

  void visit(Operation *op);

  llvm::DenseMap<Operation *, std::string> found;

private:
  double getEpsilon(Operation *op) const;
  void hold(Operation *op, const std::string &reason) { found.try_emplace(op, reason); }

  double least;
};

} // namespace

/// The small positive constant that the op, or the scalar code in it, adds or takes the maximum
/// with; zero if there is none.
double EpsilonFinder::getEpsilon(Operation *op) const {
  double epsilon = 0;
  op->walk([&](Operation *inner) {
    if (getKind(inner) != OpKind::Add && getKind(inner) != OpKind::Max)
      return;
    for (Value operand : inner->getOperands()) {
      // An argument of a body is an element of an operand.
      auto argument = dyn_cast<BlockArgument>(operand);
      if (argument && argument.getOwner()->getParentOp() == op &&
          argument.getArgNumber() < op->getNumOperands())
        operand = op->getOperand(argument.getArgNumber());
      double number = getSplat(operand);
      if (number > 0 && number < least)
        epsilon = number;
    }
  });
  return epsilon;
}

void EpsilonFinder::visit(Operation *op) {
  SmallVector<Value> poles;
  if (std::optional<unsigned> pole = getPole(op); pole && *pole < op->getNumOperands())
    poles.push_back(op->getOperand(*pole));
  if (getBodyKind(op) == BodyKind::Element) {
    bool hasPole =
        op->walk([&](Operation *inner) {
            return inner != op && getPole(inner) ? WalkResult::interrupt() : WalkResult::advance();
          }).wasInterrupted();
    if (hasPole)
      llvm::append_range(poles, op->getOperands());
  }
  for (Value pole : poles) {
    Operation *carrier = lookThroughMoves(pole).getDefiningOp();
    if (!carrier)
      continue;
    // The square root of a sum is often what is divided by, with the constant beneath it.
    if (auto known = found.find(carrier);
        known != found.end() && getKind(carrier) == OpKind::Sqrt) {
      std::string reason = known->second;
      hold(op, reason);
    }
    double epsilon = getEpsilon(carrier);
    if (epsilon == 0)
      continue;
    std::string reason =
        llvm::formatv("{0} keeps a divisor from zero, and is below the smallest normal number (P2)",
                      llvm::format("%g", epsilon));
    hold(carrier, reason);
    hold(op, reason);
  }
}

llvm::DenseMap<Operation *, std::string> amp::findEpsilons(ArrayRef<Operation *> ops,
                                                           FloatType low) {
  EpsilonFinder finder(low);
  for (Operation *op : ops)
    finder.visit(op);
  return std::move(finder.found);
}
