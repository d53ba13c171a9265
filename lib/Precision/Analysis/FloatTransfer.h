//===- FloatTransfer.h - the bounds of an op's result ----------------------===//
#ifndef AMP_LIB_PRECISION_ANALYSIS_FLOATTRANSFER_H
#define AMP_LIB_PRECISION_ANALYSIS_FLOATTRANSFER_H

#include "FloatRange.h"
#include "mlir/IR/Operation.h"

namespace amp {

/// The bounds of result `index` of an op without regions of its own, whose numbers (see
/// getNumbers()) are within `numbers`.
FloatRange computeRange(mlir::Operation *op, unsigned index, llvm::ArrayRef<FloatRange> numbers);

} // namespace amp

#endif // AMP_LIB_PRECISION_ANALYSIS_FLOATTRANSFER_H
