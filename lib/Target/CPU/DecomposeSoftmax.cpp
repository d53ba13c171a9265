//===- DecomposeSoftmax.cpp - linalg.softmax in its single steps ----------===//

#include "amp/Target/CPU/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_CPUDECOMPOSESOFTMAX
#include "amp/Target/CPU/Passes.h.inc"
} // namespace amp

/// Converts every element of a tensor; `sizes` are its extents.
static Value convertElements(OpBuilder &b, Location loc, Value input, Type element,
                             ArrayRef<OpFoldResult> sizes) {
  Value empty = tensor::EmptyOp::create(b, loc, sizes, element);
  auto identity = b.getMultiDimIdentityMap(sizes.size());
  SmallVector<utils::IteratorType> loops(sizes.size(), utils::IteratorType::parallel);
  auto body = [&](OpBuilder &inner, Location at, ValueRange arguments) {
    Value value = arguments.front();
    bool widens = element.getIntOrFloatBitWidth() > value.getType().getIntOrFloatBitWidth();
    value = widens ? arith::ExtFOp::create(inner, at, element, value).getResult()
                   : arith::TruncFOp::create(inner, at, element, value).getResult();
    linalg::YieldOp::create(inner, at, value);
  };
  return linalg::GenericOp::create(b, loc, empty.getType(), input, empty,
                                   ArrayRef<AffineMap>{identity, identity}, loops, body)
      .getResult(0);
}

static LogicalResult decompose(IRRewriter &rewriter, linalg::SoftmaxOp op) {
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  auto type = cast<ShapedType>(op.getInput().getType());
  if (!isa<RankedTensorType>(type))
    return op.emitOpError("works on buffers; the CPU target takes it on tensors");
  Type element = type.getElementType();
  bool isHalf = element.isF16() || element.isBF16();
  linalg::SoftmaxOp steps = op;
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(rewriter, loc, op.getInput());
  if (isHalf) {
    Type wide = rewriter.getF32Type();
    Value input = convertElements(rewriter, loc, op.getInput(), wide, sizes);
    Value output = tensor::EmptyOp::create(rewriter, loc, sizes, wide);
    steps = linalg::SoftmaxOp::create(rewriter, loc, output.getType(), input, output,
                                      op.getDimension());
    rewriter.setInsertionPoint(steps);
  }
  FailureOr<SmallVector<Value>> result = steps.decomposeOperation(rewriter);
  assert(succeeded(result) && "a softmax on tensors can always be taken apart");
  rewriter.setInsertionPoint(op);
  Value value = result->front();
  if (isHalf)
    value = convertElements(rewriter, loc, value, element, sizes);
  if (value.getType() != op.getResult().front().getType())
    value = tensor::CastOp::create(rewriter, loc, op.getResult().front().getType(), value);
  rewriter.replaceOp(op, value);
  if (isHalf)
    rewriter.eraseOp(steps);
  return success();
}

namespace {

struct CpuDecomposeSoftmax : amp::impl::CpuDecomposeSoftmaxBase<CpuDecomposeSoftmax> {
  void runOnOperation() override {
    SmallVector<linalg::SoftmaxOp> ops;
    getOperation()->walk([&](linalg::SoftmaxOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (linalg::SoftmaxOp op : ops)
      if (failed(decompose(rewriter, op)))
        return signalPassFailure();
  }
};

} // namespace
