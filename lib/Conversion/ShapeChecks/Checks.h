//===- Checks.h - the checks of an op's shapes, by family -----------------===//
#ifndef AMP_LIB_CONVERSION_SHAPECHECKS_CHECKS_H
#define AMP_LIB_CONVERSION_SHAPECHECKS_CHECKS_H

#include "CheckBuilder.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace amp::conversion {

/// Dimensions along which one loop walks are equal, and other indices stay within their tensors.
void checkLoops(CheckBuilder &checks, mlir::Operation *op);

/// A cast, reshape, slice or padded tensor fits what it is taken from.
void checkView(CheckBuilder &checks, mlir::Operation *op);

/// A single element is read from or written to within the tensor.
void checkElement(CheckBuilder &checks, mlir::Operation *op);

/// The same for the elements that a body of loops reads by itself. Their indices are looked at
/// before the loops, unless they depend on what the loops compute.
void checkGathers(CheckBuilder &checks, mlir::linalg::LinalgOp op);

} // namespace amp::conversion

#endif // AMP_LIB_CONVERSION_SHAPECHECKS_CHECKS_H
