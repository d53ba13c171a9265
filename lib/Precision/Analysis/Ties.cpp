//===- Ties.cpp - values that control flow gives one type ------------------===//

#include "Ties.h"
#include "../Model/OpModel.h"
#include "OpFacts.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace amp;

namespace {

/// Collects the edges of a module and joins what they connect.
class TieBuilder {
public:
  explicit TieBuilder(Operation *root) : root(root) {}

  SmallVector<Tie> build();

private:
  void collectUses(Operation *op);
  void visit(Operation *op);
  void visitRegionBranch(RegionBranchOpInterface op);
  void visitLoopLike(LoopLikeOpInterface loop);
  void visitBranch(BranchOpInterface op);
  void visitFunction(FunctionOpInterface function);
  void visitLoop(Operation *op);
  void visitBranches(Operation *op);
  void visitPass(Operation *op);

  /// `operand` becomes `value`.
  void connect(OpOperand &operand, Value value);
  void join(Value first, Value second);
  void add(Value value);
  /// Values whose type nothing may change.
  void fix(ValueRange values);

  Operation *root;
  SymbolTableCollection symbols;
  /// The calls of each function, and the names that anything but a call refers to.
  llvm::DenseMap<Operation *, SmallVector<CallOpInterface>> calls;
  llvm::DenseSet<StringAttr> referenced;
  llvm::EquivalenceClasses<void *> classes;
  /// All values of ties, in the order of the module, and the operands that become them.
  llvm::MapVector<Value, SmallVector<OpOperand *>> values;
  llvm::DenseSet<Value> fixed;
};

} // namespace

void TieBuilder::add(Value value) {
  if (values.try_emplace(value).second)
    classes.insert(value.getAsOpaquePointer());
}

void TieBuilder::join(Value first, Value second) {
  if (!isF32Number(first.getType()) || !isF32Number(second.getType()))
    return;
  add(first);
  add(second);
  classes.unionSets(first.getAsOpaquePointer(), second.getAsOpaquePointer());
}

void TieBuilder::connect(OpOperand &operand, Value value) {
  if (!isF32Number(value.getType()))
    return;
  add(value);
  values[value].push_back(&operand);
}

void TieBuilder::fix(ValueRange range) {
  for (Value value : range)
    if (isF32Number(value.getType())) {
      add(value);
      fixed.insert(value);
    }
}

//===----------------------------------------------------------------------===//
// Edges by interface
//===----------------------------------------------------------------------===//

/// The last operands of the terminator, or of the op, that become `inputs`.
static MutableArrayRef<OpOperand> getForwarded(Operation *op, OperandRange operands) {
  if (operands.empty())
    return {};
  return op->getOpOperands().slice(operands.getBeginOperandIndex(), operands.size());
}

/// All that goes around a loop has one type, also where a known number of trips leaves an edge out.
void TieBuilder::visitLoopLike(LoopLikeOpInterface loop) {
  ResultRange results = loop->getResults();
  MutableArrayRef<OpOperand> inits = loop.getInitsMutable();
  Block::BlockArgListType arguments = loop.getRegionIterArgs();
  if (isa<scf::ForallOp>(loop)) {
    // Its threads write into the arguments, which no cast may stand before.
    fix(arguments);
    return fix(loop->getResults());
  }
  if (results.size() != arguments.size() || inits.size() != arguments.size())
    return;
  std::optional<MutableArrayRef<OpOperand>> yields = loop.getYieldedValuesMutable();
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    Value result = results[index];
    if (result.getType() != argument.getType())
      continue;
    join(argument, result);
    connect(inits[index], argument);
    if (yields && yields->size() == arguments.size())
      connect((*yields)[index], argument);
  }
}

void TieBuilder::visitRegionBranch(RegionBranchOpInterface op) {
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op.getOperation()))
    visitLoopLike(loop);
  auto connectAll = [&](Operation *from, OperandRange operands, ValueRange inputs) {
    if (operands.size() != inputs.size())
      return;
    for (auto [operand, input] : llvm::zip_equal(getForwarded(from, operands), inputs))
      connect(operand, input);
  };
  SmallVector<RegionSuccessor> successors;
  op.getSuccessorRegions(RegionBranchPoint::parent(), successors);
  for (RegionSuccessor &successor : successors)
    connectAll(op, op.getEntrySuccessorOperands(successor), successor.getSuccessorInputs());
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      if (block.empty())
        continue;
      auto terminator = dyn_cast<RegionBranchTerminatorOpInterface>(block.back());
      if (!terminator)
        continue;
      successors.clear();
      terminator.getSuccessorRegions(SmallVector<Attribute>(terminator->getNumOperands()),
                                     successors);
      for (RegionSuccessor &successor : successors)
        connectAll(terminator, terminator.getSuccessorOperands(successor),
                   successor.getSuccessorInputs());
    }
}

void TieBuilder::visitBranch(BranchOpInterface op) {
  for (auto [index, block] : llvm::enumerate(op->getSuccessors())) {
    SuccessorOperands operands = op.getSuccessorOperands(index);
    for (auto [position, argument] : llvm::enumerate(block->getArguments())) {
      if (operands.isOperandProduced(position)) {
        fix(argument);
        continue;
      }
      unsigned first = operands.getForwardedOperands().getBeginOperandIndex();
      unsigned produced = operands.getProducedOperandCount();
      connect(op->getOpOperand(first + position - produced), argument);
    }
  }
}

/// A private function whose uses are all calls has the types that its callers and its body agree
/// on; all others keep their signature.
void TieBuilder::visitFunction(FunctionOpInterface function) {
  if (function.isExternal())
    return;
  auto fixSignature = [&] { fix(function.getArguments()); };
  if (!function.isPrivate() || !isa<func::FuncOp>(function))
    return fixSignature();
  if (referenced.contains(SymbolTable::getSymbolName(function)))
    return fixSignature();
  ArrayRef<CallOpInterface> calls = this->calls[function];
  SmallVector<Operation *> returns;
  for (Block &block : function.getFunctionBody())
    if (!block.empty() && block.back().hasTrait<OpTrait::ReturnLike>())
      returns.push_back(&block.back());
  if (returns.empty())
    for (CallOpInterface call : calls)
      fix(call->getResults());
  for (CallOpInterface call : calls) {
    OperandRange arguments = call.getArgOperands();
    for (auto [operand, argument] :
         llvm::zip(getForwarded(call, arguments), function.getArguments()))
      connect(operand, argument);
    for (Operation *back : returns)
      for (auto [operand, result] : llvm::zip(back->getOpOperands(), call->getResults()))
        connect(operand, result);
    // All calls give what the function gives.
    for (auto [result, other] : llvm::zip(call->getResults(), calls.front()->getResults()))
      join(result, other);
  }
}

//===----------------------------------------------------------------------===//
// Edges by the kind that a table gives
//===----------------------------------------------------------------------===//

/// `while` with a region for the condition and one for the body: operands, arguments of both, what
/// the body gives, and results correspond by position.
void TieBuilder::visitLoop(Operation *op) {
  if (op->getNumRegions() != 2 || op->getNumOperands() != op->getNumResults() ||
      !llvm::all_of(op->getRegions(), [&](Region &region) {
        return region.hasOneBlock() && region.getNumArguments() == op->getNumOperands() &&
               region.front().mightHaveTerminator();
      }))
    return fix(op->getResults());
  Operation *back = op->getRegion(1).front().getTerminator();
  if (back->getNumOperands() != op->getNumResults())
    return fix(op->getResults());
  for (unsigned index = 0, end = op->getNumOperands(); index < end; ++index) {
    Value result = op->getResult(index);
    connect(op->getOpOperand(index), result);
    connect(back->getOpOperand(index), result);
    for (Region &region : op->getRegions())
      join(region.getArgument(index), result);
  }
}

/// A choice between regions, which may take the op's last operands.
void TieBuilder::visitBranches(Operation *op) {
  for (Region &region : op->getRegions()) {
    if (region.empty())
      continue;
    if (!region.hasOneBlock() || !region.front().mightHaveTerminator() ||
        region.getNumArguments() > op->getNumOperands())
      return fix(op->getResults());
    unsigned first = op->getNumOperands() - region.getNumArguments();
    for (BlockArgument argument : region.getArguments())
      connect(op->getOpOperand(first + argument.getArgNumber()), argument);
    Operation *back = region.front().getTerminator();
    for (auto [operand, result] : llvm::zip(back->getOpOperands(), op->getResults()))
      connect(operand, result);
  }
}

void TieBuilder::visitPass(Operation *op) {
  if (op->getNumOperands() != op->getNumResults())
    return;
  for (auto [operand, result] : llvm::zip(op->getOpOperands(), op->getResults()))
    connect(operand, result);
}

void TieBuilder::visit(Operation *op) {
  if (auto function = dyn_cast<FunctionOpInterface>(op))
    return visitFunction(function);
  if (auto branch = dyn_cast<BranchOpInterface>(op))
    visitBranch(branch);
  if (op->getNumRegions() == 0)
    return getKind(op) == OpKind::Pass ? visitPass(op) : void();
  if (auto forall = dyn_cast<scf::ForallOp>(op))
    return visitLoopLike(forall);
  if (auto regions = dyn_cast<RegionBranchOpInterface>(op))
    return visitRegionBranch(regions);
  if (getBodyKind(op) != BodyKind::Flow)
    return;
  if (getKind(op) == OpKind::Loop)
    visitLoop(op);
  else
    visitBranches(op);
}

/// Whether the op is assigned: one in a function, and not in the scalar code of another.
static bool isAssigned(Operation *op) {
  while (Operation *parent = op->getParentOp()) {
    if (isa<FunctionOpInterface>(parent))
      return true;
    if (getBodyKind(parent) == BodyKind::Element)
      return false;
    op = parent;
  }
  return false;
}

/// Upstream's map of symbol users does not take ops that are not registered.
void TieBuilder::collectUses(Operation *op) {
  auto call = dyn_cast<CallOpInterface>(op);
  SymbolRefAttr callee =
      call ? dyn_cast<SymbolRefAttr>(call.getCallableForCallee()) : SymbolRefAttr();
  if (callee && isAssigned(op)) {
    if (Operation *function = call.resolveCallableInTable(&symbols))
      calls[function].push_back(call);
  } else {
    callee = {};
  }
  // An op that computes refers to no function.
  const OpEntry *entry = lookupOpEntry(op->getName().getStringRef());
  if (entry && entry->precisionClass != PrecisionClass::Keep)
    return;
  auto refer = [&](SymbolRefAttr reference) {
    if (reference != callee)
      referenced.insert(reference.getLeafReference());
  };
  op->getAttrDictionary().walk(refer);
  if (!op->isRegistered())
    if (Attribute properties = op->getPropertiesAsAttribute())
      properties.walk(refer);
}

SmallVector<Tie> TieBuilder::build() {
  root->walk([&](Operation *op) { collectUses(op); });
  root->walk<WalkOrder::PreOrder>([&](Operation *op) { visit(op); });
  // Where one operand becomes two values they have its type.
  llvm::DenseMap<OpOperand *, Value> firsts;
  for (auto &[value, reads] : values)
    for (OpOperand *read : reads) {
      auto [first, isNew] = firsts.try_emplace(read, value);
      if (!isNew)
        classes.unionSets(first->second.getAsOpaquePointer(), value.getAsOpaquePointer());
    }
  SmallVector<Tie> ties;
  llvm::DenseSet<OpOperand *> seen;
  llvm::DenseMap<void *, unsigned> numbers;
  for (auto &[value, reads] : values) {
    auto [number, isNew] =
        numbers.try_emplace(classes.getLeaderValue(value.getAsOpaquePointer()), ties.size());
    if (isNew)
      ties.emplace_back();
    Tie &tie = ties[number->second];
    tie.values.push_back(value);
    tie.isFixed |= fixed.contains(value);
    for (OpOperand *read : reads)
      if (seen.insert(read).second)
        tie.reads.push_back(read);
  }
  return ties;
}

//===----------------------------------------------------------------------===//
// Ties
//===----------------------------------------------------------------------===//

Ties::Ties(Operation *root) : ties(TieBuilder(root).build()) {
  for (auto [number, tie] : llvm::enumerate(ties)) {
    for (Value value : tie.values)
      ofValues[value] = number;
    for (OpOperand *read : tie.reads)
      ofReads[read] = number;
  }
}

std::optional<unsigned> Ties::lookup(Value value) const {
  auto found = ofValues.find(value);
  return found == ofValues.end() ? std::nullopt : std::optional<unsigned>(found->second);
}

std::optional<unsigned> Ties::lookup(OpOperand &operand) const {
  auto found = ofReads.find(&operand);
  return found == ofReads.end() ? std::nullopt : std::optional<unsigned>(found->second);
}
