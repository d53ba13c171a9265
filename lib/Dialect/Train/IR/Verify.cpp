//===- Verify.cpp - checks that several verifiers of train share ----------===//

#include "Verify.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace amp::train;

ArrayRef<int64_t> amp::train::getShape(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

std::string amp::train::formatShape(ArrayRef<int64_t> shape) {
  if (shape.empty())
    return "scalar";
  return llvm::join(llvm::map_range(shape,
                                    [](int64_t dim) {
                                      return ShapedType::isDynamic(dim) ? std::string("?")
                                                                        : std::to_string(dim);
                                    }),
                    "x");
}

static bool shapesAgree(ArrayRef<int64_t> lhs, ArrayRef<int64_t> rhs) {
  return lhs.size() == rhs.size() && llvm::all_of(llvm::zip_equal(lhs, rhs), [](auto dims) {
           return agrees(std::get<0>(dims), std::get<1>(dims));
         });
}

LogicalResult amp::train::verifyShape(Operation *op, Twine what, Value value,
                                      ArrayRef<int64_t> expected) {
  if (shapesAgree(getShape(value), expected))
    return success();
  return op->emitOpError("expects ") << what << " of shape " << formatShape(expected) << " but got "
                                     << formatShape(getShape(value));
}

LogicalResult amp::train::verifyDimensions(Operation *op, ArrayRef<int64_t> dimensions,
                                           int64_t rank) {
  int64_t previous = -1;
  for (int64_t dimension : dimensions) {
    if (dimension < 0 || dimension >= rank)
      return op->emitOpError("expects dimensions within [0, ") << rank << ") but got " << dimension;
    if (dimension <= previous)
      return op->emitOpError("expects increasing dimensions but got ")
             << dimension << " after " << previous;
    previous = dimension;
  }
  return success();
}

SmallVector<int64_t> amp::train::dropDimensions(ArrayRef<int64_t> shape,
                                                ArrayRef<int64_t> dimensions) {
  SmallVector<int64_t> kept;
  for (auto [index, dim] : llvm::enumerate(shape))
    if (!llvm::is_contained(dimensions, static_cast<int64_t>(index)))
      kept.push_back(dim);
  return kept;
}

LogicalResult amp::train::verifyComputeResult(Operation *op, Value result) {
  Type expected = getComputeType(op->getOperandTypes());
  Type found = getElementTypeOrSelf(result.getType());
  if (found == expected)
    return success();
  return op->emitOpError("expects a result of ") << expected << " elements but got " << found;
}

LogicalResult amp::train::verifyDoubleResult(Operation *op, Value result) {
  bool computesDouble = getComputeType(op->getOperandTypes()).isF64();
  Type found = getElementTypeOrSelf(result.getType());
  if (found.isF64() == computesDouble)
    return success();
  return op->emitOpError("expects a result of ")
         << (computesDouble ? "f64" : "f16, bf16 or f32") << " elements but got " << found;
}

FloatType amp::train::getComputeType(TypeRange types) {
  Type f64;
  for (Type type : types)
    if (Type element = getElementTypeOrSelf(type); element.isF64())
      f64 = element;
  if (f64)
    return cast<FloatType>(f64);
  return Float32Type::get(types.front().getContext());
}

LogicalResult amp::train::verifySameShape(Operation *op) {
  // (C1) of the elementwise ops.
  Value first = op->getOperand(0);
  for (Value operand : op->getOperands().drop_front())
    if (failed(verifyShape(op, "all operands", operand, getShape(first))))
      return failure();
  for (Value result : op->getResults())
    if (failed(verifyShape(op, "a result", result, getShape(first))))
      return failure();
  return success();
}
