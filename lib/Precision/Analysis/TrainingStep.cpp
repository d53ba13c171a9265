//===- TrainingStep.cpp - the parts of a training step from outside --------===//

#include "TrainingStep.h"
#include "OpFacts.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/MapVector.h"
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
  bool callsContraction(Operation *op);
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
  SymbolTableCollection symbols;
  /// Functions, and whether they hold a contraction or call one that does.
  llvm::DenseMap<Operation *, bool> contracting;
  /// Values that a contraction goes into.
  llvm::DenseSet<Value> contracted;
  llvm::SetVector<Operation *> backward;
};

} // namespace

/// Elementwise arithmetic, and what moves its operands: what an optimizer is made of.
static bool isElementwise(Operation *op) {
  return isElementwise(getKind(op)) || getKind(op) == OpKind::FloatCast;
}

/// Whether the op calls a function that multiplies, through any number of calls.
bool StepFinder::callsContraction(Operation *op) {
  auto call = dyn_cast<CallOpInterface>(op);
  Operation *callee = call ? call.resolveCallableInTable(&symbols) : nullptr;
  if (!callee)
    return false;
  // Recursion says nothing new.
  auto [known, isNew] = contracting.try_emplace(callee, false);
  if (!isNew)
    return known->second;
  bool contracts = callee
                       ->walk([&](Operation *inner) {
                         return inner != callee && (isContraction(inner) || callsContraction(inner))
                                    ? WalkResult::interrupt()
                                    : WalkResult::advance();
                       })
                       .wasInterrupted();
  return contracting[callee] = contracts;
}

void StepFinder::findDependencies() {
  for (Operation *op : ops) {
    bool depends = isContraction(op) || callsContraction(op) ||
                   llvm::any_of(op->getOperands(),
                                [&](Value operand) { return contracted.contains(operand); });
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
  constexpr unsigned kMost = 32;
  SmallVector<Value> worklist = {value};
  llvm::SmallDenseSet<Value> seen;
  while (!worklist.empty() && seen.size() < kMost) {
    Value next = worklist.pop_back_val();
    if (next == argument)
      return true;
    Operation *op = next.getDefiningOp();
    if (!op || !seen.insert(next).second)
      continue;
    OpKind kind = getKind(op);
    if (kind == OpKind::Mul)
      llvm::append_range(worklist, op->getOperands());
    else if ((kind == OpKind::Move || kind == OpKind::FloatCast) && op->getNumOperands() != 0)
      worklist.push_back(op->getOperand(0));
  }
  return false;
}

/// Whether the value is a product or quotient, as a step of an optimizer is; not a plain
/// contraction, which a residual connection adds.
bool StepFinder::isScaled(Value value) const {
  constexpr unsigned kMost = 64;
  for (unsigned count = 0; count < kMost; ++count) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return false;
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

/// Contractions that read what an earlier one read, and depend on that one's result.
void StepFinder::findBackward() {
  // The first reader of each operand that several read, and the later ones.
  llvm::MapVector<Value, SmallVector<Operation *>> readers;
  for (Operation *op : ops)
    if (isContraction(op))
      for (unsigned index : getNumbers(op))
        if (index < op->getNumOperands())
          readers[lookThroughMoves(op->getOperand(index))].push_back(op);
  SmallVector<ArrayRef<Operation *>> shared;
  for (auto &[operand, all] : readers)
    if (all.size() > 1)
      shared.push_back(all);
  // What depends on which first reader: as many of them in one pass as a word has bits.
  constexpr unsigned kBits = 64;
  for (unsigned first = 0; first < shared.size(); first += kBits) {
    ArrayRef<ArrayRef<Operation *>> batch = ArrayRef(shared).drop_front(first).take_front(kBits);
    llvm::DenseMap<Operation *, uint64_t> marks, dependsOn;
    for (auto [bit, all] : llvm::enumerate(batch))
      marks[all.front()] |= uint64_t(1) << bit;
    for (Operation *op : ops) {
      uint64_t mask = 0;
      for (Value operand : op->getOperands())
        if (Operation *made = operand.getDefiningOp())
          mask |= dependsOn.lookup(made) | marks.lookup(made);
      if (mask)
        dependsOn[op] = mask;
    }
    for (auto [bit, all] : llvm::enumerate(batch))
      for (Operation *later : all.drop_front())
        if (dependsOn.lookup(later) >> bit & 1)
          backward.insert(later);
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
