//===- Retype.cpp - what must follow when an op's types change -------------===//

#include "Retype.h"
#include "Analysis/OpFacts.h"
#include "Constants.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace amp;

Type amp::withElements(Type type, FloatType element) {
  if (auto shaped = dyn_cast<ShapedType>(type))
    return shaped.clone(element);
  return element;
}

//===----------------------------------------------------------------------===//
// linalg
//===----------------------------------------------------------------------===//

/// Builds the body of a named op anew: it follows from the types.
static void rebuildBody(linalg::LinalgOp op) {
  auto build = op.getRegionBuilder();
  Block &old = *op.getBlock();
  auto *body = new Block;
  for (OpOperand &operand : op->getOpOperands())
    body->addArgument(getElementTypeOrSelf(operand.get().getType()), op.getLoc());
  Region &region = op->getRegion(0);
  old.erase();
  region.push_back(body);
  ImplicitLocOpBuilder builder(op.getLoc(), op->getContext());
  builder.setInsertionPointToStart(body);
  build(builder, *body, op->getAttrs(), /*emitError=*/nullptr);
}

/// The body goes on computing in f32: what it reads is widened first, what it gives narrowed last.
static void castInBody(linalg::LinalgOp op) {
  Block &body = *op.getBlock();
  OpBuilder builder(op->getContext());
  builder.setInsertionPointToStart(&body);
  for (OpOperand &operand : op->getOpOperands()) {
    if (operand.getOperandNumber() >= body.getNumArguments())
      break;
    BlockArgument argument = body.getArgument(operand.getOperandNumber());
    Type now = getElementTypeOrSelf(operand.get().getType()), before = argument.getType();
    if (now == before || !isa<FloatType>(before))
      continue;
    argument.setType(now);
    // What is only passed on stays as it is.
    auto isComputed = [&](OpOperand &use) {
      return use.getOwner() != body.getTerminator() ||
             getElementTypeOrSelf(op->getResult(use.getOperandNumber()).getType()) != now;
    };
    if (llvm::none_of(argument.getUses(), isComputed))
      continue;
    auto cast = arith::ExtFOp::create(builder, op.getLoc(), before, argument);
    argument.replaceUsesWithIf(
        cast, [&](OpOperand &use) { return use.getOwner() != cast && isComputed(use); });
  }
  Operation *yield = body.getTerminator();
  builder.setInsertionPoint(yield);
  for (auto [operand, result] : llvm::zip(yield->getOpOperands(), op->getResultTypes())) {
    Type element = getElementTypeOrSelf(result);
    if (operand.get().getType() != element)
      operand.set(arith::TruncFOp::create(builder, op.getLoc(), element, operand.get()));
  }
}

//===----------------------------------------------------------------------===//
// Regions that compute in the type of the operands
//===----------------------------------------------------------------------===//

/// Makes every f32 number in the region low.
static void lowerRegion(Region &region, FloatType low, CastBuilder &casts) {
  Block &body = region.front();
  for (BlockArgument argument : body.getArguments())
    if (isF32(argument))
      argument.setType(withElements(argument.getType(), low));
  for (Operation &op : body) {
    // What comes from outside is cast there.
    for (OpOperand &operand : op.getOpOperands())
      if (isF32(operand.get()) && operand.get().getParentRegion() != &region)
        operand.set(casts.get(operand.get(), low, op.getNumResults() ? &op : region.getParentOp()));
    if (Attribute constant = getConstantAttribute(&op))
      if (TypedAttr rounded = roundConstant(constant, low); rounded && isF32(op.getResult(0)))
        replaceConstantAttribute(&op, rounded);
    for (Value result : op.getResults())
      if (isF32(result))
        result.setType(withElements(result.getType(), low));
  }
}

/// The low type of all the numbers of the op; null if one is f32.
static FloatType getLowType(Operation *op) {
  FloatType low;
  for (Type type : llvm::concat<const Type>(op->getResultTypes(), op->getOperandTypes())) {
    Type element = getElementTypeOrSelf(type);
    if (element.isF32())
      return {};
    if (isHalf(element))
      low = cast<FloatType>(element);
  }
  return low;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static void retypeClamp(tosa::ClampOp op) {
  auto element = dyn_cast<FloatType>(getElementTypeOrSelf(op.getType()));
  for (StringRef name : {"min_val", "max_val"})
    if (auto bound = op->getAttrOfType<FloatAttr>(name); bound && bound.getType() != element)
      op->setAttr(name, roundConstant(bound, element));
}

void amp::retypeInside(Operation *op, CastBuilder &casts) {
  if (auto clamp = dyn_cast<tosa::ClampOp>(op))
    return retypeClamp(clamp);
  if (getBodyKind(op) != BodyKind::Element)
    return;
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    if (linalgOp.getRegionBuilder())
      rebuildBody(linalgOp);
    else
      castInBody(linalgOp);
    return;
  }
  if (FloatType low = getLowType(op))
    for (Region &region : op->getRegions())
      lowerRegion(region, low, casts);
}
