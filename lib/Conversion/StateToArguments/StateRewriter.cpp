//===- StateRewriter.cpp - variables of one function as arguments ---------===//

#include "StateRewriter.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"

using namespace mlir;
using namespace amp;
using namespace amp::conversion;

//===----------------------------------------------------------------------===//
// What the rewriter covers
//===----------------------------------------------------------------------===//

/// The variables that `op` or the ops in it assign.
static Names getAssigned(Operation *op) {
  Names names;
  op->walk([&](train::AssignOp assign) { names.insert(assign.getVariableAttr().getAttr()); });
  return names;
}

/// Fails if `name` was assigned in a guarded region earlier in the block of `op`: its value is then
/// one of two.
static LogicalResult verifyNotGuarded(Operation *op, StringAttr name,
                                      const llvm::DenseMap<StringAttr, GuardedOp> &guardedNames) {
  GuardedOp guarded = guardedNames.lookup(name);
  if (!guarded)
    return success();
  InFlightDiagnostic diagnostic = op->emitOpError("reads @")
                                  << name.getValue()
                                  << " after a guarded region that assigns it; read it before the "
                                     "region";
  diagnostic.attachNote(guarded.getLoc()) << "assigned in this region";
  return diagnostic;
}

static LogicalResult verifyBlock(Block &block) {
  Names assigned;
  llvm::DenseMap<StringAttr, GuardedOp> guardedNames;
  for (Operation &op : block) {
    if (auto assign = dyn_cast<train::AssignOp>(op)) {
      assigned.insert(assign.getVariableAttr().getAttr());
      guardedNames.erase(assign.getVariableAttr().getAttr());
      continue;
    }
    WalkResult reads = op.walk([&](train::ReadOp read) {
      return WalkResult(verifyNotGuarded(read, read.getVariableAttr().getAttr(), guardedNames));
    });
    if (reads.wasInterrupted())
      return failure();
    if (auto guarded = dyn_cast<GuardedOp>(op)) {
      for (StringAttr name : getAssigned(guarded)) {
        if (assigned.contains(name))
          return guarded.emitOpError("assigns @") << name.getValue()
                                                  << ", which was assigned before; assign a "
                                                     "variable inside of the region or outside";
        guardedNames[name] = guarded;
      }
      if (failed(verifyBlock(guarded.getBody().front())))
        return failure();
      continue;
    }
    WalkResult nested = op.walk([&](Operation *inner) {
      if (!isa<train::AssignOp, GuardedOp>(inner))
        return WalkResult::advance();
      inner->emitOpError("is inside of '")
          << op.getName() << "'; only amp.guarded may hold assignments";
      return WalkResult::interrupt();
    });
    if (nested.wasInterrupted())
      return failure();
  }
  return success();
}

LogicalResult amp::conversion::verifyStateUses(func::FuncOp function) {
  bool usesState = false;
  function.walk(
      [&](Operation *op) { usesState |= isa<train::ReadOp, train::AssignOp, GuardedOp>(op); });
  if (!usesState)
    return success();
  if (!function.getBody().hasOneBlock())
    return function.emitOpError("uses variables and expects one block but got ")
           << function.getBody().getBlocks().size();
  return verifyBlock(function.getBody().front());
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

void StateRewriter::run() {
  if (!collectUsed())
    return;
  addArguments();
  State state;
  for (const Variable &variable : used)
    state[variable.name] = variable.tensor;
  rewriteBlock(function.getBody().front(), state);
  for (const Variable &variable : used) {
    auto tensor = cast<bufferization::ToTensorOp>(variable.tensor.getDefiningOp());
    if (tensor->use_empty())
      tensor.erase();
    else
      tensor.setWritable(isWritable(variable));
  }
}

/// Returns whether the function uses state at all.
bool StateRewriter::collectUsed() {
  llvm::DenseSet<StringAttr> names;
  bool usesState = false;
  function.walk([&](Operation *op) {
    usesState |= isa<GuardedOp>(op);
    if (auto read = dyn_cast<train::ReadOp>(op))
      names.insert(read.getVariableAttr().getAttr());
    else if (auto assign = dyn_cast<train::AssignOp>(op))
      names.insert(assign.getVariableAttr().getAttr());
  });
  for (train::VariableOp variable : variables)
    if (names.contains(variable.getSymNameAttr()))
      used.push_back({variable.getSymNameAttr(), variable.getTensorType(), Value(), Value()});
  return usesState || !used.empty();
}

void StateRewriter::addArguments() {
  MLIRContext *context = function.getContext();
  OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
  Location loc = function.getLoc();
  for (Variable &variable : used) {
    RankedTensorType type = variable.type;
    auto memory = MemRefType::get(type.getShape(), type.getElementType());
    NamedAttribute name(StringAttr::get(context, train::TrainDialect::kVariableAttr),
                        FlatSymbolRefAttr::get(variable.name));
    unsigned index = function.getNumArguments();
    (void)function.insertArgument(index, memory, DictionaryAttr::get(context, name), loc);
    variable.memory = function.getArgument(index);
    variable.tensor = bufferization::ToTensorOp::create(builder, loc, type, variable.memory,
                                                        /*restrict=*/true);
    aliases.add(variable.tensor, variable.name);
  }
}

/// Whether bufferization may use the memory of `variable` before the new value is there. It may if
/// a new value always comes; if that depends on a condition, only where the condition holds.
bool StateRewriter::isWritable(const Variable &variable) {
  if (unconditional.contains(variable.name))
    return true;
  auto regions = conditional.find(variable.name);
  if (regions == conditional.end())
    return false;
  return !VariableAliases::mayBeWritten(variable.tensor, [&](Operation *user) {
    return llvm::any_of(regions->second, [&](Operation *op) { return op->isProperAncestor(user); });
  });
}

//===----------------------------------------------------------------------===//
// Reads, assignments, guarded regions
//===----------------------------------------------------------------------===//

void StateRewriter::rewriteBlock(Block &block, State state) {
  Names assigned;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto assign = dyn_cast<train::AssignOp>(op)) {
      StringAttr name = assign.getVariableAttr().getAttr();
      state[name] = assign.getValue();
      assigned.insert(name);
      assign.erase();
    } else if (auto guarded = dyn_cast<GuardedOp>(op)) {
      rewriteGuarded(guarded, state);
    } else {
      op.walk([&](train::ReadOp read) {
        read.replaceAllUsesWith(state[read.getVariableAttr().getAttr()]);
        read.erase();
      });
    }
  }
  createWrites(block, state, assigned);
  bool isTopLevel = &block == &function.getBody().front();
  for (StringAttr name : assigned) {
    if (isTopLevel)
      unconditional.insert(name);
    else
      conditional[name].insert(block.getParentOp());
  }
}

void StateRewriter::rewriteGuarded(GuardedOp guarded, State &state) {
  Names written = getAssigned(guarded);
  OpBuilder builder(guarded);
  Value condition =
      tensor::ExtractOp::create(builder, guarded.getLoc(), guarded.getCondition(), ValueRange());
  auto branch = scf::IfOp::create(builder, guarded.getLoc(), condition, /*withElseRegion=*/false);
  Block &body = *branch.thenBlock();
  body.getOperations().splice(body.begin(), guarded.getBody().front().getOperations());
  guarded.erase();
  rewriteBlock(body, state);
  keepOldValues(branch, written, state);
}

/// Copies, before `write`, every tensor that may lie in the memory of a variable of `written` and
/// is read after it.
void StateRewriter::keepOldValues(Operation *write, const Names &written, State &state) {
  OpBuilder builder(write);
  llvm::DenseMap<Value, Value> copies;
  DominanceInfo dominance(function);
  auto keep = [&](Value value) {
    if (!isa<RankedTensorType>(value.getType()) || !dominance.properlyDominates(value, write) ||
        !mayLieIn(value, written))
      return value;
    Value &copy = copies[value];
    if (!copy)
      copy = createCopy(builder, value);
    return copy;
  };
  for (const Variable &variable : used)
    if (Value &value = state[variable.name]; value != variable.tensor)
      value = keep(value);
  for (Operation *op = write->getNextNode(); op; op = op->getNextNode()) {
    op->walk([&](Operation *inner) {
      if (!isa<tensor::DimOp>(inner))
        for (OpOperand &operand : inner->getOpOperands())
          operand.set(keep(operand.get()));
    });
  }
}

bool StateRewriter::mayLieIn(Value value, const Names &written) {
  return llvm::any_of(aliases.find(value), [&](StringAttr name) { return written.contains(name); });
}

Value StateRewriter::createCopy(OpBuilder &builder, Value value) {
  return bufferization::AllocTensorOp::create(builder, value.getLoc(),
                                              cast<RankedTensorType>(value.getType()),
                                              /*dynamicSizes=*/ValueRange(), value);
}

/// Writes the new values at the end of `block`, after all that is computed in it.
void StateRewriter::createWrites(Block &block, const State &state, const Names &assigned) {
  Operation *terminator = block.getTerminator();
  OpBuilder builder(terminator);
  SmallVector<std::pair<const Variable *, Value>> writes;
  for (const Variable &variable : used) {
    Value value = state.lookup(variable.name);
    if (assigned.contains(variable.name) && value != variable.tensor)
      writes.push_back({&variable, value});
  }
  // A value in the memory of another variable would be lost once that is written.
  for (auto &[variable, value] : writes) {
    Names others = assigned;
    others.remove(variable->name);
    if (mayLieIn(value, others))
      value = createCopy(builder, value);
  }
  // What the function returns is the caller's to free.
  for (OpOperand &operand : terminator->getOpOperands())
    if (!aliases.find(operand.get()).empty())
      operand.set(createCopy(builder, operand.get()));
  for (auto &[variable, value] : writes)
    value = useDestination(builder, value, *variable);
  for (auto [variable, value] : writes)
    bufferization::MaterializeInDestinationOp::create(builder, function.getLoc(), /*result=*/Type(),
                                                      value, variable->memory,
                                                      /*restrict=*/true, /*writable=*/true);
}

/// If `value` is computed into a fresh tensor in the block of `builder`, computes it into the
/// variable's memory instead. Bufferization checks that nothing reads the old value afterwards.
Value StateRewriter::useDestination(OpBuilder &builder, Value value, const Variable &variable) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != builder.getInsertionBlock())
    return value;
  if (auto elements = dyn_cast<tensor::FromElementsOp>(op)) {
    if (variable.type.getRank() != 0)
      return value;
    return tensor::InsertOp::create(builder, op->getLoc(), elements.getElements()[0],
                                    variable.tensor, ValueRange());
  }
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    OpOperand *destination = linalgOp.getTiedOpOperand(cast<OpResult>(value));
    if (destination->get().getDefiningOp<tensor::EmptyOp>())
      destination->set(variable.tensor);
  }
  return value;
}
