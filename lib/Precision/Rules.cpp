//===- Rules.cpp - what no strategy is free to choose ------------------------===//

#include "Rules.h"
#include "Analysis/OpFacts.h"
#include "Constants.h"
#include "Cut/CostModel.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace amp;

Decision amp::makeDecision(Decision::Label label, Decision::Reads reads, std::string reason,
                           bool isForced) {
  Decision decision;
  decision.label = label;
  decision.reads = reads;
  decision.reason = std::move(reason);
  decision.isForced = isForced;
  return decision;
}

/// The first of the op's float types that this run does not deal with, in words; else empty.
std::string Rules::findForeignType(Operation *op) const {
  std::string text;
  auto check = [&](Type type, StringRef verb) {
    Type element = getElementTypeOrSelf(type);
    bool isDealtWith = isF32Number(type) || element == graph.settings.low;
    if (text.empty() && isa<FloatType>(element) && !isDealtWith)
      llvm::raw_string_ostream(text) << verb << " " << (element.isF32() ? type : element);
  };
  for (OpOperand &operand : op->getOpOperands())
    if (graph.classifier.getModel(op).isNumber(operand.getOperandNumber()))
      check(operand.get().getType(), "reads");
  for (Type type : op->getResultTypes())
    check(type, "gives");
  return text;
}

/// Whether the operand only says how far numbers may go: a bound of a clamp, or where a maximum or
/// minimum begins.
static bool isBound(OpOperand &operand, OpKind kind) {
  Operation *op = operand.getOwner();
  unsigned index = operand.getOperandNumber();
  switch (kind) {
  case OpKind::Clamp:
    return index != (op->getName().getStringRef() == "math.clampf" ? 0u : 1u);
  case OpKind::ReduceMax:
  case OpKind::ReduceMin:
    return op->getNumOperands() > 1 && index >= op->getNumOperands() / 2;
  default:
    return false;
  }
}

/// Whether the attribute is the largest or least finite f32: a bound that bounds nothing, which
/// becomes infinite in the low type.
static bool isUnbounded(Attribute value) {
  FloatRange range = FloatRange::of(value);
  return range.getLow() == range.getHigh() &&
         range.getMagnitude() == double(std::numeric_limits<float>::max());
}

/// The bounds that are attributes of the op.
static std::string findUnfitAttribute(Operation *op, FloatType low) {
  auto clamp = dyn_cast<tosa::ClampOp>(op);
  if (!clamp)
    return "";
  for (Attribute bound : {clamp.getMinVal(), clamp.getMaxVal()}) {
    std::string reason = isUnbounded(bound) ? "" : explainUnfitConstant(bound, low);
    if (!reason.empty())
      return "its bound " + reason + " (P1)";
  }
  return "";
}

/// The constants in a body that is made low, and those that it reads from outside.
std::string Rules::findUnfitInBody(Operation *op) const {
  if (getBodyKind(op) != BodyKind::Element)
    return "";
  std::string found;
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands()) {
      Operation *constant = inner == op ? nullptr : operand.getDefiningOp();
      Attribute value = constant ? getConstantAttribute(constant) : Attribute();
      if (found.empty() && value && isF32(operand))
        found = explainUnfitConstant(value, graph.settings.low);
    }
  });
  return found.empty() ? found : "in its body " + found + " (P1)";
}

std::string Rules::findUnfitRead(const Tie &tie) const {
  for (OpOperand *read : tie.reads)
    if (Value leaf = graph.roles.getLeaf(read->get())) {
      std::string reason = explainUnfitLeaf(leaf, graph.settings.low);
      if (!reason.empty())
        return reason + " (P1)";
    }
  return "";
}

std::string Rules::findUnfitOperand(Operation *op) const {
  for (const std::string &reason :
       {findUnfitAttribute(op, graph.settings.low), findUnfitInBody(op)})
    if (!reason.empty())
      return reason;
  OpKind kind = graph.classifier.getModel(op).getKind();
  for (OpOperand &operand : op->getOpOperands()) {
    if (!graph.isTypedNumber(operand) || !isF32(operand.get()))
      continue;
    Value leaf = graph.roles.getLeaf(operand.get());
    Operation *constant = leaf ? leaf.getDefiningOp() : nullptr;
    if (constant && isBound(operand, kind) && getConstantAttribute(constant) &&
        isUnbounded(getConstantAttribute(constant)))
      continue;
    std::string reason = leaf ? explainUnfitLeaf(leaf, graph.settings.low) : std::string();
    if (!reason.empty())
      return reason + " (P1)";
  }
  return "";
}

bool Rules::mayLowerAnyResult(Operation *op) const {
  return llvm::any_of(op->getOpResults(), [&](OpResult value) {
    return graph.mayLowerResult(op, value.getResultNumber());
  });
}

std::optional<Decision> Rules::decideUnfit(Operation *op) const {
  std::string reason = mayLowerAnyResult(op) ? findUnfitOperand(op)
                                             : "its result is not bounded by its operands (P3)";
  if (reason.empty())
    return std::nullopt;
  return makeDecision(Decision::F32, Decision::AsIs, reason);
}

/// Whether the op is a gather or a slice of an argument, variable or constant: what it gives is
/// cast, which is less.
bool Rules::readsPartOfLeaf(Operation *op) const {
  OpKind kind = graph.classifier.getModel(op).getKind();
  if ((kind != OpKind::Move && kind != OpKind::Gather) || op->getNumOperands() == 0 ||
      op->getNumResults() != 1 || !isF32(op->getOperand(0)))
    return false;
  int64_t size = graph.settings.assumedSize;
  return countElements(op->getResult(0).getType(), size) <
             countElements(op->getOperand(0).getType(), size) &&
         graph.roles.getLeaf(op->getOperand(0));
}

/// The user's choice; says which rules it beats.
Decision Rules::decideForced(Operation *op, const Choice &choice) const {
  Decision decision = makeDecision(Decision::Low, Decision::Narrow, choice.describe(), true);
  bool mayLower = llvm::all_of(op->getOpResults(), [&](OpResult value) {
    unsigned index = value.getResultNumber();
    return graph.mayLowerResult(op, index) || graph.classifier.getModel(op).isResultFixed(index);
  });
  decision.overruled = findUnfitOperand(op);
  if (decision.overruled.empty())
    decision.overruled = graph.epsilons.lookup(op);
  if (decision.overruled.empty() && (graph.roles.isInLoss(op) || graph.roles.feedsOnlyUpdate(op)))
    decision.overruled = "losses, weight gradients and updates are f32 (P5)";
  if (decision.overruled.empty() && !mayLower)
    decision.overruled = "its result leaves the op in f32 (P3, P5)";
  return decision;
}

std::optional<Decision> Rules::decideFirst(Operation *op) const {
  Choice choice = graph.classifier.classify(op);
  std::string foreign = findForeignType(op);
  if (!foreign.empty())
    return makeDecision(Decision::Keep, Decision::Written, foreign);
  if (choice.value == PrecisionClass::Keep && choice.source != Choice::Model)
    return makeDecision(Decision::Keep, Decision::Written, choice.describe());
  if (graph.provenance.readsCount(op))
    return makeDecision(Decision::F32, Decision::AsIs,
                        "computes with positions or large integers (P4)");
  return std::nullopt;
}

std::optional<Decision> Rules::decide(Operation *op) const {
  if (std::optional<Decision> first = decideFirst(op))
    return first;
  Choice choice = graph.classifier.classify(op);
  if (choice.value == PrecisionClass::Keep)
    return makeDecision(Decision::Keep, Decision::Written, choice.describe());
  if (choice.isForced)
    return decideForced(op, choice);
  if (auto held = graph.epsilons.find(op); held != graph.epsilons.end())
    return makeDecision(Decision::F32, Decision::AsIs, held->second);
  if (choice.value == PrecisionClass::Deny) {
    StringRef why = graph.classifier.getModel(op).getReason();
    bool isOwn = choice.source == Choice::Model && !why.empty();
    return makeDecision(Decision::F32, Decision::Written,
                        choice.describe() + (isOwn ? (": " + why).str() : std::string()));
  }
  if (choice.value == PrecisionClass::Allow) {
    std::string unfit = findUnfitOperand(op);
    if (unfit.empty())
      return std::nullopt;
    return makeDecision(Decision::F32, Decision::Written, unfit);
  }
  if (graph.roles.feedsOnlyUpdate(op))
    return makeDecision(Decision::F32, Decision::AsIs, "feeds only the update (P5)");
  bool isClear = choice.value == PrecisionClass::Clear;
  if (isClear && readsPartOfLeaf(op))
    return makeDecision(Decision::F32, Decision::AsIs, "reads a part of what would be cast (P6)");
  if (isClear && op->getNumOperands() != 0 && graph.roles.isSeed(op->getOperand(0)))
    return makeDecision(Decision::F32, Decision::AsIs, "made from the gradient of the loss");
  // What can only move and reads low may stay low; where types do not mix it would be a cast more.
  bool mixes = graph.classifier.getModel(op).readsMixedTypes();
  if (graph.roles.isInLoss(op) && (!isClear || !mixes))
    return makeDecision(Decision::F32, Decision::AsIs, "part of the loss (P5)");
  return std::nullopt;
}

Decision Rules::followLabel(Operation *op, bool isLow, StringRef reason) const {
  PrecisionClass ownClass = graph.classifier.classify(op).value;
  bool casts = ownClass == PrecisionClass::Allow || ownClass == PrecisionClass::Clear;
  if (!isLow)
    return makeDecision(Decision::F32, casts ? Decision::Written : Decision::AsIs, reason.str());
  Decision::Reads asMade =
      ownClass == PrecisionClass::InternalF32 ? Decision::AsIs : Decision::NarrowLeaves;
  return makeDecision(Decision::Low, casts ? Decision::Narrow : asMade, reason.str());
}

//===----------------------------------------------------------------------===//
// Backward ops
//===----------------------------------------------------------------------===//

Operation *Rules::getLeader(Operation *op) const {
  Operation *forward = graph.roles.getForwardOp(op);
  bool isMarked = graph.classifier.classify(op).source == Choice::Attribute;
  return forward && !isMarked && graph.classifier.getModel(forward) ? forward : nullptr;
}

PrecisionClass Rules::getOwnClass(Operation *op) const {
  PrecisionClass chosen = graph.classifier.classify(op).value;
  return chosen == PrecisionClass::Keep ? graph.classifier.getModel(op).getClass() : chosen;
}

/// Only what needs its operands in one type, or wants them in f32, has them cast.
static bool castsOperands(PrecisionClass value) {
  return value == PrecisionClass::Allow || value == PrecisionClass::Deny;
}

std::optional<Decision> Rules::decideApart(Operation *op) const {
  PrecisionClass ownClass = getOwnClass(op);
  if (ownClass == PrecisionClass::Keep)
    return makeDecision(Decision::Keep, Decision::Written, "class keep");
  if (ownClass == PrecisionClass::Deny)
    return makeDecision(Decision::F32, Decision::Written, graph.classifier.classify(op).describe());
  if (!castsOperands(ownClass) && graph.roles.feedsOnlyUpdate(op))
    return makeDecision(Decision::F32, Decision::AsIs, "feeds only the update (P5)");
  return std::nullopt;
}

Decision Rules::followForward(Operation *op, Operation *forward, const Decision &decision) const {
  std::string reason = "as its forward op '" + forward->getName().getStringRef().str() + "' (P8)";
  PrecisionClass ownClass = getOwnClass(op);
  bool casts = castsOperands(ownClass);
  if (ownClass == PrecisionClass::Keep)
    return makeDecision(Decision::Keep, Decision::Written, "class keep");
  if (decision.label == Decision::Keep)
    return makeDecision(Decision::Keep, Decision::Written, reason);
  if (decision.label == Decision::F32)
    return makeDecision(Decision::F32, casts ? Decision::Written : Decision::AsIs, reason);
  std::optional<Decision> apart = decideApart(op);
  if (apart && !(ownClass == PrecisionClass::Deny && decision.isForced))
    return *apart;
  return makeDecision(Decision::Low, casts ? Decision::Narrow : Decision::NarrowLeaves, reason,
                      decision.isForced);
}
