//===- DimensionMaps.cpp - which dimensions of an op's tensors are one ----===//

#include "DimensionMaps.h"
#include "amp/Dialect/Amp/IR/Amp.h"
#include "amp/Dialect/Train/IR/Train.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace amp;
using amp::conversion::DimensionMaps;

static unsigned getRank(Value value) { return cast<ShapedType>(value.getType()).getRank(); }

static AffineMap getMap(MLIRContext *context, unsigned loops, ArrayRef<int64_t> dimensions) {
  SmallVector<AffineExpr> exprs;
  for (int64_t dimension : dimensions)
    exprs.push_back(getAffineDimExpr(dimension, context));
  return AffineMap::get(loops, /*symbolCount=*/0, exprs, context);
}

/// The loops but `dropped`, in order.
static AffineMap getProjection(MLIRContext *context, unsigned loops, ArrayRef<int64_t> dropped) {
  auto kept = llvm::make_filter_range(llvm::seq<int64_t>(0, loops), [&](int64_t dimension) {
    return !llvm::is_contained(dropped, dimension);
  });
  return getMap(context, loops, llvm::to_vector(kept));
}

/// One loop per dimension of `like`: tensors of its rank are walked along in order, and scalars
/// stand still.
static DimensionMaps mapInOrder(Operation *op, Value like) {
  unsigned loops = getRank(like);
  auto mapOf = [&](Value value) {
    auto type = dyn_cast<ShapedType>(value.getType());
    if (!type)
      return AffineMap();
    bool isScalar = type.getRank() == 0;
    assert((isScalar || type.getRank() == loops) && "the verifier admits no other ranks");
    return getMap(op->getContext(), loops,
                  llvm::to_vector(llvm::seq<int64_t>(0, isScalar ? 0 : loops)));
  };
  DimensionMaps maps;
  llvm::append_range(maps.operands, llvm::map_range(op->getOperands(), mapOf));
  llvm::append_range(maps.results, llvm::map_range(op->getResults(), mapOf));
  return maps;
}

static DimensionMaps mapMatmul(train::MatmulOp op) {
  auto map = [&](int64_t row, int64_t column, bool transposed) {
    if (transposed)
      std::swap(row, column);
    return getMap(op.getContext(), 3, {row, column});
  };
  return {{map(0, 2, op.getTransposeLhs()), map(2, 1, op.getTransposeRhs())}, {map(0, 1, false)}};
}

static DimensionMaps mapLinear(train::LinearOp op) {
  auto map = [&](ArrayRef<int64_t> dimensions) { return getMap(op.getContext(), 3, dimensions); };
  DimensionMaps maps{{map({0, 2}), op.getTransposeWeight() ? map({1, 2}) : map({2, 1})},
                     {map({0, 1})}};
  if (op.getBias())
    maps.operands.push_back(map({1}));
  return maps;
}

static DimensionMaps mapBiasAdd(train::BiasAddOp op) {
  int64_t rank = getRank(op.getInput());
  AffineMap all = getProjection(op.getContext(), rank, {});
  return {{all, getMap(op.getContext(), rank, {rank - 1})}, {all}};
}

static DimensionMaps mapReduceGrad(train::ReduceGradOp op) {
  unsigned rank = getRank(op.getInput());
  AffineMap all = getProjection(op.getContext(), rank, {});
  AffineMap reduced = getProjection(op.getContext(), rank, op.getDimensions());
  return {{reduced, all, reduced}, {all}};
}

static std::optional<DimensionMaps> mapTrainOp(Operation *op) {
  MLIRContext *context = op->getContext();
  auto map = [&](unsigned loops, ArrayRef<int64_t> dropped = {}) {
    return getProjection(context, loops, dropped);
  };
  using Maps = std::optional<DimensionMaps>;
  return llvm::TypeSwitch<Operation *, Maps>(op)
      .Case([](train::MatmulOp matmul) { return mapMatmul(matmul); })
      .Case([](train::LinearOp linear) { return mapLinear(linear); })
      .Case([](train::BiasAddOp add) { return mapBiasAdd(add); })
      .Case([&](train::TransposeOp transpose) -> Maps {
        unsigned rank = getRank(transpose.getInput());
        return {{{map(rank)}, {getMap(context, rank, transpose.getPermutation())}}};
      })
      .Case([&](train::BroadcastOp broadcast) -> Maps {
        unsigned rank = getRank(broadcast.getLike());
        return {{{map(rank, broadcast.getDimensions()), map(rank)}, {map(rank)}}};
      })
      .Case([&](train::ReduceOp reduce) -> Maps {
        unsigned rank = getRank(reduce.getInput());
        return {{{map(rank)}, {map(rank, reduce.getDimensions())}}};
      })
      .Case([](train::ReduceGradOp gradient) { return mapReduceGrad(gradient); })
      .Case<train::CrossEntropyOp, train::AccuracyOp>(
          [&](auto) -> Maps { return {{{map(2), map(2, {1})}, {map(2, {0, 1})}}}; })
      .Case([&](train::CrossEntropyGradOp) -> Maps {
        return {{{map(2, {0, 1}), map(2), map(2, {1})}, {map(2)}}};
      })
      .Case([&](train::MseOp mse) { return mapInOrder(mse, mse.getPrediction()); })
      .Case([&](train::MseGradOp mse) { return mapInOrder(mse, mse.getPrediction()); })
      .Case<train::ClipOp, UnscaleOp>(
          [](auto scaled) { return mapInOrder(scaled, scaled.getGradient()); })
      .Case([](train::OptimizerOpInterface step) {
        return mapInOrder(step, step.getParameterOperand());
      })
      .Case([](CastOp cast) { return mapInOrder(cast, cast.getInput()); })
      .Default([](Operation *other) -> Maps {
        if (!other->hasTrait<train::SameShape>())
          return std::nullopt;
        return mapInOrder(other, other->getOperand(0));
      });
}

std::optional<DimensionMaps> amp::conversion::getDimensionMaps(Operation *op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    DimensionMaps maps{linalgOp.getIndexingMapsArray(), {}};
    for (auto [map, operand] : llvm::zip_equal(maps.operands, op->getOperands()))
      if (!isa<ShapedType>(operand.getType()))
        map = AffineMap();
    return maps;
  }
  if (auto softmax = dyn_cast<linalg::SoftmaxOp>(op)) {
    DimensionMaps maps = mapInOrder(op, softmax.getInput());
    maps.results.clear();
    return maps;
  }
  // A select on one condition chooses a whole tensor.
  if (auto select = dyn_cast<arith::SelectOp>(op))
    if (!isa<ShapedType>(select.getCondition().getType()))
      return std::nullopt;
  if (OpTrait::hasElementwiseMappableTraits(op)) {
    auto tensor = llvm::find_if(
        op->getOperands(), [](Value operand) { return isa<RankedTensorType>(operand.getType()); });
    if (tensor == op->operand_end())
      return std::nullopt;
    return mapInOrder(op, *tensor);
  }
  return mapTrainOp(op);
}
