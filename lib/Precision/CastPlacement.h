//===- CastPlacement.h - where casts stand ----------------------------------===//
#ifndef AMP_LIB_PRECISION_CASTPLACEMENT_H
#define AMP_LIB_PRECISION_CASTPLACEMENT_H

#include "Assignment.h"

namespace amp {

/// Rule P6: a reshape, transpose or broadcast that all users read in the low type comes low itself
/// if the cast then touches no more elements. Rounding what is moved and moving what is rounded are
/// the same. Changes `assignment`; gives the ops that were f32 and now are low.
llvm::SmallVector<mlir::Operation *> moveCastsBeforeClearOps(const Graph &graph,
                                                             Assignment &assignment);

} // namespace amp

#endif // AMP_LIB_PRECISION_CASTPLACEMENT_H
