//===- Provenance.cpp - numbers that count or number something -------------===//

#include "Provenance.h"
#include "OpFacts.h"
#include "mlir/IR/TypeUtilities.h"
#include <cmath>

using namespace mlir;
using namespace amp;

/// Whether the op makes floats of integers or positions, or its scalar code does.
static bool isSource(Operation *op) {
  OpKind kind = getKind(op);
  if (kind == OpKind::Iota || kind == OpKind::IntToFloat)
    return true;
  if (kind == OpKind::FloatCast)
    return op->getNumOperands() == 1 &&
           isa<IntegerType, IndexType>(getElementTypeOrSelf(op->getOperand(0).getType()));
  if (getBodyKind(op) != BodyKind::Element)
    return false;
  return op
      ->walk([&](Operation *inner) {
        return inner != op && isSource(inner) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

Provenance::Provenance(ArrayRef<Operation *> ops, const OpModels &models, const Ties &ties,
                       const FloatRanges &ranges, FloatType low)
    : models(models), ties(ties), ranges(ranges),
      most(std::ldexp(1.0, int(low.getFPMantissaWidth()))) {
  if (llvm::none_of(ops, isSource))
    return;
  // What goes around a loop is seen when the loop is met again.
  bool changed;
  do {
    changed = false;
    for (Operation *op : ops)
      changed |= visit(op);
  } while (visitTies() || (changed && !ties.getTies().empty()));
}

bool Provenance::visit(Operation *op) {
  bool carries = isSource(op) || readsCount(op);
  if (!carries)
    return false;
  bool changed = false;
  for (Value result : op->getResults())
    if (hasFloatElements(result.getType()) && ranges.get(result).getMagnitude() > most)
      changed |= counts.insert(result).second;
  return changed;
}

bool Provenance::visitTies() {
  bool changed = false;
  for (const Tie &tie : ties.getTies()) {
    bool isCounted = llvm::any_of(tie.reads, [&](OpOperand *read) { return isCount(read->get()); });
    if (!isCounted)
      continue;
    for (Value value : tie.values)
      if (ranges.get(value).getMagnitude() > most)
        changed |= counts.insert(value).second;
  }
  return changed;
}

bool Provenance::readsCount(Operation *op) const {
  if (counts.empty())
    return false;
  // A cast reads all that there is.
  const OpModel &model = models.get(op);
  if (!model)
    return false;
  for (OpOperand &operand : op->getOpOperands()) {
    bool isNumber = model.isNumber(operand.getOperandNumber()) || getKind(op) == OpKind::FloatCast;
    if (isNumber && isCount(operand.get()))
      return true;
  }
  return false;
}
