//===- Provenance.h - numbers that count or number something ---------------===//
#ifndef AMP_LIB_PRECISION_ANALYSIS_PROVENANCE_H
#define AMP_LIB_PRECISION_ANALYSIS_PROVENANCE_H

#include "../Model/OpModel.h"
#include "FloatRangeAnalysis.h"
#include "Ties.h"
#include "llvm/ADT/DenseSet.h"

namespace amp {

/// Rule P4: values that come from positions and integers, as long as nothing proves them within
/// what the low type counts exactly (2^11 in f16, 2^8 in bf16).
class Provenance {
public:
  /// `ops` are in the order of a program.
  Provenance(llvm::ArrayRef<mlir::Operation *> ops, const OpModels &models, const Ties &ties,
             const FloatRanges &ranges, mlir::FloatType low);

  /// Whether the op computes with such a value: it stays f32.
  bool readsCount(mlir::Operation *op) const;

private:
  bool visit(mlir::Operation *op);
  bool visitTies();
  bool isCount(mlir::Value value) const { return counts.contains(value); }

  const OpModels &models;
  const Ties &ties;
  const FloatRanges &ranges;
  double most;
  llvm::DenseSet<mlir::Value> counts;
};

} // namespace amp

#endif // AMP_LIB_PRECISION_ANALYSIS_PROVENANCE_H
