//===- ViewChecks.cpp - casts, reshapes, slices and padding ---------------===//

#include "Checks.h"
#include "amp/Dialect/Train/IR/Train.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace amp::conversion;
using Extent = CheckBuilder::Extent;
using Predicate = CheckBuilder::Predicate;

static Extent getIndex(Operation *op, int64_t value) {
  return Builder(op->getContext()).getIndexAttr(value);
}

static std::string describe(int64_t dimension, StringRef of) {
  return ("dimension " + Twine(dimension) + " of " + of).str();
}

/// "dimension 1" or "dimensions 1 to 3".
static std::string describe(ArrayRef<int64_t> group) {
  if (group.size() == 1)
    return "dimension " + std::to_string(group.front());
  return "dimensions " + std::to_string(group.front()) + " to " + std::to_string(group.back());
}

static void expectNonNegative(CheckBuilder &checks, Operation *op, Extent extent,
                              const Twine &what) {
  if (!checks.isNonNegative(extent))
    checks.expect(op, Predicate::sge, extent, getIndex(op, 0),
                  what + " is {0}, expected at least {1}");
}

static void checkCast(CheckBuilder &checks, tensor::CastOp op) {
  auto to = dyn_cast<RankedTensorType>(op.getType());
  if (!to)
    return;
  if (!isa<RankedTensorType>(op.getSource().getType())) {
    OpBuilder builder(op);
    Value rank = tensor::RankOp::create(builder, op.getLoc(), op.getSource());
    checks.expect(op, Predicate::eq, rank, getIndex(op, to.getRank()),
                  "operand 0 has rank {0}, expected {1} as in result 0");
  }
  for (auto [dimension, size] : llvm::enumerate(to.getShape()))
    if (!ShapedType::isDynamic(size))
      checks.expect(
          op, Predicate::eq, checks.getExtent(op.getSource(), dimension), getIndex(op, size),
          describe(dimension, "operand 0") + " has size {0}, expected {1} as in result 0");
}

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

/// `train.reshape` has at most one dynamic dimension on each side.
static void checkTrainReshape(CheckBuilder &checks, amp::train::ReshapeOp op) {
  RankedTensorType to = op.getResult().getType();
  Extent count = getIndex(op, 1);
  int64_t known = 1, divisor = 1;
  for (auto [dimension, size] : llvm::enumerate(op.getInput().getType().getShape())) {
    count = checks.multiply(op, count, checks.getExtent(op.getInput(), dimension));
    known *= ShapedType::isDynamic(size) ? 1 : size;
  }
  for (int64_t size : to.getShape())
    divisor *= ShapedType::isDynamic(size) ? 1 : size;
  if (to.hasStaticShape() || divisor == 0 || known % divisor == 0)
    return;
  std::string shape = llvm::join(llvm::map_range(to.getShape(),
                                                 [](int64_t size) {
                                                   return ShapedType::isDynamic(size)
                                                              ? std::string("?")
                                                              : std::to_string(size);
                                                 }),
                                 "x");
  checks.expectMultiple(op, count, divisor,
                        "operand 0 has {0} elements, expected a multiple of {1} for the shape " +
                            shape + " of result 0");
}

static void checkExpand(CheckBuilder &checks, tensor::ExpandShapeOp op) {
  SmallVector<Extent> sizes = op.getMixedOutputShape();
  for (auto [dimension, size] : llvm::enumerate(sizes)) {
    size = checks.trace(size);
    expectNonNegative(checks, op, size, describe(dimension, "result 0"));
  }
  for (auto [source, group] : llvm::enumerate(op.getReassociationIndices())) {
    Extent product = getIndex(op, 1);
    for (int64_t dimension : group)
      product = checks.multiply(op, product, sizes[dimension]);
    checks.expect(op, Predicate::eq, checks.getExtent(op.getSrc(), source), product,
                  describe(source, "operand 0") + " has size {0}, expected {1} as in " +
                      describe(group) + " of result 0");
  }
}

/// Element `position` of a shape that is a tensor.
static Extent readShape(CheckBuilder &checks, Operation *op, Value shape, int64_t position) {
  Value element;
  OpBuilder builder(op);
  if (auto list = shape.getDefiningOp<tensor::FromElementsOp>()) {
    element = list.getElements()[position];
  } else {
    Value index = arith::ConstantIndexOp::create(builder, op->getLoc(), position);
    element = tensor::ExtractOp::create(builder, op->getLoc(), shape, index);
  }
  if (auto cast = element.getDefiningOp<arith::IndexCastOp>())
    element = cast.getIn();
  if (!element.getType().isIndex())
    element = arith::IndexCastOp::create(builder, op->getLoc(), builder.getIndexType(), element);
  return checks.trace(element);
}

static void checkTensorReshape(CheckBuilder &checks, tensor::ReshapeOp op) {
  auto from = dyn_cast<RankedTensorType>(op.getSource().getType());
  auto to = dyn_cast<RankedTensorType>(op.getType());
  if (!from || !to)
    return;
  Extent have = getIndex(op, 1), want = getIndex(op, 1);
  for (int64_t dimension = 0; dimension < from.getRank(); ++dimension)
    have = checks.multiply(op, have, checks.getExtent(op.getSource(), dimension));
  for (auto [dimension, size] : llvm::enumerate(to.getShape())) {
    Extent extent = readShape(checks, op, op.getShape(), dimension);
    expectNonNegative(checks, op, extent, "element " + Twine(dimension) + " of operand 1");
    if (!ShapedType::isDynamic(size))
      checks.expect(op, Predicate::eq, extent, getIndex(op, size),
                    "element " + Twine(dimension) + " of operand 1 is {0}, expected {1} as in " +
                        describe(dimension, "result 0"));
    want = checks.multiply(op, want, extent);
  }
  checks.expect(op, Predicate::eq, have, want,
                "operand 0 has {0} elements, expected {1} for the shape in operand 1");
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

/// The slice lies within operand `operand` of `op`. Sizes and ends are compared as unsigned: what
/// is negative is too large.
static void checkSlice(CheckBuilder &checks, OffsetSizeAndStrideOpInterface op, unsigned operand) {
  Value whole = op->getOperand(operand);
  std::string like = "operand " + std::to_string(operand);
  for (int64_t dimension = 0, rank = op.getMixedSizes().size(); dimension < rank; ++dimension) {
    Extent extent = checks.getExtent(whole, dimension);
    Extent start = checks.trace(op.getMixedOffsets()[dimension]);
    Extent count = checks.trace(op.getMixedSizes()[dimension]);
    Extent step = checks.trace(op.getMixedStrides()[dimension]);
    std::string what = "slice of " + describe(dimension, like);
    expectNonNegative(checks, op, count, "size of the " + what);
    bool isDense = getConstant(step) == 1;
    // Without these an offset and a size could overflow together.
    if (!getConstant(start) || !getConstant(count)) {
      checks.expect(op, Predicate::ule, start, extent,
                    what + " starts at {0}, expected at most {1}", count);
      if (isDense)
        checks.expect(op, Predicate::ule, count, extent,
                      what + " has size {0}, expected at most {1}");
    }
    if (isDense && getConstant(start) == 0 && !getConstant(count))
      continue;
    Extent one = getIndex(op, 1), last = count;
    if (!isDense) {
      Extent steps = checks.multiply(op, checks.add(op, count, getIndex(op, -1)), step);
      last = checks.add(op, steps, one);
    }
    Extent end = checks.add(op, start, last);
    checks.expect(op, Predicate::ule, end, extent, what + " ends at {0}, expected at most {1}",
                  count);
  }
}

/// The source has the size of the slice that it replaces.
template <typename OpTy> static void checkInsertedSizes(CheckBuilder &checks, OpTy op) {
  llvm::SmallBitVector dropped = op.getDroppedDims();
  int64_t source = 0;
  for (auto [dimension, size] : llvm::enumerate(op.getMixedSizes())) {
    if (dropped.test(dimension))
      continue;
    checks.expect(op, Predicate::eq, checks.getExtent(op.getSource(), source), checks.trace(size),
                  describe(source, "operand 0") + " has size {0}, expected {1} as in the slice");
    ++source;
  }
}

static void checkPad(CheckBuilder &checks, tensor::PadOp op) {
  auto to = cast<RankedTensorType>(op.getType());
  SmallVector<Extent> low = op.getMixedLowPad(), high = op.getMixedHighPad();
  for (int64_t dimension = 0; dimension < to.getRank(); ++dimension) {
    std::string what = describe(dimension, "operand 0");
    Extent before = checks.trace(low[dimension]), after = checks.trace(high[dimension]);
    expectNonNegative(checks, op, before, "padding before " + what);
    expectNonNegative(checks, op, after, "padding after " + what);
    if (to.isDynamicDim(dimension))
      continue;
    Extent padded =
        checks.add(op, checks.add(op, before, checks.getExtent(op.getSource(), dimension)), after);
    checks.expect(op, Predicate::eq, padded, getIndex(op, to.getDimSize(dimension)),
                  what + " has size {0} when it is padded, expected {1} as in result 0");
  }
}

static void checkConcat(CheckBuilder &checks, tensor::ConcatOp op) {
  auto to = cast<RankedTensorType>(op.getType());
  int64_t axis = op.getDim();
  for (int64_t dimension = 0; dimension < to.getRank(); ++dimension) {
    if (dimension == axis)
      continue;
    Extent first = checks.getExtent(op->getOperand(0), dimension);
    for (unsigned operand = 1; operand < op->getNumOperands(); ++operand)
      checks.expect(op, Predicate::eq, checks.getExtent(op->getOperand(operand), dimension), first,
                    describe(dimension, "operand " + std::to_string(operand)) +
                        " has size {0}, expected {1} as in operand 0");
  }
}

void amp::conversion::checkView(CheckBuilder &checks, Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](tensor::CastOp cast) { checkCast(checks, cast); })
      .Case([&](amp::train::ReshapeOp reshape) { checkTrainReshape(checks, reshape); })
      .Case([&](tensor::ExpandShapeOp expand) { checkExpand(checks, expand); })
      .Case([&](tensor::ReshapeOp reshape) { checkTensorReshape(checks, reshape); })
      .Case([&](tensor::ExtractSliceOp slice) { checkSlice(checks, slice, 0); })
      .Case<tensor::InsertSliceOp, tensor::ParallelInsertSliceOp>([&](auto insert) {
        checkInsertedSizes(checks, insert);
        checkSlice(checks, insert, 1);
      })
      .Case([&](tensor::PadOp pad) { checkPad(checks, pad); })
      .Case([&](tensor::ConcatOp concat) { checkConcat(checks, concat); })
      .Case([&](tensor::EmptyOp empty) {
        for (auto [dimension, size] : llvm::enumerate(empty.getMixedSizes()))
          expectNonNegative(checks, op, checks.trace(size), describe(dimension, "result 0"));
      });
}
