//===- Verify.h - checks that several verifiers of train share ------------===//
#ifndef AMP_LIB_DIALECT_TRAIN_IR_VERIFY_H
#define AMP_LIB_DIALECT_TRAIN_IR_VERIFY_H

#include "amp/Dialect/Train/IR/Train.h"

namespace amp::train {

/// Whether two dimensions can be equal at run time: a dynamic one agrees with any.
inline bool agrees(int64_t lhs, int64_t rhs) {
  return lhs == rhs || mlir::ShapedType::isDynamic(lhs) || mlir::ShapedType::isDynamic(rhs);
}

/// Dimensions as types print them: "4x?x8", and "scalar" for rank 0.
std::string formatShape(llvm::ArrayRef<int64_t> shape);

/// Fails with "expects <what> of shape <expected> but got <found>" unless all dimensions agree.
llvm::LogicalResult verifyShape(mlir::Operation *op, llvm::Twine what, mlir::Value value,
                                llvm::ArrayRef<int64_t> expected);

/// Fails unless `dimensions` is increasing and within [0, rank).
llvm::LogicalResult verifyDimensions(mlir::Operation *op, llvm::ArrayRef<int64_t> dimensions,
                                     int64_t rank);

/// `shape` without `dimensions`.
llvm::SmallVector<int64_t> dropDimensions(llvm::ArrayRef<int64_t> shape,
                                          llvm::ArrayRef<int64_t> dimensions);

/// Fails unless `result` has f64 elements exactly if an operand of `op` has, else f32.
llvm::LogicalResult verifyComputeResult(mlir::Operation *op, mlir::Value result);

/// Fails unless `result` has f64 elements exactly if an operand of `op` has.
llvm::LogicalResult verifyDoubleResult(mlir::Operation *op, mlir::Value result);

/// The shape of a value of ranked tensor type.
llvm::ArrayRef<int64_t> getShape(mlir::Value value);

} // namespace amp::train

#endif // AMP_LIB_DIALECT_TRAIN_IR_VERIFY_H
