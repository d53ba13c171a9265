//===- Softmax.h - row statistics that softmax and the losses share -------===//
#ifndef AMP_LIB_CONVERSION_TRAINTOLINALG_SOFTMAX_H
#define AMP_LIB_CONVERSION_TRAINTOLINALG_SOFTMAX_H

#include "Builders.h"

namespace amp::conversion {

/// What a softmax knows of each row, in the compute type.
struct SoftmaxStatistics {
  /// The largest element.
  mlir::Value maximum;
  /// The sum of exp(x - maximum).
  mlir::Value sum;
  /// How a loop nest over the whole tensor reads both.
  mlir::AffineMap map;
};

/// Two reductions along the last dimension of `input`, whose dimensions are `sizes`.
SoftmaxStatistics createSoftmaxStatistics(LocBuilder &builder, mlir::FloatType computeType,
                                          mlir::Value input, const Sizes &sizes);

} // namespace amp::conversion

#endif // AMP_LIB_CONVERSION_TRAINTOLINALG_SOFTMAX_H
