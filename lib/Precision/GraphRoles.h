//===- GraphRoles.h - which part of a training step an op belongs to ------===//
#ifndef AMP_LIB_PRECISION_GRAPHROLES_H
#define AMP_LIB_PRECISION_GRAPHROLES_H

#include "Classify.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseSet.h"

namespace amp {

/// What the assignment asks about an op's place in its function. Casts are looked through, so that
/// the answers are the same when the pass runs on its own output.
class GraphRoles {
public:
  /// Of all functions below `root`.
  GraphRoles(mlir::Operation *root, const Classifier &classifier);

  /// The ops of all functions, each after those that define its operands; the ops of blocks that
  /// nothing reaches come last in their function. Without the scalar code inside ops.
  llvm::ArrayRef<mlir::Operation *> getOps() const { return ops; }

  /// Whether the op's results flow, without passing a contraction, into nothing but optimizers,
  /// gradient statistics and assignments (P5): weight gradients and what is done to them.
  bool feedsOnlyUpdate(mlir::Operation *op) const { return updateFeeders.contains(op); }

  /// Whether the op stands between the last forward contraction and the loss (P5).
  bool isInLoss(mlir::Operation *op) const { return lossOps.contains(op); }

  /// The forward op that autodiff derived `op` from; null if it is no backward op.
  mlir::Operation *getForwardOp(mlir::Operation *op) const;

  /// Whether `value` is the gradient that the backward pass begins with, or is made from it by
  /// clear ops. The loss scale takes its place, which f16 does not hold.
  bool isSeed(mlir::Value value) const { return seeds.contains(value); }

  /// The argument of a public function, variable or constant that `value` is, or is made from by
  /// clear ops; null if it is computed, or the loss scale.
  mlir::Value getLeaf(mlir::Value value) const { return leaves.lookup(value); }

private:
  void followLeaf(mlir::Operation *op);
  bool isContraction(mlir::Operation *op) const;
  void collectUpdateFeeders(llvm::ArrayRef<mlir::Operation *> ops);
  void collectLossOps(mlir::FunctionOpInterface function, llvm::ArrayRef<mlir::Operation *> ops);

  const Classifier &classifier;
  llvm::SmallVector<mlir::Operation *> ops;
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> forwardOps;
  llvm::DenseSet<mlir::Operation *> updateFeeders, lossOps;
  llvm::DenseMap<mlir::Value, mlir::Value> leaves;
  llvm::DenseSet<mlir::Value> seeds;
};

/// Whether the op only changes f32 to a half type or back: a cast of the pass, or one that stands
/// in for it in a dialect from outside.
bool isHalfCast(mlir::Operation *op);
/// The same for casts between f32 and `low` alone; any half type if that is null.
bool isHalfCast(mlir::Operation *op, mlir::FloatType low);

/// The value of which `value` is a cast; itself if it is none.
mlir::Value lookThroughCasts(mlir::Value value);

/// The value of which `value` is a cast between f32 and `low`: a cast to or from the other half
/// type makes a value of its own.
mlir::Value lookThroughCasts(mlir::Value value, mlir::FloatType low);

/// Calls `visit` with every use of `value` and of its casts.
void forEachUse(mlir::Value value, llvm::function_ref<void(mlir::OpOperand &)> visit);
/// The same, but only casts between f32 and `low` are looked through.
void forEachUse(mlir::Value value, mlir::FloatType low,
                llvm::function_ref<void(mlir::OpOperand &)> visit);

} // namespace amp

#endif // AMP_LIB_PRECISION_GRAPHROLES_H
