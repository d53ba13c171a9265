//===- GeneralizeNamedOps.cpp - elementwise linalg ops become generic ones ===//

#include "amp/Target/CPU/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_CPUGENERALIZENAMEDOPS
#include "amp/Target/CPU/Passes.h.inc"
} // namespace amp

/// Whether fusion could use `op` as a generic one, and nothing later wants it by its name.
static bool shouldGeneralize(linalg::LinalgOp op) {
  if (isa<linalg::GenericOp, linalg::FillOp>(op.getOperation()))
    return false;
  bool isParallel = op.getNumLoops() == op.getNumParallelLoops();
  return isParallel || isa<linalg::ReduceOp>(op.getOperation());
}

namespace {

struct CpuGeneralizeNamedOps : amp::impl::CpuGeneralizeNamedOpsBase<CpuGeneralizeNamedOps> {
  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (shouldGeneralize(op))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops) {
      rewriter.setInsertionPoint(op);
      // One that has no generic form stays as it is.
      (void)linalg::generalizeNamedOp(rewriter, op);
    }
  }
};

} // namespace
