//===- KnownValues.h - values that several ops of a step need -------------===//
#ifndef AMP_LIB_CONVERSION_TRAINTOLINALG_KNOWNVALUES_H
#define AMP_LIB_CONVERSION_TRAINTOLINALG_KNOWNVALUES_H

#include "Builders.h"
#include "llvm/ADT/DenseMap.h"

namespace amp::conversion {

/// What a softmax knows of each row of its input, in the compute type.
struct SoftmaxStatistics {
  /// The largest element.
  mlir::Value maximum;
  /// The sum of exp(x - maximum).
  mlir::Value sum;
  /// How a loop nest over the whole input reads both.
  mlir::AffineMap map;
};

/// Values computed for one op that a later op of the same block uses again: a loss and its gradient
/// share the row statistics, all optimizer steps share the powers of the step number. The pass
/// visits the ops of a block in order, so that what is found here dominates who asks for it.
class KnownValues {
public:
  /// `base` to the power of the element of `step`, an i64 tensor of rank 0, as an f64.
  mlir::Value getPower(LocBuilder &builder, mlir::Value step, double base);

  /// The row statistics of `input`, whose dimensions are `sizes`.
  SoftmaxStatistics getSoftmax(LocBuilder &builder, mlir::FloatType computeType, mlir::Value input,
                               const Sizes &sizes);

  /// `labels` with signless elements of the same bits: arith and vectors know no others.
  mlir::Value getSignlessLabels(LocBuilder &builder, mlir::Value labels);

private:
  llvm::DenseMap<std::pair<mlir::Block *, mlir::Value>, mlir::Value> signlessLabels;
  llvm::DenseMap<std::tuple<mlir::Block *, mlir::Value, uint64_t>, mlir::Value> powers;
  llvm::DenseMap<std::tuple<mlir::Block *, mlir::Value, mlir::Type>, SoftmaxStatistics> softmaxes;
};

} // namespace amp::conversion

#endif // AMP_LIB_CONVERSION_TRAINTOLINALG_KNOWNVALUES_H
