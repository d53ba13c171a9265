//===- VectorEmitter.cpp - writes a nest as loops of vectors --------------===//

#include "VectorEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace amp::cpu;

VectorEmitter::VectorEmitter(const LoopNest &nest, const VectorPlan &plan)
    : nest(nest), plan(plan), b(nest.op->getLoc(), nest.op) {}

VectorType VectorEmitter::vectorOf(Type element, int64_t lanes) {
  return VectorType::get(lanes, element);
}

Value VectorEmitter::createIndex(int64_t value) { return arith::ConstantIndexOp::create(b, value); }

void VectorEmitter::run() {
  prepareOperands();
  if (nest.loops[plan.loop].isReduction)
    emitReduction();
  else
    emitParallel();
}

//===----------------------------------------------------------------------===//
// The body
//===----------------------------------------------------------------------===//

/// Computes everything that is the same in all lanes of a row.
void VectorEmitter::beginRow() {
  scalars.clear();
  splats.clear();
  linalg::LinalgOp op = nest.op;
  for (auto [index, argument] : llvm::enumerate(op.getBlock()->getArguments()))
    if (!plan.varying.contains(argument) && !argument.use_empty() &&
        !(nest.operands[index].isOutput && !plan.combiners.empty()))
      scalars.map(argument, loadScalar(index));
  for (Operation &inner : op.getBlock()->without_terminator()) {
    bool isCombiner = llvm::any_of(plan.combiners, [&](auto &c) { return c.op == &inner; });
    if (isCombiner ||
        llvm::any_of(inner.getResults(), [&](Value value) { return plan.varying.contains(value); }))
      continue;
    if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
      auto loop = nest.getLoopOfDim(index.getDim());
      scalars.map(index.getResult(), loop ? positions[*loop] : createIndex(0));
      continue;
    }
    b.clone(inner, scalars);
  }
  // What the lanes read becomes a vector here, outside of the loop over the row.
  auto prepare = [&](Value value) {
    if (!plan.varying.contains(value) && !llvm::isa<MemRefType>(value.getType()))
      splat(scalars.lookupOrDefault(value));
  };
  for (Operation &inner : op.getBlock()->without_terminator())
    if (llvm::any_of(inner.getResults(),
                     [&](Value value) { return plan.varying.contains(value); }) &&
        !isa<memref::LoadOp>(inner))
      llvm::for_each(inner.getOperands(), prepare);
  if (plan.combiners.empty())
    llvm::for_each(op.getBlock()->getTerminator()->getOperands(), prepare);
  for (const Combiner &combiner : plan.combiners)
    prepare(combiner.term);
}

Value VectorEmitter::splat(Value scalar) {
  Value &vector = splats[scalar];
  if (!vector)
    vector = vector::BroadcastOp::create(b, vectorOf(scalar.getType()), scalar);
  return vector;
}

Value VectorEmitter::getVector(Value inBody, IRMapping &vectors) {
  if (Value vector = vectors.lookupOrNull(inBody))
    return vector;
  return splat(scalars.lookupOrDefault(inBody));
}

/// One vector of the body: maps every varying value.
IRMapping VectorEmitter::createBody(Value position, const Lanes &lanes) {
  IRMapping vectors;
  linalg::LinalgOp op = nest.op;
  for (auto [index, argument] : llvm::enumerate(op.getBlock()->getArguments()))
    if (plan.varying.contains(argument) && !argument.use_empty())
      vectors.map(argument, loadVector(index, position, lanes));
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (inner.getNumResults() == 0 || !plan.varying.contains(inner.getResult(0)))
      continue;
    if (isa<linalg::IndexOp>(inner)) {
      Value steps = vector::StepOp::create(b, vectorOf(b.getIndexType()));
      Value base = vector::BroadcastOp::create(b, vectorOf(b.getIndexType()), position);
      vectors.map(inner.getResult(0), arith::AddIOp::create(b, base, steps).getResult());
      continue;
    }
    if (isa<memref::LoadOp>(inner)) {
      vectors.map(inner.getResult(0), createLoad(&inner, position, lanes, vectors));
      continue;
    }
    IRMapping operands;
    for (Value operand : inner.getOperands())
      operands.map(operand, getVector(operand, vectors));
    Operation *clone = b.clone(inner, operands);
    for (auto [from, to] : llvm::zip_equal(inner.getResults(), clone->getResults())) {
      to.setType(vectorOf(from.getType()));
      vectors.map(from, to);
    }
  }
  return vectors;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void VectorEmitter::createLoops(ArrayRef<unsigned> order, llvm::function_ref<void()> inner) {
  if (order.empty())
    return inner();
  auto loop = scf::ForOp::create(b, createIndex(0), extents[order.front()], createIndex(1));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  positions[order.front()] = loop.getInductionVar();
  createLoops(order.drop_front(), inner);
}

VectorEmitter::Values
VectorEmitter::createRow(Values carried,
                         llvm::function_ref<Values(Value, const Lanes &, ValueRange)> inner) {
  int64_t size = nest.loops[plan.loop].size;
  bool isStatic = !ShapedType::isDynamic(size);
  Value extent = extents[plan.loop], lanes = createIndex(kLanes);
  Value full =
      isStatic
          ? createIndex(size / kLanes * kLanes)
          : arith::SubIOp::create(b, extent, arith::RemUIOp::create(b, extent, lanes)).getResult();
  if (!isStatic || size >= kLanes) {
    auto loop = scf::ForOp::create(b, createIndex(0), full, lanes, carried);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Values next = inner(loop.getInductionVar(), Lanes(), loop.getRegionIterArgs());
    if (!carried.empty())
      scf::YieldOp::create(b, next);
    carried = Values(loop.getResults());
  }
  if (isStatic && size % kLanes == 0)
    return carried;
  auto masked = [&]() -> Values {
    auto type = vectorOf(b.getI1Type());
    Lanes last;
    if (isStatic) {
      last.fixed = size % kLanes;
      last.mask = vector::ConstantMaskOp::create(b, type, ArrayRef<int64_t>{last.fixed});
    } else {
      last.count = arith::SubIOp::create(b, extent, full);
      last.mask = vector::CreateMaskOp::create(b, type, last.count);
    }
    return inner(full, last, carried);
  };
  if (isStatic)
    return masked();
  Value isPartial = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, full, extent);
  auto branch = scf::IfOp::create(b, TypeRange(ValueRange(carried)), isPartial,
                                  /*withElseRegion=*/!carried.empty());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  Values next = masked();
  if (carried.empty())
    return carried;
  scf::YieldOp::create(b, next);
  b.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(b, carried);
  return Values(branch.getResults());
}

void VectorEmitter::emitParallel() {
  SmallVector<unsigned> order, reductions;
  for (auto [position, loop] : llvm::enumerate(nest.loops))
    if (position != plan.loop)
      (loop.isReduction ? reductions : order).push_back(position);
  order.append(reductions);
  linalg::LinalgOp op = nest.op;
  Operation *yield = op.getBlock()->getTerminator();
  createLoops(order, [&] {
    beginRow();
    createRow({}, [&](Value position, const Lanes &lanes, ValueRange) -> Values {
      IRMapping vectors = createBody(position, lanes);
      for (auto [number, value] : llvm::enumerate(yield->getOperands())) {
        unsigned operand = op.getNumDpsInputs() + number;
        storeLanes(b, toStored(b, getVector(value, vectors)), buffers[operand],
                   createIndices(operand, position), lanes);
      }
      return {};
    });
  });
}

Value VectorEmitter::combine(const Combiner &combiner, Value term, Value accumulator) {
  IRMapping operands;
  for (Value operand : combiner.op->getOperands())
    operands.map(operand, operand == combiner.term ? term : accumulator);
  Operation *clone = b.clone(*combiner.op, operands);
  clone->getResult(0).setType(term.getType());
  return clone->getResult(0);
}

/// Adds the upper half of the lanes to the lower half until one is left.
Value VectorEmitter::combineLanes(const Combiner &combiner, Value lanes) {
  for (int64_t half = kLanes / 2; half > 0; half /= 2) {
    Value lower = vector::ExtractStridedSliceOp::create(
        b, lanes, ArrayRef<int64_t>{0}, ArrayRef<int64_t>{half}, ArrayRef<int64_t>{1});
    Value upper = vector::ExtractStridedSliceOp::create(
        b, lanes, ArrayRef<int64_t>{half}, ArrayRef<int64_t>{half}, ArrayRef<int64_t>{1});
    lanes = combine(combiner, lower, upper);
  }
  return vector::ExtractOp::create(b, lanes, ArrayRef<int64_t>{0});
}

VectorEmitter::Values VectorEmitter::createReductionLoops(ArrayRef<unsigned> order,
                                                          const Values &accumulators) {
  if (!order.empty()) {
    auto loop =
        scf::ForOp::create(b, createIndex(0), extents[order.front()], createIndex(1), accumulators);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    positions[order.front()] = loop.getInductionVar();
    scf::YieldOp::create(
        b, createReductionLoops(order.drop_front(), Values(loop.getRegionIterArgs())));
    return Values(loop.getResults());
  }
  beginRow();
  return createRow(
      accumulators, [&](Value position, const Lanes &lanes, ValueRange carried) -> Values {
        IRMapping vectors = createBody(position, lanes);
        Values next;
        for (auto [combiner, stored] : llvm::zip_equal(plan.combiners, carried)) {
          Value accumulator = fromStored(b, stored, combiner.neutral.getType());
          Value term = getVector(combiner.term, vectors);
          if (lanes.arePartial()) {
            Value neutral = arith::ConstantOp::create(
                b, DenseElementsAttr::get(cast<ShapedType>(term.getType()), combiner.neutral));
            term = arith::SelectOp::create(b, lanes.mask, term, neutral);
          }
          next.push_back(toStored(b, combine(combiner, term, accumulator)));
        }
        return next;
      });
}

void VectorEmitter::emitReduction() {
  SmallVector<unsigned> order, reductions;
  for (auto [position, loop] : llvm::enumerate(nest.loops))
    if (position != plan.loop)
      (loop.isReduction ? reductions : order).push_back(position);
  createLoops(order, [&] {
    Values accumulators;
    for (const Combiner &combiner : plan.combiners) {
      auto type = vectorOf(combiner.neutral.getType());
      Value neutral = arith::ConstantOp::create(b, DenseElementsAttr::get(type, combiner.neutral));
      accumulators.push_back(toStored(b, neutral));
    }
    accumulators = createReductionLoops(reductions, accumulators);
    for (auto [number, combiner] : llvm::enumerate(plan.combiners)) {
      unsigned operand = linalg::LinalgOp(nest.op).getNumDpsInputs() + number;
      Value lanes = fromStored(b, accumulators[number], combiner.neutral.getType());
      Value total = combineLanes(combiner, lanes);
      total = combine(combiner, total, loadScalar(operand));
      storeScalar(operand, total);
    }
  });
}
