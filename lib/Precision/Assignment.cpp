//===- Assignment.cpp - what was decided for the ops of a function --------===//

#include "Assignment.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace amp;

bool amp::isF32(Value value) { return getElementTypeOrSelf(value.getType()).isF32(); }

bool amp::isTypedNumber(OpOperand &operand) {
  auto model = dyn_cast<PrecisionOpInterface>(operand.getOwner());
  unsigned index = operand.getOperandNumber();
  if (!model || !model.isNumericOperand(index) || model.readsAnyType(index))
    return false;
  // Only a contraction needs all its operands in one type.
  return isContraction(model) || !isSeed(operand.get());
}

const Decision &Assignment::lookup(Operation *op) const {
  static const Decision keep;
  auto found = decisions.find(op);
  return found == decisions.end() ? keep : found->second;
}

void Assignment::set(Operation *op, Decision decision) {
  for (Value result : op->getResults())
    lowered.erase(result);
  if (decision.label == Decision::Low) {
    auto model = cast<PrecisionOpInterface>(op);
    bool isOwnChoice = decision.isForced && classifier.classify(op).isForced;
    bool staysF32 = roles.feedsOnlyUpdate(op) && !isOwnChoice;
    for (OpResult result : op->getResults()) {
      unsigned index = result.getResultNumber();
      bool mayLower = decision.isForced || mayLowerResult(model, index);
      if (isF32(result) && mayLower && !model.isResultFixed(index) && !staysF32)
        lowered.insert(result);
    }
  }
  decisions[op] = std::move(decision);
}

bool Assignment::mayLowerResult(PrecisionOpInterface op, unsigned index) const {
  if (op.mayLowerResult(index))
    return true;
  return op.getOpKind() == OpKind::ReduceSum && ranges.get(op->getResult(index)).fits(low);
}

bool Assignment::isLow(Value value) const {
  return getElementTypeOrSelf(value.getType()) == low || lowered.contains(value);
}

/// Whether the op was derived from one that reads the same value through a cast. It must see what
/// its forward op saw: the gradient of a maximum looks for the elements that equal it.
bool Assignment::forwardReadsLow(OpOperand &operand) const {
  Operation *forward = roles.getForwardOp(operand.getOwner());
  return forward && llvm::any_of(forward->getOpOperands(), [&](OpOperand &other) {
           return other.get() == operand.get() && needsNarrowing(other);
         });
}

bool Assignment::needsNarrowing(OpOperand &operand) const {
  const Decision &decision = lookup(operand.getOwner());
  if (decision.label == Decision::Keep || !isTypedNumber(operand) || !isF32(operand.get()) ||
      isLow(operand.get()))
    return false;
  switch (decision.reads) {
  case Decision::Written:
    return false;
  case Decision::AsIs:
    return forwardReadsLow(operand);
  case Decision::Narrow:
    return true;
  case Decision::NarrowLeaves:
    return getLeaf(operand.get(), classifier) || forwardReadsLow(operand);
  }
  llvm_unreachable("all cases return");
}

bool Assignment::needsWidening(OpOperand &operand) const {
  if (!lowered.contains(operand.get()))
    return false;
  const Decision &decision = lookup(operand.getOwner());
  if (decision.label == Decision::Keep)
    return !isa<CastOp>(operand.getOwner());
  return decision.reads == Decision::Written && isTypedNumber(operand);
}
