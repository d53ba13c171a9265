//===- Constants.h - what becomes of a constant in a half type ------------===//
#ifndef AMP_LIB_PRECISION_CONSTANTS_H
#define AMP_LIB_PRECISION_CONSTANTS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"
#include <string>

namespace amp {

/// Rule P1 for the value of a constant: empty if it may be held in `low`, else what would happen to
/// it, as in "1e+09 overflows in f16". A scalar or splat must neither overflow, nor vanish, nor
/// become subnormal. Other tensors must not overflow and must keep their largest elements' relative
/// precision. Infinities and NaNs keep their class; data that are absent are not judged.
std::string explainUnfitConstant(mlir::Attribute value, mlir::FloatType low);

/// The same for the f32 `value` that a leaf holds, if it is known: a constant, or the only value
/// that a frozen variable with `#train.constant` has.
std::string explainUnfitLeaf(mlir::Value leaf, mlir::FloatType low);

/// `value`, each element rounded once to nearest even into `low`; null if its data are not there.
mlir::TypedAttr roundConstant(mlir::Attribute value, mlir::FloatType low);

} // namespace amp

#endif // AMP_LIB_PRECISION_CONSTANTS_H
