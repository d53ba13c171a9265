//===- AmpOps.cpp - verifiers and folds of the amp dialect ----------------===//

#include "amp/Dialect/Amp/IR/Amp.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace amp;

LogicalResult CastOp::verify() {
  // (C1)
  if (failed(verifyCompatibleShape(getInput().getType(), getResult().getType())))
    return emitOpError("expects a result with the shape of ")
           << getInput().getType() << " but got " << getResult().getType();
  // (C2)
  if (getElementTypeOrSelf(getInput()) == getElementTypeOrSelf(getResult()))
    return emitOpError("expects two different element types but got ")
           << getElementTypeOrSelf(getInput()) << " twice";
  return success();
}

OpFoldResult CastOp::fold(FoldAdaptor) {
  // narrow(widen x) = x: exact. The opposite, widen(narrow x), is a rounding and stays.
  auto widen = getInput().getDefiningOp<CastOp>();
  if (!widen || widen.getInput().getType() != getResult().getType())
    return {};
  unsigned from = getElementTypeOrSelf(widen.getInput()).getIntOrFloatBitWidth();
  unsigned to = getElementTypeOrSelf(widen.getResult()).getIntOrFloatBitWidth();
  return from < to ? OpFoldResult(widen.getInput()) : OpFoldResult();
}

LogicalResult UnscaleOp::verify() {
  // (C1)
  if (failed(verifyCompatibleShape(getGradient().getType(), getResult().getType())))
    return emitOpError("expects a result with the shape of ")
           << getGradient().getType() << " but got " << getResult().getType();
  // (C2)
  if (auto other = getGradient().getDefiningOp<UnscaleOp>()) {
    InFlightDiagnostic diagnostic = emitOpError("unscales a gradient twice");
    diagnostic.attachNote(other.getLoc()) << "already unscaled here";
    return diagnostic;
  }
  return success();
}

LogicalResult CheckGradientsOp::verify() {
  // (C1)
  if (getGradients().empty())
    return emitOpError("expects at least one gradient");
  // (C2)
  int64_t count = getNonfinite().getType().getDimSize(0);
  if (count != static_cast<int64_t>(getGradients().size()))
    return emitOpError("expects one element of 'nonfinite' per gradient, but got ")
           << count << " for " << getGradients().size();
  return success();
}

LogicalResult UpdateScaleOp::verify() {
  // (C1)
  double growth = getGrowthFactor().convertToDouble();
  double backoff = getBackoffFactor().convertToDouble();
  if (!(growth >= 1.0))
    return emitOpError("expects a growth_factor of at least 1 but got ") << growth;
  if (!(backoff > 0.0 && backoff <= 1.0))
    return emitOpError("expects a backoff_factor in (0, 1] but got ") << backoff;
  // (C2)
  int32_t interval = static_cast<int32_t>(getGrowthInterval());
  if (interval < 1)
    return emitOpError("expects a growth_interval of at least 1 but got ") << interval;
  int32_t hysteresis = static_cast<int32_t>(getHysteresis());
  if (hysteresis < 1)
    return emitOpError("expects a hysteresis of at least 1 but got ") << hysteresis;
  // (C3)
  auto isPositive = [](std::optional<APFloat> bound) {
    return !bound || bound->convertToFloat() > 0;
  };
  if (!isPositive(getMinScale()) || !isPositive(getMaxScale()))
    return emitOpError("expects positive bounds of the scale");
  if (getMinScale() && getMaxScale() &&
      getMinScale()->convertToFloat() > getMaxScale()->convertToFloat())
    return emitOpError("expects min_scale of at most max_scale but got ")
           << getMinScale()->convertToFloat() << " and " << getMaxScale()->convertToFloat();
  return success();
}

LogicalResult GuardedOp::verify() {
  // (C1)
  if (getBody().getNumArguments() != 0)
    return emitOpError("expects a region without arguments but got ")
           << getBody().getNumArguments();
  // (C2) By name: this dialect does not depend on `train`.
  for (Operation &op : getBody().front()) {
    if (op.getName().getStringRef() != "train.clip")
      continue;
    if (!op.getOperand(0).getDefiningOp<UnscaleOp>())
      return op.emitOpError("clips a scaled gradient; expects the result of an amp.unscale");
  }
  return success();
}

LogicalResult AssertOp::verify() {
  // (C1)
  StringRef rest = getMessage();
  for (size_t brace = rest.find('{'); brace != StringRef::npos; brace = rest.find('{')) {
    rest = rest.drop_front(brace + 1);
    unsigned index;
    StringRef reference = rest.take_until([](char c) { return c == '}'; });
    if (!reference.getAsInteger(10, index) && index >= getValues().size())
      return emitOpError("refers to value ")
             << index << " in its message but has " << getValues().size();
  }
  return success();
}

LogicalResult AssertOp::canonicalize(AssertOp op, PatternRewriter &rewriter) {
  if (!matchPattern(op.getCondition(), m_One()))
    return failure();
  rewriter.eraseOp(op);
  return success();
}
