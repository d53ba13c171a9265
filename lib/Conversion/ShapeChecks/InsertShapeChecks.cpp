//===- InsertShapeChecks.cpp - errors where dimensions disagree -----------===//

#include "Checks.h"
#include "amp/Conversion/Passes.h"
#include "amp/Dialect/Amp/IR/Amp.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace amp {
#define GEN_PASS_DEF_INSERTSHAPECHECKS
#include "amp/Conversion/Passes.h.inc"
} // namespace amp

using namespace mlir;
using namespace amp::conversion;

static void visitRegions(CheckBuilder &checks, Operation *op);

static void visit(CheckBuilder &checks, Operation *op) {
  // Nobody will run it.
  if (isOpTriviallyDead(op))
    return;
  checkLoops(checks, op);
  checkView(checks, op);
  checkElement(checks, op);
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    checkGathers(checks, linalgOp);
  else
    visitRegions(checks, op);
}

static void visitRegions(CheckBuilder &checks, Operation *op) {
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      CheckBuilder::Facts outside = checks.facts;
      for (Operation *inner : llvm::map_to_vector(block, [](Operation &o) { return &o; }))
        visit(checks, inner);
      checks.facts = std::move(outside);
    }
}

namespace {
struct InsertShapeChecks : public amp::impl::InsertShapeChecksBase<InsertShapeChecks> {
  void runOnOperation() override {
    CheckBuilder checks;
    visitRegions(checks, getOperation());
  }
};
} // namespace
