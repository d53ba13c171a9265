//===- CastInsertion.cpp - makes the decided types true -------------------===//

#include "CastInsertion.h"
#include "Constants.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace amp;

/// `type` with other elements, its shape and encoding kept.
static Type withElements(Type type, FloatType element) {
  if (auto shaped = dyn_cast<ShapedType>(type))
    return shaped.clone(element);
  return element;
}

/// The value that `value` is an exact widening of, if that has the type wanted.
static Value getNarrowSource(Value value, Type type) {
  Operation *op = value.getDefiningOp();
  if (!op || !isa<CastOp, train::CastOp>(op) || op->getOperand(0).getType() != type)
    return {};
  unsigned from = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  unsigned to = getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth();
  return from < to ? op->getOperand(0) : Value();
}

Value CastBuilder::create(Value value, FloatType type) {
  OpBuilder builder(value.getContext());
  Operation *definition = value.getDefiningOp();
  Block *block = value.getParentBlock();
  if (definition)
    builder.setInsertionPointAfter(definition);
  else if (Operation *last = lastOfArguments.lookup(block))
    builder.setInsertionPointAfter(last);
  else
    builder.setInsertionPointToStart(block);

  Attribute constant;
  if (matchPattern(value, m_Constant(&constant)))
    if (TypedAttr rounded = roundConstant(constant, type))
      return arith::ConstantOp::create(builder, value.getLoc(), rounded);
  auto cast = CastOp::create(builder, value.getLoc(), withElements(value.getType(), type), value);
  if (!definition)
    lastOfArguments[block] = cast;
  return cast;
}

/// Moves `cast` up to the definition of its operand, unless only other casts stand between.
static void moveToDefinition(CastOp cast) {
  Operation *definition = cast.getInput().getDefiningOp();
  Operation *before = cast->getPrevNode();
  while (before && before != definition && isa<CastOp>(before))
    before = before->getPrevNode();
  if (before == definition)
    return;
  if (definition)
    cast->moveAfter(definition);
  else
    cast->moveBefore(cast->getBlock(), cast->getBlock()->begin());
}

Value CastBuilder::get(Value value, FloatType type) {
  Type wanted = withElements(value.getType(), type);
  if (value.getType() == wanted)
    return value;
  Value &entry = known[{value, wanted}];
  if (entry)
    return entry;
  if (Value source = getNarrowSource(value, wanted))
    return entry = source;
  for (Operation *user : value.getUsers())
    if (auto cast = dyn_cast<CastOp>(user))
      if (cast.getType() == wanted && cast->getBlock() == value.getParentBlock()) {
        moveToDefinition(cast);
        return entry = cast.getResult();
      }
  return entry = create(value, type);
}

/// Casts of the pass that go to the type that their operand has now.
static void eraseIdentityCasts(ArrayRef<Operation *> ops) {
  for (Operation *op : ops)
    if (auto cast = dyn_cast<CastOp>(op); cast && cast.getInput().getType() == cast.getType())
      cast.replaceAllUsesWith(cast.getInput());
}

void amp::applyAssignment(const Assignment &assignment, const GraphRoles &roles) {
  FloatType low = assignment.getLow();
  FloatType f32 = Float32Type::get(low.getContext());
  // All questions are asked before any type changes.
  SmallVector<OpOperand *> narrowed, widened;
  for (Operation *op : roles.getOps())
    for (OpOperand &operand : op->getOpOperands()) {
      if (assignment.needsNarrowing(operand))
        narrowed.push_back(&operand);
      else if (assignment.needsWidening(operand))
        widened.push_back(&operand);
    }
  for (Operation *op : roles.getOps())
    for (Value result : op->getResults())
      if (assignment.getLowered().contains(result))
        result.setType(withElements(result.getType(), low));
  eraseIdentityCasts(roles.getOps());
  CastBuilder casts;
  llvm::SetVector<Operation *> constants;
  for (OpOperand *operand : narrowed) {
    if (matchPattern(operand->get(), m_Constant()))
      constants.insert(operand->get().getDefiningOp());
    operand->set(casts.get(operand->get(), low));
  }
  for (OpOperand *operand : widened)
    operand->set(casts.get(operand->get(), f32));
  for (Operation *constant : constants)
    if (constant->use_empty())
      constant->erase();
}

void amp::eraseDeadCasts(Operation *root) {
  SmallVector<Operation *> casts;
  root->walk([&](CastOp cast) { casts.push_back(cast); });
  for (Operation *cast : llvm::reverse(casts))
    if (cast->use_empty())
      cast->erase();
}
