//===- VectorPlan.h - which loop of a nest becomes vectors, and how -------===//
#ifndef AMP_LIB_TARGET_CPU_VECTORPLAN_H
#define AMP_LIB_TARGET_CPU_VECTORPLAN_H

#include "LoopNest.h"
#include "llvm/ADT/DenseSet.h"

namespace amp::cpu {

/// How one result of a reduction is combined: `yield(combiner(term, accumulator))`.
struct Combiner {
  mlir::Operation *op = nullptr;
  /// The value in the body that is combined into the accumulator.
  mlir::Value term;
  /// Combining it with any value gives that value.
  mlir::TypedAttr neutral;
};

/// The decision to run one loop of a nest in vectors. Values of the body that differ between the
/// lanes are varying; all others are computed once per row, as scalars.
struct VectorPlan {
  unsigned loop = 0;
  /// One per output if the loop is a reduction.
  llvm::SmallVector<Combiner> combiners;
  llvm::DenseSet<mlir::Value> varying;
  /// Inputs whose elements have to be gathered.
  unsigned numStrided = 0;

  /// The best plan for the nest, or failure and the reason why there is none.
  static llvm::FailureOr<VectorPlan> choose(const LoopNest &nest, std::string &reason);
};

} // namespace amp::cpu

#endif // AMP_LIB_TARGET_CPU_VECTORPLAN_H
