//===- VerifyLowered.cpp - nothing is left that has no machine code -------===//

#include "amp/Target/CPU/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_CPUVERIFYLOWERED
#include "amp/Target/CPU/Passes.h.inc"
} // namespace amp

namespace {

struct CpuVerifyLowered : amp::impl::CpuVerifyLoweredBase<CpuVerifyLowered> {
  void runOnOperation() override {
    Operation *cast = nullptr;
    WalkResult result = getOperation()->walk([&](Operation *op) {
      if (isa<ModuleOp>(op) || isa_and_nonnull<LLVM::LLVMDialect>(op->getDialect()))
        return WalkResult::advance();
      if (isa<UnrealizedConversionCastOp>(op)) {
        cast = op;
        return WalkResult::advance();
      }
      op->emitOpError("has no lowering for the CPU; express it by linalg, arith or math");
      return WalkResult::interrupt();
    });
    // A cast is what an op that is not lowered leaves around it: the op itself says more.
    if (cast && !result.wasInterrupted()) {
      cast->emitOpError("is left between types that have no common form on the CPU");
      return signalPassFailure();
    }
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
