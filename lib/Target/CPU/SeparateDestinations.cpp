//===- SeparateDestinations.cpp - an own empty tensor for each op ---------===//

#include "amp/Target/CPU/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_CPUSEPARATEDESTINATIONS
#include "amp/Target/CPU/Passes.h.inc"
} // namespace amp

static bool isInitialisation(Value value) {
  return isa_and_nonnull<tensor::EmptyOp, linalg::FillOp>(value.getDefiningOp());
}

namespace {

struct CpuSeparateDestinations : amp::impl::CpuSeparateDestinationsBase<CpuSeparateDestinations> {
  void runOnOperation() override {
    SmallVector<DestinationStyleOpInterface> ops;
    getOperation()->walk([&](DestinationStyleOpInterface op) { ops.push_back(op); });
    for (DestinationStyleOpInterface op : ops)
      separate(op);
  }

  void separate(DestinationStyleOpInterface op) {
    for (OpOperand &destination : op.getDpsInitsMutable()) {
      Operation *source = destination.get().getDefiningOp();
      if (!isInitialisation(destination.get()) || destination.get().hasOneUse())
        continue;
      OpBuilder b(op);
      Operation *copy = b.clone(*source);
      destination.set(copy->getResult(0));
      if (auto fill = dyn_cast<linalg::FillOp>(copy))
        separate(cast<DestinationStyleOpInterface>(fill.getOperation()));
    }
  }
};

} // namespace
