//===- GatherChecks.cpp - elements that are read by index -----------------===//

#include "Checks.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace amp::conversion;
using Extent = CheckBuilder::Extent;
using Predicate = CheckBuilder::Predicate;

static std::string getMessage(int64_t dimension) {
  return "index {0} of dimension " + std::to_string(dimension) +
         " is out of bounds, expected less than {1}";
}

void amp::conversion::checkElement(CheckBuilder &checks, Operation *op) {
  auto check = [&](Value tensor, ValueRange indices) {
    for (auto [dimension, index] : llvm::enumerate(indices))
      checks.expect(op, Predicate::ult, checks.trace(index), checks.getExtent(tensor, dimension),
                    getMessage(dimension));
  };
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    check(extract.getTensor(), extract.getIndices());
  if (auto insert = dyn_cast<tensor::InsertOp>(op))
    check(insert.getDest(), insert.getIndices());
  if (auto dim = dyn_cast<tensor::DimOp>(op))
    if (auto type = dyn_cast<RankedTensorType>(dim.getSource().getType()))
      checks.expect(op, Predicate::ult, dim.getIndex(),
                    Builder(op->getContext()).getIndexAttr(type.getRank()),
                    "dimension {0} does not exist, expected less than {1}");
}

//===----------------------------------------------------------------------===//
// Gathers
//===----------------------------------------------------------------------===//

namespace {
/// What a body computes an index from.
struct IndexSlice {
  llvm::SetVector<Operation *> ops;
  /// Operands of the loops, and loops whose number is read.
  llvm::SetVector<unsigned> operands, loops;
};

/// Checks of the elements that the body of `op` reads by index.
class GatherChecker {
public:
  GatherChecker(CheckBuilder &checks, linalg::LinalgOp op) : checks(checks), op(op) {}

  void check(tensor::ExtractOp extract);

private:
  void checkIndex(tensor::ExtractOp extract, int64_t dimension, Extent extent);
  bool findSlice(Value value, IndexSlice &slice);
  ConstantIntRanges getRange(Value value);
  ConstantIntRanges computeRange(Value value);
  Extent getLoopExtent(unsigned loop);
  Value createGreatest(Value index, const IndexSlice &slice);

  CheckBuilder &checks;
  linalg::LinalgOp op;
  llvm::DenseMap<Value, ConstantIntRanges> ranges;
};
} // namespace

Extent GatherChecker::getLoopExtent(unsigned loop) {
  AffineExpr expr = getAffineDimExpr(loop, op.getContext());
  for (OpOperand &operand : op->getOpOperands())
    if (auto position = op.getMatchingIndexingMap(&operand).getResultPosition(expr))
      return checks.getExtent(operand.get(), *position);
  llvm_unreachable("the verifier demands a tensor that has the extent of the loop");
}

/// What `value`, an integer of the body, can be, from constants and static loops alone.
ConstantIntRanges GatherChecker::getRange(Value value) {
  auto known = ranges.find(value);
  if (known != ranges.end())
    return known->second;
  ConstantIntRanges range = computeRange(value);
  ranges.try_emplace(value, range);
  return range;
}

ConstantIntRanges GatherChecker::computeRange(Value value) {
  unsigned width = ConstantIntRanges::getStorageBitwidth(value.getType());
  ConstantIntRanges range = ConstantIntRanges::maxRange(width);
  Operation *definition = value.getDefiningOp();
  if (auto index = dyn_cast_or_null<linalg::IndexOp>(definition)) {
    std::optional<int64_t> extent = getConstant(getLoopExtent(index.getDim()));
    if (extent && *extent > 0)
      range = ConstantIntRanges::fromUnsigned(APInt(width, 0), APInt(width, *extent - 1));
    return range;
  }
  auto inferrable = dyn_cast_or_null<InferIntRangeInterface>(definition);
  if (!inferrable)
    return range;
  SmallVector<ConstantIntRanges> operands;
  for (Value operand : definition->getOperands())
    operands.push_back(operand.getType().isIntOrIndex() ? getRange(operand)
                                                        : ConstantIntRanges::maxRange(1));
  inferrable.inferResultRanges(operands, [&](Value result, const ConstantIntRanges &found) {
    if (result == value)
      range = found;
  });
  return range;
}

/// Collects what `value` is computed from. False if that cannot be computed before the loops: it
/// has effects, or depends on a result.
bool GatherChecker::findSlice(Value value, IndexSlice &slice) {
  if (auto argument = dyn_cast<BlockArgument>(value);
      argument && argument.getOwner() == op.getBlock()) {
    slice.operands.insert(argument.getArgNumber());
    return argument.getArgNumber() < op.getNumDpsInputs();
  }
  Operation *definition = value.getDefiningOp();
  if (!definition || definition->getBlock() != op.getBlock())
    return true;
  if (slice.ops.contains(definition))
    return true;
  if (definition->getNumRegions() != 0 || !isMemoryEffectFree(definition))
    return false;
  if (auto index = dyn_cast<linalg::IndexOp>(definition))
    slice.loops.insert(index.getDim());
  for (Value operand : definition->getOperands())
    if (!findSlice(operand, slice))
      return false;
  // Behind what it reads.
  slice.ops.insert(definition);
  return true;
}

/// The greatest of the values, as unsigned numbers, that `index` has in the loops: a reduction
/// over those loops alone that it depends on.
Value GatherChecker::createGreatest(Value index, const IndexSlice &slice) {
  llvm::SetVector<unsigned> loops = slice.loops;
  SmallVector<AffineMap> maps;
  for (unsigned operand : slice.operands) {
    maps.push_back(op.getMatchingIndexingMap(&op->getOpOperand(operand)));
    for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
      if (maps.back().isFunctionOfDim(loop))
        loops.insert(loop);
  }
  SmallVector<unsigned> sorted = llvm::to_vector(loops);
  llvm::sort(sorted);
  OpBuilder builder(op);
  Location loc = op.getLoc();
  MLIRContext *context = op.getContext();
  unsigned count = sorted.size();

  // The loops that are left, renumbered.
  SmallVector<AffineExpr> numbers(op.getNumLoops(), getAffineConstantExpr(0, context));
  SmallVector<Extent> sizes;
  for (auto [number, loop] : llvm::enumerate(sorted)) {
    numbers[loop] = getAffineDimExpr(number, context);
    sizes.push_back(getLoopExtent(loop));
  }
  SmallVector<Value> inputs;
  for (auto [operand, map] : llvm::zip_equal(slice.operands, maps)) {
    inputs.push_back(op->getOperand(operand));
    map = map.replaceDimsAndSymbols(numbers, {}, count, 0);
  }
  // Where no operand says how far the loops go, a tensor does whose elements nobody reads.
  auto isSized = [&](unsigned loop) {
    return llvm::any_of(maps, [&](AffineMap map) {
      return map.getResultPosition(getAffineDimExpr(loop, context)).has_value();
    });
  };
  if (!llvm::all_of(llvm::seq(count), isSized)) {
    inputs.push_back(tensor::EmptyOp::create(builder, loc, sizes, builder.getI1Type()));
    maps.push_back(builder.getMultiDimIdentityMap(count));
  }
  maps.push_back(AffineMap::get(count, 0, context));

  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value init = tensor::FromElementsOp::create(
      builder, loc, RankedTensorType::get({}, builder.getIndexType()), zero);
  SmallVector<utils::IteratorType> iterators(count, utils::IteratorType::reduction);
  auto greatest = linalg::GenericOp::create(
      builder, loc, init.getType(), inputs, init, maps, iterators,
      [&](OpBuilder &nested, Location, ValueRange arguments) {
        IRMapping mapping;
        for (auto [operand, argument] : llvm::zip_first(slice.operands, arguments))
          mapping.map(op.getBlock()->getArgument(operand), argument);
        for (Operation *inner : slice.ops) {
          Operation *copy = nested.clone(*inner, mapping);
          if (auto number = dyn_cast<linalg::IndexOp>(copy))
            number.setDim(llvm::find(sorted, number.getDim()) - sorted.begin());
        }
        Value value =
            arith::MaxUIOp::create(nested, loc, mapping.lookupOrDefault(index), arguments.back());
        linalg::YieldOp::create(nested, loc, value);
      });
  return tensor::ExtractOp::create(builder, loc, greatest.getResult(0), ValueRange());
}

void GatherChecker::checkIndex(tensor::ExtractOp extract, int64_t dimension, Extent extent) {
  Value index = extract.getIndices()[dimension];
  std::optional<int64_t> size = getConstant(extent);
  if (size && getRange(index).umax().ult(*size))
    return;
  IndexSlice slice;
  if (!findSlice(index, slice)) {
    checks.expect(extract, Predicate::ult, index, extent, getMessage(dimension));
    return;
  }
  SmallVector<Extent> loops;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    loops.push_back(getLoopExtent(loop));
  if (llvm::any_of(loops, [](Extent loop) { return getConstant(loop) == 0; }))
    return;
  Extent greatest = index;
  if (auto number = index.getDefiningOp<linalg::IndexOp>())
    // Equal extents need no check at all.
    return checks.expectAt(op, extract, Predicate::ule, loops[number.getDim()], extent,
                           "dimension " + std::to_string(dimension) +
                               " of operand 0 has size {1}, expected at least {0} for the loops",
                           loops);
  if (!slice.ops.empty() || !slice.operands.empty())
    greatest = createGreatest(index, slice);
  checks.expectAt(op, extract, Predicate::ult, greatest, extent, getMessage(dimension), loops);
}

void GatherChecker::check(tensor::ExtractOp extract) {
  bool isInLoops = extract->getBlock() == op.getBlock();
  // A tensor of the loops' own is none that could be looked at before.
  isInLoops &= !op->isAncestor(extract.getTensor().getParentBlock()->getParentOp());
  if (!isInLoops)
    return checkElement(checks, extract);
  for (int64_t dimension = 0, rank = extract.getIndices().size(); dimension < rank; ++dimension)
    checkIndex(extract, dimension, checks.getExtent(extract.getTensor(), dimension));
}

void amp::conversion::checkGathers(CheckBuilder &checks, linalg::LinalgOp op) {
  GatherChecker checker(checks, op);
  SmallVector<tensor::ExtractOp> extracts;
  op.getBlock()->walk([&](tensor::ExtractOp extract) { extracts.push_back(extract); });
  for (tensor::ExtractOp extract : extracts)
    checker.check(extract);
}
