//===- ElementwisePatterns.cpp - ops on single elements -------------------===//

#include "Builders.h"
#include "Patterns.h"
#include "amp/Dialect/Amp/IR/Amp.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace amp::conversion;
using namespace amp::train;

namespace {
/// One parallel loop nest over the operands, all of which have the result's shape.
template <typename OpTy> struct LowerElementwise : public OpRewritePattern<OpTy> {
  using ElementBody = Value (*)(OpTy, LocBuilder &, ValueRange);

  LowerElementwise(MLIRContext *context, ElementBody body)
      : OpRewritePattern<OpTy>(context), body(body) {}

  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    if (op->use_empty()) {
      rewriter.eraseOp(op);
      return success();
    }
    LocBuilder builder(op.getLoc(), rewriter);
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    Value result =
        createElementwise(builder, getComputeType(op), type, getSizes(builder, op->getOperand(0)),
                          readInPlace(op->getOperands()), [&](LocBuilder &inner, ValueRange args) {
                            return body(op, inner, args);
                          });
    rewriter.replaceOp(op, result);
    return success();
  }

  ElementBody body;
};
} // namespace

template <typename OpTy>
static void add(RewritePatternSet &patterns, Value (*body)(OpTy, LocBuilder &, ValueRange)) {
  patterns.add<LowerElementwise<OpTy>>(patterns.getContext(), body);
}

static FloatType getFloatType(Value value) { return cast<FloatType>(value.getType()); }

static Value constant(LocBuilder &b, Value like, double value) {
  return createConstant(b, getFloatType(like), value);
}

/// A NaN stays a NaN; both zeros give +0.
static Value buildRelu(ReluOp, LocBuilder &b, ValueRange x) {
  Value zero = constant(b, x[0], 0.0);
  Value keep = arith::CmpFOp::create(b, arith::CmpFPredicate::UGT, x[0], zero);
  return arith::SelectOp::create(b, keep, x[0], zero);
}

static Value buildReluGrad(ReluGradOp, LocBuilder &b, ValueRange args) {
  Value zero = constant(b, args[1], 0.0);
  Value keep = arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, args[1], zero);
  return arith::SelectOp::create(b, keep, args[0], zero);
}

/// 1 / (1 + e) or e / (1 + e) with e = exp(-|x|), which never overflows.
static Value buildSigmoid(SigmoidOp, LocBuilder &b, ValueRange x) {
  Value one = constant(b, x[0], 1.0);
  Value magnitude = math::AbsFOp::create(b, x[0]);
  Value e = math::ExpOp::create(b, arith::NegFOp::create(b, magnitude));
  Value isNegative =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, x[0], constant(b, x[0], 0.0));
  Value numerator = arith::SelectOp::create(b, isNegative, e, one);
  return arith::DivFOp::create(b, numerator, arith::AddFOp::create(b, one, e));
}

static Value buildTanhGrad(TanhGradOp, LocBuilder &b, ValueRange args) {
  Value square = arith::MulFOp::create(b, args[1], args[1]);
  Value slope = arith::SubFOp::create(b, constant(b, args[1], 1.0), square);
  return arith::MulFOp::create(b, args[0], slope);
}

static Value buildSigmoidGrad(SigmoidGradOp, LocBuilder &b, ValueRange args) {
  Value rest = arith::SubFOp::create(b, constant(b, args[1], 1.0), args[1]);
  return arith::MulFOp::create(b, args[0], arith::MulFOp::create(b, args[1], rest));
}

//===----------------------------------------------------------------------===//
// Gelu
//===----------------------------------------------------------------------===//

static constexpr double kInverseSqrt2 = 0.70710678118654752440;
static constexpr double kInverseSqrt2Pi = 0.39894228040143267794;
static constexpr double kSqrt2OverPi = 0.79788456080286535588;
static constexpr double kGeluCubic = 0.044715;

/// (1 + y) / 2.
static Value buildHalfOf1Plus(LocBuilder &b, Value y) {
  Value sum = arith::AddFOp::create(b, constant(b, y, 1.0), y);
  return arith::MulFOp::create(b, constant(b, y, 0.5), sum);
}

/// erf(x / sqrt(2)).
static Value buildGeluErf(LocBuilder &b, Value x) {
  return math::ErfOp::create(b, arith::MulFOp::create(b, x, constant(b, x, kInverseSqrt2)));
}

/// tanh(sqrt(2 / pi) * (x + 0.044715 x^3)).
static Value buildGeluTanh(LocBuilder &b, Value x) {
  Value square = arith::MulFOp::create(b, x, x);
  Value cubic =
      arith::MulFOp::create(b, constant(b, x, kGeluCubic), arith::MulFOp::create(b, square, x));
  Value inner =
      arith::MulFOp::create(b, constant(b, x, kSqrt2OverPi), arith::AddFOp::create(b, x, cubic));
  return math::TanhOp::create(b, inner);
}

static Value buildGelu(GeluOp op, LocBuilder &b, ValueRange x) {
  bool isTanh = op.getApproximate() == GeluApproximation::Tanh;
  Value y = isTanh ? buildGeluTanh(b, x[0]) : buildGeluErf(b, x[0]);
  return arith::MulFOp::create(b, x[0], buildHalfOf1Plus(b, y));
}

/// (1 + erf(x / sqrt(2))) / 2 + x exp(-x^2 / 2) / sqrt(2 pi).
static Value buildGeluErfSlope(LocBuilder &b, Value x) {
  Value square = arith::MulFOp::create(b, x, x);
  Value exponent = arith::MulFOp::create(b, constant(b, x, -0.5), square);
  Value density =
      arith::MulFOp::create(b, constant(b, x, kInverseSqrt2Pi), math::ExpOp::create(b, exponent));
  return arith::AddFOp::create(b, buildHalfOf1Plus(b, buildGeluErf(b, x)),
                               arith::MulFOp::create(b, x, density));
}

/// (1 + t) / 2 + x / 2 * (1 - t^2) * sqrt(2 / pi) * (1 + 3 * 0.044715 x^2), t = tanh(...).
static Value buildGeluTanhSlope(LocBuilder &b, Value x) {
  Value one = constant(b, x, 1.0);
  Value t = buildGeluTanh(b, x);
  Value square = arith::MulFOp::create(b, x, x);
  Value inner = arith::MulFOp::create(
      b, constant(b, x, kSqrt2OverPi),
      arith::AddFOp::create(b, one,
                            arith::MulFOp::create(b, constant(b, x, 3 * kGeluCubic), square)));
  Value rest = arith::SubFOp::create(b, one, arith::MulFOp::create(b, t, t));
  Value half = arith::MulFOp::create(b, constant(b, x, 0.5), x);
  Value slope = arith::MulFOp::create(b, arith::MulFOp::create(b, half, rest), inner);
  return arith::AddFOp::create(b, buildHalfOf1Plus(b, t), slope);
}

static Value buildGeluGrad(GeluGradOp op, LocBuilder &b, ValueRange args) {
  bool isTanh = op.getApproximate() == GeluApproximation::Tanh;
  Value slope = isTanh ? buildGeluTanhSlope(b, args[1]) : buildGeluErfSlope(b, args[1]);
  return arith::MulFOp::create(b, args[0], slope);
}

template <typename OpTy, typename ScalarOp>
static Value buildBinary(OpTy, LocBuilder &b, ValueRange args) {
  return ScalarOp::create(b, args[0], args[1]);
}

/// Reading and rounding is all that a cast does.
template <typename OpTy> static Value buildNothing(OpTy, LocBuilder &, ValueRange args) {
  return args[0];
}

void amp::conversion::populateElementwisePatterns(RewritePatternSet &patterns) {
  add<AddOp>(patterns, buildBinary<AddOp, arith::AddFOp>);
  add<SubOp>(patterns, buildBinary<SubOp, arith::SubFOp>);
  add<MulOp>(patterns, buildBinary<MulOp, arith::MulFOp>);
  add<DivOp>(patterns, buildBinary<DivOp, arith::DivFOp>);
  add<NegOp>(patterns, [](NegOp, LocBuilder &b, ValueRange x) -> Value {
    return arith::NegFOp::create(b, x[0]);
  });
  add<TanhOp>(patterns, [](TanhOp, LocBuilder &b, ValueRange x) -> Value {
    return math::TanhOp::create(b, x[0]);
  });
  add<ReluOp>(patterns, buildRelu);
  add<ReluGradOp>(patterns, buildReluGrad);
  add<SigmoidOp>(patterns, buildSigmoid);
  add<SigmoidGradOp>(patterns, buildSigmoidGrad);
  add<TanhGradOp>(patterns, buildTanhGrad);
  add<GeluOp>(patterns, buildGelu);
  add<GeluGradOp>(patterns, buildGeluGrad);
  add<train::CastOp>(patterns, buildNothing<train::CastOp>);
  add<amp::CastOp>(patterns, buildNothing<amp::CastOp>);
}
