//===- OpModel.cpp - how an op takes part in the assignment ----------------===//

#include "OpModel.h"
#include "BodyModel.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace amp;

bool amp::isF32Number(Type type) {
  return (type.isF32() || isa<RankedTensorType, VectorType>(type)) &&
         getElementTypeOrSelf(type).isF32();
}

bool amp::isHalf(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isF16() || element.isBF16();
}

//===----------------------------------------------------------------------===//
// One op
//===----------------------------------------------------------------------===//

OpModel::OpModel(Operation *op, const OpEntry *entry)
    : op(op), entry(entry), interface(dyn_cast<PrecisionOpInterface>(op)) {
  isKnown = interface || entry;
  if (interface) {
    precisionClass = interface.getPrecisionClass();
    kind = interface.getOpKind();
    mixed = true;
  } else if (entry) {
    precisionClass = entry->precisionClass;
    kind = entry->kind;
    reason = entry->why;
    if (llvm::any_of(op->getOperandTypes(), llvm::IsaPred<BaseMemRefType>)) {
      precisionClass = PrecisionClass::Keep;
      reason = "works on memory, whose elements keep their type";
      return;
    }
    readStructure(op);
  }
}

/// What the table cannot say: it depends on the op's body and attributes.
void OpModel::readStructure(Operation *op) {
  if (getBodyKind(op) == BodyKind::Element) {
    BodySummary body = summarizeBody(op, *entry);
    precisionClass = body.precisionClass;
    kind = body.kind;
    mixed = body.widensInside;
    fixedResult = body.hasF32Result;
    if (!body.reason.empty())
      reason = body.reason;
  }
  if (precisionClass == PrecisionClass::Allow) {
    wideResult = !entry->accumulator || !op->hasAttr(*entry->accumulator);
    fixedResult = wideResult;
  }
  // The types of its operands are that of its arithmetic.
  if (precisionClass == PrecisionClass::InternalF32 && !mixed && !entry->accumulator) {
    precisionClass = PrecisionClass::Deny;
    if (reason.empty())
      reason = "computes in f32";
  }
}

bool OpModel::isNumber(unsigned index) const {
  if (interface)
    return interface.isNumericOperand(index);
  if (!entry || !hasFloatElements(op->getOperand(index).getType()))
    return false;
  if (isDestination(index))
    return !fixedResult && readsDestination(index);
  return !entry->numbers || llvm::is_contained(*entry->numbers, index);
}

bool OpModel::readsAnyType(unsigned index) const {
  if (interface)
    return interface.readsAnyType(index);
  return entry && entry->numbers && entry->numbers->empty();
}

bool OpModel::readsDestination(unsigned index) const {
  auto linalgOp = cast<linalg::LinalgOp>(op);
  return op->getNumRegions() == 1 && linalgOp.payloadUsesValueFromOperand(&op->getOpOperand(index));
}

bool OpModel::isDestination(unsigned index) const {
  auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(op);
  return linalgOp && index >= linalgOp.getNumDpsInputs();
}

bool OpModel::mayLowerResult(unsigned index) const {
  if (interface)
    return interface.mayLowerResult(index);
  return entry && !entry->hasF32Result && (!fixedResult || wideResult);
}

bool OpModel::isResultFixed(unsigned index) const {
  return interface ? interface.isResultFixed(index) : fixedResult;
}

//===----------------------------------------------------------------------===//
// All ops
//===----------------------------------------------------------------------===//

const OpModel &OpModels::get(Operation *op) const {
  auto [model, isNew] = models.try_emplace(op);
  if (!isNew)
    return model->second;
  auto [entry, isNewName] = entries.try_emplace(op->getName());
  if (isNewName)
    entry->second = lookupOpEntry(op->getName().getStringRef());
  return model->second = OpModel(op, entry->second);
}
