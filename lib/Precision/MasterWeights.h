//===- MasterWeights.h - half copies of f32 weights -----------------------===//
#ifndef AMP_LIB_PRECISION_MASTERWEIGHTS_H
#define AMP_LIB_PRECISION_MASTERWEIGHTS_H

#include "Classify.h"

namespace amp {

/// Gives each f32 parameter and frozen variable of which a cast to `low` is read a resident copy in
/// that type: `@w.f16` of `@w`. Every function reads the copy in place of the cast, and every
/// assignment of `@w` is followed by one of the copy. Fails after an error if the copy's name is
/// taken.
llvm::LogicalResult keepHalfCopies(mlir::ModuleOp module, mlir::FloatType low);

/// Level O3: parameters and optimizer states become variables of the type `low` themselves, and
/// with them what reads and assigns them.
void lowerVariables(mlir::ModuleOp module, const Classifier &classifier, mlir::FloatType low);

} // namespace amp

#endif // AMP_LIB_PRECISION_MASTERWEIGHTS_H
