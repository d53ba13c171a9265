//===- VerifyBufferizable.cpp - what bufferization has no answer to -------===//

#include "amp/Dialect/Amp/IR/Amp.h"
#include "amp/Target/CPU/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_CPUVERIFYBUFFERIZABLE
#include "amp/Target/CPU/Passes.h.inc"
} // namespace amp

/// Whether the lowering knows ops of the kind of `op`.
static bool isKnown(Operation *op) {
  if (isa<amp::AssertOp>(op))
    return true;
  return isa_and_nonnull<BuiltinDialect, func::FuncDialect, arith::ArithDialect, math::MathDialect,
                         linalg::LinalgDialect, tensor::TensorDialect, scf::SCFDialect,
                         cf::ControlFlowDialect, memref::MemRefDialect, vector::VectorDialect,
                         affine::AffineDialect, bufferization::BufferizationDialect,
                         index::IndexDialect, ub::UBDialect, LLVM::LLVMDialect>(op->getDialect());
}

static bool handlesTensors(Operation *op) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  return llvm::any_of(op->getOperandTypes(), isTensor) ||
         llvm::any_of(op->getResultTypes(), isTensor);
}

namespace {

struct CpuVerifyBufferizable : amp::impl::CpuVerifyBufferizableBase<CpuVerifyBufferizable> {
  void runOnOperation() override {
    WalkResult result = getOperation()->walk([](Operation *op) {
      if (isKnown(op) && (!handlesTensors(op) || isa<bufferization::BufferizableOpInterface>(op)))
        return WalkResult::advance();
      op->emitOpError("has no lowering for the CPU; express it by linalg, arith or math");
      return WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
