//===- TrainingStep.cpp - the parts of a training step from outside --------===//

#include "TrainingStep.h"
#include "OpFacts.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace amp;

namespace {

class StepFinder {
public:
  StepFinder(ArrayRef<Operation *> ops, const OpModels &models) : ops(ops), models(models) {}

  TrainingStep find();

private:
  bool isContraction(Operation *op) const {
    return models.get(op).getClass() == PrecisionClass::Allow;
  }
  void findDependencies();
  void findUpdate(Value result, ArrayRef<BlockArgument> arguments);
  bool isUpdateOf(Operation *op, BlockArgument argument) const;
  bool isMadeFrom(Value value, BlockArgument argument) const;
  bool isScaled(Value value) const;
  void findBackward();
  void findLoss();

  ArrayRef<Operation *> ops;
  const OpModels &models;
  TrainingStep step;
  /// Values that a contraction goes into.
  llvm::DenseSet<Value> contracted;
  /// For each contraction the earlier ones that it depends on are found by walking back.
  llvm::SetVector<Operation *> backward;
};

} // namespace

/// Elementwise arithmetic, and what moves its operands: what an optimizer is made of.
static bool isElementwise(Operation *op) {
  OpKind kind = getKind(op);
  return (kind >= OpKind::Neg && kind <= OpKind::Select) || kind == OpKind::Move ||
         kind == OpKind::FloatCast;
}

void StepFinder::findDependencies() {
  for (Operation *op : ops) {
    bool depends = isContraction(op) || llvm::any_of(op->getOperands(), [&](Value operand) {
                     return contracted.contains(operand);
                   });
    if (depends)
      for (Value result : op->getResults())
        contracted.insert(result);
  }
}

//===----------------------------------------------------------------------===//
// Updates
//===----------------------------------------------------------------------===//

/// Whether `value` is the argument, or it scaled: `w`, `w * (1 - lr * decay)`.
bool StepFinder::isMadeFrom(Value value, BlockArgument argument) const {
  for (unsigned steps = 0; steps < 8; ++steps) {
    if (value == argument)
      return true;
    Operation *op = value.getDefiningOp();
    if (!op)
      return false;
    OpKind kind = getKind(op);
    if (kind == OpKind::Mul && op->getNumOperands() >= 2 && isMadeFrom(op->getOperand(1), argument))
      return true;
    if (kind != OpKind::Mul && kind != OpKind::Move && kind != OpKind::FloatCast)
      return false;
    value = op->getOperand(0);
  }
  return false;
}

/// Whether the value is a product or quotient, as a step of an optimizer is; not a plain
/// contraction, which a residual connection adds.
bool StepFinder::isScaled(Value value) const {
  while (Operation *op = value.getDefiningOp()) {
    OpKind kind = getKind(op);
    if (kind == OpKind::Mul || kind == OpKind::Div)
      return true;
    if ((kind != OpKind::Move && kind != OpKind::FloatCast && kind != OpKind::Neg) ||
        op->getNumOperands() == 0)
      return false;
    value = op->getOperand(0);
  }
  return false;
}

bool StepFinder::isUpdateOf(Operation *op, BlockArgument argument) const {
  OpKind kind = getKind(op);
  if ((kind != OpKind::Add && kind != OpKind::Sub) || op->getNumOperands() < 2)
    return false;
  for (unsigned own : {0, 1}) {
    Value other = op->getOperand(1 - own);
    if (kind == OpKind::Sub && own == 1)
      continue;
    if (isMadeFrom(op->getOperand(own), argument) && contracted.contains(other) &&
        (kind == OpKind::Sub || isScaled(other)))
      return true;
  }
  return false;
}

/// If `result` updates one of the arguments, its elementwise ops are the optimizer.
void StepFinder::findUpdate(Value result, ArrayRef<BlockArgument> arguments) {
  if (!contracted.contains(result))
    return;
  llvm::SetVector<Operation *> slice;
  llvm::SmallSetVector<BlockArgument, 4> reached;
  SmallVector<Value> worklist = {result};
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (llvm::is_contained(arguments, argument) && argument.getType() == result.getType())
        reached.insert(argument);
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (isElementwise(op) && !isContraction(op) && slice.insert(op))
      llvm::append_range(worklist, op->getOperands());
  }
  bool isUpdate = llvm::any_of(slice, [&](Operation *op) {
    return llvm::any_of(reached, [&](BlockArgument argument) { return isUpdateOf(op, argument); });
  });
  if (isUpdate)
    step.optimizerOps.insert(slice.begin(), slice.end());
}

//===----------------------------------------------------------------------===//
// Loss
//===----------------------------------------------------------------------===//

static Value lookThroughMoves(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    OpKind kind = getKind(op);
    if ((kind != OpKind::Move && kind != OpKind::FloatCast) || op->getNumOperands() == 0)
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// Contractions that read what an earlier one read, and depend on that one's result.
void StepFinder::findBackward() {
  llvm::DenseMap<Value, SmallVector<Operation *>> readers;
  // Per value the contractions that it depends on would be quadratic: only those that share an
  // operand are asked for, by the order in which results were marked.
  llvm::DenseMap<Operation *, llvm::DenseSet<Operation *>> users;
  for (Operation *op : ops) {
    if (!isContraction(op))
      continue;
    for (unsigned index : getNumbers(op)) {
      if (index >= op->getNumOperands())
        continue;
      Value operand = lookThroughMoves(op->getOperand(index));
      auto &earlier = readers[operand];
      if (!earlier.empty()) {
        Operation *first = earlier.front();
        // Does this op depend on the first reader, by its other operands?
        auto [reached, isNew] = users.try_emplace(first);
        if (isNew) {
          SmallVector<Operation *> worklist = {first};
          while (!worklist.empty())
            for (Operation *user : worklist.pop_back_val()->getUsers())
              if (reached->second.insert(user).second)
                worklist.push_back(user);
        }
        if (reached->second.contains(op))
          backward.insert(op);
      }
      earlier.push_back(op);
    }
  }
}

void StepFinder::findLoss() {
  if (backward.empty())
    return;
  // Forward contractions from which no other forward one is reached, contractions aside.
  llvm::DenseSet<Operation *> leadsForward, leadsBackward;
  for (Operation *op : llvm::reverse(ops))
    for (Operation *user : op->getUsers()) {
      bool isBackward = backward.contains(user);
      if ((isContraction(user) && !isBackward) || leadsForward.contains(user))
        leadsForward.insert(op);
      if (isBackward || (!isContraction(user) && leadsBackward.contains(user)))
        leadsBackward.insert(op);
    }
  llvm::DenseSet<Value> behindLast;
  SmallVector<Operation *> between;
  bool holdsLoss = false;
  for (Operation *op : ops) {
    if (isContraction(op)) {
      if (!backward.contains(op) && !leadsForward.contains(op))
        behindLast.insert(op->result_begin(), op->result_end());
      continue;
    }
    if (llvm::none_of(op->getOperands(), [&](Value value) { return behindLast.contains(value); }))
      continue;
    behindLast.insert(op->result_begin(), op->result_end());
    if (!leadsBackward.contains(op) || !models.get(op))
      continue;
    between.push_back(op);
    OpKind kind = getKind(op);
    holdsLoss |= (kind >= OpKind::Exp && kind <= OpKind::Log1p) || kind == OpKind::Softmax ||
                 kind == OpKind::LogSoftmax ||
                 (kind >= OpKind::ReduceSum && kind <= OpKind::ReduceMean);
  }
  if (holdsLoss)
    step.lossOps.insert(between.begin(), between.end());
}

TrainingStep StepFinder::find() {
  findDependencies();
  if (contracted.empty())
    return {};
  llvm::SetVector<Block *> blocks;
  for (Operation *op : ops)
    blocks.insert(op->getBlock());
  for (Block *block : blocks) {
    if (block->getNumArguments() == 0 || !block->mightHaveTerminator())
      continue;
    SmallVector<BlockArgument> arguments(block->getArguments());
    for (Value result : block->getTerminator()->getOperands())
      findUpdate(result, arguments);
  }
  if (step.optimizerOps.empty())
    return {};
  findBackward();
  findLoss();
  return std::move(step);
}

TrainingStep amp::findTrainingStep(ArrayRef<Operation *> ops, const OpModels &models) {
  return StepFinder(ops, models).find();
}
