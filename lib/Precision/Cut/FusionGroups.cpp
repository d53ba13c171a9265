//===- FusionGroups.cpp - ops that become one pass over memory --------------===//

#include "FusionGroups.h"
#include "../Analysis/OpFacts.h"
#include "../GraphRoles.h"

using namespace mlir;
using namespace amp;

static bool isReduction(OpKind kind) {
  return kind >= OpKind::ReduceSum && kind <= OpKind::LogSoftmax;
}

/// The only op that reads the results of `op`; null if there are several or none.
Operation *FusionGroups::getOnlyReader(Operation *op) const {
  Operation *only = nullptr;
  bool isOnly = true;
  for (Value result : op->getResults())
    forEachUse(result, low, [&](OpOperand &use) {
      isOnly &= !only || only == use.getOwner();
      only = use.getOwner();
    });
  return isOnly ? only : nullptr;
}

FusionGroups::FusionGroups(ArrayRef<Operation *> ops, const OpModels &models, FloatType low)
    : low(low) {
  unsigned next = 1;
  // Nothing holds two contractions.
  llvm::DenseSet<unsigned> contracting;
  for (Operation *op : llvm::reverse(ops)) {
    const OpModel &model = models.get(op);
    if (!model || isHalfCast(op, low))
      continue;
    Operation *reader = getOnlyReader(op);
    OpKind kind = model.getKind();
    bool starts = isElementwise(kind) || model.getClass() == PrecisionClass::Allow;
    if (reader && starts && reader->getBlock() == op->getBlock()) {
      const OpModel &readerModel = models.get(reader);
      OpKind readerKind = readerModel.getKind();
      // A reduction reads what elementwise ops make; it does not fit behind a contraction.
      bool fits = readerModel.getClass() != PrecisionClass::Allow &&
                  (isElementwise(readerKind) ||
                   (isReduction(readerKind) && model.getClass() != PrecisionClass::Allow));
      bool isContraction = model.getClass() == PrecisionClass::Allow;
      unsigned other = groups.lookup(reader);
      if (fits && !(isContraction && contracting.contains(other)))
        groups[op] = other;
    }
    if (groups.lookup(op) == 0)
      groups[op] = next++;
    if (model.getClass() == PrecisionClass::Allow)
      contracting.insert(groups.lookup(op));
  }
}

bool FusionGroups::isInternal(Value value) const {
  Operation *op = value.getDefiningOp();
  unsigned group = op ? get(op) : 0;
  if (group == 0)
    return false;
  bool isInside = true;
  forEachUse(value, low, [&](OpOperand &use) { isInside &= get(use.getOwner()) == group; });
  return isInside;
}
