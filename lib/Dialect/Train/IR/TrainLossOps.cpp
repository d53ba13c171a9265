//===- TrainLossOps.cpp - verifiers of losses and metrics -----------------===//

#include "Verify.h"

using namespace mlir;
using namespace amp::train;

/// (C2): one label per row.
static LogicalResult verifyLabels(Operation *op, Value logits, Value labels) {
  if (getShape(labels).size() != 1)
    return op->emitOpError("expects labels of rank 1 but got rank ") << getShape(labels).size();
  return verifyShape(op, "labels", labels, {getShape(logits)[0]});
}

LogicalResult CrossEntropyOp::verify() {
  if (failed(verifyLabels(*this, getLogits(), getLabels())))
    return failure();
  return verifyComputeResult(*this, getResult());
}

LogicalResult CrossEntropyGradOp::verify() {
  if (failed(verifyLabels(*this, getLogits(), getLabels())) ||
      failed(verifyShape(*this, "a result", getResult(), getShape(getLogits()))))
    return failure();
  return verifyDoubleResult(*this, getResult());
}

LogicalResult MseOp::verify() {
  if (failed(verifyShape(*this, "target", getTarget(), getShape(getPrediction()))))
    return failure();
  return verifyComputeResult(*this, getResult());
}

LogicalResult MseGradOp::verify() {
  ArrayRef<int64_t> shape = getShape(getPrediction());
  if (failed(verifyShape(*this, "target", getTarget(), shape)) ||
      failed(verifyShape(*this, "a result", getResult(), shape)))
    return failure();
  return verifyDoubleResult(*this, getResult());
}

LogicalResult AccuracyOp::verify() { return verifyLabels(*this, getLogits(), getLabels()); }
