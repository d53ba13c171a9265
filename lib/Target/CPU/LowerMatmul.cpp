//===- LowerMatmul.cpp - calls of kernels instead of matrix products ------===//

#include "LoopBuilder.h"
#include "MatmulKernel.h"
#include "amp/Target/CPU/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace amp {
#define GEN_PASS_DEF_CPULOWERMATMUL
#include "amp/Target/CPU/Passes.h.inc"
} // namespace amp

using namespace mlir;
using namespace amp;
using namespace amp::cpu;

namespace {
/// A linalg op as a matrix product: dimensions of its iteration space by their part in it.
struct Product {
  linalg::LinalgOp op;
  /// Neighbours that are one dimension of the product, the innermost last. Rows or columns may be
  /// missing.
  SmallVector<unsigned, 2> rows, columns, depth;
  /// The rest: loops around the product.
  SmallVector<unsigned, 2> loops;
};

/// One operand: how far apart its elements are along each dimension of the iteration space.
struct Operand {
  Value base, offset;
  FloatType element;
  llvm::SmallDenseMap<unsigned, OpFoldResult> sizes, strides;
};
} // namespace

/// The element type of a buffer that kernels can read; null for other values.
static FloatType elementType(Value value) {
  auto type = dyn_cast<MemRefType>(value.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!type || type.getMemorySpace() || failed(type.getStridesAndOffset(strides, offset)))
    return FloatType();
  auto element = dyn_cast<FloatType>(type.getElementType());
  return element && (element.isF16() || element.isBF16() || element.isF32() || element.isF64())
             ? element
             : FloatType();
}

/// Whether `value` is `argument` converted to the type that the body computes in. Several
/// extensions in a row are exact; a truncation is the conversion only if nothing follows it: one
/// that is widened again is a rounding that the user wrote.
static bool isConverted(Value value, BlockArgument argument) {
  bool isExtended = false;
  for (; auto extension = value.getDefiningOp<arith::ExtFOp>(); isExtended = true)
    value = extension.getIn();
  if (isExtended)
    return value == argument;
  if (auto truncation = value.getDefiningOp<arith::TruncFOp>())
    return truncation.getIn() == argument && truncation.getType().isF32() &&
           !truncation.getRoundingmode();
  return value == argument;
}

/// Whether a body is `acc + a * b`, computed in the accumulator's type. (linalg's own test of
/// contraction bodies also accepts a negated or otherwise changed operand.)
static bool isMultiplyAdd(Block &body) {
  auto sum = body.getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  if (!sum)
    return false;
  BlockArgument lhs = body.getArgument(0), rhs = body.getArgument(1), acc = body.getArgument(2);
  Value product = sum.getLhs() == acc ? sum.getRhs() : sum.getLhs();
  auto multiply = product.getDefiningOp<arith::MulFOp>();
  if (!multiply || (sum.getLhs() != acc && sum.getRhs() != acc))
    return false;
  return (isConverted(multiply.getLhs(), lhs) && isConverted(multiply.getRhs(), rhs)) ||
         (isConverted(multiply.getLhs(), rhs) && isConverted(multiply.getRhs(), lhs));
}

/// Whether dimensions `outer` and `inner` of an operand are one dimension in memory.
static bool areMergeable(OpOperand *operand, linalg::LinalgOp op, unsigned outer, unsigned inner) {
  AffineMap map = op.getMatchingIndexingMap(operand);
  auto at = [&](unsigned dim) {
    return map.getResultPosition(getAffineDimExpr(dim, map.getContext()));
  };
  auto type = cast<MemRefType>(operand->get().getType());
  return type.getLayout().isIdentity() && at(outer) && at(inner) && *at(outer) + 1 == *at(inner);
}

/// Keeps of `dims` the innermost and what merges with it in both operands; the others become loops.
static void mergeDimensions(Product &product, SmallVectorImpl<unsigned> &dims, OpOperand *first,
                            OpOperand *second) {
  size_t keep = dims.size();
  while (keep > 1 && areMergeable(first, product.op, dims[keep - 2], dims[keep - 1]) &&
         areMergeable(second, product.op, dims[keep - 2], dims[keep - 1]))
    --keep;
  size_t from = keep == 0 ? 0 : keep - 1;
  product.loops.append(dims.begin(), dims.begin() + from);
  dims.erase(dims.begin(), dims.begin() + from);
}

/// Recognises a matrix product that a kernel can compute.
static std::optional<Product> matchProduct(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      !llvm::all_of(op->getOperands(), elementType))
    return std::nullopt;
  // An operand of an op with a half output must not be wider: linalg would round it first.
  FloatType accumulator = elementType(op.getDpsInits()[0]);
  for (Value input : op.getDpsInputs())
    if (accumulator.getWidth() == 16 && elementType(input) != accumulator)
      return std::nullopt;
  auto maps = op.getIndexingMapsArray();
  if (!llvm::all_of(maps, [](AffineMap map) { return map.isProjectedPermutation(); }) ||
      !isMultiplyAdd(*op.getBlock()))
    return std::nullopt;
  FailureOr<linalg::ContractionDimensions> dims = linalg::inferContractionDims(op);
  if (failed(dims) || dims->k.empty() || (dims->m.empty() && dims->n.empty()) ||
      dims->batch.size() + dims->m.size() + dims->n.size() + dims->k.size() != op.getNumLoops())
    return std::nullopt;
  Product product{op, dims->m, dims->n, dims->k, dims->batch};
  OpOperand *lhs = op.getDpsInputOperand(0), *rhs = op.getDpsInputOperand(1);
  OpOperand *out = op.getDpsInitOperand(0);
  mergeDimensions(product, product.rows, lhs, out);
  mergeDimensions(product, product.columns, rhs, out);
  mergeDimensions(product, product.depth, lhs, rhs);
  return product;
}

/// Sizes and strides of a buffer that an op accesses through `map`.
static Operand analyse(LoopBuilder &b, Value buffer, AffineMap map) {
  auto type = cast<MemRefType>(buffer.getType());
  auto parts = memref::ExtractStridedMetadataOp::create(b, buffer);
  auto [strides, offset] = type.getStridesAndOffset();
  Operand operand;
  operand.element = elementType(buffer);
  operand.base = parts.getBaseBuffer();
  operand.offset = ShapedType::isDynamic(offset) ? parts.getOffset() : b.index(offset);
  auto known = [&](int64_t value, Value dynamic) -> OpFoldResult {
    return ShapedType::isDynamic(value) ? OpFoldResult(dynamic) : b.getIndexAttr(value);
  };
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    unsigned dim = cast<AffineDimExpr>(expr).getPosition();
    operand.sizes[dim] = known(type.getDimSize(i), parts.getSizes()[i]);
    operand.strides[dim] = known(strides[i], parts.getStrides()[i]);
  }
  return operand;
}

static OpFoldResult multiply(LoopBuilder &b, OpFoldResult lhs, OpFoldResult rhs) {
  auto l = getConstantIntValue(lhs), r = getConstantIntValue(rhs);
  if (l && r)
    return b.getIndexAttr(*l * *r);
  return b.mul(getValueOrCreateConstantIndexOp(b, b.getLoc(), lhs),
               getValueOrCreateConstantIndexOp(b, b.getLoc(), rhs));
}

/// The matrix of an operand over two (merged) dimensions, as kernels take it. A missing dimension
/// has size 1.
static Value viewMatrix(LoopBuilder &b, const Operand &operand, Value offset,
                        ArrayRef<unsigned> first, ArrayRef<unsigned> second) {
  OpFoldResult one = b.getIndexAttr(1);
  SmallVector<OpFoldResult> sizes, strides;
  for (ArrayRef<unsigned> dims : {first, second}) {
    OpFoldResult size = one;
    for (unsigned dim : dims)
      size = multiply(b, size, operand.sizes.at(dim));
    sizes.push_back(size);
    strides.push_back(dims.empty() ? one : operand.strides.at(dims.back()));
  }
  auto toStatic = [](ArrayRef<OpFoldResult> values) {
    SmallVector<int64_t> statics;
    for (OpFoldResult value : values)
      statics.push_back(getConstantIntValue(value).value_or(ShapedType::kDynamic));
    return statics;
  };
  OpFoldResult start = getAsOpFoldResult(offset);
  auto layout = StridedLayoutAttr::get(b.getContext(), toStatic(start).front(), toStatic(strides));
  auto type = MemRefType::get(toStatic(sizes), operand.element, layout);
  Value view = memref::ReinterpretCastOp::create(b, type, operand.base, start, sizes, strides);
  return memref::CastOp::create(b, MatmulKernels::matrixType(operand.element), view);
}

/// Emits the loops around the kernel's call.
static void emitCalls(LoopBuilder &b, const Product &product, ArrayRef<Operand> operands,
                      ArrayRef<unsigned> loops, ArrayRef<Value> offsets, func::FuncOp kernel) {
  if (loops.empty()) {
    SmallVector<Value> views{viewMatrix(b, operands[0], offsets[0], product.rows, product.depth),
                             viewMatrix(b, operands[1], offsets[1], product.depth, product.columns),
                             viewMatrix(b, operands[2], offsets[2], product.rows, product.columns)};
    func::CallOp::create(b, kernel, views);
    return;
  }
  unsigned dim = loops.front();
  const Operand *sized =
      llvm::find_if(operands, [&](const Operand &operand) { return operand.sizes.contains(dim); });
  Value size = getValueOrCreateConstantIndexOp(b, b.getLoc(), sized->sizes.at(dim));
  b.loop(size, 1, [&](Value i) {
    SmallVector<Value> inner;
    for (auto [operand, offset] : llvm::zip_equal(operands, offsets)) {
      auto stride = operand.strides.find(dim);
      inner.push_back(stride == operand.strides.end()
                          ? offset
                          : b.add(offset, b.mul(i, getValueOrCreateConstantIndexOp(
                                                       b, b.getLoc(), stride->second))));
    }
    emitCalls(b, product, operands, loops.drop_front(), inner, kernel);
  });
}

/// to = from, converted element by element.
static void emitConversion(LoopBuilder &b, Value from, Value to) {
  int64_t rank = cast<MemRefType>(from.getType()).getRank();
  SmallVector<AffineMap> maps(2, b.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  linalg::GenericOp::create(
      b, from, to, maps, iterators, [](OpBuilder &nested, Location loc, ValueRange arguments) {
        Type type = arguments[1].getType();
        Value value = arguments[0];
        if (value.getType().getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth())
          value = arith::ExtFOp::create(nested, loc, type, value);
        else
          value = arith::TruncFOp::create(nested, loc, type, value);
        linalg::YieldOp::create(nested, loc, value);
      });
}

/// A buffer of f32 in the shape of `out`, with its values.
static Value emitAccumulator(LoopBuilder &b, Value out) {
  auto type = cast<MemRefType>(out.getType());
  SmallVector<Value> sizes;
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (type.isDynamicDim(i))
      sizes.push_back(memref::DimOp::create(b, out, i));
  auto wide = MemRefType::get(type.getShape(), b.getF32Type());
  Value accumulator = memref::AllocOp::create(b, wide, sizes, b.getI64IntegerAttr(64));
  emitConversion(b, out, accumulator);
  return accumulator;
}

static void lower(const Product &product, MatmulKernels &kernels) {
  linalg::LinalgOp op = product.op;
  OpBuilder builder(op);
  LoopBuilder b(op.getLoc(), builder);
  Value out = op.getDpsInits()[0];
  bool isHalf = elementType(out).getWidth() == 16;
  Value accumulator = isHalf ? emitAccumulator(b, out) : out;
  SmallVector<Value> buffers{op.getDpsInputs()[0], op.getDpsInputs()[1], accumulator};
  SmallVector<Operand, 3> operands;
  for (auto [buffer, map] : llvm::zip_equal(buffers, op.getIndexingMapsArray()))
    operands.push_back(analyse(b, buffer, map));
  func::FuncOp kernel = kernels.get(operands[0].element, operands[1].element, operands[2].element);
  SmallVector<Value> offsets;
  for (const Operand &operand : operands)
    offsets.push_back(operand.offset);
  emitCalls(b, product, operands, product.loops, offsets, kernel);
  if (isHalf) {
    emitConversion(b, accumulator, out);
    memref::DeallocOp::create(b, accumulator);
  }
  op->erase();
}

namespace {
struct CpuLowerMatmul : public amp::impl::CpuLowerMatmulBase<CpuLowerMatmul> {
  using CpuLowerMatmulBase::CpuLowerMatmulBase;

  void runOnOperation() override {
    if (vectorBits != 128 && vectorBits != 256 && vectorBits != 512) {
      getOperation().emitError("'vector-bits' must be 128, 256 or 512, but is ")
          << vectorBits.getValue();
      return signalPassFailure();
    }
    std::vector<Product> products;
    getOperation().walk([&](linalg::LinalgOp op) {
      // Kernels are called by name: from another symbol table they cannot be seen.
      if (SymbolTable::getNearestSymbolTable(op) != getOperation())
        return;
      if (std::optional<Product> product = matchProduct(op))
        products.push_back(*product);
    });
    if (products.empty())
      return;
    MatmulKernels kernels(getOperation(), vectorBits, l2Bytes);
    for (const Product &product : products)
      lower(product, kernels);
  }
};
} // namespace
