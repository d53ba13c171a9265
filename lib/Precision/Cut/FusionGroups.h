//===- FusionGroups.h - ops that become one pass over memory ----------------===//
#ifndef AMP_LIB_PRECISION_CUT_FUSIONGROUPS_H
#define AMP_LIB_PRECISION_CUT_FUSIONGROUPS_H

#include "../Model/OpModel.h"

namespace amp {

/// Groups of ops that a compiler turns into one loop or kernel, chosen without regard to types: a
/// contraction or elementwise op with the elementwise ops that alone read it, and the reduction at
/// their end. Values inside a group never go to memory.
class FusionGroups {
public:
  /// `ops` are in the order of a program. Casts between f32 and `low` belong to who reads them.
  FusionGroups(llvm::ArrayRef<mlir::Operation *> ops, const OpModels &models, mlir::FloatType low);

  /// The number of the op's group.
  unsigned get(mlir::Operation *op) const { return groups.lookup(op); }
  /// Whether no user of the value, casts looked through, is outside of its op's group.
  bool isInternal(mlir::Value value) const;

private:
  mlir::Operation *getOnlyReader(mlir::Operation *op) const;

  mlir::FloatType low;
  llvm::DenseMap<mlir::Operation *, unsigned> groups;
};

} // namespace amp

#endif // AMP_LIB_PRECISION_CUT_FUSIONGROUPS_H
