//===- OptimizerPatterns.cpp - optimizer steps ----------------------------===//

#include "Builders.h"
#include "Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace amp::conversion;
using namespace amp::train;

//===----------------------------------------------------------------------===//
// Powers of the step number
//===----------------------------------------------------------------------===//

/// Binary exponentiation: one multiplication per bit of the exponent and no call of pow.
static Value createPower(LocBuilder &builder, double base, Value exponent) {
  FloatType f64 = builder.getF64Type();
  Type i64 = builder.getI64Type();
  Value zero = arith::ConstantIntOp::create(builder, i64, 0);
  Value one = arith::ConstantIntOp::create(builder, i64, 1);
  auto loop = scf::WhileOp::create(
      builder, TypeRange{i64, f64, f64},
      ValueRange{exponent, createConstant(builder, f64, base), createConstant(builder, f64, 1.0)},
      [&](OpBuilder &nested, Location loc, ValueRange args) {
        Value more = arith::CmpIOp::create(nested, loc, arith::CmpIPredicate::sgt, args[0], zero);
        scf::ConditionOp::create(nested, loc, more, args);
      },
      [&](OpBuilder &nested, Location loc, ValueRange args) {
        LocBuilder b(loc, nested);
        Value bit = arith::AndIOp::create(b, args[0], one);
        Value isOdd = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, bit, zero);
        Value product = arith::MulFOp::create(b, args[2], args[1]);
        Value power = arith::SelectOp::create(b, isOdd, product, args[2]);
        Value rest = arith::ShRSIOp::create(b, args[0], one);
        Value square = arith::MulFOp::create(b, args[1], args[1]);
        scf::YieldOp::create(b, ValueRange{rest, square, power});
      });
  return loop.getResult(2);
}

Value StepPowers::get(OpBuilder &builder, Location loc, Value step, double base) {
  Value &power = known[{builder.getInsertionBlock(), step, llvm::bit_cast<uint64_t>(base)}];
  if (!power) {
    LocBuilder b(loc, builder);
    power = createPower(b, base, tensor::ExtractOp::create(b, step, ValueRange()));
  }
  return power;
}

//===----------------------------------------------------------------------===//
// Updates
//===----------------------------------------------------------------------===//

/// The new values of the states, from the gradient and the old ones.
using UpdateBody =
    llvm::function_ref<SmallVector<Value>(LocBuilder &, Value gradient, ValueRange states)>;

/// One loop nest for all of a parameter's state. It reads the old values from its outputs, so that
/// bufferization can update them in place.
static void replaceByUpdate(Operation *op, PatternRewriter &rewriter, Value gradient,
                            ValueRange states, UpdateBody body) {
  FloatType computeType = amp::conversion::getComputeType(op);
  unsigned rank = cast<RankedTensorType>(gradient.getType()).getRank();
  AffineMap identity = AffineMap::getMultiDimIdentityMap(rank, rewriter.getContext());
  SmallVector<AffineMap> maps(1 + states.size(), identity);
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  auto update = linalg::GenericOp::create(
      rewriter, op->getLoc(), op->getResultTypes(), gradient, states, maps, iterators,
      [&](OpBuilder &nested, Location loc, ValueRange args) {
        LocBuilder inner(loc, nested);
        SmallVector<Value> old;
        for (Value arg : args)
          old.push_back(extend(inner, arg, computeType));
        SmallVector<Value> values = body(inner, old[0], ArrayRef(old).drop_front());
        for (auto [value, arg] : llvm::zip_equal(values, args.drop_front()))
          value = roundTo(inner, value, arg.getType());
        linalg::YieldOp::create(inner, values);
      });
  rewriter.replaceOp(op, update);
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

namespace {
/// Adam and AdamW differ in the weight decay alone.
template <typename OpTy> struct LowerAdam : public OpRewritePattern<OpTy> {
  LowerAdam(MLIRContext *context, StepPowers &powers)
      : OpRewritePattern<OpTy>(context), powers(powers) {}

  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override;

  StepPowers &powers;
};
} // namespace

/// 1 - base^step in f64.
static Value createBiasCorrection(LocBuilder &b, StepPowers &powers, Value step, double base) {
  Value power = powers.get(b, b.getLoc(), step, base);
  return arith::SubFOp::create(b, createConstant(b, b.getF64Type(), 1.0), power);
}

template <typename OpTy>
LogicalResult LowerAdam<OpTy>::matchAndRewrite(OpTy op, PatternRewriter &rewriter) const {
  constexpr bool isDecoupled = std::is_same_v<OpTy, AdamWOp>;
  LocBuilder builder(op.getLoc(), rewriter);
  FloatType computeType = amp::conversion::getComputeType(op);
  double rate = op.getLearningRate().convertToDouble();
  double beta1 = op.getBeta1().convertToDouble(), beta2 = op.getBeta2().convertToDouble();
  double epsilon = op.getEpsilon().convertToDouble();
  double weightDecay = op.getWeightDecay().convertToDouble();

  Value correction1 = createBiasCorrection(builder, powers, op.getStep(), beta1);
  Value correction2 = createBiasCorrection(builder, powers, op.getStep(), beta2);
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

void amp::conversion::populateOptimizerPatterns(RewritePatternSet &patterns, StepPowers &powers) {
  patterns.add(lowerSgd).add(lowerMomentum);
  patterns.add<LowerAdam<AdamOp>, LowerAdam<AdamWOp>>(patterns.getContext(), powers);
}
