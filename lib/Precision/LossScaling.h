//===- LossScaling.h - loss scale and guarded update of a step ------------===//
#ifndef AMP_LIB_PRECISION_LOSSSCALING_H
#define AMP_LIB_PRECISION_LOSSSCALING_H

#include "Settings.h"

namespace amp {

/// Scales the gradients of every step function of the module that autodiff made and that is not
/// scaled yet: the backward pass starts from the scale, one check reads all gradients, and the
/// update is guarded by it. With `loss-scale=auto`, a step in which nothing is low stays unscaled.
/// Fails after an error if a step does not have the form that autodiff gives it, or if scaling was
/// asked for and there is no step.
llvm::LogicalResult scaleLosses(mlir::ModuleOp module, const Settings &settings);

} // namespace amp

#endif // AMP_LIB_PRECISION_LOSSSCALING_H
