//===- TrainStateOps.cpp - verifiers of variables and tasks ---------------===//

#include "Verify.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace amp::train;

/// (C4): what an initialiser needs of the variable's type.
static LogicalResult verifyInitialValue(VariableOp op, Attribute initial) {
  RankedTensorType type = op.getTensorType();
  if (!isa<ZerosAttr, ConstantAttr, UniformAttr, NormalAttr, GlorotAttr, HeAttr>(initial))
    return op.emitOpError("expects an initialiser of the train dialect (#train.zeros, constant, "
                          "uniform, normal, glorot or he) but got ")
           << initial;
  if (isa<ZerosAttr, ConstantAttr>(initial))
    return success();
  if (!isa<FloatType>(type.getElementType()))
    return op.emitOpError("expects a float type for a random initial value but got ") << type;
  std::optional<int64_t> inAxis;
  if (auto glorot = dyn_cast<GlorotAttr>(initial))
    inAxis = glorot.getInAxis();
  else if (auto he = dyn_cast<HeAttr>(initial))
    inAxis = he.getInAxis();
  if (!inAxis)
    return success();
  if (type.getRank() != 2)
    return op.emitOpError("expects rank 2 for ") << initial << " but got " << type;
  if (*inAxis != 0 && *inAxis != 1)
    return op.emitOpError("expects in_axis 0 or 1 but got ") << *inAxis;
  return success();
}

/// Whether the size of a static type in bytes fits an int64_t, in whatever order it is multiplied.
static bool isCountable(ShapedType type) {
  int64_t bytes = (type.getElementTypeBitWidth() + 7) / 8;
  return llvm::none_of(type.getShape(), [&](int64_t extent) {
    return llvm::MulOverflow(bytes, std::max<int64_t>(extent, 1), bytes);
  });
}

LogicalResult VariableOp::verify() {
  // (C1)
  if (!getTensorType().hasStaticShape())
    return emitOpError("expects a static shape but got ") << getTensorType();
  if (!isCountable(getTensorType()))
    return emitOpError("expects a type of less than 2^63 bytes but got ") << getTensorType();
  // (C2)
  if (getInitialValue().has_value() == getCopyOf().has_value())
    return emitOpError("expects either an initial value or 'of @original', but got ")
           << (getCopyOf() ? "both" : "neither");
  // (C3)
  if (getCopyOf().has_value() != (getRole() == VariableRole::HalfCopy))
    return emitOpError("expects 'of @original' exactly with the role half_copy, but the role is ")
           << stringifyVariableRole(getRole());
  if (getInitialValue())
    return verifyInitialValue(*this, *getInitialValue());
  return success();
}

LogicalResult VariableOp::verifySymbolUses(SymbolTableCollection &symbols) {
  // (C5)
  if (!getCopyOfAttr())
    return success();
  auto original = symbols.lookupNearestSymbolFrom<VariableOp>(*this, getCopyOfAttr());
  if (!original)
    return emitOpError("names ") << getCopyOfAttr() << ", which is not a train.variable";
  auto expected = getTensorType().clone(Float32Type::get(getContext()));
  if (original.getTensorType() == expected)
    return success();
  InFlightDiagnostic diagnostic = emitOpError("expects ")
                                  << getCopyOfAttr() << " to have the type " << expected
                                  << " but it has " << original.getTensorType();
  diagnostic.attachNote(original.getLoc()) << "variable defined here";
  return diagnostic;
}

/// (C1) of read and assign.
static LogicalResult verifyVariableUse(Operation *op, FlatSymbolRefAttr name, Type type,
                                       SymbolTableCollection &symbols) {
  auto variable = symbols.lookupNearestSymbolFrom<VariableOp>(op, name);
  if (!variable)
    return op->emitOpError("names ") << name << ", which is not a train.variable";
  if (variable.getTensorType() == type)
    return success();
  InFlightDiagnostic diagnostic = op->emitOpError("expects the type of ")
                                  << name << ", " << variable.getTensorType() << ", but got "
                                  << type;
  diagnostic.attachNote(variable.getLoc()) << "variable defined here";
  return diagnostic;
}

LogicalResult ReadOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyVariableUse(*this, getVariableAttr(), getResult().getType(), symbols);
}

LogicalResult AssignOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyVariableUse(*this, getVariableAttr(), getValue().getType(), symbols);
}

LogicalResult TaskOp::verify() {
  // (C1)
  if (!isa<SgdAttr, MomentumAttr, AdamAttr, AdamWAttr>(getOptimizer()))
    return emitOpError("expects an optimizer of the train dialect (#train.sgd, momentum, adam or "
                       "adamw) but got ")
           << getOptimizer();
  // (C4)
  if (getClipNorm() && !(getClipNorm()->convertToDouble() > 0))
    return emitOpError("expects a positive clip_norm but got ") << getClipNorm()->convertToDouble();
  return success();
}

/// The function that a task names; it gives a scalar (C2, C3).
static FailureOr<FunctionOpInterface> lookupScalarFunction(TaskOp task, FlatSymbolRefAttr name,
                                                           SymbolTableCollection &symbols) {
  auto function = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(task, name);
  if (!function)
    return task.emitOpError("names ") << name << ", which is not a function", failure();
  ArrayRef<Type> results = function.getResultTypes();
  auto scalar = results.size() == 1 ? dyn_cast<RankedTensorType>(results[0]) : RankedTensorType();
  if (scalar && scalar.getRank() == 0 &&
      (scalar.getElementType().isF32() || scalar.getElementType().isF64()))
    return function;
  InFlightDiagnostic diagnostic = task.emitOpError("expects ")
                                  << name << " to return one scalar tensor of f32 or f64";
  diagnostic.attachNote(function.getLoc()) << "function defined here";
  return failure();
}

/// No two arguments of the loss have one name (C5): data files have one array of each.
static LogicalResult verifyArgumentNames(TaskOp task, FunctionOpInterface loss) {
  llvm::StringMap<unsigned> arguments;
  for (unsigned index : llvm::seq(loss.getNumArguments())) {
    Attribute given = loss.getArgAttr(index, TrainDialect::kNameAttr);
    auto text = dyn_cast_or_null<StringAttr>(given);
    if (given && !text)
      return task.emitOpError("expects a string as ")
             << TrainDialect::kNameAttr << " of argument " << index << " of @" << loss.getName()
             << " but got " << given;
    std::string name = text ? text.str() : "arg" + std::to_string(index);
    auto [other, isNew] = arguments.try_emplace(name, index);
    if (isNew)
      continue;
    InFlightDiagnostic diagnostic = task.emitOpError("expects arguments of different names but ")
                                    << other->second << " and " << index << " of @"
                                    << loss.getName() << " are both \"" << name << "\"";
    diagnostic.attachNote(loss.getLoc()) << "function defined here";
    return diagnostic;
  }
  return success();
}

LogicalResult TaskOp::verifySymbolUses(SymbolTableCollection &symbols) {
  FailureOr<FunctionOpInterface> loss = lookupScalarFunction(*this, getLossAttr(), symbols);
  if (failed(loss) || failed(verifyArgumentNames(*this, *loss)))
    return failure();
  if (!getMetricAttr())
    return success();
  FailureOr<FunctionOpInterface> metric = lookupScalarFunction(*this, getMetricAttr(), symbols);
  if (failed(metric))
    return failure();
  if (loss->getArgumentTypes() == metric->getArgumentTypes())
    return success();
  InFlightDiagnostic diagnostic = emitOpError("expects the metric to take the arguments of the "
                                              "loss");
  diagnostic.attachNote(metric->getLoc()) << "metric defined here";
  return diagnostic;
}
