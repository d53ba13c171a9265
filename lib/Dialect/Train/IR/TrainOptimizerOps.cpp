//===- TrainOptimizerOps.cpp - verifiers of optimizer steps ---------------===//

#include "Verify.h"

using namespace mlir;
using namespace amp::train;

/// (C1) and (C2) of the optimizers: `states` are the operands that come back as results, in order.
static LogicalResult verifyStep(Operation *op, ValueRange states, Value gradient) {
  ArrayRef<int64_t> shape = getShape(states.front());
  if (failed(verifyShape(op, "gradient", gradient, shape)))
    return failure();
  for (auto [index, state, result] : llvm::enumerate(states, op->getResults())) {
    if (failed(verifyShape(op, "every state", state, shape)))
      return failure();
    if (state.getType() != result.getType())
      return op->emitOpError("expects result ")
             << index << " to have its operand's type " << state.getType() << " but got "
             << result.getType();
  }
  return success();
}

LogicalResult SgdOp::verify() { return verifyStep(*this, {getParameter()}, getGradient()); }

LogicalResult MomentumOp::verify() {
  return verifyStep(*this, {getParameter(), getVelocity()}, getGradient());
}

LogicalResult AdamOp::verify() {
  return verifyStep(*this, {getParameter(), getExpAvg(), getExpAvgSq()}, getGradient());
}

LogicalResult AdamWOp::verify() {
  return verifyStep(*this, {getParameter(), getExpAvg(), getExpAvgSq()}, getGradient());
}

LogicalResult GlobalNormOp::verify() {
  if (getGradients().empty())
    return emitOpError("expects at least one gradient");
  return success();
}

LogicalResult ClipOp::verify() {
  // (C1)
  if (getGradient().getType() != getResult().getType())
    return emitOpError("expects the result to have the gradient's type ")
           << getGradient().getType() << " but got " << getResult().getType();
  // (C2)
  if (!(getMaxNorm().convertToDouble() > 0))
    return emitOpError("expects a positive max_norm but got ") << getMaxNorm().convertToDouble();
  return success();
}
