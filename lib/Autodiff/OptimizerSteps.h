//===- OptimizerSteps.h - optimizer state and optimizer ops ---------------===//
#ifndef AMP_LIB_AUTODIFF_OPTIMIZERSTEPS_H
#define AMP_LIB_AUTODIFF_OPTIMIZERSTEPS_H

#include "amp/Dialect/Train/IR/Train.h"
#include "mlir/IR/Builders.h"

namespace amp {

/// The endings of the names of the states that the optimizer attribute `optimizer` keeps for a
/// parameter, in the order of the optimizer op's operands: `@w` and "exp_avg" give `@w.exp_avg`.
llvm::ArrayRef<llvm::StringLiteral> getOptimizerStateNames(mlir::Attribute optimizer);

/// Builds the op that `optimizer` stands for. `step` is the number of this step, a `tensor<i64>`
/// counted from 1. Returns the updated parameter, then the updated states.
llvm::SmallVector<mlir::Value> buildOptimizerStep(mlir::OpBuilder &builder, mlir::Location loc,
                                                  mlir::Attribute optimizer, mlir::Value parameter,
                                                  mlir::Value gradient, mlir::ValueRange states,
                                                  mlir::Value step);

} // namespace amp

#endif // AMP_LIB_AUTODIFF_OPTIMIZERSTEPS_H
