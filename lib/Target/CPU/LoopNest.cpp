//===- LoopNest.cpp - the loops of a linalg op, as vectorisation sees them ===//

#include "LoopNest.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace amp::cpu;

/// Whether vectors of `type` can be loaded from memory: bytes, powers of two of them, and i1.
static bool isVectorElement(Type type) {
  if (isa<Float16Type, BFloat16Type, Float32Type, Float64Type, IndexType>(type))
    return true;
  return type.isSignlessInteger() &&
         llvm::is_contained({1, 8, 16, 32, 64}, type.getIntOrFloatBitWidth());
}

static bool isIdentity(Value buffer) {
  return cast<MemRefType>(buffer.getType()).getLayout().isIdentity();
}

static LogicalResult checkOperand(Value value, std::string &reason) {
  llvm::raw_string_ostream os(reason);
  Type type = value.getType();
  if (auto buffer = dyn_cast<MemRefType>(type)) {
    SmallVector<int64_t> strides;
    int64_t offset;
    if (failed(buffer.getStridesAndOffset(strides, offset))) {
      os << "an operand of type " << type << " has no strides";
      return failure();
    }
    type = buffer.getElementType();
  } else if (isa<ShapedType>(type)) {
    os << "an operand has type " << type << ", not a ranked buffer";
    return failure();
  }
  if (isVectorElement(type))
    return success();
  os << "there are no vectors of " << type;
  return failure();
}

FailureOr<LoopNest> LoopNest::build(linalg::LinalgOp op, std::string &reason) {
  LoopNest nest;
  nest.op = op;
  nest.maps = op.getIndexingMapsArray();
  for (OpOperand &operand : op->getOpOperands()) {
    if (failed(checkOperand(operand.get(), reason)))
      return failure();
    NestOperand &added = nest.operands.emplace_back();
    added.value = operand.get();
    added.isOutput = op.isDpsInit(&operand);
    added.isBuffer = isa<MemRefType>(operand.get().getType());
  }
  if (failed(nest.findExtents(reason)))
    return failure();
  nest.findLoops();
  for (auto [operand, map] : llvm::zip_equal(nest.operands, nest.maps))
    if (operand.isBuffer)
      nest.collapse(operand, map);
  return nest;
}

LogicalResult LoopNest::findExtents(std::string &reason) {
  extents.resize(op.getNumLoops());
  sizes.assign(op.getNumLoops(), ShapedType::kDynamic);
  for (auto [operand, map] : llvm::zip_equal(operands, maps)) {
    if (!operand.isBuffer)
      continue;
    auto shape = cast<MemRefType>(operand.value.getType()).getShape();
    for (auto [position, expr] : llvm::enumerate(map.getResults())) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!dim)
        continue;
      unsigned index = dim.getPosition();
      if (!extents[index].first || !ShapedType::isDynamic(shape[position])) {
        extents[index] = {operand.value, unsigned(position)};
        sizes[index] = shape[position];
      }
    }
  }
  for (auto [dim, extent] : llvm::enumerate(extents)) {
    if (extent.first)
      continue;
    reason = "no operand has the extent of dimension " + std::to_string(dim);
    return failure();
  }
  return success();
}

/// Whether dimension `position` of the operand has size 1.
static bool isUnit(const NestOperand &operand, ArrayRef<AffineExpr> exprs, size_t position) {
  return exprs[position] == getAffineConstantExpr(0, exprs[position].getContext()) &&
         cast<MemRefType>(operand.value.getType()).getDimSize(position) == 1;
}

/// Whether `dim` and the one after it index every buffer as one dense dimension would.
bool LoopNest::canMerge(unsigned dim, unsigned next) const {
  auto iterators = linalg::LinalgOp(op).getIteratorTypesArray();
  if (iterators[dim] != iterators[next])
    return false;
  MLIRContext *context = op->getContext();
  AffineExpr first = getAffineDimExpr(dim, context), second = getAffineDimExpr(next, context);
  for (auto [operand, map] : llvm::zip_equal(operands, maps)) {
    ArrayRef<AffineExpr> exprs = map.getResults();
    size_t uses = llvm::count_if(exprs, [&](AffineExpr expr) {
      return expr.isFunctionOfDim(dim) || expr.isFunctionOfDim(next);
    });
    if (uses == 0)
      continue;
    if (uses != 2 || !isIdentity(operand.value))
      return false;
    size_t at = llvm::find(exprs, first) - exprs.begin() + 1;
    while (at < exprs.size() && isUnit(operand, exprs, at))
      ++at;
    if (at >= exprs.size() || exprs[at] != second)
      return false;
  }
  return true;
}

void LoopNest::findLoops() {
  llvm::SmallDenseSet<unsigned> indexed;
  op.getBlock()->walk([&](linalg::IndexOp index) { indexed.insert(index.getDim()); });
  MLIRContext *context = op->getContext();

  // Dimensions of size 1 go first, so that they do not stand between dense neighbours.
  SmallVector<unsigned> dims;
  SmallVector<AffineExpr> withoutUnits;
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    withoutUnits.push_back(size == 1 ? getAffineConstantExpr(0, context)
                                     : getAffineDimExpr(dim, context));
    if (size != 1)
      dims.push_back(dim);
  }
  for (AffineMap &map : maps)
    map = map.replaceDimsAndSymbols(withoutUnits, {}, sizes.size(), 0);

  auto iterators = op.getIteratorTypesArray();
  for (unsigned dim : dims) {
    if (!loops.empty() && !indexed.contains(dim) && !indexed.contains(loops.back().dims.back()) &&
        canMerge(loops.back().dims.back(), dim)) {
      Loop &loop = loops.back();
      loop.dims.push_back(dim);
      bool isStatic = !ShapedType::isDynamic(loop.size) && !ShapedType::isDynamic(sizes[dim]);
      loop.size = isStatic ? loop.size * sizes[dim] : ShapedType::kDynamic;
      continue;
    }
    Loop &loop = loops.emplace_back();
    loop.isReduction = iterators[dim] == utils::IteratorType::reduction;
    loop.dims.push_back(dim);
    loop.size = sizes[dim];
  }
}

void LoopNest::collapse(NestOperand &operand, AffineMap map) {
  MLIRContext *context = op->getContext();
  AffineExpr zero = getAffineConstantExpr(0, context);
  // A merged loop is the index in place of the last of its dimensions; the ones before it vanish.
  SmallVector<AffineExpr> toLoops(sizes.size(), zero);
  llvm::SmallBitVector vanishes(sizes.size());
  for (auto [position, loop] : llvm::enumerate(loops)) {
    toLoops[loop.dims.back()] = getAffineDimExpr(position, context);
    for (unsigned dim : ArrayRef(loop.dims).drop_back())
      vanishes.set(dim);
  }
  bool mayCollapse = isIdentity(operand.value);
  bool open = false;
  for (auto [position, expr] : llvm::enumerate(map.getResults())) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    bool unit = isUnit(operand, map.getResults(), position);
    bool joins = mayCollapse && !operand.groups.empty() && (open || unit);
    if (!joins) {
      operand.groups.emplace_back();
      operand.indices.push_back(zero);
    }
    operand.groups.back().push_back(position);
    AffineExpr index = expr.replaceDims(toLoops);
    if (index != zero)
      operand.indices.back() = index;
    // Unit dimensions at the front, and outer parts of a merged loop, wait for what follows.
    bool isFrontUnit = unit && operand.groups.size() == 1 && operand.indices.back() == zero;
    open = (dim && vanishes.test(dim.getPosition())) || isFrontUnit || (unit && open);
  }
}

std::optional<unsigned> LoopNest::getLoopOfDim(unsigned dim) const {
  for (auto [position, loop] : llvm::enumerate(loops))
    if (loop.dims.size() == 1 && loop.dims.front() == dim)
      return position;
  return std::nullopt;
}

Access LoopNest::getAccess(unsigned index, unsigned loop) const {
  const NestOperand &operand = operands[index];
  auto dependsOnLoop = [&](AffineExpr expr) { return expr.isFunctionOfDim(loop); };
  if (llvm::none_of(operand.indices, dependsOnLoop))
    return Access::Uniform;
  SmallVector<int64_t> strides;
  int64_t offset;
  (void)cast<MemRefType>(operand.value.getType()).getStridesAndOffset(strides, offset);
  if (llvm::any_of(ArrayRef(operand.indices).drop_back(), dependsOnLoop) ||
      (operand.groups.back().size() == 1 && strides.back() != 1))
    return Access::Strided;
  AffineExpr rest = operand.indices.back() - getAffineDimExpr(loop, op->getContext());
  rest = simplifyAffineExpr(rest, loops.size(), 0);
  return rest.isFunctionOfDim(loop) ? Access::Strided : Access::Contiguous;
}
