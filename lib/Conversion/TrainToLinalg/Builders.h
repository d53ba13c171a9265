//===- Builders.h - what the patterns of TrainToLinalg share --------------===//
#ifndef AMP_LIB_CONVERSION_TRAINTOLINALG_BUILDERS_H
#define AMP_LIB_CONVERSION_TRAINTOLINALG_BUILDERS_H

#include "amp/Dialect/Train/IR/Train.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace amp::conversion {

using LocBuilder = mlir::ImplicitLocOpBuilder;
using Sizes = llvm::SmallVector<mlir::OpFoldResult>;

/// Computes one element. Float arguments arrive in the compute type, others as they are stored.
using Body = llvm::function_ref<mlir::Value(LocBuilder &, mlir::ValueRange)>;

/// A tensor that a loop nest reads, and the element that an iteration reads.
struct Input {
  mlir::Value tensor;
  mlir::AffineMap map;
};

/// How a reduction joins two numbers; maximum and minimum give NaN if either is.
enum class Combiner { Sum, Max, Min };

/// The type in which `op` computes: f64 if an operand or a result is f64, else f32.
mlir::FloatType getComputeType(mlir::Operation *op);

/// A float in the wider type `type`, exactly; a value that is no float as it is.
mlir::Value extend(LocBuilder &builder, mlir::Value value, mlir::Type type);

/// A float rounded once, to nearest even, into `type`; f64 to a half type does not pass through a
/// rounded f32.
mlir::Value roundTo(LocBuilder &builder, mlir::Value value, mlir::Type type);

/// `value` rounded into the float type `type`.
mlir::Value createConstant(LocBuilder &builder, mlir::FloatType type, double value);

/// 1 where `condition` holds, else 0.
mlir::Value createIndicator(LocBuilder &builder, mlir::Value condition, mlir::FloatType type);

/// The dimensions of a tensor, static ones as attributes.
Sizes getSizes(LocBuilder &builder, mlir::Value tensor);

/// An uninitialised tensor of `type`, whose dynamic dimensions are in `sizes`.
mlir::Value createEmpty(LocBuilder &builder, mlir::RankedTensorType type, const Sizes &sizes);

/// The product of `sizes[d]` over `dimensions` as a float: the element count of a mean.
mlir::Value countElements(LocBuilder &builder, const Sizes &sizes,
                          llvm::ArrayRef<int64_t> dimensions, mlir::FloatType type);

/// The element of a tensor of rank 0, extended to `type`.
mlir::Value readScalar(LocBuilder &builder, mlir::Value tensor, mlir::FloatType type);

/// A tensor of rank 0 with the element `value`, rounded into the element type of `type`.
mlir::Value createScalar(LocBuilder &builder, mlir::Value value, mlir::Type type);

/// Each of `tensors` read at the iteration's own position.
llvm::SmallVector<Input> readInPlace(mlir::ValueRange tensors);

/// The map that drops `dimensions`: how a loop nest reads what a reduction along them gave.
mlir::AffineMap getProjection(mlir::MLIRContext *context, unsigned rank,
                              llvm::ArrayRef<int64_t> dimensions);

/// One parallel `linalg.generic`: a tensor of `type` and `sizes` with the elements `body`, each
/// rounded once.
mlir::Value createElementwise(LocBuilder &builder, mlir::FloatType computeType,
                              mlir::RankedTensorType type, const Sizes &sizes,
                              llvm::ArrayRef<Input> inputs, Body body);

/// One `linalg.generic` over `sizes` that joins `body` along `dimensions`; gives a tensor of
/// `computeType` with the other dimensions. The loops keep the order of `sizes`.
mlir::Value createReduction(LocBuilder &builder, mlir::FloatType computeType, const Sizes &sizes,
                            llvm::ArrayRef<int64_t> dimensions, Combiner combiner,
                            llvm::ArrayRef<Input> inputs, Body body);

} // namespace amp::conversion

#endif // AMP_LIB_CONVERSION_TRAINTOLINALG_BUILDERS_H
