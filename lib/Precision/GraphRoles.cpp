//===- GraphRoles.cpp - which part of a training step an op belongs to ----===//

#include "GraphRoles.h"
#include "Analysis/OpFacts.h"
#include "Analysis/TrainingStep.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace amp;

bool amp::isHalfCast(Operation *op) {
  if (isa<CastOp>(op))
    return true;
  if (op->getNumOperands() != 1 || op->getNumResults() != 1)
    return false;
  Type from = getElementTypeOrSelf(op->getOperand(0).getType());
  Type to = getElementTypeOrSelf(op->getResult(0).getType());
  if (!(from.isF32() && isHalf(to)) && !(isHalf(from) && to.isF32()))
    return false;
  // A rounding of its own is none that the pass would make.
  if (auto narrowing = dyn_cast<arith::TruncFOp>(op); narrowing && narrowing.getRoundingmodeAttr())
    return false;
  const OpEntry *entry = lookupOpEntry(op->getName().getStringRef());
  return entry && entry->kind == OpKind::FloatCast;
}

bool amp::isHalfCast(Operation *op, FloatType low) {
  auto isLow = [&](Type type) { return !low || getElementTypeOrSelf(type) == low; };
  return isHalfCast(op) &&
         (isLow(op->getOperand(0).getType()) || isLow(op->getResult(0).getType()));
}

/// More casts in a row are a cycle, which a block that nothing reaches may hold.
static constexpr unsigned kMostCasts = 64;

Value amp::lookThroughCasts(Value value) { return lookThroughCasts(value, /*low=*/{}); }

Value amp::lookThroughCasts(Value value, FloatType low) {
  for (unsigned count = 0; count < kMostCasts; ++count) {
    Operation *op = value.getDefiningOp();
    if (!op || !isHalfCast(op, low))
      break;
    value = op->getOperand(0);
  }
  return value;
}

static void forEachUse(Value value, FloatType low, llvm::function_ref<void(OpOperand &)> visit,
                       unsigned depth) {
  for (OpOperand &use : value.getUses()) {
    if (isHalfCast(use.getOwner(), low) && depth < kMostCasts)
      forEachUse(use.getOwner()->getResult(0), low, visit, depth + 1);
    else
      visit(use);
  }
}

void amp::forEachUse(Value value, llvm::function_ref<void(OpOperand &)> visit) {
  ::forEachUse(value, /*low=*/{}, visit, /*depth=*/0);
}

void amp::forEachUse(Value value, FloatType low, llvm::function_ref<void(OpOperand &)> visit) {
  ::forEachUse(value, low, visit, /*depth=*/0);
}

/// Remembers which leaf the results of `op` are made from, and whether that is the seed.
void GraphRoles::followLeaf(Operation *op) {
  auto read = dyn_cast<train::ReadOp>(op);
  bool isScale = read && read.getVariable() == AmpDialect::kScaleName;
  if (isScale || isa<train::SeedOp>(op)) {
    seeds.insert(op->getResult(0));
    return;
  }
  if (read || getConstantAttribute(op) || isa<tensor::EmptyOp>(op)) {
    leaves[op->getResult(0)] = op->getResult(0);
    return;
  }
  if (op->getNumOperands() == 0 || op->getNumResults() == 0)
    return;
  Value operand = op->getOperand(0);
  const OpModel &model = classifier.getModel(op);
  bool isCast = isHalfCast(op);
  if (seeds.contains(operand) && (isCast || model.getClass() == PrecisionClass::Clear))
    seeds.insert(op->result_begin(), op->result_end());
  Value leaf = leaves.lookup(operand);
  bool moves = isCast || (classifier.classify(op).value == PrecisionClass::Clear &&
                          model.isNumber(0) && op->getNumResults() == 1);
  if (leaf && moves)
    leaves[op->getResult(0)] = leaf;
}

static void collectOps(Region &region, SmallVectorImpl<Operation *> &ops) {
  if (region.empty())
    return;
  llvm::SetVector<Block *> blocks;
  llvm::ReversePostOrderTraversal<Block *> reached(&region.front());
  blocks.insert(reached.begin(), reached.end());
  // Blocks that nothing reaches must be valid all the same.
  for (Block &block : region)
    blocks.insert(&block);
  for (Block *block : blocks)
    for (Operation &op : *block) {
      ops.push_back(&op);
      if (getBodyKind(&op) != BodyKind::Element)
        for (Region &nested : op.getRegions())
          collectOps(nested, ops);
    }
}

GraphRoles::GraphRoles(Operation *root, const Classifier &classifier) : classifier(classifier) {
  root->walk<WalkOrder::PreOrder>([&](FunctionOpInterface function) {
    size_t first = ops.size();
    collectOps(function.getFunctionBody(), ops);
    // What a private function gets its callers may have computed.
    if (!function.isPrivate() && !function.isExternal())
      for (BlockArgument argument : function.getFunctionBody().getArguments())
        leaves[argument] = argument;
    ArrayRef<Operation *> own = ArrayRef(ops).drop_front(first);
    for (Operation *op : own)
      followLeaf(op);
    llvm::DenseMap<int64_t, Operation *> numbered;
    for (Operation *op : own)
      if (auto number = op->getAttrOfType<IntegerAttr>(train::TrainDialect::kForwardAttr))
        numbered.try_emplace(number.getInt(), op);
    for (Operation *op : own)
      if (auto number = op->getAttrOfType<IntegerAttr>(train::TrainDialect::kGradientOfAttr))
        if (Operation *forward = numbered.lookup(number.getInt()))
          forwardOps[op] = forward;
    collectUpdateFeeders(own);
    collectLossOps(function, own);
    TrainingStep step = findTrainingStep(own, classifier.getModels());
    updateFeeders.insert(step.optimizerOps.begin(), step.optimizerOps.end());
    lossOps.insert(step.lossOps.begin(), step.lossOps.end());
    return WalkResult::skip();
  });
}

Operation *GraphRoles::getForwardOp(Operation *op) const { return forwardOps.lookup(op); }

bool GraphRoles::isContraction(Operation *op) const {
  return classifier.getModel(op).getClass() == PrecisionClass::Allow;
}

static bool isUpdate(Operation *op) {
  return isa<train::OptimizerOpInterface, train::GlobalNormOp, train::ClipOp, train::AssignOp,
             CheckGradientsOp, UnscaleOp>(op);
}

void GraphRoles::collectUpdateFeeders(ArrayRef<Operation *> ops) {
  for (Operation *op : llvm::reverse(ops)) {
    if (!classifier.getModel(op) || isUpdate(op))
      continue;
    bool feedsUpdate = false, feedsOther = false;
    for (Value result : op->getResults())
      forEachUse(result, [&](OpOperand &use) {
        Operation *user = use.getOwner();
        bool isFeeder = !isContraction(user) && updateFeeders.contains(user);
        (isUpdate(user) || isFeeder ? feedsUpdate : feedsOther) = true;
      });
    if (feedsUpdate && !feedsOther)
      updateFeeders.insert(op);
  }
}

/// Whether `function` is a task's loss, whose first result is one.
static bool isLossFunction(FunctionOpInterface function) {
  auto module = function->getParentOfType<ModuleOp>();
  StringAttr name = SymbolTable::getSymbolName(function);
  return module && llvm::any_of(module.getOps<train::TaskOp>(), [&](train::TaskOp task) {
           return task.getLossAttr().getAttr() == name;
         });
}

/// The losses that the function computes: what loss ops read, and the results that are named so.
static void collectLosses(FunctionOpInterface function, ArrayRef<Operation *> ops,
                          SmallVectorImpl<Value> &losses) {
  bool returnsLoss = isLossFunction(function);
  for (Operation *op : ops) {
    if (isa<train::CrossEntropyOp, train::MseOp>(op))
      llvm::append_range(losses, op->getOperands());
    if (!op->hasTrait<OpTrait::ReturnLike>() || op->getParentOp() != function)
      continue;
    for (auto [index, value] : llvm::enumerate(op->getOperands())) {
      auto name = function.getResultAttrOfType<StringAttr>(index, train::TrainDialect::kNameAttr);
      if ((name && name == "loss") || (returnsLoss && index == 0))
        losses.push_back(value);
    }
  }
}

void GraphRoles::collectLossOps(FunctionOpInterface function, ArrayRef<Operation *> ops) {
  SmallVector<Value> worklist;
  collectLosses(function, ops, worklist);
  while (!worklist.empty()) {
    Operation *op = lookThroughCasts(worklist.pop_back_val()).getDefiningOp();
    if (!op || !classifier.getModel(op) || isContraction(op) || getForwardOp(op))
      continue;
    if (lossOps.insert(op).second)
      llvm::append_range(worklist, op->getOperands());
  }
  // What a later forward contraction reads as well is not behind the last one.
  llvm::DenseSet<Operation *> beforeContraction;
  for (Operation *op : llvm::reverse(ops)) {
    bool reaches = false;
    for (Value result : op->getResults())
      forEachUse(result, [&](OpOperand &use) {
        Operation *user = use.getOwner();
        if (!getForwardOp(user))
          reaches |= isContraction(user) || beforeContraction.contains(user);
      });
    if (!reaches)
      continue;
    beforeContraction.insert(op);
    lossOps.erase(op);
  }
}
