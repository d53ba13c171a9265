//===- LocalStrategy.cpp - each op by its class and its operands ----------===//

#include "LocalStrategy.h"
#include "CastPlacement.h"
#include "Rules.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace amp;

namespace {

class LocalStrategy {
public:
  explicit LocalStrategy(const Graph &graph)
      : graph(graph), rules(graph), settings(graph.settings), classifier(graph.classifier),
        roles(graph.roles), ties(graph.ties), result(graph) {}

  Assignment run();

private:
  void decideAll();
  bool lowerClearOps();
  bool lowerTie(unsigned number);
  bool lowerTies();
  bool isLowOrLeaf(Value value) const;

  Decision decide(Operation *op) const;
  Decision decideByClass(Operation *op, const Choice &choice) const;
  Decision decideWholesale(Operation *op, const Choice &choice) const;
  Decision decideInternalF32(Operation *op) const;
  Decision decidePromote(Operation *op) const;
  Decision decideClear(Operation *op) const;

  const Graph &graph;
  Rules rules;
  const Settings &settings;
  const Classifier &classifier;
  const GraphRoles &roles;
  const Ties &ties;
  Assignment result;
  /// Clear ops on leaves that come low because all their users want that.
  llvm::DenseSet<Operation *> loweredClearOps;
};

} // namespace

//===----------------------------------------------------------------------===//
// One op
//===----------------------------------------------------------------------===//

/// From level O2 on, what no rule holds in f32 is low.
Decision LocalStrategy::decideWholesale(Operation *op, const Choice &choice) const {
  std::string unfit = rules.findUnfitOperand(op);
  if (!unfit.empty())
    return makeDecision(Decision::F32, Decision::AsIs, unfit);
  // The type of a clear op's result is that of its operand.
  bool isClear = choice.value == PrecisionClass::Clear;
  return makeDecision(Decision::Low, isClear ? Decision::Narrow : Decision::NarrowLeaves,
                      settings.level == Level::O2 ? "level O2" : "level O3");
}

/// Low if it reads something low and nothing in f32; a free operand decides nothing, nor does a
/// constant where types do not mix.
Decision LocalStrategy::decideInternalF32(Operation *op) const {
  bool readsLow = false, readsF32 = false;
  bool mixes = classifier.getModel(op).readsMixedTypes();
  for (OpOperand &operand : op->getOpOperands()) {
    if (!graph.isTypedNumber(operand))
      continue;
    if (result.isLow(operand.get()))
      readsLow = true;
    else if (mixes || !graph.roles.getLeaf(operand.get()))
      readsF32 = true;
  }
  if (readsLow && !readsF32)
    return makeDecision(Decision::Low, Decision::AsIs, "computes in f32, all it reads is low");
  return makeDecision(Decision::F32, Decision::AsIs, "computes in f32, reads f32");
}

Decision LocalStrategy::decidePromote(Operation *op) const {
  bool readsLow = false;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!graph.isTypedNumber(operand))
      continue;
    if (result.isLow(operand.get()))
      readsLow = true;
    else if (!graph.roles.getLeaf(operand.get()))
      return makeDecision(Decision::F32, Decision::AsIs,
                          "operand " + std::to_string(operand.getOperandNumber()) +
                              " is f32 and neither an argument, a variable nor a constant");
  }
  if (!readsLow)
    return makeDecision(Decision::F32, Decision::AsIs, "no operand is low");
  std::string unfit = rules.findUnfitOperand(op);
  if (!unfit.empty())
    return makeDecision(Decision::F32, Decision::AsIs, unfit);
  return makeDecision(Decision::Low, Decision::NarrowLeaves, "low operands and leaves");
}

Decision LocalStrategy::decideClear(Operation *op) const {
  if (op->getNumOperands() != 0 && result.isLow(op->getOperand(0)))
    return makeDecision(Decision::Low, Decision::AsIs, "keeps the type of its operand");
  return makeDecision(Decision::F32, Decision::AsIs, "keeps the type of its operand");
}

/// What the class of `op` says, where no rule says otherwise.
Decision LocalStrategy::decideByClass(Operation *op, const Choice &choice) const {
  if (choice.value == PrecisionClass::Allow)
    return makeDecision(Decision::Low, Decision::Narrow, choice.describe());
  if (settings.level != Level::O1 && !roles.isInLoss(op))
    return decideWholesale(op, choice);
  if (choice.value == PrecisionClass::InternalF32)
    return decideInternalF32(op);
  if (choice.value != PrecisionClass::Clear)
    return decidePromote(op);
  std::string unfit = rules.findUnfitOperand(op);
  if (!unfit.empty())
    return makeDecision(Decision::F32, Decision::AsIs, unfit);
  return decideClear(op);
}

Decision LocalStrategy::decide(Operation *op) const {
  // Whatever led to it: what was lowered stays low, or the search would not end.
  if (loweredClearOps.contains(op))
    return result.lookup(op);
  if (std::optional<Decision> first = rules.decideFirst(op))
    return *first;
  if (Operation *forward = rules.getLeader(op))
    return rules.followForward(op, forward, result.lookup(forward));
  std::optional<Decision> decided = rules.decide(op);
  Decision decision = decided ? *decided : decideByClass(op, classifier.classify(op));
  // An op that reads what there is and may not round its result has nothing low about it.
  if (decision.label == Decision::Low && decision.reads != Decision::Narrow &&
      !rules.mayLowerAnyResult(op))
    return makeDecision(Decision::F32, Decision::AsIs,
                        "its result is not bounded by its operands (P3)");
  return decision;
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

void LocalStrategy::decideAll() {
  llvm::DenseSet<unsigned> seen;
  for (Operation *op : roles.getOps()) {
    if (!classifier.getModel(op))
      continue;
    // What flows forward alone is known when its first reader is met.
    for (Value operand : op->getOperands())
      if (std::optional<unsigned> tie = ties.lookup(operand); tie && seen.insert(*tie).second)
        lowerTie(*tie);
    result.set(op, decide(op));
  }
}

bool LocalStrategy::lowerClearOps() {
  SmallVector<Operation *> lowered = moveCastsBeforeClearOps(graph, result);
  loweredClearOps.insert(lowered.begin(), lowered.end());
  return !lowered.empty();
}

bool LocalStrategy::isLowOrLeaf(Value value) const {
  return result.isLow(value) || graph.roles.getLeaf(value);
}

/// A tie is low if something low flows into it and nothing in f32 does. Whether it has changed.
bool LocalStrategy::lowerTie(unsigned number) {
  const Tie &tie = ties.getTies()[number];
  if (tie.isFixed || result.isTieLow(number))
    return false;
  auto isOf = [&](Value value) { return ties.lookup(value) == number; };
  bool readsLow = llvm::any_of(
      tie.reads, [&](OpOperand *read) { return !isOf(read->get()) && result.isLow(read->get()); });
  bool readsF32 = llvm::any_of(
      tie.reads, [&](OpOperand *read) { return !isOf(read->get()) && !isLowOrLeaf(read->get()); });
  if (!readsLow || readsF32 || !rules.findUnfitRead(tie).empty())
    return false;
  result.lowerTie(number);
  return true;
}

bool LocalStrategy::lowerTies() {
  bool changed = false;
  for (unsigned number = 0; number < ties.getTies().size(); ++number)
    changed |= lowerTie(number);
  return changed;
}

Assignment LocalStrategy::run() {
  do
    decideAll();
  while (lowerTies() || lowerClearOps());
  return std::move(result);
}

Assignment amp::assignLocally(const Graph &graph) { return LocalStrategy(graph).run(); }
