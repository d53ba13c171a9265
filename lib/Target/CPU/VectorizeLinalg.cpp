//===- VectorizeLinalg.cpp - linalg on buffers becomes loops of vectors ---===//

#include "VectorEmitter.h"
#include "amp/Target/CPU/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace amp::cpu;

namespace amp {
#define GEN_PASS_DEF_CPUVECTORIZELINALG
#include "amp/Target/CPU/Passes.h.inc"
} // namespace amp

/// Copies between buffers that are not dense are loops as well; a dense one is a call of memcpy.
static void convertStridedCopies(Operation *root) {
  root->walk([](memref::CopyOp copy) {
    auto isDense = [](Value value) {
      auto type = dyn_cast<MemRefType>(value.getType());
      return !type || type.getLayout().isIdentity();
    };
    if (isDense(copy.getSource()) && isDense(copy.getTarget()))
      return;
    OpBuilder b(copy);
    linalg::CopyOp::create(b, copy.getLoc(), copy.getSource(), copy.getTarget());
    copy.erase();
  });
}

static LogicalResult vectorize(linalg::LinalgOp op, std::string &reason) {
  auto nest = LoopNest::build(op, reason);
  if (failed(nest))
    return failure();
  // One element: there is nothing to do in lanes.
  if (nest->loops.empty())
    return failure();
  auto plan = VectorPlan::choose(*nest, reason);
  if (failed(plan))
    return failure();
  VectorEmitter(*nest, *plan).run();
  op.erase();
  return success();
}

static void explain(linalg::LinalgOp op, const Twine &reason) {
  auto function = op->getParentOfType<func::FuncOp>();
  remark::missed(op.getLoc(), remark::RemarkOpts::name("vectorize")
                                  .category("amp-cpu")
                                  .function(function ? function.getName() : ""))
      << ("'" + op->getName().getStringRef() + "' runs one element at a time: " + reason).str();
}

namespace {

struct CpuVectorizeLinalg : amp::impl::CpuVectorizeLinalgBase<CpuVectorizeLinalg> {
  void runOnOperation() override {
    convertStridedCopies(getOperation());
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (op.hasPureBufferSemantics())
        ops.push_back(op);
    });
    for (linalg::LinalgOp op : ops) {
      std::string reason;
      if (failed(vectorize(op, reason)) && !reason.empty())
        explain(op, reason);
    }
  }
};

} // namespace
