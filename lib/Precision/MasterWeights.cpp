//===- MasterWeights.cpp - half copies of f32 weights ---------------------===//

#include "MasterWeights.h"
#include "CastInsertion.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace amp;
using namespace amp::train;

namespace {

/// What happens to a variable in the functions of the module.
struct VariableUses {
  SmallVector<ReadOp> reads;
  SmallVector<AssignOp> assigns;
};

class HalfCopies {
public:
  HalfCopies(ModuleOp module, FloatType low) : module(module), low(low), symbols(module) {}

  LogicalResult run();

private:
  void collect();
  SmallVector<amp::CastOp> getNarrowedReads(VariableOp variable);
  FailureOr<VariableOp> getOrCreateCopy(VariableOp variable);
  void readCopy(amp::CastOp cast, VariableOp copy);
  void assignCopy(AssignOp assign, VariableOp copy);

  ModuleOp module;
  FloatType low;
  SymbolTable symbols;
  CastBuilder casts;
  llvm::DenseMap<StringAttr, VariableUses> uses;
  /// The half copy, in the type of this run, of a variable.
  llvm::DenseMap<StringAttr, VariableOp> copies;
};

} // namespace

void HalfCopies::collect() {
  module.walk([&](Operation *op) {
    if (auto read = dyn_cast<ReadOp>(op))
      uses[read.getVariableAttr().getAttr()].reads.push_back(read);
    else if (auto assign = dyn_cast<AssignOp>(op))
      uses[assign.getVariableAttr().getAttr()].assigns.push_back(assign);
  });
  for (auto variable : module.getOps<VariableOp>())
    if (variable.getCopyOfAttr() && variable.getTensorType().getElementType() == low)
      copies.try_emplace(variable.getCopyOfAttr().getAttr(), variable);
}

/// The casts to the low type of what is read from `variable`.
SmallVector<amp::CastOp> HalfCopies::getNarrowedReads(VariableOp variable) {
  SmallVector<amp::CastOp> narrowed;
  for (ReadOp read : uses.lookup(variable.getSymNameAttr()).reads)
    for (Operation *user : read->getUsers())
      if (auto cast = dyn_cast<amp::CastOp>(user))
        if (cast.getType().getElementType() == low)
          narrowed.push_back(cast);
  return narrowed;
}

FailureOr<VariableOp> HalfCopies::getOrCreateCopy(VariableOp variable) {
  VariableOp &copy = copies[variable.getSymNameAttr()];
  if (copy)
    return copy;
  std::string name = (variable.getSymName() + "." + spellHalfType(low)).str();
  if (Operation *existing = symbols.lookup(name)) {
    InFlightDiagnostic diagnostic =
        variable.emitError("cannot keep a half copy of @")
        << variable.getSymName() << " as @" << name
        << " because there is a symbol of this name; rename it or use master-weights=cast";
    diagnostic.attachNote(existing->getLoc()) << "symbol defined here";
    return diagnostic;
  }
  OpBuilder builder(module.getContext());
  builder.setInsertionPointAfter(variable);
  copy = VariableOp::create(builder, variable.getLoc(), builder.getStringAttr(name),
                            VariableRole::HalfCopy, variable.getTensorType().clone(low),
                            /*initial_value=*/Attribute(),
                            FlatSymbolRefAttr::get(variable.getSymNameAttr()));
  symbols.insert(copy);
  return copy;
}

/// Reads the copy at the place of the read that `cast` rounds.
void HalfCopies::readCopy(amp::CastOp cast, VariableOp copy) {
  auto read = cast.getInput().getDefiningOp<ReadOp>();
  OpBuilder builder(read->getContext());
  builder.setInsertionPointAfter(read);
  auto copyRead = ReadOp::create(builder, read.getLoc(), copy.getTensorType(),
                                 FlatSymbolRefAttr::get(copy.getSymNameAttr()));
  cast.replaceAllUsesWith(copyRead.getResult());
  cast.erase();
  if (read->use_empty())
    read.erase();
}

/// Lets `assign` be followed by one of the copy, if it is not.
void HalfCopies::assignCopy(AssignOp assign, VariableOp copy) {
  for (Operation *next = assign->getNextNode(); next; next = next->getNextNode()) {
    auto other = dyn_cast<AssignOp>(next);
    if (!other)
      continue;
    if (other.getVariable() == copy.getSymName())
      return;
    if (other.getVariable() == assign.getVariable())
      break;
  }
  Value value = casts.get(assign.getValue(), low, assign);
  OpBuilder builder(assign->getContext());
  builder.setInsertionPointAfter(assign);
  AssignOp::create(builder, assign.getLoc(), FlatSymbolRefAttr::get(copy.getSymNameAttr()), value);
}

LogicalResult HalfCopies::run() {
  collect();
  SmallVector<VariableOp> variables(module.getOps<VariableOp>());
  SmallVector<std::pair<AssignOp, VariableOp>> assigned;
  for (VariableOp variable : variables) {
    if ((variable.getRole() != VariableRole::Parameter &&
         variable.getRole() != VariableRole::Frozen) ||
        !variable.getTensorType().getElementType().isF32())
      continue;
    SmallVector<amp::CastOp> narrowed = getNarrowedReads(variable);
    if (narrowed.empty() && !copies.contains(variable.getSymNameAttr()))
      continue;
    FailureOr<VariableOp> copy = getOrCreateCopy(variable);
    if (failed(copy))
      return failure();
    for (amp::CastOp cast : narrowed)
      readCopy(cast, *copy);
    for (AssignOp assign : uses.lookup(variable.getSymNameAttr()).assigns)
      assigned.emplace_back(assign, *copy);
  }
  // Only now: reading the copies erases casts, which an assignment may share.
  for (auto [assign, copy] : assigned)
    assignCopy(assign, copy);
  return success();
}

LogicalResult amp::keepHalfCopies(ModuleOp module, FloatType low) {
  return HalfCopies(module, low).run();
}

//===----------------------------------------------------------------------===//
// Level O3
//===----------------------------------------------------------------------===//

namespace {

class VariableLowering {
public:
  VariableLowering(ModuleOp module, const Classifier &classifier, FloatType low)
      : module(module), classifier(classifier), low(low) {}

  void run();

private:
  void lower(Value value);
  void lowerStep(OptimizerOpInterface step);
  void widenKeptUses();
  void warnOfEpsilon(OptimizerOpInterface step);
  bool isLowered(FlatSymbolRefAttr variable) const {
    return variables.contains(variable.getAttr());
  }

  ModuleOp module;
  const Classifier &classifier;
  FloatType low;
  llvm::DenseSet<StringAttr> variables;
  SmallVector<Value> values;
  CastBuilder casts;
  bool hasWarned = false;
};

} // namespace

void VariableLowering::lower(Value value) {
  value.setType(cast<RankedTensorType>(value.getType()).clone(low));
  values.push_back(value);
}

/// Gives the results of an optimizer step the types of the states that they are the next values of.
void VariableLowering::lowerStep(OptimizerOpInterface step) {
  if (classifier.classify(step).value == PrecisionClass::Keep)
    return;
  // The gradient is operand 1; the other tensors come back in order.
  SmallVector<Value> states = {step.getParameterOperand()};
  llvm::append_range(states,
                     step->getOperands().drop_front(2).take_front(step->getNumResults() - 1));
  for (auto [state, result] : llvm::zip_equal(states, step->getResults()))
    if (state.getType() != result.getType())
      lower(result);
  warnOfEpsilon(step);
}

/// Squares below f16's smallest number are zero, and epsilon alone is left to divide by.
void VariableLowering::warnOfEpsilon(OptimizerOpInterface step) {
  auto epsilon = step->getAttrOfType<FloatAttr>("epsilon");
  constexpr double smallest = 0x1p-12; // Its square is 2^-24.
  if (!epsilon || epsilon.getValueAsDouble() >= smallest || !low.isF16() || hasWarned)
    return;
  hasWarned = true;
  emitWarning(step.getLoc(), "level O3 keeps the second moment in f16, where gradients below ")
      << smallest << " square to zero, and divides by epsilon " << epsilon.getValueAsDouble()
      << " then; the step may diverge: use an epsilon of at least " << smallest
      << ", dtype=bf16 or level=O2";
}

/// An op that is left alone gets what it was written with; all others read any type.
void VariableLowering::widenKeptUses() {
  SmallVector<OpOperand *> kept;
  for (Value value : values)
    for (OpOperand &use : value.getUses()) {
      auto assign = dyn_cast<AssignOp>(use.getOwner());
      if (assign ? !isLowered(assign.getVariableAttr())
                 : classifier.classify(use.getOwner()).value == PrecisionClass::Keep)
        kept.push_back(&use);
    }
  for (OpOperand *use : kept)
    use->set(casts.get(use->get(), Float32Type::get(low.getContext()), use->getOwner()));
}

void VariableLowering::run() {
  for (auto variable : module.getOps<VariableOp>()) {
    bool isState = variable.getRole() == VariableRole::Parameter ||
                   variable.getRole() == VariableRole::OptimizerState;
    if (!isState || !variable.getTensorType().getElementType().isF32())
      continue;
    variable.setType(variable.getTensorType().clone(low));
    variables.insert(variable.getSymNameAttr());
  }
  SmallVector<AssignOp> assigns;
  module.walk([&](Operation *op) {
    if (auto read = dyn_cast<ReadOp>(op); read && isLowered(read.getVariableAttr()))
      lower(read.getResult());
    else if (auto assign = dyn_cast<AssignOp>(op); assign && isLowered(assign.getVariableAttr()))
      assigns.push_back(assign);
  });
  module.walk([&](OptimizerOpInterface step) { lowerStep(step); });
  widenKeptUses();
  // What is not the result of an optimizer step is rounded where it is assigned.
  for (AssignOp assign : assigns)
    assign.getValueMutable().assign(casts.get(assign.getValue(), low, assign));
}

void amp::lowerVariables(ModuleOp module, const Classifier &classifier, FloatType low) {
  VariableLowering(module, classifier, low).run();
}
