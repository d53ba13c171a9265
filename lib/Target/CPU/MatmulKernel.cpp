//===- MatmulKernel.cpp - generates the matrix product's kernels ----------===//
//
// The loops are those of GotoBLAS (Goto and van de Geijn, 2008) and BLIS: columns of the output in
// blocks, K in blocks, rows in blocks; in each a panel of the left operand and one of the right
// meet in a tile of registers.

#include "MatmulKernel.h"
#include "LoopBuilder.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace amp::cpu;

MatmulTiling MatmulTiling::choose(FloatType accumulator, unsigned vectorBits, int64_t l2Bytes) {
  int64_t bytes = accumulator.getWidth() / 8;
  MatmulTiling tiling;
  tiling.lanes = vectorBits / accumulator.getWidth();
  // 32 registers of 512 bits and AArch64's 32 of 128 bits hold a tile of 8 x 2 vectors with room
  // to spare, and 8 divides the sizes that people choose; 16 registers of 256 bits hold 6 x 2.
  tiling.rows = vectorBits == 256 ? 6 : 8;
  tiling.vectors = 2;
  tiling.depth = 256;
  // Half of the second-level cache for the left operand's block; the rest for what streams by.
  int64_t rowBlock = l2Bytes / 2 / (tiling.depth * bytes);
  tiling.rowBlock = std::clamp<int64_t>(rowBlock / tiling.rows, 1, 64) * tiling.rows;
  tiling.columnBlock = 4096 / tiling.columns() * tiling.columns();
  return tiling;
}

MemRefType MatmulKernels::matrixType(FloatType element) {
  constexpr int64_t kDynamic = ShapedType::kDynamic;
  auto layout = StridedLayoutAttr::get(element.getContext(), kDynamic, {kDynamic, kDynamic});
  return MemRefType::get({kDynamic, kDynamic}, element, layout);
}

/// A buffer without shape: what packing and tile functions index by element.
static MemRefType bufferType(FloatType element) {
  return MemRefType::get({ShapedType::kDynamic}, element);
}

func::FuncOp MatmulKernels::getOrAdd(StringRef name, TypeRange arguments,
                                     llvm::function_ref<void(LoopBuilder &, ValueRange)> body) {
  func::FuncOp &function = functions[name];
  if (function)
    return function;
  Location loc = UnknownLoc::get(module.getContext());
  OpBuilder builder(module.getContext());
  auto added = func::FuncOp::create(builder, loc, name, builder.getFunctionType(arguments, {}));
  added.setPrivate();
  added->setAttr("llvm.linkage",
                 LLVM::LinkageAttr::get(module.getContext(), LLVM::Linkage::Internal));
  symbols.insert(added);
  function = added;
  LoopBuilder b(loc, builder);
  b.setInsertionPointToStart(added.addEntryBlock());
  body(b, added.getArguments());
  func::ReturnOp::create(b);
  return added;
}

func::FuncOp MatmulKernels::getPack(FloatType source, FloatType accumulator, int64_t width) {
  Type index = IndexType::get(module.getContext());
  int64_t lanes = MatmulTiling::choose(accumulator, vectorBits, l2Bytes).lanes;
  return getOrAdd(llvm::formatv("amp_matmul_pack_{0}_{1}_by_{2}", source, accumulator, width).str(),
                  {bufferType(source), index, index, index, index, index, bufferType(accumulator)},
                  [&](LoopBuilder &b, ValueRange arguments) {
                    emitPack(b, arguments, accumulator, width, lanes);
                  });
}

func::FuncOp MatmulKernels::getTile(FloatType accumulator, int64_t rows, int64_t vectors) {
  Type index = IndexType::get(module.getContext());
  Type buffer = bufferType(accumulator);
  MatmulTiling tiling = MatmulTiling::choose(accumulator, vectorBits, l2Bytes);
  return getOrAdd(
      llvm::formatv("amp_matmul_tile_{0}_{1}x{2}", accumulator, rows, vectors * tiling.lanes).str(),
      {buffer, index, buffer, index, index, buffer, index, index, index, index, index},
      [&](LoopBuilder &b, ValueRange arguments) {
        emitTile(b, arguments, tiling, accumulator, rows, vectors);
      });
}

namespace {
/// A kernel's argument, taken apart.
struct Matrix {
  Value buffer, offset, rows, columns, rowStride, columnStride;

  Matrix(LoopBuilder &b, Value matrix) {
    auto parts = memref::ExtractStridedMetadataOp::create(b, matrix);
    offset = parts.getOffset();
    rows = parts.getSizes()[0], columns = parts.getSizes()[1];
    rowStride = parts.getStrides()[0], columnStride = parts.getStrides()[1];
    // One dimension with stride 1 over all elements, so that addresses are plain sums.
    Value size = b.add(offset, b.add(b.mul(rows, rowStride), b.mul(columns, columnStride)));
    auto element = cast<FloatType>(cast<MemRefType>(matrix.getType()).getElementType());
    OpFoldResult zero = b.getIndexAttr(0), one = b.getIndexAttr(1);
    buffer = memref::ReinterpretCastOp::create(b, bufferType(element), parts.getBaseBuffer(), zero,
                                               ArrayRef<OpFoldResult>{size},
                                               ArrayRef<OpFoldResult>{one});
  }

  Value at(LoopBuilder &b, Value row, Value column) const {
    return b.add(offset, b.add(b.mul(row, rowStride), b.mul(column, columnStride)));
  }
};
} // namespace

namespace {
/// The tile functions of an accumulator's type: for complete tiles, and for what is left of the
/// rows and columns.
struct Tiles {
  func::FuncOp full, narrow, half, quarter;
};
} // namespace

/// Calls the smallest tile function that computes all rows and columns that exist.
static void emitTileCall(LoopBuilder &b, const MatmulTiling &tiling, const Tiles &tiles, Value rows,
                         Value columns, ValueRange arguments) {
  auto call = [&](func::FuncOp tile) {
    return [&b, tile, arguments] { func::CallOp::create(b, tile, arguments); };
  };
  auto whenAtMost = [&](Value value, int64_t limit, llvm::function_ref<void()> then,
                        llvm::function_ref<void()> otherwise) {
    b.branch(b.atMost(value, b.index(limit)), then, otherwise);
  };
  whenAtMost(rows, llvm::divideCeil(tiling.rows, 4), call(tiles.quarter), [&] {
    whenAtMost(rows, llvm::divideCeil(tiling.rows, 2), call(tiles.half), [&] {
      whenAtMost(columns, tiling.columns() / 2, call(tiles.narrow), call(tiles.full));
    });
  });
}

/// The loops over the tiles of one packed block of each operand.
static void emitTiles(LoopBuilder &b, const MatmulTiling &tiling, const Tiles &tiles, Value lhs,
                      Value rhs, Value depth, const Matrix &out, Value firstRow, Value firstColumn,
                      Value rows, Value columns) {
  b.loop(columns, tiling.columns(), [&](Value column) {
    Value columnCount = b.min(b.sub(columns, column), b.index(tiling.columns()));
    b.loop(rows, tiling.rows, [&](Value row) {
      Value rowCount = b.min(b.sub(rows, row), b.index(tiling.rows));
      SmallVector<Value> arguments{lhs,
                                   b.mul(row, depth),
                                   rhs,
                                   b.mul(column, depth),
                                   depth,
                                   out.buffer,
                                   out.at(b, b.add(firstRow, row), b.add(firstColumn, column)),
                                   out.rowStride,
                                   out.columnStride,
                                   rowCount,
                                   columnCount};
      emitTileCall(b, tiling, tiles, rowCount, columnCount, arguments);
    });
  });
}

/// The transpose of a kernel's argument.
static Value emitTransposed(LoopBuilder &b, const Matrix &matrix, MemRefType type) {
  SmallVector<OpFoldResult> sizes{matrix.columns, matrix.rows};
  SmallVector<OpFoldResult> strides{matrix.columnStride, matrix.rowStride};
  return memref::ReinterpretCastOp::create(b, type, matrix.buffer, OpFoldResult(matrix.offset),
                                           sizes, strides);
}

/// A buffer for the panels of a block of at most `limit` rows or columns, filled up to `step`.
static Value emitPanels(LoopBuilder &b, FloatType element, Value extent, int64_t limit,
                        int64_t step, Value depth) {
  Value size = b.mul(b.roundUp(b.min(extent, b.index(limit)), step), depth);
  return memref::AllocOp::create(b, bufferType(element), ValueRange{size}, b.getI64IntegerAttr(64));
}

/// The loops over blocks.
static void emitBlocks(LoopBuilder &b, const MatmulTiling &tiling, FloatType accumulator,
                       func::FuncOp packLhs, func::FuncOp packRhs, const Tiles &tiles,
                       const Matrix &lhs, const Matrix &rhs, const Matrix &out) {
  Value most = b.min(lhs.columns, b.index(tiling.depth));
  Value lhsPanels = emitPanels(b, accumulator, out.rows, tiling.rowBlock, tiling.rows, most);
  Value rhsPanels =
      emitPanels(b, accumulator, out.columns, tiling.columnBlock, tiling.columns(), most);
  b.loop(out.columns, tiling.columnBlock, [&](Value column) {
    Value columns = b.min(b.sub(out.columns, column), b.index(tiling.columnBlock));
    b.loop(lhs.columns, tiling.depth, [&](Value k) {
      Value depth = b.min(b.sub(lhs.columns, k), b.index(tiling.depth));
      func::CallOp::create(b, packRhs,
                           ValueRange{rhs.buffer, rhs.at(b, k, column), rhs.columnStride,
                                      rhs.rowStride, columns, depth, rhsPanels});
      b.loop(out.rows, tiling.rowBlock, [&](Value row) {
        Value rows = b.min(b.sub(out.rows, row), b.index(tiling.rowBlock));
        func::CallOp::create(b, packLhs,
                             ValueRange{lhs.buffer, lhs.at(b, row, k), lhs.rowStride,
                                        lhs.columnStride, rows, depth, lhsPanels});
        emitTiles(b, tiling, tiles, lhsPanels, rhsPanels, depth, out, row, column, rows, columns);
      });
    });
  });
  memref::DeallocOp::create(b, lhsPanels);
  memref::DeallocOp::create(b, rhsPanels);
}

func::FuncOp MatmulKernels::get(FloatType lhsType, FloatType rhsType, FloatType accumulator) {
  MatmulTiling tiling = MatmulTiling::choose(accumulator, vectorBits, l2Bytes);
  auto body = [&](LoopBuilder &b, ValueRange arguments) {
    Matrix lhs(b, arguments[0]), rhs(b, arguments[1]), out(b, arguments[2]);
    auto packLhs = getPack(lhsType, accumulator, tiling.rows);
    auto packRhs = getPack(rhsType, accumulator, tiling.columns());
    Tiles tiles{getTile(accumulator, tiling.rows, tiling.vectors),
                getTile(accumulator, tiling.rows, tiling.vectors / 2),
                getTile(accumulator, llvm::divideCeil(tiling.rows, 2), tiling.vectors),
                getTile(accumulator, llvm::divideCeil(tiling.rows, 4), tiling.vectors)};
    auto product = [&] {
      emitBlocks(b, tiling, accumulator, packLhs, packRhs, tiles, lhs, rhs, out);
    };
    if (lhsType != rhsType)
      return product();
    // Few columns would leave lanes idle: the transposed product has them as rows.
    Value limit = b.index(tiling.columns() / 2);
    auto transposed = [&] {
      SmallVector<Value> swapped{emitTransposed(b, rhs, matrixType(rhsType)),
                                 emitTransposed(b, lhs, matrixType(lhsType)),
                                 emitTransposed(b, out, matrixType(accumulator))};
      func::CallOp::create(b, get(lhsType, rhsType, accumulator), swapped);
    };
    b.branch(b.both(b.atMost(out.columns, limit), b.less(limit, out.rows)), transposed, product);
  };
  return getOrAdd(llvm::formatv("amp_matmul_{0}_{1}_{2}", lhsType, rhsType, accumulator).str(),
                  {matrixType(lhsType), matrixType(rhsType), matrixType(accumulator)}, body);
}
