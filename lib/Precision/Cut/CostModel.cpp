//===- CostModel.cpp - what an assignment costs ------------------------------===//

#include "CostModel.h"
#include "../Analysis/OpFacts.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinTypes.h"
#include <cmath>

using namespace mlir;
using namespace amp;

/// A term of an op of any sane size is far below 0.1 s; the sum over a module, loops counted, must
/// stay below what is forbidden.
static MinCut::Cost toCost(double seconds) {
  constexpr double kMost = 1e11;
  return MinCut::Cost(std::llround(std::min(seconds * 1e12, kMost)));
}

double amp::countElements(Type type, int64_t assumedSize) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped)
    return 1;
  if (!shaped.hasRank())
    return double(assumedSize);
  double count = 1;
  for (int64_t size : shaped.getShape())
    count *= double(ShapedType::isDynamic(size) ? assumedSize : size);
  return count;
}

/// Two for each product: of a matrix product `2 sqrt(|A| |B| |C|)`, for that is `2 M N K`; of a
/// batch, which is an axis of all three, the root of its size less.
double CostModel::countOperations(Operation *op) const {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    double count = 2;
    for (int64_t range : linalgOp.getStaticLoopRanges())
      count *= double(ShapedType::isDynamic(range) ? assumedSize : range);
    return count;
  }
  if (op->getNumOperands() < 2 || op->getNumResults() == 0)
    return 0;
  Type lhs = op->getOperand(0).getType(), rhs = op->getOperand(1).getType();
  Type result = op->getResult(0).getType();
  auto shaped = dyn_cast<RankedTensorType>(result), weights = dyn_cast<RankedTensorType>(rhs);
  if (getKind(op) == OpKind::Convolution && shaped && weights) {
    // Each element of the result reads the weights of its channel: the largest axis they share.
    int64_t channels = 1;
    for (int64_t size : weights.getShape())
      if (!ShapedType::isDynamic(size) && llvm::is_contained(shaped.getShape(), size))
        channels = std::max(channels, size);
    return 2 * countElements(result) * countElements(rhs) / double(channels);
  }
  double batch = 1;
  auto first = dyn_cast<RankedTensorType>(lhs);
  if (first && shaped && weights && first.getRank() >= 3 && shaped.getRank() >= 3 &&
      weights.getRank() >= 3)
    for (int64_t axis = 0, end = first.getRank() - 2; axis < end; ++axis)
      if (axis < shaped.getRank() - 2 && first.getDimSize(axis) == shaped.getDimSize(axis))
        batch *= double(first.isDynamicDim(axis) ? assumedSize : first.getDimSize(axis));
  return 2 * std::sqrt(countElements(lhs) * countElements(rhs) * countElements(result) / batch);
}

CostModel::Cost CostModel::getArithmetic(Operation *op, bool isLow) const {
  double rate = target.getContractionRate(Float32Type::get(op->getContext()));
  // A device that does not compute in the type converts what it reads.
  if (isLow)
    if (double lowRate = target.getContractionRate(low); lowRate > 0)
      rate = lowRate;
  double operations = countOperations(op);
  // No device: whatever the casts cost, a low contraction is cheaper.
  if (target.alwaysPays())
    return isLow ? 0 : toCost(0.01) + toCost(operations / rate);
  return toCost(operations / rate);
}

CostModel::Cost CostModel::getTraffic(Type type, bool isLow) const {
  return toCost(countElements(type) * (isLow ? 2 : 4) / target.getBandwidth());
}

CostModel::Cost CostModel::getCastPass(Type type, bool readsLow) const {
  return getTraffic(type, readsLow) + toCost(target.getLaunchTime());
}
