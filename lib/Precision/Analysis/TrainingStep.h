//===- TrainingStep.h - the parts of a training step from outside ----------===//
#ifndef AMP_LIB_PRECISION_ANALYSIS_TRAININGSTEP_H
#define AMP_LIB_PRECISION_ANALYSIS_TRAININGSTEP_H

#include "../Model/OpModel.h"
#include "llvm/ADT/DenseSet.h"

namespace amp {

/// Rule P5 on graphs that no `train.task` describes. A *weight update* is a result of a function,
/// or what goes around a loop, that has the type of an argument and is computed from it by adding
/// or subtracting something scaled that depends on a contraction. The elementwise ops on the way
/// are the optimizer. If there is one, the *loss* is what lies between the last forward contraction
/// and the first backward one: a contraction that depends on another and shares an operand with it.
struct TrainingStep {
  llvm::DenseSet<mlir::Operation *> optimizerOps, lossOps;
};

/// Looks for the parts of a step among the ops of one function, in program order.
TrainingStep findTrainingStep(llvm::ArrayRef<mlir::Operation *> ops, const OpModels &models);

} // namespace amp

#endif // AMP_LIB_PRECISION_ANALYSIS_TRAININGSTEP_H
