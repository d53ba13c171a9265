//===- FloatRangeAnalysis.h - bounds of all float values of a module -------===//
#ifndef AMP_LIB_PRECISION_ANALYSIS_FLOATRANGEANALYSIS_H
#define AMP_LIB_PRECISION_ANALYSIS_FLOATRANGEANALYSIS_H

#include "FloatRange.h"
#include "mlir/Analysis/DataFlow/SparseAnalysis.h"

namespace amp {

/// What is known of a value: nothing yet (no path to it was seen), or a range.
class FloatRangeState {
public:
  FloatRangeState() = default;
  explicit FloatRangeState(FloatRange range) : range(range) {}

  bool isUnknown() const { return !range; }
  const FloatRange &getRange() const { return *range; }
  bool operator==(const FloatRangeState &other) const { return range == other.range; }
  static FloatRangeState join(const FloatRangeState &lhs, const FloatRangeState &rhs);
  void print(llvm::raw_ostream &os) const;

private:
  std::optional<FloatRange> range;
};

/// A bound that still moves after so many updates goes around a loop: it moves on in large steps,
/// at last to infinity.
class FloatRangeLattice : public mlir::dataflow::Lattice<FloatRangeState> {
public:
  using Lattice::Lattice;
  mlir::ChangeResult join(const mlir::dataflow::AbstractSparseLattice &rhs) override;
  mlir::ChangeResult join(const FloatRangeState &rhs);

private:
  static constexpr unsigned kMostUpdates = 4;
  unsigned updates = 0;
};

/// Interval analysis forward along values, regions, branches and calls. Needs
/// DeadCodeAnalysis and SparseConstantPropagation beside it in the solver.
class FloatRangeAnalysis : public mlir::dataflow::SparseForwardDataFlowAnalysis<FloatRangeLattice> {
public:
  using SparseForwardDataFlowAnalysis::SparseForwardDataFlowAnalysis;

  llvm::LogicalResult visitOperation(mlir::Operation *op,
                                     llvm::ArrayRef<const FloatRangeLattice *> operands,
                                     llvm::ArrayRef<FloatRangeLattice *> results) override;
  void visitNonControlFlowArguments(mlir::Operation *op, const mlir::RegionSuccessor &successor,
                                    llvm::ArrayRef<FloatRangeLattice *> arguments,
                                    unsigned firstIndex) override;
  void setToEntryState(FloatRangeLattice *lattice) override;
};

/// The bounds of all values under `root`, computed at once.
class FloatRanges {
public:
  explicit FloatRanges(mlir::Operation *root);
  ~FloatRanges();

  /// The bounds of a value; anything for one that is no float or that nothing reaches.
  FloatRange get(mlir::Value value) const;

private:
  std::unique_ptr<mlir::DataFlowSolver> solver;
};

} // namespace amp

#endif // AMP_LIB_PRECISION_ANALYSIS_FLOATRANGEANALYSIS_H
