//===- LoopChecks.cpp - dimensions along which an op's loops walk ---------===//

#include "Checks.h"
#include "DimensionMaps.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace amp::conversion;
using Extent = CheckBuilder::Extent;
using Predicate = CheckBuilder::Predicate;

namespace {
struct Dimension {
  unsigned operand, position;
};

/// The checks of one op.
class LoopChecker {
public:
  LoopChecker(CheckBuilder &checks, Operation *op, const DimensionMaps &maps)
      : checks(checks), op(op), maps(maps) {}

  void checkOperands();
  void checkResults();
  void checkIndices();

private:
  Extent getExtent(Dimension dimension) {
    return checks.getExtent(op->getOperand(dimension.operand), dimension.position);
  }
  bool isStatic(Dimension dimension) {
    auto type = cast<ShapedType>(op->getOperand(dimension.operand).getType());
    return !type.isDynamicDim(dimension.position);
  }
  void checkIndex(Dimension dimension, AffineMap map, AffineExpr expr);

  CheckBuilder &checks;
  Operation *op;
  const DimensionMaps &maps;
  /// Per loop the first dimension that it walks along.
  SmallVector<std::optional<Dimension>> loops;
};
} // namespace

static std::string describe(Dimension dimension) {
  return "dimension " + std::to_string(dimension.position) + " of operand " +
         std::to_string(dimension.operand);
}

void LoopChecker::checkOperands() {
  for (auto [index, map] : llvm::enumerate(maps.operands)) {
    if (!map)
      continue;
    loops.resize(map.getNumDims());
    for (auto [position, expr] : llvm::enumerate(map.getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop)
        continue;
      Dimension dimension{unsigned(index), unsigned(position)};
      std::optional<Dimension> &first = loops[loop.getPosition()];
      if (!first) {
        first = dimension;
        continue;
      }
      std::string like = first->position == position ? "operand " + std::to_string(first->operand)
                                                     : describe(*first);
      checks.expect(op, Predicate::eq, getExtent(dimension), getExtent(*first),
                    describe(dimension) + " has size {0}, expected {1} as in " + like);
    }
  }
}

void LoopChecker::checkResults() {
  for (auto [index, map] : llvm::enumerate(maps.results)) {
    auto type = cast<ShapedType>(op->getResult(index).getType());
    for (auto [position, expr] : llvm::enumerate(map.getResults())) {
      std::optional<Dimension> first = loops[cast<AffineDimExpr>(expr).getPosition()];
      if (!first || type.isDynamicDim(position))
        continue;
      std::string like = first->position == position ? "result " + std::to_string(index)
                                                     : "dimension " + std::to_string(position) +
                                                           " of result " + std::to_string(index);
      Extent expected = checks.getExtent(op->getResult(index), position);
      checks.expect(op, Predicate::eq, getExtent(*first), expected,
                    describe(*first) + " has size {0}, expected {1} as in " + like);
    }
  }
}

namespace {
/// The least and the greatest value of an index, in terms of the extents of the loops. Exact where
/// each loop occurs once and no remainder is taken.
struct Bounds {
  AffineExpr least, greatest;
};
} // namespace

static Bounds getBounds(AffineExpr expr) {
  MLIRContext *context = expr.getContext();
  auto constant = [&](int64_t value) { return getAffineConstantExpr(value, context); };
  if (isa<AffineConstantExpr>(expr))
    return {expr, expr};
  if (isa<AffineDimExpr>(expr))
    return {constant(0), expr - 1};
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Bounds lhs = getBounds(binary.getLHS()), rhs = getBounds(binary.getRHS());
  if (expr.getKind() == AffineExprKind::Add)
    return {lhs.least + rhs.least, lhs.greatest + rhs.greatest};
  // The right side of the others is a constant without symbols.
  int64_t factor = cast<AffineConstantExpr>(binary.getRHS()).getValue();
  switch (expr.getKind()) {
  case AffineExprKind::Mul:
    if (factor < 0)
      std::swap(lhs.least, lhs.greatest);
    return {lhs.least * factor, lhs.greatest * factor};
  case AffineExprKind::FloorDiv:
    return {lhs.least.floorDiv(factor), lhs.greatest.floorDiv(factor)};
  case AffineExprKind::CeilDiv:
    return {lhs.least.ceilDiv(factor), lhs.greatest.ceilDiv(factor)};
  default:
    return {constant(0), constant(factor - 1)};
  }
}

void LoopChecker::checkIndex(Dimension dimension, AffineMap map, AffineExpr expr) {
  SmallVector<Extent> sizes;
  // What is static all over is up to the verifier.
  bool isAllStatic = isStatic(dimension);
  for (auto [loop, first] : llvm::enumerate(loops)) {
    sizes.push_back(first ? getExtent(*first) : Builder(op->getContext()).getIndexAttr(1));
    if (first && expr.isFunctionOfDim(loop))
      isAllStatic &= isStatic(*first);
  }
  if (isAllStatic)
    return;
  auto compute = [&](AffineExpr bound) {
    return checks.apply(op, AffineMap::get(map.getNumDims(), 0, bound), sizes);
  };
  Bounds bounds = getBounds(expr);
  checks.expect(op, Predicate::sge, compute(bounds.least),
                Builder(op->getContext()).getIndexAttr(0),
                describe(dimension) + " is read at index {0}, expected at least {1}", sizes);
  checks.expect(op, Predicate::sle, compute(bounds.greatest + 1), getExtent(dimension),
                describe(dimension) + " has size {1}, expected at least {0} for the loops", sizes);
}

void LoopChecker::checkIndices() {
  for (auto [index, map] : llvm::enumerate(maps.operands)) {
    if (!map)
      continue;
    for (auto [position, expr] : llvm::enumerate(map.getResults()))
      if (!isa<AffineDimExpr>(expr))
        checkIndex({unsigned(index), unsigned(position)}, map, expr);
  }
}

void amp::conversion::checkLoops(CheckBuilder &checks, Operation *op) {
  std::optional<DimensionMaps> maps = getDimensionMaps(op);
  if (!maps)
    return;
  LoopChecker checker(checks, op, *maps);
  checker.checkOperands();
  checker.checkResults();
  checker.checkIndices();
}
