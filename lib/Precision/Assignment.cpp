//===- Assignment.cpp - what was decided for the ops of a module -----------===//

#include "Assignment.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace amp;

bool amp::isF32(Value value) { return isF32Number(value.getType()); }

bool Graph::isTypedNumber(OpOperand &operand) const {
  const OpModel &model = classifier.getModel(operand.getOwner());
  unsigned index = operand.getOperandNumber();
  if (!model || !model.isNumber(index) || model.readsAnyType(index))
    return false;
  // Where types may not mix all operands must agree; the loss scale stays f32 elsewhere.
  return model.getClass() == PrecisionClass::Allow || !model.readsMixedTypes() ||
         !roles.isSeed(operand.get());
}

const Decision &Assignment::lookup(Operation *op) const {
  static const Decision keep;
  auto found = decisions.find(op);
  return found == decisions.end() ? keep : found->second;
}

void Assignment::set(Operation *op, Decision decision) {
  for (Value result : op->getResults()) {
    if (!graph.ties.lookup(result))
      lowered.erase(result);
    narrowed.erase(result);
  }
  const OpModel &model = graph.classifier.getModel(op);
  // An op that types may not mix in reads all its numbers in one.
  if (model && !model.readsMixedTypes() && decision.label != Decision::Keep)
    decision.reads = decision.label == Decision::Low ? Decision::Narrow : Decision::Written;
  if (decision.label == Decision::Low)
    for (OpResult result : op->getResults())
      if (isF32(result) && graph.followsLabel(result, decision.isForced))
        (model.hasWideResult() ? narrowed : lowered).insert(result);
  decisions[op] = std::move(decision);
}

void Assignment::lowerTie(unsigned tie) {
  loweredTies.insert(tie);
  for (Value value : graph.ties.getTies()[tie].values)
    lowered.insert(value);
}

bool Graph::mayLowerResult(Operation *op, unsigned index) const {
  const OpModel &model = classifier.getModel(op);
  if (model.mayLowerResult(index))
    return true;
  return model.readsMixedTypes() && model.getKind() == OpKind::ReduceSum &&
         ranges.get(op->getResult(index)).fits(settings.low);
}

bool Graph::followsLabel(OpResult result, bool isForced) const {
  Operation *op = result.getOwner();
  unsigned index = result.getResultNumber();
  const OpModel &model = classifier.getModel(op);
  if (model.isResultFixed(index) && !model.hasWideResult())
    return false;
  // What feeds only an update stays f32 but by a choice of its own.
  if (roles.feedsOnlyUpdate(op) && !(isForced && classifier.classify(op).isForced))
    return false;
  return isForced || mayLowerResult(op, index);
}

bool Assignment::isLowTyped(Value value) const {
  return getElementTypeOrSelf(value.getType()) == low || lowered.contains(value);
}

bool Assignment::isLow(Value value) const { return isLowTyped(value) || narrowed.contains(value); }

/// Whether the op was derived from one that reads the same value through a cast. It must see what
/// its forward op saw: the gradient of a maximum looks for the elements that equal it.
bool Assignment::forwardReadsLow(OpOperand &operand) const {
  Operation *forward = graph.roles.getForwardOp(operand.getOwner());
  return forward && llvm::any_of(forward->getOpOperands(), [&](OpOperand &other) {
           return other.get() == operand.get() && needsNarrowing(other);
         });
}

/// Whether the op is to read `operand`, which is f32 now or to become low, in the low type.
bool Assignment::wantsLow(OpOperand &operand) const {
  Operation *owner = operand.getOwner();
  if (std::optional<unsigned> tie = graph.ties.lookup(operand))
    return isTieLow(*tie);
  const OpModel &model = graph.classifier.getModel(owner);
  if (model.isDestination(operand.getOperandNumber())) {
    unsigned first = owner->getNumOperands() - owner->getNumResults();
    unsigned index = operand.getOperandNumber();
    return index >= first && isLowTyped(owner->getResult(index - first));
  }
  const Decision &decision = lookup(owner);
  if (decision.label == Decision::Keep || !graph.isTypedNumber(operand))
    return false;
  switch (decision.reads) {
  case Decision::Written:
    return false;
  case Decision::AsIs:
    return forwardReadsLow(operand);
  case Decision::Narrow:
    return true;
  case Decision::NarrowLeaves:
    return isLow(operand.get()) || graph.roles.getLeaf(operand.get()) || forwardReadsLow(operand);
  }
  llvm_unreachable("all cases return");
}

bool Assignment::needsNarrowing(OpOperand &operand) const {
  return isF32(operand.get()) && !lowered.contains(operand.get()) && wantsLow(operand);
}

bool Assignment::needsWidening(OpOperand &operand) const {
  if (!lowered.contains(operand.get()))
    return false;
  Operation *owner = operand.getOwner();
  unsigned index = operand.getOperandNumber();
  if (std::optional<unsigned> tie = graph.ties.lookup(operand))
    return !isTieLow(*tie);
  // What becomes a cast to its own type goes away.
  if (isa<CastOp>(owner) ||
      (isHalfCast(owner) && getElementTypeOrSelf(owner->getResult(0).getType()) == low))
    return false;
  const OpModel &model = graph.classifier.getModel(owner);
  const Decision &decision = lookup(owner);
  if (decision.label == Decision::Keep)
    return !model.readsAnyType(index);
  if (model.isDestination(index))
    return !wantsLow(operand);
  // Where types do not mix, what is no number keeps its type too.
  if (!model.isNumber(index))
    return !model.readsMixedTypes();
  return decision.reads == Decision::Written && graph.isTypedNumber(operand);
}
