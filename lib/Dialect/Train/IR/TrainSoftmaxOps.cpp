//===- TrainSoftmaxOps.cpp - softmax-like ops need a last dimension -------===//

#include "Verify.h"

using namespace mlir;
using namespace amp::train;

/// (C2) of the ops along the last dimension.
static LogicalResult verifyHasLastDimension(Operation *op, Value value, StringRef name) {
  if (!getShape(value).empty())
    return success();
  return op->emitOpError("expects ") << name << " of at least rank 1 but got a scalar";
}

LogicalResult SoftmaxOp::verify() { return verifyHasLastDimension(*this, getInput(), "input"); }
LogicalResult LogSoftmaxOp::verify() { return verifyHasLastDimension(*this, getInput(), "input"); }
LogicalResult SoftmaxGradOp::verify() {
  return verifyHasLastDimension(*this, getOutput(), "output");
}
LogicalResult LogSoftmaxGradOp::verify() {
  return verifyHasLastDimension(*this, getOutput(), "output");
}
