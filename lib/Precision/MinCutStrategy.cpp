//===- MinCutStrategy.cpp - the cheapest legal assignment --------------------===//

#include "MinCutStrategy.h"
#include "Analysis/OpFacts.h"
#include "CastPlacement.h"
#include "Cut/CostModel.h"
#include "Cut/FusionGroups.h"
#include "Rules.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace amp;

namespace {

/// A value, all casts of it to f32 and to the low type included.
struct ValueCopies {
  MinCut::Node home;  ///< 1 if the op that makes it is low.
  MinCut::Node made;  ///< 1 if it leaves that op low: a wide result (P12) never does.
  MinCut::Node low;   ///< 1 if a low copy exists.
  MinCut::Node noF32; ///< 1 if no f32 copy exists: the other way around, so that costs submodular.
  bool isInternal;    ///< Never in memory, or part of the program.
};

class MinCutStrategy {
public:
  explicit MinCutStrategy(const Graph &graph)
      : graph(graph), low(graph.settings.low),
        groups(graph.roles.getOps(), graph.classifier.getModels(), low), rules(graph),
        costs(*graph.settings.target, low, graph.settings.assumedSize) {}

  Assignment run();

private:
  const OpModel &getModel(Operation *op) const { return graph.classifier.getModel(op); }

  void labelOp(Operation *op);
  void labelDerived(Operation *op, Operation *forward);
  std::optional<Decision> decideLow(Operation *op) const;
  bool readsOnlyLeaves(Operation *op) const;
  void fix(Operation *op, Decision decision);
  void hold(Operation *op, Decision decision);
  void free(Operation *op) { labels[op] = cut.addVariable(); }

  MinCut::Node getHome(Value value);
  bool hasWideResult(Value value) const;
  ValueCopies &getCopies(Value value);
  void addCopyCosts(Value value, const ValueCopies &copies);
  std::optional<MinCut::Node> getWritten(Value value) const;
  std::optional<MinCut::Node> getDestinationRead(OpOperand &operand);
  std::optional<MinCut::Node> getRead(OpOperand &operand);
  void requireLow(Value value, MinCut::Node label);
  void requireLow(OpOperand &operand);
  void readBy(OpOperand &operand, MinCut::Node isLow);
  void addReads(Operation *op);
  bool placeCast(Operation *op);

  MinCut::Cost getWeight(Block *block);

  Decision decideFree(Operation *op, bool isLow) const;

  const Graph &graph;
  FloatType low;
  FusionGroups groups;
  Rules rules;
  CostModel costs;
  MinCut cut;
  llvm::DenseMap<Operation *, MinCut::Node> labels;
  llvm::DenseMap<Operation *, Decision> fixed;
  /// Clear ops that are low only if all their users read low, and else what is said here.
  llvm::DenseMap<Operation *, Decision> held;
  SmallVector<MinCut::Node> tieLabels;
  llvm::DenseMap<Value, ValueCopies> copies;
  llvm::DenseMap<Block *, MinCut::Cost> weights;
};

} // namespace

//===----------------------------------------------------------------------===//
// Labels
//===----------------------------------------------------------------------===//

void MinCutStrategy::fix(Operation *op, Decision decision) {
  labels[op] = decision.label == Decision::Low ? MinCut::kOne : MinCut::kZero;
  fixed[op] = std::move(decision);
}

/// Fixes an op, but for a cast that may move before it.
void MinCutStrategy::hold(Operation *op, Decision decision) {
  if (decision.label != Decision::F32 || !mayMoveCastBefore(op, graph))
    return fix(op, std::move(decision));
  held[op] = std::move(decision);
  free(op);
}

/// An op that is low already stays so.
std::optional<Decision> MinCutStrategy::decideLow(Operation *op) const {
  auto isLow = [&](Type type) { return getElementTypeOrSelf(type) == low; };
  bool givesLow = llvm::any_of(op->getResultTypes(), isLow);
  const OpModel &model = getModel(op);
  bool needsOneType = !model.readsMixedTypes() || model.getClass() == PrecisionClass::Allow;
  bool readsLow =
      needsOneType && llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
        return model.isNumber(operand.getOperandNumber()) && isLow(operand.get().getType());
      });
  if (!givesLow && !readsLow)
    return std::nullopt;
  return decideFree(op, /*isLow=*/true);
}

/// Rule P8: a backward op has its forward op's label, and so its variable.
void MinCutStrategy::labelDerived(Operation *op, Operation *forward) {
  if (auto decided = fixed.find(forward); decided != fixed.end())
    return fix(op, rules.followForward(op, forward, decided->second));
  if (std::optional<Decision> apart = rules.decideApart(op))
    return fix(op, *apart);
  labels[op] = labels.lookup(forward);
}

/// Arguments, variables and constants are no reason to leave f32: rounding them saves little and
/// may be most of what is lost.
bool MinCutStrategy::readsOnlyLeaves(Operation *op) const {
  return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    return !graph.isTypedNumber(operand) || graph.roles.getLeaf(operand.get());
  });
}

void MinCutStrategy::labelOp(Operation *op) {
  if (std::optional<Decision> first = rules.decideFirst(op))
    return fix(op, *first);
  if (Operation *forward = rules.getLeader(op); forward && labels.contains(forward))
    return labelDerived(op, forward);
  if (std::optional<Decision> decided = rules.decide(op))
    return hold(op, *decided);
  if (std::optional<Decision> decided = decideLow(op))
    return fix(op, *decided);
  Choice choice = graph.classifier.classify(op);
  if (choice.value != PrecisionClass::Allow) {
    if (std::optional<Decision> unfit = rules.decideUnfit(op))
      return hold(op, *unfit);
    if (choice.value != PrecisionClass::Clear && readsOnlyLeaves(op))
      return fix(op, makeDecision(Decision::F32, Decision::AsIs, "no operand is computed"));
  }
  free(op);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Whether the value is made low, as a node.
MinCut::Node MinCutStrategy::getHome(Value value) {
  if (getElementTypeOrSelf(value.getType()) == low)
    return MinCut::kOne;
  if (std::optional<unsigned> tie = graph.ties.lookup(value))
    return tieLabels[*tie];
  auto result = dyn_cast<OpResult>(value);
  if (!result || !labels.contains(result.getOwner()))
    return MinCut::kZero;
  auto decided = fixed.find(result.getOwner());
  bool isForced = decided != fixed.end() && decided->second.isForced;
  return graph.followsLabel(result, isForced) ? labels.lookup(result.getOwner()) : MinCut::kZero;
}

bool MinCutStrategy::hasWideResult(Value value) const {
  Operation *op = value.getDefiningOp();
  return op && labels.contains(op) && getModel(op).hasWideResult();
}

ValueCopies &MinCutStrategy::getCopies(Value value) {
  Value root = lookThroughCasts(value, low);
  auto [found, isNew] = copies.try_emplace(root);
  if (!isNew)
    return found->second;
  bool isConstant = root.getDefiningOp() && getConstantAttribute(root.getDefiningOp());
  MinCut::Node home = getHome(root);
  ValueCopies added{home, hasWideResult(root) ? MinCut::kZero : home, cut.addVariable(),
                    cut.addVariable(), isConstant || groups.isInternal(root)};
  cut.require(added.noF32, added.low);
  addCopyCosts(root, added);
  return copies[root] = added;
}

/// How often the block runs: once per trip of each loop around it.
MinCut::Cost MinCutStrategy::getWeight(Block *block) {
  Operation *parent = block->getParentOp();
  if (!parent || isa<FunctionOpInterface>(parent))
    return 1;
  auto known = weights.find(block);
  if (known != weights.end())
    return known->second;
  MinCut::Cost weight = parent->getBlock() ? getWeight(parent->getBlock()) : 1;
  auto loop = dyn_cast<LoopLikeOpInterface>(parent);
  if (loop || getKind(parent) == OpKind::Loop) {
    // What runs more often than this is all that counts anyway.
    constexpr int64_t kMost = 1 << 10;
    std::optional<APInt> trips = loop ? loop.getStaticTripCount() : std::nullopt;
    int64_t count = trips ? int64_t(trips->getLimitedValue(kMost)) : graph.settings.assumedTrips;
    weight = std::min(weight * std::max<int64_t>(count, 1), kMost);
  }
  return weights[block] = weight;
}

void MinCutStrategy::addCopyCosts(Value value, const ValueCopies &copies) {
  Operation *op = value.getDefiningOp();
  // Constants are rounded when the graph is made.
  if (op && getConstantAttribute(op))
    return;
  auto decided = fixed.find(op);
  bool isKept = decided != fixed.end() && decided->second.label == Decision::Keep;
  bool writesBoth = op && labels.contains(op) && !isKept && !graph.ties.lookup(value);
  Type type = value.getType();
  MinCut::Cost weight = getWeight(value.getParentBlock());
  if (writesBoth) {
    // A cast at no cost at all would be taken for nothing. That behind a wide result (P12) is part
    // of what a low contraction does.
    constexpr MinCut::Cost kCast = 1;
    cut.addIfOneAndZero(copies.low, copies.home, weight * kCast);
    cut.addIfOneAndZero(copies.made, copies.noF32, weight * kCast);
    if (copies.isInternal)
      return;
    cut.addIfOne(copies.low, weight * costs.getTraffic(type, /*isLow=*/true));
    cut.addIfZero(copies.noF32, weight * costs.getTraffic(type, /*isLow=*/false));
    return;
  }
  // The value is there in the type that it is made in; the other one takes a pass.
  cut.require(copies.made, copies.low);
  cut.require(copies.noF32, copies.made);
  cut.addIfOneAndZero(copies.low, copies.made,
                      weight * (costs.getCastPass(type, /*readsLow=*/false) +
                                costs.getTraffic(type, /*isLow=*/true)));
  cut.addIfOneAndZero(copies.made, copies.noF32,
                      weight * (costs.getCastPass(type, /*readsLow=*/true) +
                                costs.getTraffic(type, /*isLow=*/false)));
}

//===----------------------------------------------------------------------===//
// Reads
//===----------------------------------------------------------------------===//

/// Reads the low copy if `isLow` is 1, else the f32 copy.
void MinCutStrategy::readBy(OpOperand &operand, MinCut::Node isLow) {
  Value value = operand.get();
  ValueCopies &from = getCopies(value);
  cut.require(isLow, from.low);
  cut.require(from.noF32, isLow);
  if (from.isInternal)
    return;
  MinCut::Cost weight = getWeight(operand.getOwner()->getBlock());
  cut.addIfOne(isLow, weight * costs.getTraffic(value.getType(), /*isLow=*/true));
  cut.addIfZero(isLow, weight * costs.getTraffic(value.getType(), /*isLow=*/false));
}

/// The type that the value has now.
std::optional<MinCut::Node> MinCutStrategy::getWritten(Value value) const {
  if (getElementTypeOrSelf(value.getType()) == low)
    return MinCut::kOne;
  return isF32(value) ? std::optional(MinCut::kZero) : std::nullopt;
}

/// A destination has the type of its result; one of which only the shape is read is free.
std::optional<MinCut::Node> MinCutStrategy::getDestinationRead(OpOperand &operand) {
  Operation *op = operand.getOwner();
  unsigned first = op->getNumOperands() - op->getNumResults();
  if (operand.getOperandNumber() < first || operand.get().getDefiningOp<tensor::EmptyOp>() ||
      getModel(op).isUnreadDestination(operand.getOperandNumber()))
    return std::nullopt;
  Value result = op->getResult(operand.getOperandNumber() - first);
  return hasWideResult(result) ? MinCut::kZero : getHome(result);
}

/// The node that is 1 if `operand` is read low; none if nothing is read that counts.
std::optional<MinCut::Node> MinCutStrategy::getRead(OpOperand &operand) {
  Operation *op = operand.getOwner();
  Value value = operand.get();
  unsigned index = operand.getOperandNumber();
  if (std::optional<unsigned> tie = graph.ties.lookup(operand))
    return tieLabels[*tie];
  auto label = labels.find(op);
  if (label == labels.end())
    return getWritten(value);
  const OpModel &model = getModel(op);
  if (model.isDestination(index))
    return getDestinationRead(operand);
  auto decided = fixed.find(op);
  if (decided != fixed.end() && decided->second.label == Decision::Keep)
    return model.readsAnyType(index) ? std::nullopt : getWritten(value);
  if (!graph.isTypedNumber(operand))
    return model.isNumber(index) ? std::optional(getCopies(value).made) : std::nullopt;
  PrecisionClass ownClass = graph.classifier.classify(op).value;
  bool readsLabel = !model.readsMixedTypes() || ownClass == PrecisionClass::Allow ||
                    ownClass == PrecisionClass::Clear || ownClass == PrecisionClass::Deny;
  bool hasTwoTypes = graph.roles.getLeaf(value) || hasWideResult(lookThroughCasts(value, low));
  if (readsLabel || (hasTwoTypes && ownClass == PrecisionClass::Promote))
    return label->second;
  return getCopies(value).made;
}

/// Whoever has `label` is low only if `value` comes low, or is a leaf that can be cast.
void MinCutStrategy::requireLow(Value value, MinCut::Node label) {
  if (!graph.roles.getLeaf(value))
    cut.require(label, getCopies(value).home);
}

/// Only a contraction makes low what was computed in f32.
void MinCutStrategy::requireLow(OpOperand &operand) {
  Operation *op = operand.getOwner();
  if (std::optional<unsigned> tie = graph.ties.lookup(operand))
    return requireLow(operand.get(), tieLabels[*tie]);
  auto label = labels.find(op);
  if (label == labels.end() || fixed.contains(op) ||
      getModel(op).isDestination(operand.getOperandNumber()) || !graph.isTypedNumber(operand) ||
      graph.classifier.classify(op).value == PrecisionClass::Allow)
    return;
  if (!placeCast(op))
    requireLow(operand.get(), label->second);
}

void MinCutStrategy::addReads(Operation *op) {
  if (isHalfCast(op, low))
    return;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!hasFloatElements(operand.get().getType()))
      continue;
    if (std::optional<MinCut::Node> node = getRead(operand))
      readBy(operand, *node);
    requireLow(operand);
  }
  auto label = labels.find(op);
  if (label == labels.end())
    return;
  // Of a leaf that is only moved nobody is to read a rounded f32 copy.
  if (!fixed.contains(op) && getModel(op).getClass() == PrecisionClass::Clear &&
      op->getNumResults() == 1 && op->getNumOperands() != 0 && isF32(op->getOperand(0)) &&
      isF32(op->getResult(0)) && graph.roles.getLeaf(op->getOperand(0)))
    cut.require(label->second, getCopies(op->getResult(0)).noF32);
  if (getModel(op).getClass() != PrecisionClass::Allow)
    return;
  MinCut::Cost weight = getWeight(op->getBlock());
  cut.addIfOne(label->second, weight * costs.getArithmetic(op, /*isLow=*/true));
  cut.addIfZero(label->second, weight * costs.getArithmetic(op, /*isLow=*/false));
}

/// Rule P6: what only moves and is read low alone is low, the cast before it, whatever its operand
/// is. Returns whether that says when the op may be low.
bool MinCutStrategy::placeCast(Operation *op) {
  if (!mayMoveCastBefore(op, graph) || rules.getLeader(op))
    return false;
  Value result = op->getResult(0);
  MinCut::Node label = labels.lookup(op);
  SmallVector<MinCut::Node> reads;
  forEachUse(result, low, [&](OpOperand &use) {
    // Who reads what is there does not want it low.
    std::optional<MinCut::Node> node = getRead(use);
    reads.push_back(!node || *node == label ? MinCut::kZero : *node);
  });
  if (reads.empty())
    return false;
  SmallVector<MinCut::Literal> allLow = {{label, false}};
  for (MinCut::Node node : reads)
    allLow.push_back({node, true});
  cut.forbid(allLow);
  bool isLeaf = bool(graph.roles.getLeaf(op->getOperand(0)));
  if (isLeaf && !held.contains(op))
    return true;
  MinCut::Node home = held.contains(op) ? MinCut::kZero : getCopies(op->getOperand(0)).home;
  for (MinCut::Node node : reads)
    cut.forbid({{label, true}, {home, false}, {node, false}});
  return true;
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

/// What the label of an op that was free comes to.
Decision MinCutStrategy::decideFree(Operation *op, bool isLow) const {
  if (auto other = held.find(op); other != held.end())
    return isLow ? makeDecision(Decision::Low, Decision::Narrow, "all its users read low")
                 : other->second;
  if (graph.classifier.classify(op).value != PrecisionClass::Allow)
    return rules.followLabel(op, isLow, "cheapest so");
  return rules.followLabel(op, isLow, isLow ? "class allow" : "its casts cost more than it gains");
}

Assignment MinCutStrategy::run() {
  for (Operation *op : graph.roles.getOps())
    if (getModel(op) && !isHalfCast(op))
      labelOp(op);
  for (const Tie &tie : graph.ties.getTies())
    tieLabels.push_back(tie.isFixed || !rules.findUnfitRead(tie).empty() ? MinCut::kZero
                                                                         : cut.addVariable());
  for (Operation *op : graph.roles.getOps())
    addReads(op);
  llvm::BitVector ones = cut.solve();
  assert(!ones.empty() && "all in f32 is an assignment");

  Assignment result(graph);
  for (auto [number, label] : llvm::enumerate(tieLabels))
    if (ones.test(label))
      result.lowerTie(number);
  for (Operation *op : graph.roles.getOps()) {
    auto label = labels.find(op);
    if (label == labels.end())
      continue;
    Operation *forward = rules.getLeader(op);
    if (auto decided = fixed.find(op); decided != fixed.end())
      result.set(op, decided->second);
    else if (forward && labels.contains(forward))
      result.set(op, rules.followForward(op, forward, result.lookup(forward)));
    else
      result.set(op, decideFree(op, ones.test(label->second)));
  }
  return result;
}

Assignment amp::assignByCut(const Graph &graph) { return MinCutStrategy(graph).run(); }
