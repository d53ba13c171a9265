//===- Constants.cpp - what becomes of a constant in a half type ----------===//

#include "Constants.h"
#include "Analysis/OpFacts.h"
#include "Settings.h"
#include "amp/Dialect/Train/IR/Train.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace mlir;
using namespace amp;
using llvm::APFloat;

static APFloat round(APFloat value, FloatType low, APFloat::opStatus *status = nullptr) {
  bool losesInfo;
  APFloat::opStatus result =
      value.convert(low.getFloatSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
  if (status)
    *status = result;
  return value;
}

static std::string format(APFloat value) {
  bool losesInfo;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%g", value.convertToDouble());
  return text;
}

/// Rule P1 for a scalar or splat.
static std::string explainUnfitNumber(const APFloat &value, FloatType low) {
  if (!value.isFinite() || value.isZero())
    return "";
  APFloat rounded = round(value, low);
  std::string number = format(value);
  if (rounded.isInfinity())
    return number + " overflows in " + spellHalfType(low).str();
  if (rounded.isZero())
    return number + " vanishes in " + spellHalfType(low).str();
  if (rounded.isDenormal())
    return number + " is subnormal in " + spellHalfType(low).str();
  return "";
}

/// Rule P1 for a dense tensor: its largest elements must be held to half a unit in the last place.
static std::string explainUnfitTensor(DenseElementsAttr value, FloatType low) {
  double largest = 0, worst = 0;
  for (const APFloat &element : value.getValues<APFloat>()) {
    if (!element.isFinite())
      continue;
    APFloat rounded = round(element, low);
    if (rounded.isInfinity())
      return "element " + format(element) + " overflows in " + spellHalfType(low).str();
    APFloat exact = element, back = rounded;
    bool losesInfo;
    exact.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
    back.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
    largest = std::max(largest, std::fabs(exact.convertToDouble()));
    worst = std::max(worst, std::fabs(exact.convertToDouble() - back.convertToDouble()));
  }
  // Half a unit in the last place of a normal number: 2^-11 of it in f16, 2^-8 in bf16.
  double bound = std::ldexp(largest, -static_cast<int>(low.getFPMantissaWidth()));
  if (worst <= bound)
    return "";
  return "its elements lose their precision in " + spellHalfType(low).str();
}

std::string amp::explainUnfitConstant(Attribute value, FloatType low) {
  if (auto number = dyn_cast<FloatAttr>(value))
    return explainUnfitNumber(number.getValue(), low);
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (!dense || !isa<FloatType>(dense.getElementType()))
    return "";
  if (dense.isSplat())
    return explainUnfitNumber(dense.getSplatValue<APFloat>(), low);
  return explainUnfitTensor(dense, low);
}

std::string amp::explainUnfitLeaf(Value leaf, FloatType low) {
  if (Operation *op = leaf.getDefiningOp())
    if (Attribute value = getConstantAttribute(op))
      return explainUnfitConstant(value, low);
  auto read = leaf.getDefiningOp<train::ReadOp>();
  if (!read)
    return "";
  auto variable =
      SymbolTable::lookupNearestSymbolFrom<train::VariableOp>(read, read.getVariableAttr());
  if (!variable || variable.getRole() != train::VariableRole::Frozen || !variable.getInitialValue())
    return "";
  auto constant = dyn_cast<train::ConstantAttr>(*variable.getInitialValue());
  if (!constant)
    return "";
  std::string reason = explainUnfitNumber(
      round(APFloat(double(constant.getValue())), Float32Type::get(leaf.getContext())), low);
  return reason.empty() ? reason : "@" + variable.getSymName().str() + " = " + reason;
}

TypedAttr amp::roundConstant(Attribute value, FloatType low) {
  if (auto number = dyn_cast<FloatAttr>(value))
    return FloatAttr::get(low, round(number.getValue(), low));
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (!dense || !isa<FloatType>(dense.getElementType()))
    return {};
  ShapedType type = dense.getType().clone(low);
  if (dense.isSplat())
    return DenseElementsAttr::get(type, round(dense.getSplatValue<APFloat>(), low));
  SmallVector<APFloat> elements;
  for (const APFloat &element : dense.getValues<APFloat>())
    elements.push_back(round(element, low));
  return DenseElementsAttr::get(type, elements);
}
