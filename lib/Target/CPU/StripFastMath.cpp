//===- StripFastMath.cpp - every operation rounds as it is written --------===//

#include "amp/Target/CPU/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_CPUSTRIPFASTMATH
#include "amp/Target/CPU/Passes.h.inc"
} // namespace amp

namespace {

struct CpuStripFastMath : amp::impl::CpuStripFastMathBase<CpuStripFastMath> {
  void runOnOperation() override {
    auto none = arith::FastMathFlagsAttr::get(&getContext(), arith::FastMathFlags::none);
    getOperation()->walk([&](arith::ArithFastMathInterface op) {
      if (op.getFastMathFlagsAttr() != none)
        op->setAttr(op.getFastMathAttrName(), none);
    });
  }
};

} // namespace
