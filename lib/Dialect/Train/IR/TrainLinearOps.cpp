//===- TrainLinearOps.cpp - verifiers of contractions and bias ------------===//

#include "Verify.h"

using namespace mlir;
using namespace amp::train;

/// Rows and columns of a matrix, exchanged if it is read transposed.
static std::pair<int64_t, int64_t> matrixShape(Value matrix, bool transposed) {
  ArrayRef<int64_t> shape = getShape(matrix);
  return transposed ? std::make_pair(shape[1], shape[0]) : std::make_pair(shape[0], shape[1]);
}

/// (C2) and (C3) of matmul and linear.
static LogicalResult verifyProduct(Operation *op, Value lhs, bool transposeLhs, Value rhs,
                                   bool transposeRhs, Value result) {
  auto [rows, lhsInner] = matrixShape(lhs, transposeLhs);
  auto [rhsInner, columns] = matrixShape(rhs, transposeRhs);
  if (!agrees(lhsInner, rhsInner))
    return op->emitOpError("expects equal inner dimensions but got ")
           << lhsInner << " and " << rhsInner;
  return verifyShape(op, "a result", result, {rows, columns});
}

LogicalResult MatmulOp::verify() {
  return verifyProduct(*this, getLhs(), getTransposeLhs(), getRhs(), getTransposeRhs(),
                       getResult());
}

LogicalResult LinearOp::verify() {
  if (failed(verifyProduct(*this, getInput(), /*transposeLhs=*/false, getWeight(),
                           getTransposeWeight(), getResult())))
    return failure();
  if (!getBias())
    return success();
  // (C4)
  return verifyShape(*this, "bias", getBias(),
                     {matrixShape(getWeight(), getTransposeWeight()).second});
}

LogicalResult BiasAddOp::verify() {
  ArrayRef<int64_t> shape = getShape(getInput());
  // (C1)
  if (shape.empty())
    return emitOpError("expects input of at least rank 1 but got a scalar");
  if (failed(verifyShape(*this, "a result", getResult(), shape)))
    return failure();
  // (C2)
  return verifyShape(*this, "bias", getBias(), {shape.back()});
}
