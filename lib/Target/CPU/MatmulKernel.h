//===- MatmulKernel.h - generates the matrix product's kernels ------------===//
#ifndef AMP_LIB_TARGET_CPU_MATMULKERNEL_H
#define AMP_LIB_TARGET_CPU_MATMULKERNEL_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

namespace amp::cpu {

class LoopBuilder;

/// The sizes of the blocks that a kernel works in. Only `depth` shows in the numbers.
struct MatmulTiling {
  /// Values of the accumulator's type in a vector register.
  int64_t lanes;
  /// The tile of the output that stays in registers: rows x (vectors * lanes).
  int64_t rows, vectors;
  /// Values of K that are summed in registers. The same for every machine.
  int64_t depth;
  /// The block of the left operand (rowBlock x depth) that stays in the second-level cache.
  int64_t rowBlock;
  /// The block of the right operand (depth x columnBlock) that is packed at a time.
  int64_t columnBlock;

  int64_t columns() const { return vectors * lanes; }

  /// The blocks for an accumulator type on a machine with vectors of `vectorBits` and a
  /// second-level cache of `l2Bytes`.
  static MatmulTiling choose(mlir::FloatType accumulator, unsigned vectorBits, int64_t l2Bytes);
};

/// Adds kernels to a module, each at its first use.
///
/// The kernel for a combination of element types is a private function over three matrices of
/// dynamic sizes and strides that adds lhs * rhs to its third argument. It packs blocks of its
/// operands into contiguous panels of the accumulator's type, and calls a tile function that keeps
/// a few rows and columns of the output in registers; packing and tile functions are shared
/// between the combinations.
class MatmulKernels {
public:
  MatmulKernels(mlir::ModuleOp module, unsigned vectorBits, int64_t l2Bytes)
      : module(module), symbols(module), vectorBits(vectorBits), l2Bytes(l2Bytes) {}

  /// The function `@amp_matmul_<lhs>_<rhs>_<accumulator>`. The accumulator is f32 or f64.
  mlir::func::FuncOp get(mlir::FloatType lhs, mlir::FloatType rhs, mlir::FloatType accumulator);

  /// The type of a kernel's argument: a matrix with dynamic sizes, strides and offset.
  static mlir::MemRefType matrixType(mlir::FloatType element);

private:
  mlir::func::FuncOp getPack(mlir::FloatType source, mlir::FloatType accumulator, int64_t width);
  mlir::func::FuncOp getTile(mlir::FloatType accumulator, int64_t rows, int64_t vectors);
  mlir::func::FuncOp getOrAdd(llvm::StringRef name, mlir::TypeRange arguments,
                              llvm::function_ref<void(LoopBuilder &, mlir::ValueRange)> body);

  mlir::ModuleOp module;
  mlir::SymbolTable symbols;
  llvm::StringMap<mlir::func::FuncOp> functions;
  unsigned vectorBits;
  int64_t l2Bytes;
};

/// Emits the body of a packing function. Arguments: the source's buffer, the offset of its first
/// element, its stride along the panel's width and along K, how many there are of each, and the
/// destination. Panels of `width` follow each other; a panel holds, for each value of K, `width`
/// neighbours. The places of an incomplete last panel hold any finite or non-finite value: they
/// only reach parts of the tile that are not written back.
void emitPack(LoopBuilder &b, mlir::ValueRange arguments, mlir::FloatType accumulator,
              int64_t width, int64_t lanes);

/// Emits the body of a tile function: adds the product of a packed panel of the left operand and
/// one of the right to a tile of the output. Arguments: the panels' buffers and offsets (lhs, rhs),
/// the number of values of K, the output's buffer, the offset of the tile's first element, its row
/// and column stride, and how many rows and columns of the tile exist. `rows` and `vectors` are how
/// many of the panels' rows and vectors of columns are computed.
void emitTile(LoopBuilder &b, mlir::ValueRange arguments, const MatmulTiling &tiling,
              mlir::FloatType accumulator, int64_t rows, int64_t vectors);

} // namespace amp::cpu

#endif // AMP_LIB_TARGET_CPU_MATMULKERNEL_H
