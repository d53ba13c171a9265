//===- ScalingPatterns.cpp - gradient norm, clip and loss scale -----------===//

#include "Builders.h"
#include "Patterns.h"
#include "amp/Dialect/Amp/IR/Amp.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace amp;
using namespace amp::conversion;

//===----------------------------------------------------------------------===//
// Norms
//===----------------------------------------------------------------------===//

/// Joins `body` over all elements of `tensor` into one scalar of `computeType`.
static Value reduceAll(LocBuilder &builder, FloatType computeType, Value tensor, Combiner combiner,
                       Body body) {
  Sizes sizes = getSizes(builder, tensor);
  auto all = llvm::to_vector(llvm::seq<int64_t>(0, sizes.size()));
  Value reduced =
      createReduction(builder, computeType, sizes, all, combiner, readInPlace(tensor), body);
  return readScalar(builder, reduced, computeType);
}

/// The sum of (x * factor)^2 over the elements of `tensor`; no factor if it is null.
static Value createSquareSum(LocBuilder &builder, FloatType computeType, Value tensor,
                             Value factor) {
  return reduceAll(builder, computeType, tensor, Combiner::Sum,
                   [&](LocBuilder &b, ValueRange args) -> Value {
                     Value x = args[0];
                     if (factor)
                       x = arith::MulFOp::create(b, x, factor);
                     return arith::MulFOp::create(b, x, x);
                   });
}

static LogicalResult lowerGlobalNorm(train::GlobalNormOp op, PatternRewriter &rewriter) {
  LocBuilder builder(op.getLoc(), rewriter);
  FloatType computeType = amp::conversion::getComputeType(op);
  Value sum = createConstant(builder, computeType, 0.0);
  for (Value gradient : op.getGradients()) {
    Value squares = createSquareSum(builder, computeType, gradient, /*factor=*/nullptr);
    sum = arith::AddFOp::create(builder, sum, squares);
  }
  Value norm = math::SqrtOp::create(builder, sum);
  rewriter.replaceOp(op, createScalar(builder, norm, op.getType()));
  return success();
}

/// `gradient * factor`, elementwise.
static Value createScaled(LocBuilder &builder, FloatType computeType, Value gradient, Value factor,
                          Type type) {
  return createElementwise(builder, computeType, cast<RankedTensorType>(type),
                           getSizes(builder, gradient), readInPlace(gradient),
                           [&](LocBuilder &b, ValueRange args) -> Value {
                             return arith::MulFOp::create(b, args[0], factor);
                           });
}

static LogicalResult lowerClip(train::ClipOp op, PatternRewriter &rewriter) {
  LocBuilder builder(op.getLoc(), rewriter);
  FloatType computeType = amp::conversion::getComputeType(op);
  auto constant = [&](double value) { return createConstant(builder, computeType, value); };
  Value norm = readScalar(builder, op.getNorm(), computeType);
  Value bound = arith::DivFOp::create(builder, constant(op.getMaxNorm().convertToDouble()),
                                      arith::AddFOp::create(builder, norm, constant(1e-6)));
  Value factor = arith::MinimumFOp::create(builder, bound, constant(1.0));
  rewriter.replaceOp(op,
                     createScaled(builder, computeType, op.getGradient(), factor, op.getType()));
  return success();
}

//===----------------------------------------------------------------------===//
// Loss scale
//===----------------------------------------------------------------------===//

static LogicalResult lowerInverseScale(InverseScaleOp op, PatternRewriter &rewriter) {
  LocBuilder builder(op.getLoc(), rewriter);
  FloatType f64 = builder.getF64Type();
  Value inverse = arith::DivFOp::create(builder, createConstant(builder, f64, 1.0),
                                        readScalar(builder, op.getScale(), f64));
  rewriter.replaceOp(op, createScalar(builder, inverse, op.getType()));
  return success();
}

static LogicalResult lowerUnscale(UnscaleOp op, PatternRewriter &rewriter) {
  LocBuilder builder(op.getLoc(), rewriter);
  FloatType computeType = amp::conversion::getComputeType(op);
  Value inverse = readScalar(builder, op.getInverseScale(), computeType);
  rewriter.replaceOp(op,
                     createScaled(builder, computeType, op.getGradient(), inverse, op.getType()));
  return success();
}

/// |value| < infinity: false for a NaN.
static Value isFinite(LocBuilder &b, Value value) {
  auto type = cast<FloatType>(value.getType());
  Value infinity = createConstant(b, type, std::numeric_limits<double>::infinity());
  return arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, math::AbsFOp::create(b, value),
                               infinity);
}

static Value negate(LocBuilder &b, Value condition) {
  return arith::XOrIOp::create(b, condition, arith::ConstantIntOp::create(b, b.getI1Type(), 1));
}

/// Whether `gradient` holds an infinity or a NaN. A finite sum of squares has none among its terms,
/// so that only a gradient whose sum is not finite is read again, to tell an infinite element from
/// a sum that overflowed.
static Value isNonfinite(LocBuilder &builder, FloatType computeType, Value gradient,
                         Value squareSum) {
  Type i1 = builder.getI1Type();
  auto branch = scf::IfOp::create(
      builder, isFinite(builder, squareSum),
      [&](OpBuilder &nested, Location loc) {
        scf::YieldOp::create(nested, loc,
                             arith::ConstantIntOp::create(nested, loc, i1, 0).getResult());
      },
      [&](OpBuilder &nested, Location loc) {
        LocBuilder b(loc, nested);
        Value largest = reduceAll(b, computeType, gradient, Combiner::Max,
                                  [](LocBuilder &inner, ValueRange args) -> Value {
                                    return math::AbsFOp::create(inner, args[0]);
                                  });
        scf::YieldOp::create(b, negate(b, isFinite(b, largest)));
      });
  return branch.getResult(0);
}

static LogicalResult lowerCheckGradients(CheckGradientsOp op, PatternRewriter &rewriter) {
  LocBuilder builder(op.getLoc(), rewriter);
  FloatType f32 = builder.getF32Type();
  Value sum = createConstant(builder, f32, 0.0);
  Value anyNonfinite;
  SmallVector<Value> nonfinite;
  for (Value gradient : op.getGradients()) {
    FloatType computeType = train::getComputeType(gradient.getType());
    Value inverse = readScalar(builder, op.getInverseScale(), computeType);
    Value squares = createSquareSum(builder, computeType, gradient, inverse);
    Value flag = isNonfinite(builder, computeType, gradient, squares);
    nonfinite.push_back(flag);
    anyNonfinite =
        anyNonfinite ? arith::OrIOp::create(builder, anyNonfinite, flag).getResult() : flag;
    sum = arith::AddFOp::create(builder, sum, roundTo(builder, squares, f32));
  }
  Value finite = createScalar(builder, negate(builder, anyNonfinite), op.getFinite().getType());
  auto flags = tensor::FromElementsOp::create(builder, op.getNonfinite().getType(), nonfinite);
  Value norm = createScalar(builder, math::SqrtOp::create(builder, sum), op.getNorm().getType());
  rewriter.replaceOp(op, {finite, flags, norm});
  return success();
}

//===----------------------------------------------------------------------===//
// Scale update
//===----------------------------------------------------------------------===//

/// f32(f64(scale) * factor).
static Value multiplyScale(LocBuilder &b, Value scale, const APFloat &factor) {
  FloatType f64 = b.getF64Type();
  Value product = arith::MulFOp::create(b, extend(b, scale, f64),
                                        createConstant(b, f64, factor.convertToDouble()));
  return roundTo(b, product, scale.getType());
}

/// `scale` within the op's bounds.
static Value clampScale(LocBuilder &b, UpdateScaleOp op, Value scale) {
  auto f32 = cast<FloatType>(scale.getType());
  if (std::optional<APFloat> bound = op.getMinScale())
    scale = arith::MaximumFOp::create(b, scale, createConstant(b, f32, bound->convertToFloat()));
  if (std::optional<APFloat> bound = op.getMaxScale())
    scale = arith::MinimumFOp::create(b, scale, createConstant(b, f32, bound->convertToFloat()));
  return scale;
}

static LogicalResult lowerUpdateScale(UpdateScaleOp op, PatternRewriter &rewriter) {
  LocBuilder b(op.getLoc(), rewriter);
  Type i32 = b.getI32Type();
  auto read = [&](Value tensor) -> Value {
    return tensor::ExtractOp::create(b, tensor, ValueRange());
  };
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, i32, value);
  };
  auto select = [&](Value condition, Value yes, Value no) -> Value {
    return arith::SelectOp::create(b, condition, yes, no);
  };
  auto plus = [&](Value value, int64_t amount) -> Value {
    return arith::AddIOp::create(b, value, constant(amount));
  };
  Value finite = read(op.getFinite()), scale = read(op.getScale());
  Value consecutive = read(op.getConsecutiveSkips()), total = read(op.getTotalSkips());

  // A skipped step.
  Value hysteresis = plus(read(op.getHysteresisTracker()), -1);
  Value exhausted = arith::CmpIOp::create(b, arith::CmpIPredicate::sle, hysteresis, constant(0));
  Value smaller = clampScale(b, op, multiplyScale(b, scale, op.getBackoffFactor()));
  Value afterSkip = select(exhausted, smaller, scale);

  // A clean step.
  Value clean = plus(read(op.getGrowthTracker()), 1);
  Value isDue = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, clean,
                                      constant(static_cast<int32_t>(op.getGrowthInterval())));
  Value grown = multiplyScale(b, scale, op.getGrowthFactor());
  Value grows = arith::AndIOp::create(b, isDue, isFinite(b, grown));
  Value afterStep = select(grows, clampScale(b, op, grown), scale);

  Value refill = constant(static_cast<int32_t>(op.getHysteresis()));
  Value next[] = {select(finite, afterStep, afterSkip),
                  select(finite, select(isDue, constant(0), clean), constant(0)),
                  select(finite, refill, hysteresis),
                  select(finite, constant(0), plus(consecutive, 1)),
                  select(finite, total, plus(total, 1))};
  SmallVector<Value> results;
  for (auto [value, type] : llvm::zip_equal(next, op->getResultTypes()))
    results.push_back(createScalar(b, value, type));
  rewriter.replaceOp(op, results);
  return success();
}

void amp::conversion::populateScalingPatterns(RewritePatternSet &patterns) {
  patterns.add(lowerGlobalNorm)
      .add(lowerClip)
      .add(lowerInverseScale)
      .add(lowerUnscale)
      .add(lowerCheckGradients)
      .add(lowerUpdateScale);
}
