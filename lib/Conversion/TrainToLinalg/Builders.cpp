//===- Builders.cpp - what the patterns of TrainToLinalg share ------------===//

#include "Builders.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace amp::conversion;

FloatType amp::conversion::getComputeType(Operation *op) {
  SmallVector<Type> types(op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  return train::getComputeType(types);
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

Value amp::conversion::extend(LocBuilder &builder, Value value, Type type) {
  if (!isa<FloatType>(value.getType()) || value.getType() == type)
    return value;
  return arith::ExtFOp::create(builder, type, value);
}

/// f64 to f32, rounded to odd: an inexact result is the neighbour with an odd mantissa, so that a
/// second rounding, into a type of at least two bits less, rounds as if it had seen the f64.
static Value roundToOdd(LocBuilder &builder, Value value) {
  Type f32 = builder.getF32Type(), i32 = builder.getI32Type();
  auto constant = [&](int64_t number) -> Value {
    return arith::ConstantIntOp::create(builder, i32, number);
  };
  Value nearest = arith::TruncFOp::create(builder, f32, value);
  Value widened = arith::ExtFOp::create(builder, value.getType(), nearest);
  // False for a NaN, which is exact.
  Value inexact = arith::CmpFOp::create(builder, arith::CmpFPredicate::ONE, widened, value);
  Value away = arith::CmpFOp::create(builder, arith::CmpFPredicate::OGT,
                                     math::AbsFOp::create(builder, widened),
                                     math::AbsFOp::create(builder, value));
  Value bits = arith::BitcastOp::create(builder, i32, nearest);
  Value even =
      arith::CmpIOp::create(builder, arith::CmpIPredicate::eq,
                            arith::AndIOp::create(builder, bits, constant(1)), constant(0));
  Value step = arith::SelectOp::create(builder, away, constant(-1), constant(1));
  Value odd = arith::SelectOp::create(builder, arith::AndIOp::create(builder, inexact, even),
                                      arith::AddIOp::create(builder, bits, step), bits);
  return arith::BitcastOp::create(builder, f32, odd);
}

Value amp::conversion::roundTo(LocBuilder &builder, Value value, Type type) {
  auto from = dyn_cast<FloatType>(value.getType());
  auto to = dyn_cast<FloatType>(type);
  if (!from || !to || from == to)
    return value;
  if (from.getWidth() < to.getWidth())
    return arith::ExtFOp::create(builder, to, value);
  if (from.isF64() && to.getWidth() == 16)
    value = roundToOdd(builder, value);
  else if (from.getWidth() == to.getWidth())
    value = arith::ExtFOp::create(builder, builder.getF32Type(), value);
  return arith::TruncFOp::create(builder, to, value);
}

Value amp::conversion::createConstant(LocBuilder &builder, FloatType type, double value) {
  APFloat number(value);
  bool losesInfo;
  number.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
  return arith::ConstantFloatOp::create(builder, type, number);
}

Value amp::conversion::createIndicator(LocBuilder &builder, Value condition, FloatType type) {
  return arith::SelectOp::create(builder, condition, createConstant(builder, type, 1.0),
                                 createConstant(builder, type, 0.0));
}

Value amp::conversion::readScalar(LocBuilder &builder, Value tensor, FloatType type) {
  return extend(builder, tensor::ExtractOp::create(builder, tensor, ValueRange()), type);
}

Value amp::conversion::createScalar(LocBuilder &builder, Value value, Type type) {
  value = roundTo(builder, value, getElementTypeOrSelf(type));
  return tensor::FromElementsOp::create(builder, type, value);
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

Sizes amp::conversion::getSizes(LocBuilder &builder, Value tensor) {
  return tensor::getMixedSizes(builder, builder.getLoc(), tensor);
}

Value amp::conversion::createEmpty(LocBuilder &builder, RankedTensorType type, const Sizes &sizes) {
  SmallVector<Value> dynamic;
  for (auto [dim, size] : llvm::zip_equal(type.getShape(), sizes))
    if (ShapedType::isDynamic(dim))
      dynamic.push_back(getValueOrCreateConstantIndexOp(builder, builder.getLoc(), size));
  return tensor::EmptyOp::create(builder, type, dynamic);
}

Value amp::conversion::countElements(LocBuilder &builder, const Sizes &sizes,
                                     ArrayRef<int64_t> dimensions, FloatType type) {
  int64_t known = 1;
  Value count;
  for (int64_t dimension : dimensions) {
    if (std::optional<int64_t> size = getConstantIntValue(sizes[dimension])) {
      known *= *size;
      continue;
    }
    Value size = cast<Value>(sizes[dimension]);
    count = count ? arith::MulIOp::create(builder, count, size).getResult() : size;
  }
  if (!count)
    return createConstant(builder, type, static_cast<double>(known));
  if (known != 1)
    count = arith::MulIOp::create(builder, count, arith::ConstantIndexOp::create(builder, known));
  count = arith::IndexCastOp::create(builder, builder.getI64Type(), count);
  return arith::SIToFPOp::create(builder, type, count);
}

SmallVector<Input> amp::conversion::readInPlace(ValueRange tensors) {
  SmallVector<Input> inputs;
  for (Value tensor : tensors) {
    unsigned rank = cast<RankedTensorType>(tensor.getType()).getRank();
    inputs.push_back({tensor, AffineMap::getMultiDimIdentityMap(rank, tensor.getContext())});
  }
  return inputs;
}

AffineMap amp::conversion::getProjection(MLIRContext *context, unsigned rank,
                                         ArrayRef<int64_t> dimensions) {
  SmallVector<AffineExpr> kept;
  for (unsigned dim = 0; dim < rank; ++dim)
    if (!llvm::is_contained(dimensions, static_cast<int64_t>(dim)))
      kept.push_back(getAffineDimExpr(dim, context));
  return AffineMap::get(rank, /*symbolCount=*/0, kept, context);
}

//===----------------------------------------------------------------------===//
// Loop nests
//===----------------------------------------------------------------------===//

/// A `linalg.generic` with one output. `body` sees the inputs in the compute type, then the output
/// as it is.
static Value createGeneric(LocBuilder &builder, FloatType computeType, ArrayRef<Input> inputs,
                           Value output, AffineMap outputMap,
                           ArrayRef<utils::IteratorType> iterators, Body body) {
  SmallVector<Value> tensors;
  SmallVector<AffineMap> maps;
  for (const Input &input : inputs) {
    tensors.push_back(input.tensor);
    maps.push_back(input.map);
  }
  maps.push_back(outputMap);
  auto generic =
      linalg::GenericOp::create(builder, output.getType(), tensors, output, maps, iterators,
                                [&](OpBuilder &nested, Location loc, ValueRange args) {
                                  LocBuilder inner(loc, nested);
                                  SmallVector<Value> values;
                                  for (Value arg : args.drop_back())
                                    values.push_back(extend(inner, arg, computeType));
                                  values.push_back(args.back());
                                  Value value =
                                      roundTo(inner, body(inner, values), args.back().getType());
                                  linalg::YieldOp::create(inner, value);
                                });
  return generic.getResult(0);
}

Value amp::conversion::createElementwise(LocBuilder &builder, FloatType computeType,
                                         RankedTensorType type, const Sizes &sizes,
                                         ArrayRef<Input> inputs, Body body) {
  SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
  AffineMap identity = AffineMap::getMultiDimIdentityMap(type.getRank(), builder.getContext());
  Value empty = createEmpty(builder, type, sizes);
  return createGeneric(
      builder, computeType, inputs, empty, identity, iterators,
      [&](LocBuilder &inner, ValueRange args) { return body(inner, args.drop_back()); });
}

/// The number that changes nothing.
static double getNeutral(Combiner combiner) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  switch (combiner) {
  case Combiner::Sum:
    return 0.0;
  case Combiner::Max:
    return -infinity;
  case Combiner::Min:
    return infinity;
  }
  llvm_unreachable("unknown combiner");
}

static Value combine(LocBuilder &builder, Combiner combiner, Value value, Value accumulator) {
  switch (combiner) {
  case Combiner::Sum:
    return arith::AddFOp::create(builder, value, accumulator);
  case Combiner::Max:
    return arith::MaximumFOp::create(builder, value, accumulator);
  case Combiner::Min:
    return arith::MinimumFOp::create(builder, value, accumulator);
  }
  llvm_unreachable("unknown combiner");
}

Value amp::conversion::createReduction(LocBuilder &builder, FloatType computeType,
                                       const Sizes &sizes, ArrayRef<int64_t> dimensions,
                                       Combiner combiner, ArrayRef<Input> inputs, Body body) {
  SmallVector<utils::IteratorType> iterators;
  SmallVector<int64_t> shape;
  Sizes kept;
  for (auto [index, size] : llvm::enumerate(sizes)) {
    if (llvm::is_contained(dimensions, static_cast<int64_t>(index))) {
      iterators.push_back(utils::IteratorType::reduction);
      continue;
    }
    iterators.push_back(utils::IteratorType::parallel);
    shape.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
    kept.push_back(size);
  }
  Value empty = createEmpty(builder, RankedTensorType::get(shape, computeType), kept);
  Value seed = createConstant(builder, computeType, getNeutral(combiner));
  Value output = linalg::FillOp::create(builder, seed, empty).getResult(0);
  AffineMap map = getProjection(builder.getContext(), sizes.size(), dimensions);
  return createGeneric(builder, computeType, inputs, output, map, iterators,
                       [&](LocBuilder &inner, ValueRange args) {
                         Value value = body(inner, args.drop_back());
                         return combine(inner, combiner, value, args.back());
                       });
}
