//===- BodyModel.h - what the scalar code inside an op says of it -----------===//
#ifndef AMP_LIB_PRECISION_MODEL_BODYMODEL_H
#define AMP_LIB_PRECISION_MODEL_BODYMODEL_H

#include "amp/Precision/OpTable.h"
#include "mlir/IR/Operation.h"

namespace amp {

/// The model of an op with an element body.
struct BodySummary {
  PrecisionClass precisionClass = PrecisionClass::Deny;
  OpKind kind = OpKind::Other;
  llvm::StringRef reason;
  /// The body may read low numbers and widen them.
  bool widensInside = false;
  /// The op gives f32: it accumulates in its result.
  bool hasF32Result = false;
};

/// Reads the body of `op`, of BodyKind::Element, whose table entry is `entry`.
BodySummary summarizeBody(mlir::Operation *op, const OpEntry &entry);

} // namespace amp

#endif // AMP_LIB_PRECISION_MODEL_BODYMODEL_H
