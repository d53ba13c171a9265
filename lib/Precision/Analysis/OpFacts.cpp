//===- OpFacts.cpp - what the analyses ask of an op, whatever its dialect --===//

#include "OpFacts.h"
#include "amp/Dialect/Amp/IR/Amp.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace amp;

OpKind amp::getKind(Operation *op) {
  if (isa<amp::CastOp>(op))
    return OpKind::FloatCast;
  if (auto model = dyn_cast<PrecisionOpInterface>(op))
    return model.getOpKind();
  const OpEntry *entry = lookupOpEntry(op->getName().getStringRef());
  return entry ? entry->kind : OpKind::Other;
}

SmallVector<unsigned> amp::getNumbers(Operation *op) {
  const OpEntry *entry = lookupOpEntry(op->getName().getStringRef());
  auto model = dyn_cast<PrecisionOpInterface>(op);
  if (!model && entry && entry->numbers)
    return *entry->numbers;
  SmallVector<unsigned> numbers;
  for (OpOperand &operand : op->getOpOperands()) {
    unsigned index = operand.getOperandNumber();
    if (model ? model.isNumericOperand(index) : hasFloatElements(operand.get().getType()))
      numbers.push_back(index);
  }
  return numbers;
}

bool amp::givesFloats(Operation *op) {
  return llvm::any_of(op->getResultTypes(), hasFloatElements);
}

bool amp::holdsFloats(Operation *op) {
  return givesFloats(op) || llvm::any_of(op->getOperandTypes(), hasFloatElements);
}

Value amp::lookThroughMoves(Value value) {
  // Longer chains are not worth the time, and some are cycles in blocks that nothing reaches.
  constexpr unsigned kMost = 64;
  for (unsigned count = 0; count < kMost; ++count) {
    Operation *op = value.getDefiningOp();
    OpKind kind = op ? getKind(op) : OpKind::Other;
    if (!op || (kind != OpKind::Move && kind != OpKind::FloatCast) || op->getNumOperands() == 0)
      break;
    value = op->getOperand(0);
  }
  return value;
}

bool amp::isElementwise(OpKind kind) {
  return (kind >= OpKind::Neg && kind <= OpKind::Select) || kind == OpKind::Move;
}

Attribute amp::getNamedAttribute(Operation *op, StringRef name) {
  if (Attribute attribute = op->getAttr(name))
    return attribute;
  auto properties = dyn_cast_or_null<DictionaryAttr>(op->getPropertiesAsAttribute());
  return properties ? properties.get(name) : Attribute();
}

Attribute amp::getConstantAttribute(Operation *op) {
  Attribute value;
  if (matchPattern(op, m_Constant(&value)))
    return value;
  // The spelling of StableHLO and CHLO, whose ops are not registered.
  return getKind(op) == OpKind::Constant ? getNamedAttribute(op, "value") : Attribute();
}

void amp::setNamedAttribute(Operation *op, StringRef name, Attribute value) {
  auto properties = dyn_cast_or_null<DictionaryAttr>(op->getPropertiesAsAttribute());
  if (op->isRegistered() || !properties || !properties.contains(name)) {
    op->setAttr(name, value);
    return;
  }
  NamedAttrList changed(properties);
  changed.set(name, value);
  // The properties of an op that is not registered are any attribute.
  (void)op->setPropertiesFromAttribute(changed.getDictionary(op->getContext()),
                                       /*emitError=*/nullptr);
}

void amp::replaceConstantAttribute(Operation *op, Attribute value) {
  // Dialects do not agree on the name.
  for (StringRef name : {"value", "values"})
    if (getNamedAttribute(op, name))
      return setNamedAttribute(op, name, value);
}
