//===- LocalStrategy.cpp - each op by its class and its operands ----------===//

#include "LocalStrategy.h"
#include "Constants.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace amp;

namespace {

class LocalStrategy {
public:
  LocalStrategy(const Settings &settings, const Classifier &classifier, const GraphRoles &roles,
                const FloatRanges &ranges)
      : settings(settings), classifier(classifier), roles(roles),
        result(settings.low, classifier, roles, ranges) {}

  Assignment run();

private:
  void decideAll();
  bool moveCastsBeforeClearOps();
  bool wantsLow(Value value) const;

  Decision decide(PrecisionOpInterface op) const;
  Decision decideForced(PrecisionOpInterface op, const Choice &choice) const;
  Decision decideByClass(PrecisionOpInterface op, const Choice &choice) const;
  Decision decideWholesale(PrecisionOpInterface op, const Choice &choice) const;
  Decision decideAllow(PrecisionOpInterface op, const Choice &choice) const;
  Decision decideInternalF32(PrecisionOpInterface op) const;
  Decision decidePromote(PrecisionOpInterface op) const;
  Decision decideClear(PrecisionOpInterface op) const;
  Decision followForward(PrecisionOpInterface op, const Choice &choice, Operation *forward) const;

  std::string findForeignType(PrecisionOpInterface op) const;
  std::string findUnfitOperand(PrecisionOpInterface op) const;

  const Settings &settings;
  const Classifier &classifier;
  const GraphRoles &roles;
  Assignment result;
  /// Clear ops on leaves that come low because all their users want that.
  llvm::DenseSet<Operation *> loweredClearOps;
};

} // namespace

static Decision make(Decision::Label label, Decision::Reads reads, std::string reason,
                     bool isForced = false) {
  Decision decision;
  decision.label = label;
  decision.reads = reads;
  decision.reason = std::move(reason);
  decision.isForced = isForced;
  return decision;
}

/// The first of the op's float types that this run does not deal with, in words; else empty.
std::string LocalStrategy::findForeignType(PrecisionOpInterface op) const {
  std::string text;
  auto check = [&](Type type, StringRef verb) {
    Type element = getElementTypeOrSelf(type);
    if (text.empty() && isa<FloatType>(element) && !element.isF32() && element != settings.low)
      llvm::raw_string_ostream(text) << verb << " " << element;
  };
  for (OpOperand &operand : op->getOpOperands())
    if (op.isNumericOperand(operand.getOperandNumber()))
      check(operand.get().getType(), "reads");
  for (Type type : op->getResultTypes())
    check(type, "gives");
  return text;
}

/// Rule P1: the first operand that is a constant which the low type cannot hold; else empty.
std::string LocalStrategy::findUnfitOperand(PrecisionOpInterface op) const {
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isTypedNumber(operand) || !isF32(operand.get()) || result.isLow(operand.get()))
      continue;
    Value leaf = getLeaf(operand.get(), classifier);
    std::string reason = leaf ? explainUnfitLeaf(leaf, settings.low) : std::string();
    if (!reason.empty())
      return reason + " (P1)";
  }
  return "";
}

//===----------------------------------------------------------------------===//
// One op
//===----------------------------------------------------------------------===//

Decision LocalStrategy::decideAllow(PrecisionOpInterface op, const Choice &choice) const {
  std::string unfit = findUnfitOperand(op);
  if (!unfit.empty())
    return make(Decision::F32, Decision::Written, unfit);
  return make(Decision::Low, Decision::Narrow, choice.describe());
}

/// The user's choice; says which rules it beats.
Decision LocalStrategy::decideForced(PrecisionOpInterface op, const Choice &choice) const {
  Decision decision = make(Decision::Low, Decision::Narrow, choice.describe(), true);
  bool mayLower = llvm::all_of(op->getOpResults(), [&](OpResult value) {
    unsigned index = value.getResultNumber();
    return result.mayLowerResult(op, index) || op.isResultFixed(index);
  });
  decision.overruled = findUnfitOperand(op);
  if (decision.overruled.empty() && (roles.isInLoss(op) || roles.feedsOnlyUpdate(op)))
    decision.overruled = "losses, weight gradients and updates are f32 (P5)";
  if (decision.overruled.empty() && !mayLower)
    decision.overruled = "its result leaves the op in f32 (P3, P5)";
  return decision;
}

/// From level O2 on, what no rule holds in f32 is low.
Decision LocalStrategy::decideWholesale(PrecisionOpInterface op, const Choice &choice) const {
  std::string unfit = findUnfitOperand(op);
  if (!unfit.empty())
    return make(Decision::F32, Decision::AsIs, unfit);
  // The type of a clear op's result is that of its operand.
  bool isClear = choice.value == PrecisionClass::Clear;
  return make(Decision::Low, isClear ? Decision::Narrow : Decision::NarrowLeaves,
              settings.level == Level::O2 ? "level O2" : "level O3");
}

/// Low if it reads something low and nothing in f32; a free operand decides nothing.
Decision LocalStrategy::decideInternalF32(PrecisionOpInterface op) const {
  bool readsLow = false, readsF32 = false;
  for (OpOperand &operand : op->getOpOperands())
    if (isTypedNumber(operand))
      (result.isLow(operand.get()) ? readsLow : readsF32) = true;
  if (readsLow && !readsF32)
    return make(Decision::Low, Decision::AsIs, "computes in f32, all it reads is low");
  return make(Decision::F32, Decision::AsIs, "computes in f32, reads f32");
}

Decision LocalStrategy::decidePromote(PrecisionOpInterface op) const {
  bool readsLow = false;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isTypedNumber(operand))
      continue;
    if (result.isLow(operand.get()))
      readsLow = true;
    else if (!getLeaf(operand.get(), classifier))
      return make(Decision::F32, Decision::AsIs,
                  "operand " + std::to_string(operand.getOperandNumber()) +
                      " is f32 and neither an argument, a variable nor a constant");
  }
  if (!readsLow)
    return make(Decision::F32, Decision::AsIs, "no operand is low");
  std::string unfit = findUnfitOperand(op);
  if (!unfit.empty())
    return make(Decision::F32, Decision::AsIs, unfit);
  return make(Decision::Low, Decision::NarrowLeaves, "low operands and leaves");
}

Decision LocalStrategy::decideClear(PrecisionOpInterface op) const {
  if (loweredClearOps.contains(op))
    return make(Decision::Low, Decision::Narrow, "all its users read low");
  if (op->getNumOperands() != 0 && result.isLow(op->getOperand(0)))
    return make(Decision::Low, Decision::AsIs, "keeps the type of its operand");
  return make(Decision::F32, Decision::AsIs, "keeps the type of its operand");
}

/// Rule P8: a backward op has its forward op's decision. Only a contraction needs its operands in
/// one type.
Decision LocalStrategy::followForward(PrecisionOpInterface op, const Choice &choice,
                                      Operation *forward) const {
  const Decision &decision = result.lookup(forward);
  std::string reason = "as its forward op '" + forward->getName().getStringRef().str() + "' (P8)";
  // Without the built-in tables the op's own class counts all the same: P8 is no choice.
  PrecisionClass ownClass =
      choice.value == PrecisionClass::Keep ? op.getPrecisionClass() : choice.value;
  bool castsOperands = ownClass == PrecisionClass::Allow || ownClass == PrecisionClass::Deny;
  if (ownClass == PrecisionClass::Keep)
    return make(Decision::Keep, Decision::Written, "class keep");
  switch (decision.label) {
  case Decision::Keep:
    return make(Decision::Keep, Decision::Written, reason);
  case Decision::F32:
    return make(Decision::F32, castsOperands ? Decision::Written : Decision::AsIs, reason);
  case Decision::Low:
    break;
  }
  if (ownClass == PrecisionClass::Deny && !decision.isForced)
    return make(Decision::F32, Decision::Written, choice.describe());
  if (!castsOperands && roles.feedsOnlyUpdate(op))
    return make(Decision::F32, Decision::AsIs, "feeds only the update (P5)");
  return make(Decision::Low, castsOperands ? Decision::Narrow : Decision::NarrowLeaves, reason,
              decision.isForced);
}

/// What the class of `op` says, where no rule says otherwise.
Decision LocalStrategy::decideByClass(PrecisionOpInterface op, const Choice &choice) const {
  bool isClear = choice.value == PrecisionClass::Clear;
  if (choice.value == PrecisionClass::Allow)
    return decideAllow(op, choice);
  if (choice.value == PrecisionClass::Deny)
    return make(Decision::F32, Decision::Written, choice.describe());
  if (roles.feedsOnlyUpdate(op))
    return make(Decision::F32, Decision::AsIs, "feeds only the update (P5)");
  if (isClear && op->getNumOperands() != 0 && isSeed(op->getOperand(0)))
    return make(Decision::F32, Decision::AsIs, "made from the gradient of the loss");
  if (roles.isInLoss(op) && !isClear)
    return make(Decision::F32, Decision::AsIs, "part of the loss (P5)");
  if (settings.level != Level::O1 && !roles.isInLoss(op))
    return decideWholesale(op, choice);
  if (choice.value == PrecisionClass::InternalF32)
    return decideInternalF32(op);
  return isClear ? decideClear(op) : decidePromote(op);
}

Decision LocalStrategy::decide(PrecisionOpInterface op) const {
  // Whatever led to it: what was lowered stays low, or the search would not end.
  if (loweredClearOps.contains(op))
    return decideClear(op);
  Choice choice = classifier.classify(op);
  bool isChosen = choice.source != Choice::Model;
  std::string foreign = findForeignType(op);
  if (!foreign.empty())
    return make(Decision::Keep, Decision::Written, foreign);
  if (choice.value == PrecisionClass::Keep && isChosen)
    return make(Decision::Keep, Decision::Written, choice.describe());
  Operation *forward = roles.getForwardOp(op);
  if (choice.source != Choice::Attribute && forward && isa<PrecisionOpInterface>(forward))
    return followForward(op, choice, forward);
  if (choice.value == PrecisionClass::Keep)
    return make(Decision::Keep, Decision::Written, choice.describe());
  Decision decision = choice.isForced ? decideForced(op, choice) : decideByClass(op, choice);
  // An op that reads what there is and may not round its result has nothing low about it.
  bool mayLower = llvm::any_of(op->getOpResults(), [&](OpResult value) {
    return result.mayLowerResult(op, value.getResultNumber());
  });
  if (decision.label == Decision::Low && decision.reads != Decision::Narrow && !mayLower)
    return make(Decision::F32, Decision::AsIs, "its result is not bounded by its operands (P3)");
  return decision;
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

void LocalStrategy::decideAll() {
  for (Operation *op : roles.getOps())
    if (auto model = dyn_cast<PrecisionOpInterface>(op))
      result.set(op, decide(model));
}

/// Whether every use of the f32 `value` reads it through a cast to the low type.
bool LocalStrategy::wantsLow(Value value) const {
  return !value.use_empty() && llvm::all_of(value.getUses(), [&](OpOperand &use) {
    auto cast = dyn_cast<CastOp>(use.getOwner());
    return cast ? result.isLow(cast.getResult()) : result.needsNarrowing(use);
  });
}

/// A reshape, transpose or broadcast of a leaf comes low if all its users want that: the cast moves
/// before it, where it touches no more elements. Whether any op changed.
bool LocalStrategy::moveCastsBeforeClearOps() {
  bool changed = false;
  for (Operation *op : llvm::reverse(roles.getOps())) {
    if (!isa<train::ReshapeOp, train::TransposeOp, train::BroadcastOp>(op) ||
        result.lookup(op).label != Decision::F32 || roles.feedsOnlyUpdate(op) ||
        classifier.classify(op).value != PrecisionClass::Clear || !isF32(op->getResult(0)))
      continue;
    // A backward op stays f32 with its forward op (P8), which the user may have marked.
    Operation *forward = roles.getForwardOp(op);
    if (forward && isa<PrecisionOpInterface>(forward) &&
        result.lookup(forward).label == Decision::F32)
      continue;
    if (!getLeaf(op->getOperand(0), classifier) || !wantsLow(op->getResult(0)))
      continue;
    changed |= loweredClearOps.insert(op).second;
    result.set(op, decideClear(cast<PrecisionOpInterface>(op)));
  }
  return changed;
}

Assignment LocalStrategy::run() {
  do
    decideAll();
  while (moveCastsBeforeClearOps());
  return std::move(result);
}

Assignment amp::assignLocally(const Settings &settings, const Classifier &classifier,
                              const GraphRoles &roles, const FloatRanges &ranges) {
  return LocalStrategy(settings, classifier, roles, ranges).run();
}
