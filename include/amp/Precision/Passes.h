//===- Passes.h - passes of the precision stage ---------------------------===//
#ifndef AMP_PRECISION_PASSES_H
#define AMP_PRECISION_PASSES_H

#include "amp/Dialect/Amp/IR/Amp.h"
#include "amp/Dialect/Train/IR/Train.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace amp {

#define GEN_PASS_DECL
#include "amp/Precision/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "amp/Precision/Passes.h.inc"

} // namespace amp

#endif // AMP_PRECISION_PASSES_H
