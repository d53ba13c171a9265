//===- TrainShapeOps.cpp - verifiers of shape changes and reductions ------===//

#include "Verify.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace amp::train;

LogicalResult ReshapeOp::verify() {
  auto countDynamic = [](ArrayRef<int64_t> shape) {
    return llvm::count_if(shape, ShapedType::isDynamic);
  };
  auto staticProduct = [](ArrayRef<int64_t> shape) -> std::optional<int64_t> {
    int64_t product = 1;
    for (int64_t dim : shape)
      if (!ShapedType::isDynamic(dim) && llvm::MulOverflow(product, dim, product))
        return std::nullopt;
    return product;
  };
  ArrayRef<int64_t> from = getShape(getInput()), to = getShape(getResult());
  // (C1)
  if (countDynamic(from) > 1 || countDynamic(to) > 1 || countDynamic(from) != countDynamic(to))
    return emitOpError("expects one dynamic dimension on both sides or none, but got ")
           << formatShape(from) << " and " << formatShape(to);
  // (C2)
  std::optional<int64_t> fromProduct = staticProduct(from), toProduct = staticProduct(to);
  if (!fromProduct || !toProduct)
    return emitOpError("has more than 2^63 - 1 elements");
  int64_t fromCount = *fromProduct, toCount = *toProduct;
  bool divides =
      fromCount != 0 && toCount != 0 && (fromCount % toCount == 0 || toCount % fromCount == 0);
  if (fromCount != toCount && !(countDynamic(from) == 1 && divides))
    return emitOpError("expects as many elements in the result as in the input, but got ")
           << formatShape(from) << " and " << formatShape(to);
  return success();
}

LogicalResult TransposeOp::verify() {
  ArrayRef<int64_t> permutation = getPermutation();
  ArrayRef<int64_t> shape = getShape(getInput());
  // (C1)
  if (permutation.size() != shape.size() || !isPermutationVector(permutation))
    return emitOpError("expects a permutation of ")
           << shape.size() << " dimensions but got [" << permutation << "]";
  // (C2)
  return verifyShape(*this, "a result", getResult(), applyPermutation(shape, permutation));
}

LogicalResult BroadcastOp::verify() {
  ArrayRef<int64_t> shape = getShape(getLike());
  if (failed(verifyDimensions(*this, getDimensions(), shape.size())) ||
      failed(verifyShape(*this, "input", getInput(), dropDimensions(shape, getDimensions()))))
    return failure();
  return verifyShape(*this, "a result", getResult(), shape);
}

amp::OpKind ReduceOp::getOpKind() {
  switch (getKind()) {
  case ReduceKind::Sum:
    return OpKind::ReduceSum;
  case ReduceKind::Mean:
    return OpKind::ReduceMean;
  case ReduceKind::Max:
    return OpKind::ReduceMax;
  case ReduceKind::Min:
    return OpKind::ReduceMin;
  }
  llvm_unreachable("all kinds return");
}

LogicalResult ReduceOp::verify() {
  ArrayRef<int64_t> shape = getShape(getInput());
  if (failed(verifyDimensions(*this, getDimensions(), shape.size())))
    return failure();
  return verifyShape(*this, "a result", getResult(), dropDimensions(shape, getDimensions()));
}

LogicalResult ReduceGradOp::verify() {
  ArrayRef<int64_t> shape = getShape(getInput());
  if (failed(verifyDimensions(*this, getDimensions(), shape.size())))
    return failure();
  SmallVector<int64_t> reduced = dropDimensions(shape, getDimensions());
  if (failed(verifyShape(*this, "grad", getGrad(), reduced)) ||
      failed(verifyShape(*this, "output", getOutput(), reduced)))
    return failure();
  return verifyShape(*this, "a result", getResult(), shape);
}
