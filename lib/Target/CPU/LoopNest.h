//===- LoopNest.h - the loops of a linalg op, as vectorisation sees them --===//
#ifndef AMP_LIB_TARGET_CPU_LOOPNEST_H
#define AMP_LIB_TARGET_CPU_LOOPNEST_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace amp::cpu {

/// Lanes of every vector. Part of the numeric contract: a reduction has this many partial results.
constexpr int64_t kLanes = 16;

/// How an operand's elements follow each other along a loop.
enum class Access { Uniform, Contiguous, Strided };

/// One loop; it runs over one dimension of the op or over several that lie densely one in another.
struct Loop {
  bool isReduction = false;
  llvm::SmallVector<unsigned> dims;
  /// ShapedType::kDynamic if unknown.
  int64_t size = 1;
};

/// An operand of the op: a buffer, or a number.
struct NestOperand {
  mlir::Value value;
  bool isOutput = false;
  bool isBuffer = false;
  /// How the buffer's dimensions are collapsed, and the index into each group: a function of the
  /// loops.
  llvm::SmallVector<mlir::ReassociationIndices> groups;
  llvm::SmallVector<mlir::AffineExpr> indices;
};

/// The loops of an op, with unit loops left out and dense neighbours merged. Building one creates
/// no IR.
class LoopNest {
public:
  /// Fails with a reason if the op has operands that cannot be vectorised at all.
  static llvm::FailureOr<LoopNest> build(mlir::linalg::LinalgOp op, std::string &reason);

  Access getAccess(unsigned operand, unsigned loop) const;
  /// The loop over a dimension of the op; none for a dimension of size 1. Only for dimensions that
  /// `linalg.index` names.
  std::optional<unsigned> getLoopOfDim(unsigned dim) const;

  mlir::linalg::LinalgOp op;
  llvm::SmallVector<Loop> loops;
  llvm::SmallVector<NestOperand> operands;
  /// A buffer and its dimension that has the extent of each dimension of the op.
  llvm::SmallVector<std::pair<mlir::Value, unsigned>> extents;

private:
  llvm::LogicalResult findExtents(std::string &reason);
  void findLoops();
  bool canMerge(unsigned dim, unsigned next) const;
  void collapse(NestOperand &operand, mlir::AffineMap map);

  llvm::SmallVector<int64_t> sizes;
  llvm::SmallVector<mlir::AffineMap> maps;
};

} // namespace amp::cpu

#endif // AMP_LIB_TARGET_CPU_LOOPNEST_H
