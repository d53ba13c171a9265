//===- VerifyLowered.cpp - nothing is left that has no machine code -------===//

#include "amp/Target/CPU/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_CPUVERIFYLOWERED
#include "amp/Target/CPU/Passes.h.inc"
} // namespace amp

/// A file that was printed to be read by people may leave the data of large constants out.
static LogicalResult verifyData(Operation *op) {
  for (NamedAttribute named : op->getAttrs()) {
    auto resource = dyn_cast<DenseResourceElementsAttr>(named.getValue());
    if (!resource || resource.getRawHandle().getBlob())
      continue;
    return op->emitOpError("uses the constant '")
           << resource.getRawHandle().getKey()
           << "', whose data the file does not hold; print the module without eliding resources";
  }
  return success();
}

namespace {

struct CpuVerifyLowered : amp::impl::CpuVerifyLoweredBase<CpuVerifyLowered> {
  void runOnOperation() override {
    Operation *cast = nullptr;
    WalkResult result = getOperation()->walk([&](Operation *op) {
      if (failed(verifyData(op)))
        return WalkResult::interrupt();
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
