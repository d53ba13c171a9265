//===- Passes.h - passes of the CPU target --------------------------------===//
#ifndef AMP_TARGET_CPU_PASSES_H
#define AMP_TARGET_CPU_PASSES_H

#include "mlir/Pass/Pass.h"

namespace amp {

#define GEN_PASS_DECL
#include "amp/Target/CPU/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "amp/Target/CPU/Passes.h.inc"

} // namespace amp

#endif // AMP_TARGET_CPU_PASSES_H
