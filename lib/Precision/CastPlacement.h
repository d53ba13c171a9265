//===- CastPlacement.h - where casts stand ----------------------------------===//
#ifndef AMP_LIB_PRECISION_CASTPLACEMENT_H
#define AMP_LIB_PRECISION_CASTPLACEMENT_H

#include "Assignment.h"

namespace amp {

/// Whether a cast of what `op` gives, if all its users read it low, belongs before the op: rule P6.
/// It does if the op is a reshape, transpose or broadcast and the cast then touches no more
/// elements.
bool mayMoveCastBefore(mlir::Operation *op, const Graph &graph);

/// Rule P6: a reshape, transpose or broadcast that all users read in the low type comes low itself
/// if the cast then touches no more elements. Rounding what is moved and moving what is rounded are
/// the same. Changes `assignment`; gives the ops that were f32 and now are low.
llvm::SmallVector<mlir::Operation *> moveCastsBeforeClearOps(const Graph &graph,
                                                             Assignment &assignment);

} // namespace amp

#endif // AMP_LIB_PRECISION_CASTPLACEMENT_H
