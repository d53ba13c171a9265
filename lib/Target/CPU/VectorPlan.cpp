//===- VectorPlan.cpp - which loop of a nest becomes vectors, and how -----===//

#include "VectorPlan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace amp::cpu;

/// The value that `op`, a combiner, leaves any other value as it is with; null if `op` is none.
static TypedAttr getNeutral(Operation *op) {
  Builder b(op->getContext());
  Type type = op->getResult(0).getType();
  auto number = [&](APFloat value) -> TypedAttr { return b.getFloatAttr(type, value); };
  auto bits = [&](APInt value) -> TypedAttr { return b.getIntegerAttr(type, value); };
  if (auto floatType = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &semantics = floatType.getFloatSemantics();
    if (isa<arith::AddFOp>(op))
      return number(APFloat::getZero(semantics, /*Negative=*/true));
    if (isa<arith::MulFOp>(op))
      return number(APFloat::getOne(semantics));
    if (isa<arith::MaximumFOp>(op))
      return number(APFloat::getInf(semantics, /*Negative=*/true));
    if (isa<arith::MinimumFOp>(op))
      return number(APFloat::getInf(semantics));
    if (isa<arith::MaxNumFOp, arith::MinNumFOp>(op))
      return number(APFloat::getQNaN(semantics));
    return {};
  }
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  if (isa<arith::AddIOp, arith::OrIOp, arith::XOrIOp, arith::MaxUIOp>(op))
    return bits(APInt::getZero(width));
  if (isa<arith::MulIOp>(op))
    return bits(APInt(width, 1));
  if (isa<arith::AndIOp, arith::MinUIOp>(op))
    return bits(APInt::getAllOnes(width));
  if (isa<arith::MaxSIOp>(op))
    return bits(APInt::getSignedMinValue(width));
  if (isa<arith::MinSIOp>(op))
    return bits(APInt::getSignedMaxValue(width));
  return {};
}

/// Finds how each output of a reduction is combined. Lanes can be separate only if nothing else
/// looks at an accumulator.
static LogicalResult findCombiners(linalg::LinalgOp op, SmallVectorImpl<Combiner> &combiners,
                                   std::string &reason) {
  Operation *yield = op.getBlock()->getTerminator();
  for (auto [accumulator, yielded] :
       llvm::zip_equal(op.getRegionOutputArgs(), yield->getOperands())) {
    Combiner combiner;
    combiner.op = yielded.getDefiningOp();
    bool isSimple = combiner.op && accumulator.hasOneUse() && yielded.hasOneUse() &&
                    combiner.op->getBlock() == op.getBlock() &&
                    *accumulator.user_begin() == combiner.op && combiner.op->getNumOperands() == 2;
    if (isSimple)
      combiner.neutral = getNeutral(combiner.op);
    if (!combiner.neutral) {
      reason = "a result is not combined by one sum, product, maximum, minimum or bit operation";
      return failure();
    }
    combiner.term = combiner.op->getOperand(combiner.op->getOperand(0) == accumulator ? 1 : 0);
    combiners.push_back(combiner);
  }
  return success();
}

/// A division by zero in a lane that nobody asked for would end the program.
static bool mayTrap(Operation *op, const llvm::DenseSet<Value> &varying) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::CeilDivSIOp,
             arith::CeilDivUIOp, arith::FloorDivSIOp>(op) &&
         varying.contains(op->getOperand(1));
}

static LogicalResult checkVarying(Operation *op, const llvm::DenseSet<Value> &varying,
                                  std::string &reason) {
  bool isMappable = OpTrait::hasElementwiseMappableTraits(op) && !mayTrap(op, varying);
  bool isLoad = isa<memref::LoadOp>(op);
  auto isScalar = [](Type type) { return type.isIntOrIndexOrFloat(); };
  if ((isMappable && llvm::all_of(op->getOperandTypes(), isScalar) &&
       llvm::all_of(op->getResultTypes(), isScalar)) ||
      isLoad || isa<linalg::IndexOp>(op))
    return success();
  reason = "'" + op->getName().getStringRef().str() + "' does not work on vectors";
  return failure();
}

/// Marks what differs between the lanes of `plan.loop`.
static LogicalResult findVarying(const LoopNest &nest, VectorPlan &plan, std::string &reason) {
  linalg::LinalgOp op = nest.op;
  for (auto [index, operand] : llvm::enumerate(nest.operands))
    if (operand.isBuffer && nest.getAccess(index, plan.loop) != Access::Uniform)
      plan.varying.insert(op.getBlock()->getArgument(index));
  llvm::SmallPtrSet<Operation *, 4> combiners;
  for (const Combiner &combiner : plan.combiners)
    combiners.insert(combiner.op);

  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (combiners.contains(&inner))
      continue;
    if (inner.getNumRegions() != 0 ||
        (!isMemoryEffectFree(&inner) && !isa<memref::LoadOp>(inner))) {
      reason = "'" + inner.getName().getStringRef().str() + "' does not work on vectors";
      return failure();
    }
    auto index = dyn_cast<linalg::IndexOp>(inner);
    bool varies = index ? nest.getLoopOfDim(index.getDim()) == plan.loop
                        : llvm::any_of(inner.getOperands(),
                                       [&](Value value) { return plan.varying.contains(value); });
    if (!varies)
      continue;
    if (failed(checkVarying(&inner, plan.varying, reason)))
      return failure();
    plan.varying.insert_range(inner.getResults());
  }
  return success();
}

static FailureOr<VectorPlan> planLoop(const LoopNest &nest, unsigned loop, std::string &reason) {
  VectorPlan plan;
  plan.loop = loop;
  bool isReduction = nest.loops[loop].isReduction;
  for (auto [index, operand] : llvm::enumerate(nest.operands)) {
    if (!operand.isBuffer)
      continue;
    Access access = nest.getAccess(index, loop);
    Access wanted = isReduction ? Access::Uniform : Access::Contiguous;
    if (operand.isOutput && access != wanted) {
      reason = "an output is not contiguous along any loop";
      return failure();
    }
    plan.numStrided += access == Access::Strided;
  }
  if (isReduction && failed(findCombiners(nest.op, plan.combiners, reason)))
    return failure();
  if (failed(findVarying(nest, plan, reason)))
    return failure();
  return plan;
}

FailureOr<VectorPlan> VectorPlan::choose(const LoopNest &nest, std::string &reason) {
  // With equal strides a parallel loop is better, and then an inner one.
  auto cost = [&](const VectorPlan &plan) {
    return std::make_pair(plan.numStrided, nest.loops[plan.loop].isReduction);
  };
  FailureOr<VectorPlan> best = failure();
  for (unsigned loop = nest.loops.size(); loop-- > 0;) {
    auto plan = planLoop(nest, loop, reason);
    if (succeeded(plan) && (failed(best) || cost(*plan) < cost(*best)))
      best = std::move(plan);
  }
  return best;
}
