//===- Signature.cpp - what a caller must know of a function --------------===//

#include "CpuCompilerDetail.h"
#include "amp/Dialect/Train/IR/Train.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

/// Bytes in memory; 0 if no element has that type.
static unsigned getByteSize(Type type) {
  if (type.isIndex())
    return 8;
  if (!type.isIntOrFloat())
    return 0;
  unsigned width = type.getIntOrFloatBitWidth();
  if (width == 1)
    return 1;
  return width == 8 || width == 16 || width == 32 || width == 64 ? width / 8 : 0;
}

static LogicalResult describe(Type type, amp::ValueInfo &info) {
  Type element = type;
  if (auto shaped = dyn_cast<ShapedType>(type)) {
    if (!isa<RankedTensorType, MemRefType>(type))
      return failure();
    auto memref = dyn_cast<MemRefType>(type);
    if (memref && (!memref.getLayout().isIdentity() || memref.getMemorySpace()))
      return failure();
    element = shaped.getElementType();
    for (int64_t extent : shaped.getShape())
      info.shape.push_back(ShapedType::isDynamic(extent) ? -1 : extent);
  } else {
    info.isScalar = true;
  }
  info.byteSize = getByteSize(element);
  if (info.byteSize == 0)
    return failure();
  llvm::raw_string_ostream(info.elementType) << element;
  return success();
}

static LogicalResult describeValue(func::FuncOp func, Type type, StringRef what, unsigned index,
                                   DictionaryAttr attributes, amp::ValueInfo &info) {
  if (failed(describe(type, info)))
    return func.emitOpError("cannot be called from outside: ")
           << what << " " << index << " has type " << type
           << ", but only numbers and ranked, dense tensors of numbers can pass a call; make the "
              "function private";
  info.name = (what == "argument" ? "arg" : "out") + std::to_string(index);
  if (!attributes)
    return success();
  if (auto name = attributes.getAs<StringAttr>(amp::train::TrainDialect::kNameAttr))
    info.name = name.str();
  if (auto variable = attributes.getAs<FlatSymbolRefAttr>("train.variable"))
    info.name = info.variable = variable.getValue().str();
  return success();
}

static LogicalResult describeFunction(func::FuncOp func, amp::FunctionInfo &info) {
  info.name = func.getName().str();
  for (auto [index, type] : llvm::enumerate(func.getArgumentTypes()))
    if (failed(describeValue(func, type, "argument", index, func.getArgAttrDict(index),
                             info.arguments.emplace_back())))
      return failure();
  for (auto [index, type] : llvm::enumerate(func.getResultTypes()))
    if (failed(describeValue(func, type, "result", index, func.getResultAttrDict(index),
                             info.results.emplace_back())))
      return failure();
  if (auto gradients = func->getAttrOfType<ArrayAttr>("train.gradients"))
    for (auto name : gradients.getAsRange<StringAttr>())
      info.gradients.push_back(name.str());
  if (auto metric = func->getAttrOfType<StringAttr>("train.metric"))
    info.metric = metric.str();
  return success();
}

FailureOr<std::vector<amp::FunctionInfo>> amp::describeFunctions(ModuleOp module) {
  std::vector<FunctionInfo> functions;
  for (auto func : module.getOps<func::FuncOp>()) {
    if (func.isPrivate() || func.isExternal())
      continue;
    if (failed(describeFunction(func, functions.emplace_back())))
      return failure();
  }
  return functions;
}
