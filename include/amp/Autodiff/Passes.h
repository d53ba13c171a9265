//===- Passes.h - passes of the autodiff stage ----------------------------===//
#ifndef AMP_AUTODIFF_PASSES_H
#define AMP_AUTODIFF_PASSES_H

#include "amp/Dialect/Train/IR/Train.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace amp {

/// Attaches the differentiation rules (`DifferentiableOpInterface`) to the ops that have one.
void registerDifferentiationRules(mlir::DialectRegistry &registry);

#define GEN_PASS_DECL
#include "amp/Autodiff/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "amp/Autodiff/Passes.h.inc"

} // namespace amp

#endif // AMP_AUTODIFF_PASSES_H
