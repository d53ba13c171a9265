//===- GradientBuilder.h - the backward pass of a block -------------------===//
#ifndef AMP_LIB_AUTODIFF_GRADIENTBUILDER_H
#define AMP_LIB_AUTODIFF_GRADIENTBUILDER_H

#include "mlir/IR/Builders.h"

namespace amp {

/// Builds, at the builder's position at the end of `output`'s block, the gradients of `inputs`: the
/// products of `seed`, the gradient of `output`, with the derivative of `output` in each input. All
/// values are defined in that block. A gradient has its input's type; it is null if `output` does
/// not depend on the input through float values.
///
/// Ops between `inputs` and `output` need a rule (`DifferentiableOpInterface`), the others none. An
/// op that carries `train.forward = n` passes its number on as `train.gradient_of = n` to the ops
/// its rule builds; so does the op that defines a value used several times to the `train.add`s that
/// sum up its gradient. Those sums run from the last use to the first. On failure there was an
/// error at the op that cannot be differentiated, with a note at `requestedAt`.
llvm::FailureOr<llvm::SmallVector<mlir::Value>> buildGradients(mlir::OpBuilder &builder,
                                                               mlir::Value output, mlir::Value seed,
                                                               mlir::ValueRange inputs,
                                                               mlir::Location requestedAt);

} // namespace amp

#endif // AMP_LIB_AUTODIFF_GRADIENTBUILDER_H
