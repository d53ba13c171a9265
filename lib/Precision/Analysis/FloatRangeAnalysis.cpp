//===- FloatRangeAnalysis.cpp - bounds of all float values of a module -----===//

#include "FloatRangeAnalysis.h"
#include "FloatTransfer.h"
#include "OpFacts.h"
#include "mlir/Analysis/DataFlow/ConstantPropagationAnalysis.h"
#include "mlir/Analysis/DataFlow/DeadCodeAnalysis.h"
#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <cmath>

using namespace mlir;
using namespace amp;

//===----------------------------------------------------------------------===//
// Lattice
//===----------------------------------------------------------------------===//

FloatRangeState FloatRangeState::join(const FloatRangeState &lhs, const FloatRangeState &rhs) {
  if (lhs.isUnknown())
    return rhs;
  if (rhs.isUnknown())
    return lhs;
  return FloatRangeState(lhs.getRange().hull(rhs.getRange()));
}

void FloatRangeState::print(llvm::raw_ostream &os) const {
  if (range)
    range->print(os);
  else
    os << "unknown";
}

ChangeResult FloatRangeLattice::join(const dataflow::AbstractSparseLattice &rhs) {
  return join(static_cast<const FloatRangeLattice &>(rhs).getValue());
}

/// The next bound at which one that keeps moving may come to rest: those that bounded functions
/// have, and that integers and half types are held against.
static double roundUp(double bound) {
  for (double rest : {-65504.0, -2048.0, -256.0, -1.0, 0.0, 1.0, 256.0, 2048.0, 65504.0})
    if (bound <= rest)
      return rest;
  return std::numeric_limits<double>::infinity();
}

ChangeResult FloatRangeLattice::join(const FloatRangeState &rhs) {
  FloatRangeState joined = FloatRangeState::join(getValue(), rhs);
  if (joined == getValue())
    return ChangeResult::NoChange;
  if (!getValue().isUnknown() && ++updates > kMostUpdates) {
    const FloatRange &before = getValue().getRange(), &now = joined.getRange();
    joined = FloatRangeState(
        FloatRange(now.getLow() < before.getLow() ? -roundUp(-now.getLow()) : now.getLow(),
                   now.getHigh() > before.getHigh() ? roundUp(now.getHigh()) : now.getHigh()));
  }
  getValue() = joined;
  return ChangeResult::Change;
}

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

void FloatRangeAnalysis::setToEntryState(FloatRangeLattice *lattice) {
  propagateIfChanged(lattice, lattice->join(FloatRangeState(FloatRange())));
}

/// The ops whose region is a scalar body that runs once per element of the operands: the body's
/// arguments hold elements of the operands. Null for others.
static Block *getElementBody(Operation *op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return linalgOp->getNumRegions() == 1 ? linalgOp.getBlock() : nullptr;
  return nullptr;
}

void FloatRangeAnalysis::visitNonControlFlowArguments(Operation *op,
                                                      const RegionSuccessor &successor,
                                                      ArrayRef<FloatRangeLattice *> arguments,
                                                      unsigned firstIndex) {
  Block *body = getElementBody(op);
  if (!body)
    return SparseForwardDataFlowAnalysis::visitNonControlFlowArguments(op, successor, arguments,
                                                                       firstIndex);
  auto linalgOp = cast<linalg::LinalgOp>(op);
  for (auto [index, lattice] : llvm::enumerate(arguments)) {
    // With a reduction the last arguments hold what was accumulated so far: anything.
    if (linalgOp.getNumReductionLoops() != 0 && index >= unsigned(linalgOp.getNumDpsInputs())) {
      setToEntryState(lattice);
      continue;
    }
    const FloatRangeLattice *operand =
        getLatticeElementFor(getProgramPointBefore(body), op->getOperand(index));
    propagateIfChanged(lattice, lattice->join(operand->getValue()));
  }
}

LogicalResult FloatRangeAnalysis::visitOperation(Operation *op,
                                                 ArrayRef<const FloatRangeLattice *> operands,
                                                 ArrayRef<FloatRangeLattice *> results) {
  // A body without reductions makes each element of a result once.
  Block *body = getElementBody(op);
  if (body && cast<linalg::LinalgOp>(op).getNumReductionLoops() == 0) {
    Operation *yield = body->getTerminator();
    for (auto [index, result] : llvm::enumerate(results)) {
      const FloatRangeLattice *made =
          getLatticeElementFor(getProgramPointAfter(op), yield->getOperand(index));
      propagateIfChanged(result, result->join(made->getValue()));
    }
    return success();
  }
  SmallVector<FloatRange> ranges;
  for (unsigned index : getNumbers(op)) {
    if (index >= operands.size())
      continue;
    // What nothing was seen of yet is seen again when it is known.
    if (operands[index]->getValue().isUnknown())
      return success();
    ranges.push_back(operands[index]->getValue().getRange());
  }
  for (auto [index, result] : llvm::enumerate(results)) {
    FloatRange range = computeRange(op, index, ranges);
    propagateIfChanged(result, result->join(FloatRangeState(range)));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// FloatRanges
//===----------------------------------------------------------------------===//

FloatRanges::FloatRanges(Operation *root) : solver(std::make_unique<DataFlowSolver>()) {
  solver->load<dataflow::DeadCodeAnalysis>();
  solver->load<dataflow::SparseConstantPropagation>();
  solver->load<FloatRangeAnalysis>();
  if (failed(solver->initializeAndRun(root)))
    solver.reset();
}

FloatRanges::~FloatRanges() = default;

FloatRange FloatRanges::get(Value value) const {
  const auto *lattice = solver ? solver->lookupState<FloatRangeLattice>(value) : nullptr;
  return lattice && !lattice->getValue().isUnknown() ? lattice->getValue().getRange()
                                                     : FloatRange();
}
