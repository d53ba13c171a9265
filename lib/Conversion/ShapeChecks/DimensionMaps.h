//===- DimensionMaps.h - which dimensions of an op's tensors are one ------===//
#ifndef AMP_LIB_CONVERSION_SHAPECHECKS_DIMENSIONMAPS_H
#define AMP_LIB_CONVERSION_SHAPECHECKS_DIMENSIONMAPS_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Operation.h"
#include <optional>

namespace amp::conversion {

/// How the loops of an op walk along its tensors. An operand without a shape has the null map.
struct DimensionMaps {
  llvm::SmallVector<mlir::AffineMap> operands;
  /// Empty for ops in destination style, whose results have the types of their destinations.
  llvm::SmallVector<mlir::AffineMap> results;
};

/// None if `op` is no op on loops.
std::optional<DimensionMaps> getDimensionMaps(mlir::Operation *op);

} // namespace amp::conversion

#endif // AMP_LIB_CONVERSION_SHAPECHECKS_DIMENSIONMAPS_H
