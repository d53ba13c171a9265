//===- OptimizerPatterns.cpp - optimizer steps ----------------------------===//

#include "KnownValues.h"
#include "Patterns.h"
#include "amp/Dialect/Amp/IR/Amp.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace amp::conversion;
using namespace amp::train;

//===----------------------------------------------------------------------===//
// Updates
//===----------------------------------------------------------------------===//

/// The new values of the states, from the gradient and the old ones.
using UpdateBody =
    llvm::function_ref<SmallVector<Value>(LocBuilder &, Value gradient, ValueRange states)>;

/// The casts of an updated parameter, in the block of its step: half copies of a master.
static SmallVector<amp::CastOp> getHalfCopies(Operation *op) {
  SmallVector<amp::CastOp> casts;
  for (Operation *user : op->getResult(0).getUsers())
    if (auto cast = dyn_cast<amp::CastOp>(user); cast && cast->getBlock() == op->getBlock())
      casts.push_back(cast);
  llvm::sort(casts, [](amp::CastOp lhs, amp::CastOp rhs) { return lhs->isBeforeInBlock(rhs); });
  return casts;
}

/// One loop nest for all of a parameter's state. It reads the old values from its outputs, so that
/// bufferization can update them in place, and writes the half copies of the parameter as well.
static void replaceByUpdate(Operation *op, PatternRewriter &rewriter, Value gradient,
                            ValueRange states, UpdateBody body) {
  LocBuilder builder(op->getLoc(), rewriter);
  FloatType computeType = amp::conversion::getComputeType(op);
  SmallVector<amp::CastOp> casts = getHalfCopies(op);
  SmallVector<Value> outputs(states);
  Sizes sizes = getSizes(builder, states.front());
  for (amp::CastOp cast : casts)
    outputs.push_back(createEmpty(builder, cast.getResult().getType(), sizes));

  unsigned rank = sizes.size();
  AffineMap identity = AffineMap::getMultiDimIdentityMap(rank, rewriter.getContext());
  SmallVector<AffineMap> maps(1 + outputs.size(), identity);
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  auto update = linalg::GenericOp::create(
      builder, ValueRange(outputs).getTypes(), gradient, outputs, maps, iterators,
      [&](OpBuilder &nested, Location loc, ValueRange args) {
        LocBuilder inner(loc, nested);
        SmallVector<Value> old;
        for (Value arg : args.take_front(1 + states.size()))
          old.push_back(extend(inner, arg, computeType));
        SmallVector<Value> values = body(inner, old[0], ArrayRef(old).drop_front());
        for (auto [value, arg] : llvm::zip_first(values, args.drop_front()))
          value = roundTo(inner, value, arg.getType());
        // A copy is a rounding of the parameter as it is stored.
        for (Value arg : args.take_back(casts.size()))
          values.push_back(roundTo(inner, values.front(), arg.getType()));
        linalg::YieldOp::create(inner, values);
      });
  // The casts are visited later, without uses then.
  for (auto [cast, copy] : llvm::zip_equal(casts, update.getResults().take_back(casts.size())))
    rewriter.replaceAllUsesWith(cast.getResult(), copy);
  rewriter.replaceOp(op, update.getResults().drop_back(casts.size()));
}

static Value mul(LocBuilder &b, Value lhs, Value rhs) { return arith::MulFOp::create(b, lhs, rhs); }
static Value add(LocBuilder &b, Value lhs, Value rhs) { return arith::AddFOp::create(b, lhs, rhs); }

/// factor * value, with the factor rounded into the type of the value.
static Value scale(LocBuilder &b, double factor, Value value) {
  return mul(b, createConstant(b, cast<FloatType>(value.getType()), factor), value);
}

/// gradient + decay * parameter. A decay of zero adds nothing, not even the NaN of an infinite
/// parameter.
static Value decay(LocBuilder &b, Value gradient, double decay, Value parameter) {
  return decay == 0 ? gradient : add(b, gradient, scale(b, decay, parameter));
}

static LogicalResult lowerSgd(SgdOp op, PatternRewriter &rewriter) {
  double rate = op.getLearningRate().convertToDouble();
  double weightDecay = op.getWeightDecay().convertToDouble();
  replaceByUpdate(op, rewriter, op.getGradient(), op.getParameter(),
                  [&](LocBuilder &b, Value gradient, ValueRange states) -> SmallVector<Value> {
                    Value g = decay(b, gradient, weightDecay, states[0]);
                    return {arith::SubFOp::create(b, states[0], scale(b, rate, g))};
                  });
  return success();
}

static LogicalResult lowerMomentum(MomentumOp op, PatternRewriter &rewriter) {
  double rate = op.getLearningRate().convertToDouble();
  double momentum = op.getMomentum().convertToDouble();
  double weightDecay = op.getWeightDecay().convertToDouble();
  bool nesterov = op.getNesterov();
  replaceByUpdate(op, rewriter, op.getGradient(), {op.getParameter(), op.getVelocity()},
                  [&](LocBuilder &b, Value gradient, ValueRange states) -> SmallVector<Value> {
                    Value g = decay(b, gradient, weightDecay, states[0]);
                    Value velocity = add(b, scale(b, momentum, states[1]), g);
                    Value d = nesterov ? add(b, g, scale(b, momentum, velocity)) : velocity;
                    return {arith::SubFOp::create(b, states[0], scale(b, rate, d)), velocity};
                  });
  return success();
}

/// 1 - base^step in f64.
static Value createBiasCorrection(LocBuilder &b, KnownValues &known, Value step, double base) {
  Value power = known.getPower(b, step, base);
  return arith::SubFOp::create(b, createConstant(b, b.getF64Type(), 1.0), power);
}

/// Adam and AdamW differ in the weight decay alone.
template <typename OpTy>
static LogicalResult lowerAdam(OpTy op, PatternRewriter &rewriter, KnownValues &known) {
  constexpr bool isDecoupled = std::is_same_v<OpTy, AdamWOp>;
  LocBuilder builder(op.getLoc(), rewriter);
  FloatType computeType = amp::conversion::getComputeType(op);
  double rate = op.getLearningRate().convertToDouble();
  double beta1 = op.getBeta1().convertToDouble(), beta2 = op.getBeta2().convertToDouble();
  double epsilon = op.getEpsilon().convertToDouble();
  double weightDecay = op.getWeightDecay().convertToDouble();

  Value correction1 = createBiasCorrection(builder, known, op.getStep(), beta1);
  Value correction2 = createBiasCorrection(builder, known, op.getStep(), beta2);
  Value stepSize = arith::DivFOp::create(
      builder, createConstant(builder, builder.getF64Type(), rate), correction1);
  stepSize = roundTo(builder, stepSize, computeType);
  Value root = roundTo(builder, math::SqrtOp::create(builder, correction2), computeType);

  replaceByUpdate(op, rewriter, op.getGradient(),
                  {op.getParameter(), op.getExpAvg(), op.getExpAvgSq()},
                  [&](LocBuilder &b, Value gradient, ValueRange states) -> SmallVector<Value> {
                    Value p = states[0], g = gradient;
                    if (isDecoupled && weightDecay != 0)
                      p = scale(b, 1 - rate * weightDecay, p);
                    else if (!isDecoupled)
                      g = decay(b, g, weightDecay, p);
                    Value m = add(b, scale(b, beta1, states[1]), scale(b, 1 - beta1, g));
                    Value v = add(b, scale(b, beta2, states[2]), mul(b, scale(b, 1 - beta2, g), g));
                    Value quotient = arith::DivFOp::create(b, math::SqrtOp::create(b, v), root);
                    Value d = add(b, quotient, createConstant(b, computeType, epsilon));
                    Value step = mul(b, stepSize, arith::DivFOp::create(b, m, d));
                    return {arith::SubFOp::create(b, p, step), m, v};
                  });
  return success();
}

void amp::conversion::populateOptimizerPatterns(RewritePatternSet &patterns, KnownValues &known) {
  patterns.add(lowerSgd).add(lowerMomentum);
  addPattern(patterns, known, lowerAdam<AdamOp>);
  addPattern(patterns, known, lowerAdam<AdamWOp>);
}
