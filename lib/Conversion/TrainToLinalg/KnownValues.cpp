//===- KnownValues.cpp - values that several ops of a step need -----------===//

#include "KnownValues.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace amp::conversion;

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

Value KnownValues::getPower(LocBuilder &builder, Value step, double base) {
  Value &power = powers[{builder.getInsertionBlock(), step, llvm::bit_cast<uint64_t>(base)}];
  if (!power) {
    Value exponent = tensor::ExtractOp::create(builder, step, ValueRange());
    power = createPower(builder, base, exponent);
  }
  return power;
}

/// Two reductions along the last dimension of `input`.
static SoftmaxStatistics createSoftmax(LocBuilder &builder, FloatType computeType, Value input,
                                       const Sizes &sizes) {
  int64_t last = sizes.size() - 1;
  AffineMap rowMap = getProjection(builder.getContext(), sizes.size(), last);
  SmallVector<Input> inputs = readInPlace(input);
  SoftmaxStatistics statistics;
  statistics.map = rowMap;
  statistics.maximum = createReduction(builder, computeType, sizes, last, Combiner::Max, inputs,
                                       [](LocBuilder &, ValueRange args) { return args[0]; });
  inputs.push_back({statistics.maximum, rowMap});
  // The exponentials are computed again by who reads them: cheaper than storing them in f32.
  statistics.sum =
      createReduction(builder, computeType, sizes, last, Combiner::Sum, inputs,
                      [](LocBuilder &b, ValueRange args) -> Value {
                        return math::ExpOp::create(b, arith::SubFOp::create(b, args[0], args[1]));
                      });
  return statistics;
}

SoftmaxStatistics KnownValues::getSoftmax(LocBuilder &builder, FloatType computeType, Value input,
                                          const Sizes &sizes) {
  SoftmaxStatistics &statistics = softmaxes[{builder.getInsertionBlock(), input, computeType}];
  if (!statistics.sum)
    statistics = createSoftmax(builder, computeType, input, sizes);
  return statistics;
}

Value KnownValues::getSignlessLabels(LocBuilder &builder, Value labels) {
  auto type = cast<RankedTensorType>(labels.getType());
  auto integer = cast<IntegerType>(type.getElementType());
  if (integer.isSignless())
    return labels;
  Value &signless = signlessLabels[{builder.getInsertionBlock(), labels}];
  if (!signless) {
    Type bits = builder.getIntegerType(integer.getWidth());
    signless = createElementwise(
        builder, builder.getF32Type(), type.clone(bits), getSizes(builder, labels),
        readInPlace(labels), [&](LocBuilder &b, ValueRange args) {
          return UnrealizedConversionCastOp::create(b, bits, args[0]).getResult(0);
        });
  }
  return signless;
}
