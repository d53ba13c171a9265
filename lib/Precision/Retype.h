//===- Retype.h - what must follow when an op's types change ---------------===//
#ifndef AMP_LIB_PRECISION_RETYPE_H
#define AMP_LIB_PRECISION_RETYPE_H

#include "CastInsertion.h"

namespace amp {

/// `type` with other elements, its shape and encoding kept.
mlir::Type withElements(mlir::Type type, mlir::FloatType element);

/// Makes the attributes and the scalar code inside `op` fit the types that its operands and results
/// have now.
void retypeInside(mlir::Operation *op, CastBuilder &casts);

} // namespace amp

#endif // AMP_LIB_PRECISION_RETYPE_H
