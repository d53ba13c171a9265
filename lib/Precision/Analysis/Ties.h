//===- Ties.h - values that control flow gives one type --------------------===//
//
// Rule P9: what goes along an edge of control flow, into a call or out of it, has one type. A tie
// is a set of such values with all operands that flow into them; it is assigned as a whole.
//
//===----------------------------------------------------------------------===//
#ifndef AMP_LIB_PRECISION_ANALYSIS_TIES_H
#define AMP_LIB_PRECISION_ANALYSIS_TIES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace amp {

/// f32 values that have one type: block arguments and results of ops with regions and of calls.
struct Tie {
  llvm::SmallVector<mlir::Value> values;
  /// The operands whose values become those: initial values, yields, arguments of calls.
  llvm::SmallVector<mlir::OpOperand *> reads;
  bool isFixed = false; ///< Stays f32: it reaches a public signature, or what is not known.
};

/// The ties of a module.
class Ties {
public:
  explicit Ties(mlir::Operation *root);

  llvm::ArrayRef<Tie> getTies() const { return ties; }
  /// The tie that a value is in; none if its type is that of its op.
  std::optional<unsigned> lookup(mlir::Value value) const;
  /// The tie that an operand flows into.
  std::optional<unsigned> lookup(mlir::OpOperand &operand) const;

private:
  llvm::SmallVector<Tie> ties;
  llvm::DenseMap<mlir::Value, unsigned> ofValues;
  llvm::DenseMap<mlir::OpOperand *, unsigned> ofReads;
};

} // namespace amp

#endif // AMP_LIB_PRECISION_ANALYSIS_TIES_H
