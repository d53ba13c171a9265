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
  MinCut::Node home;  ///< 1 if it is made low.
  MinCut::Node low;   ///< 1 if a low copy exists.
  MinCut::Node noF32; ///< 1 if no f32 copy exists: the other way around, so that costs submodular.
  bool isInternal;    ///< Never in memory, or part of the program.
};

class MinCutStrategy {
public:
  MinCutStrategy(const Graph &graph, const FusionGroups &groups,
                 const llvm::SetVector<Operation *> &moved)
      : graph(graph), groups(groups), moved(moved), low(graph.settings.low), rules(graph),
        costs(*graph.settings.target, low, graph.settings.assumedSize) {}

  Assignment run();

private:
  const OpModel &getModel(Operation *op) const { return graph.classifier.getModel(op); }

  void labelOp(Operation *op);
  void labelDerived(Operation *op, Operation *forward);
  std::optional<Decision> decideLow(Operation *op) const;
  bool readsOnlyLeaves(Operation *op) const;
  void fix(Operation *op, Decision decision);
  void free(Operation *op) { labels[op] = cut.addVariable(); }

  MinCut::Node getHome(Value value);
  ValueCopies &getCopies(Value value);
  void addCopyCosts(Value value, const ValueCopies &copies);
  void addReads(Operation *op);
  void addRead(OpOperand &operand, MinCut::Node label);
  void addDestination(OpOperand &operand);
  void requireLow(Value value, MinCut::Node label);
  void readByLabel(Value value, MinCut::Node label, Operation *reader);
  void readAsMade(Value value, Operation *reader);
  void readWritten(Value value, Operation *reader);

  MinCut::Cost getWeight(Block *block);

  Decision decideFree(Operation *op, bool isLow) const;

  const Graph &graph;
  const FusionGroups &groups;
  /// Clear ops that are low because all their users read low.
  const llvm::SetVector<Operation *> &moved;
  FloatType low;
  Rules rules;
  CostModel costs;
  MinCut cut;
  llvm::DenseMap<Operation *, MinCut::Node> labels;
  llvm::DenseMap<Operation *, Decision> fixed;
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
  if (moved.contains(op))
    return fix(op, makeDecision(Decision::Low, Decision::Narrow, "all its users read low"));
  if (std::optional<Decision> first = rules.decideFirst(op))
    return fix(op, *first);
  if (Operation *forward = rules.getLeader(op); forward && labels.contains(forward))
    return labelDerived(op, forward);
  if (std::optional<Decision> decided = rules.decide(op))
    return fix(op, *decided);
  if (std::optional<Decision> decided = decideLow(op))
    return fix(op, *decided);
  Choice choice = graph.classifier.classify(op);
  if (choice.value != PrecisionClass::Allow) {
    if (std::optional<Decision> unfit = rules.decideUnfit(op))
      return fix(op, *unfit);
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

ValueCopies &MinCutStrategy::getCopies(Value value) {
  Value root = lookThroughCasts(value);
  auto [found, isNew] = copies.try_emplace(root);
  if (!isNew)
    return found->second;
  bool isConstant = root.getDefiningOp() && getConstantAttribute(root.getDefiningOp());
  ValueCopies made{getHome(root), cut.addVariable(), cut.addVariable(),
                   isConstant || groups.isInternal(root)};
  cut.require(made.noF32, made.low);
  addCopyCosts(root, made);
  return copies[root] = made;
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

void MinCutStrategy::addCopyCosts(Value value, const ValueCopies &made) {
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
    // A cast at no cost at all would be taken for nothing.
    constexpr MinCut::Cost kCast = 1;
    cut.addIfOneAndZero(made.low, made.home, weight * kCast);
    cut.addIfOneAndZero(made.home, made.noF32, weight * kCast);
    if (made.isInternal)
      return;
    cut.addIfOne(made.low, weight * costs.getTraffic(type, /*isLow=*/true));
    cut.addIfZero(made.noF32, weight * costs.getTraffic(type, /*isLow=*/false));
    return;
  }
  // The value is there in the type that it is made in; the other one takes a pass.
  cut.require(made.home, made.low);
  cut.require(made.noF32, made.home);
  cut.addIfOneAndZero(made.low, made.home,
                      weight * (costs.getCastPass(type, /*readsLow=*/false) +
                                costs.getTraffic(type, /*isLow=*/true)));
  cut.addIfOneAndZero(made.home, made.noF32,
                      weight * (costs.getCastPass(type, /*readsLow=*/true) +
                                costs.getTraffic(type, /*isLow=*/false)));
}

//===----------------------------------------------------------------------===//
// Reads
//===----------------------------------------------------------------------===//

/// Reads the copy of the reader's label.
void MinCutStrategy::readByLabel(Value value, MinCut::Node label, Operation *reader) {
  ValueCopies &from = getCopies(value);
  cut.require(label, from.low);
  cut.require(from.noF32, label);
  if (from.isInternal)
    return;
  MinCut::Cost weight = getWeight(reader->getBlock());
  cut.addIfOne(label, weight * costs.getTraffic(value.getType(), /*isLow=*/true));
  cut.addIfZero(label, weight * costs.getTraffic(value.getType(), /*isLow=*/false));
}

/// Reads what the op that makes the value makes.
void MinCutStrategy::readAsMade(Value value, Operation *reader) {
  readByLabel(value, getCopies(value).home, reader);
}

/// Reads the type that the value has now.
void MinCutStrategy::readWritten(Value value, Operation *reader) {
  bool isLow = getElementTypeOrSelf(value.getType()) == low;
  if (isLow || isF32(value))
    readByLabel(value, isLow ? MinCut::kOne : MinCut::kZero, reader);
}

void MinCutStrategy::addRead(OpOperand &operand, MinCut::Node label) {
  Operation *op = operand.getOwner();
  const OpModel &model = getModel(op);
  Value value = operand.get();
  auto decided = fixed.find(op);
  if (decided != fixed.end() && decided->second.label == Decision::Keep)
    return model.readsAnyType(operand.getOperandNumber()) ? void() : readWritten(value, op);
  if (!graph.isTypedNumber(operand))
    return model.isNumber(operand.getOperandNumber()) ? readAsMade(value, op) : void();
  PrecisionClass ownClass = graph.classifier.classify(op).value;
  bool readsLabel = !model.readsMixedTypes() || ownClass == PrecisionClass::Allow ||
                    ownClass == PrecisionClass::Clear || ownClass == PrecisionClass::Deny;
  bool isLeaf = bool(graph.roles.getLeaf(value));
  if (readsLabel || (isLeaf && ownClass == PrecisionClass::Promote))
    readByLabel(value, label, op);
  else
    readAsMade(value, op);
  // Only a contraction makes low what was computed in f32.
  if (ownClass != PrecisionClass::Allow && decided == fixed.end())
    requireLow(value, label);
}

/// Whoever has `label` is low only if `value` comes low, or is a leaf that can be cast.
void MinCutStrategy::requireLow(Value value, MinCut::Node label) {
  if (!graph.roles.getLeaf(value))
    cut.require(label, getCopies(value).home);
}

/// A destination has the type of its result; one without elements is free.
void MinCutStrategy::addDestination(OpOperand &operand) {
  Operation *op = operand.getOwner();
  unsigned first = op->getNumOperands() - op->getNumResults();
  if (operand.getOperandNumber() < first || operand.get().getDefiningOp<tensor::EmptyOp>())
    return;
  Value result = op->getResult(operand.getOperandNumber() - first);
  bool isWide = getModel(op).hasWideResult();
  readByLabel(operand.get(), isWide ? MinCut::kZero : getHome(result), op);
}

void MinCutStrategy::addReads(Operation *op) {
  if (isHalfCast(op))
    return;
  auto label = labels.find(op);
  for (OpOperand &operand : op->getOpOperands()) {
    if (!hasFloatElements(operand.get().getType()))
      continue;
    if (std::optional<unsigned> tie = graph.ties.lookup(operand)) {
      readByLabel(operand.get(), tieLabels[*tie], op);
      requireLow(operand.get(), tieLabels[*tie]);
    } else if (label == labels.end())
      readWritten(operand.get(), op);
    else if (getModel(op).isDestination(operand.getOperandNumber()))
      addDestination(operand);
    else
      addRead(operand, label->second);
  }
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

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

/// What the label of an op that was free comes to.
Decision MinCutStrategy::decideFree(Operation *op, bool isLow) const {
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

Assignment amp::assignByCut(const Graph &graph) {
  // A cast that moves before a clear op is there for others too, which may change what is cheapest.
  FusionGroups groups(graph.roles.getOps(), graph.classifier.getModels());
  llvm::SetVector<Operation *> moved;
  while (true) {
    Assignment result = MinCutStrategy(graph, groups, moved).run();
    SmallVector<Operation *> now = moveCastsBeforeClearOps(graph, result);
    if (now.empty())
      return result;
    moved.insert_range(now);
  }
}
