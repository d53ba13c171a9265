//===- Provenance.cpp - numbers that count or number something -------------===//

#include "Provenance.h"
#include "OpFacts.h"
#include "mlir/IR/TypeUtilities.h"
#include <cmath>

using namespace mlir;
using namespace amp;

Provenance::Provenance(ArrayRef<Operation *> ops, const OpModels &models, const Ties &ties,
                       const FloatRanges &ranges, FloatType low)
    : models(models), ties(ties), ranges(ranges),
      most(std::ldexp(1.0, int(low.getFPMantissaWidth()))) {
  bool hasSource = llvm::any_of(ops, [](Operation *op) {
    OpKind kind = getKind(op);
    return kind == OpKind::Iota || kind == OpKind::IntToFloat || kind == OpKind::FloatCast;
  });
  if (!hasSource)
    return;
  // What goes around a loop is seen when the loop is met again.
  bool changed;
  do {
    changed = false;
    for (Operation *op : ops)
      changed |= visit(op);
  } while (visitTies() || (changed && !ties.getTies().empty()));
}

/// Whether the op makes floats of integers or positions.
static bool isSource(Operation *op) {
  OpKind kind = getKind(op);
  if (kind == OpKind::Iota || kind == OpKind::IntToFloat)
    return true;
  return kind == OpKind::FloatCast && op->getNumOperands() == 1 &&
         isa<IntegerType, IndexType>(getElementTypeOrSelf(op->getOperand(0).getType()));
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
  // A cast, and the scalar code of another op, reads all that there is.
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
