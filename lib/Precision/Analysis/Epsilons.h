//===- Epsilons.h - small constants that keep a division finite ------------===//
#ifndef AMP_LIB_PRECISION_ANALYSIS_EPSILONS_H
#define AMP_LIB_PRECISION_ANALYSIS_EPSILONS_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include <string>

namespace amp {

/// Rule P2: for ops like `x / (y + c)`, `rsqrt(max(y, c))` and `log(y + c)` with a positive `c`
/// below the smallest normal number of `low`: what carries `c` and what reads it, each with the
/// reason why it stays f32. Casts and moves between them are looked through.
llvm::DenseMap<mlir::Operation *, std::string> findEpsilons(llvm::ArrayRef<mlir::Operation *> ops,
                                                            mlir::FloatType low);

} // namespace amp

#endif // AMP_LIB_PRECISION_ANALYSIS_EPSILONS_H
