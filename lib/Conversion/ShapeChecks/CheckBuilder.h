//===- CheckBuilder.h - emits the comparisons that shapes need ------------===//
#ifndef AMP_LIB_CONVERSION_SHAPECHECKS_CHECKBUILDER_H
#define AMP_LIB_CONVERSION_SHAPECHECKS_CHECKBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace amp::conversion {

/// Emits `amp.assert`s, each as early as what it compares is known within the block of its op, and
/// none for what is known to hold.
class CheckBuilder {
public:
  /// A constant or a value of type index.
  using Extent = mlir::OpFoldResult;
  using Predicate = mlir::arith::CmpIPredicate;

  /// Extents that were found or asserted to be equal where the builder stands now. Save it before
  /// a region, and set it again after.
  struct Facts {
    llvm::DenseMap<mlir::Value, Extent> same;
  };
  Facts facts;

  /// The extent of a dimension of a tensor or buffer, traced back to where it comes from.
  Extent getExtent(mlir::Value shaped, int64_t dimension);

  /// The extent that `value` is, if it is one: the dimension of another tensor is traced back.
  Extent trace(Extent value);

  /// Sum and product, computed as early as the operands are known in the block of `op`.
  Extent add(mlir::Operation *op, Extent lhs, Extent rhs);
  Extent multiply(mlir::Operation *op, Extent lhs, Extent rhs);

  /// `map`, which has no symbols, applied to `operands`; computed likewise.
  Extent apply(mlir::Operation *op, mlir::AffineMap map, llvm::ArrayRef<Extent> operands);

  /// Asserts "found `predicate` expected", whose numbers are {0} and {1} in `message`. Each of
  /// `unlessEmpty` is an extent that excuses everything if it is 0.
  void expect(mlir::Operation *op, Predicate predicate, Extent found, Extent expected,
              const llvm::Twine &message, llvm::ArrayRef<Extent> unlessEmpty = {}) {
    expectAt(op, op, predicate, found, expected, message, unlessEmpty);
  }

  /// The same in the block of `place`, before it.
  void expectAt(mlir::Operation *place, mlir::Operation *op, Predicate predicate, Extent found,
                Extent expected, const llvm::Twine &message, llvm::ArrayRef<Extent> unlessEmpty);

  /// Asserts that `found` is a multiple of `divisor`.
  void expectMultiple(mlir::Operation *op, Extent found, int64_t divisor,
                      const llvm::Twine &message);

  /// Whether `extent` cannot be negative: a dimension of a tensor, or sums and products of some.
  bool isNonNegative(Extent extent);

private:
  Extent computeExtent(mlir::Value shaped, int64_t dimension);
  std::optional<Extent> traceResult(mlir::OpResult result, int64_t dimension);
  Extent createDim(mlir::Value shaped, int64_t dimension);
  Extent resolve(Extent extent) const;
  bool holds(Predicate predicate, Extent found, Extent expected) const;
  mlir::OpBuilder getEarliest(mlir::Operation *op, llvm::ArrayRef<Extent> values);
  template <typename OpTy> Extent combine(mlir::Operation *op, Extent lhs, Extent rhs);
  mlir::Value materialize(mlir::OpBuilder &builder, mlir::Location loc, Extent extent);
  void emitAssert(mlir::OpBuilder &builder, mlir::Operation *op, mlir::Value condition,
                  mlir::ValueRange values, const llvm::Twine &message);

  template <typename OpTy, typename... Args>
  OpTy create(mlir::OpBuilder &builder, mlir::Location loc, Args &&...args) {
    auto op = OpTy::create(builder, loc, std::forward<Args>(args)...);
    created.insert(op);
    return op;
  }

  llvm::DenseMap<std::pair<mlir::Value, int64_t>, Extent> extents;
  /// What the builder has emitted: the next assertion goes behind it.
  llvm::DenseSet<mlir::Operation *> created;
};

/// The extent as a number if it is a constant.
std::optional<int64_t> getConstant(CheckBuilder::Extent extent);

} // namespace amp::conversion

#endif // AMP_LIB_CONVERSION_SHAPECHECKS_CHECKBUILDER_H
