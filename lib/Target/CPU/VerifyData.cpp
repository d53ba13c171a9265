//===- VerifyData.cpp - every constant has its data -----------------------===//

#include "amp/Target/CPU/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_CPUVERIFYDATA
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

struct CpuVerifyData : amp::impl::CpuVerifyDataBase<CpuVerifyData> {
  void runOnOperation() override {
    auto verify = [](Operation *op) {
      return failed(verifyData(op)) ? WalkResult::interrupt() : WalkResult::advance();
    };
    if (getOperation()->walk(verify).wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
