//===- Classify.cpp - the class of an op, and who chose it ----------------===//

#include "Classify.h"

using namespace mlir;
using namespace amp;

std::string Choice::describe() const {
  if (source == Attribute)
    return "amp.precision";
  std::string text = ("class " + stringifyPrecisionClass(value)).str();
  return source == Policy ? text + " by the policy" : text;
}

Choice Classifier::classify(Operation *op) const {
  const OpModel &model = models.get(op);
  if (!model)
    return {};
  if (auto mark = op->getAttrOfType<StringAttr>(AmpDialect::kPrecisionAttr)) {
    if (mark == "keep")
      return {PrecisionClass::Keep, Choice::Attribute, false};
    if (mark == "f32")
      return {PrecisionClass::Deny, Choice::Attribute, false};
    return {PrecisionClass::Allow, Choice::Attribute, true};
  }
  PrecisionClass byModel = model.getClass();
  if (auto byPolicy = settings.policy.lookup(op->getName().getStringRef())) {
    bool isForced = *byPolicy == PrecisionClass::Allow && byModel != PrecisionClass::Allow;
    return {*byPolicy, Choice::Policy, isForced};
  }
  if (!settings.policy.usesTable(op->getName().getDialectNamespace()))
    return {};
  return {byModel, Choice::Model, false};
}

/// Fails unless the mark on `op` is one that this run can follow.
LogicalResult Classifier::verifyMark(Operation *op, Attribute mark) const {
  StringRef lowName = spellHalfType(settings.low);
  auto word = dyn_cast<StringAttr>(mark);
  if (!word || (word != "low" && word != "f32" && word != "keep" && word != lowName))
    return op->emitOpError("expects ")
           << AmpDialect::kPrecisionAttr << " to be \"low\", \"f32\", \"keep\" or, in this run, \""
           << lowName << "\" but got " << mark;
  bool hasChoice = models.get(op) && models.get(op).getClass() != PrecisionClass::Keep;
  if (hasChoice || word == "keep")
    return success();
  return op->emitOpError("has no precision that ")
         << AmpDialect::kPrecisionAttr << " could choose; only \"keep\" is possible here";
}

LogicalResult Classifier::verifyAttributes(Operation *root) const {
  bool isValid = true;
  root->walk([&](Operation *op) {
    if (Attribute mark = op->getAttr(AmpDialect::kPrecisionAttr))
      isValid &= succeeded(verifyMark(op, mark));
  });
  return success(isValid);
}
