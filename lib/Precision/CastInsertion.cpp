//===- CastInsertion.cpp - makes the decided types true -------------------===//

#include "CastInsertion.h"
#include "Analysis/OpFacts.h"
#include "Constants.h"
#include "Retype.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace amp;

/// The value that `value` is an exact widening of, if that has the type wanted.
static Value getNarrowSource(Value value, Type type) {
  Operation *op = value.getDefiningOp();
  if (!op || !(isHalfCast(op) || isa<train::CastOp>(op)) || op->getOperand(0).getType() != type)
    return {};
  unsigned from = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  unsigned to = getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth();
  return from < to ? op->getOperand(0) : Value();
}

/// The table of the dialect that an op is from; null for the project's own dialects and others.
static const OpTable *getTable(Operation *op) {
  return op ? OpTable::get(op->getName().getDialectNamespace()) : nullptr;
}

/// A constant of the kind of `constant`, another op, with another value.
static Value createConstant(OpBuilder &builder, Operation *constant, TypedAttr value,
                            FloatType type) {
  if (isa<arith::ConstantOp>(constant) || !getTable(constant))
    return arith::ConstantOp::create(builder, constant->getLoc(), value);
  Operation *copy = builder.clone(*constant);
  replaceConstantAttribute(copy, value);
  copy->getResult(0).setType(withElements(copy->getResult(0).getType(), type));
  return copy->getResult(0);
}

/// What the function that holds `value` is made of.
const CastBuilder::GraphKind &CastBuilder::getGraphKind(Value value) {
  Operation *function = value.getParentBlock()->getParentOp();
  if (!isa<FunctionOpInterface>(function))
    function = function->getParentOfType<FunctionOpInterface>();
  auto [known, isNew] = graphKinds.try_emplace(function);
  if (isNew && function)
    function->walk([&kind = known->second](Operation *op) {
      if (isa_and_nonnull<train::TrainDialect, AmpDialect>(op->getDialect())) {
        kind.isOwn = true;
        return WalkResult::interrupt();
      }
      const OpTable *table = getTable(op);
      if (!kind.table && table && givesFloats(op))
        kind.table = table;
      return WalkResult::advance();
    });
  return known->second;
}

/// A cast in the dialect of who reads it, else of who makes the value, else of the function.
Value CastBuilder::createCast(OpBuilder &builder, Value value, Type type, Operation *user) {
  const GraphKind &graph = getGraphKind(value);
  // The pass's own cast is one that no other pass folds.
  if (graph.isOwn)
    return CastOp::create(builder, value.getLoc(), type, value);
  const OpTable *table = getTable(user);
  if (!table)
    table = getTable(value.getDefiningOp());
  if (!table)
    table = graph.table ? graph.table : OpTable::get("arith");
  bool widens = getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth() <
                getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  OperationState state(value.getLoc(), widens ? table->getWideningOp() : table->getNarrowingOp());
  state.addOperands(value);
  state.addTypes(type);
  return builder.create(state)->getResult(0);
}

/// Whether the op was a cast, and its operand has got its type.
static bool isCastToOwnType(Operation *op) {
  if (op->getNumOperands() != 1 || op->getNumResults() != 1 ||
      op->getOperand(0).getType() != op->getResult(0).getType())
    return false;
  return isa<CastOp>(op) || (getTable(op) && getKind(op) == OpKind::FloatCast && givesFloats(op));
}

/// Puts `builder` right behind the definition of `value`; of an argument behind `last`.
void CastBuilder::setPoint(OpBuilder &builder, Value value, Operation *last, Operation *user) {
  Operation *definition = value.getDefiningOp();
  if (definition && definition->getNumSuccessors() != 0)
    builder.setInsertionPoint(user); // Behind it there is nothing.
  else if (definition)
    builder.setInsertionPointAfter(definition);
  else if (last)
    builder.setInsertionPointAfter(last);
  else
    builder.setInsertionPointToStart(value.getParentBlock());
}

Value CastBuilder::getEmpty(Value value, FloatType type, Operation *user) {
  Value &entry = empties[{value, type}];
  if (entry)
    return entry;
  OpBuilder builder(value.getContext());
  setPoint(builder, value, lastOfArguments.lookup(value.getParentBlock()), user);
  auto shape = cast<RankedTensorType>(value.getType());
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, value.getLoc(), value);
  return entry = tensor::EmptyOp::create(builder, value.getLoc(), sizes, type, shape.getEncoding());
}

Value CastBuilder::create(Value value, FloatType type, Operation *user) {
  OpBuilder builder(value.getContext());
  Operation *definition = value.getDefiningOp();
  Block *block = value.getParentBlock();
  setPoint(builder, value, lastOfArguments.lookup(block), user);

  if (definition)
    if (Attribute constant = getConstantAttribute(definition))
      if (TypedAttr rounded = roundConstant(constant, type))
        return createConstant(builder, definition, rounded, type);
  Type wanted = withElements(value.getType(), type);
  // There is nothing in it to convert.
  if (isa_and_nonnull<tensor::EmptyOp>(definition)) {
    Operation *copy = builder.clone(*definition);
    copy->getResult(0).setType(wanted);
    return copy->getResult(0);
  }
  Value cast = createCast(builder, value, wanted, user);
  if (!definition)
    lastOfArguments[block] = cast.getDefiningOp();
  return cast;
}

/// Moves `cast` up to the definition of its operand, unless only other casts stand between.
static void moveToDefinition(Operation *cast) {
  Operation *definition = cast->getOperand(0).getDefiningOp();
  Operation *before = cast->getPrevNode();
  while (before && before != definition && isHalfCast(before))
    before = before->getPrevNode();
  if (before == definition)
    return;
  if (definition)
    cast->moveAfter(definition);
  else
    cast->moveBefore(cast->getBlock(), cast->getBlock()->begin());
}

Value CastBuilder::get(Value value, FloatType type, Operation *user) {
  Type wanted = withElements(value.getType(), type);
  if (value.getType() == wanted)
    return value;
  if (Operation *op = value.getDefiningOp(); op && op->getNumSuccessors() != 0)
    return create(value, type, user);
  Value &entry = known[{value, wanted}];
  if (entry)
    return entry;
  if (Value source = getNarrowSource(value, wanted))
    return entry = source;
  for (Operation *cast : value.getUsers())
    if (isHalfCast(cast) && cast->getResult(0).getType() == wanted &&
        cast->getBlock() == value.getParentBlock()) {
      moveToDefinition(cast);
      return entry = cast->getResult(0);
    }
  return entry = create(value, type, user);
}

/// Casts that go to the type that their operand has now.
static void eraseIdentityCasts(ArrayRef<Operation *> ops) {
  for (Operation *op : ops)
    if (isCastToOwnType(op))
      op->replaceAllUsesWith(op->getOperands());
}

/// Gives every function the type of its arguments and of what it returns.
static void updateSignatures(const Ties &ties) {
  llvm::SetVector<FunctionOpInterface> functions;
  for (const Tie &tie : ties.getTies())
    for (Value value : tie.values) {
      auto argument = dyn_cast<BlockArgument>(value);
      Operation *parent = argument ? argument.getOwner()->getParentOp() : nullptr;
      if (auto function = dyn_cast_or_null<FunctionOpInterface>(parent))
        functions.insert(function);
    }
  for (const Tie &tie : ties.getTies())
    for (OpOperand *read : tie.reads)
      if (auto function = dyn_cast<FunctionOpInterface>(read->getOwner()->getParentOp()))
        functions.insert(function);
  for (FunctionOpInterface function : functions) {
    if (!function.isPrivate())
      continue;
    SmallVector<Type> results(function.getResultTypes());
    for (Block &block : function.getFunctionBody())
      if (!block.empty() && block.back().hasTrait<OpTrait::ReturnLike>())
        results.assign(block.back().getOperandTypes().begin(),
                       block.back().getOperandTypes().end());
    function.setType(function.cloneTypeWith(function.front().getArgumentTypes(), results));
  }
}

void amp::applyAssignment(const Assignment &assignment) {
  const Graph &graph = assignment.getGraph();
  ArrayRef<Operation *> ops = graph.roles.getOps();
  FloatType low = assignment.getLow();
  FloatType f32 = Float32Type::get(low.getContext());
  // All questions are asked before any type changes.
  SmallVector<OpOperand *> narrowed, widened;
  llvm::SetVector<Operation *> changed;
  for (Operation *op : ops) {
    for (OpOperand &operand : op->getOpOperands()) {
      if (assignment.needsNarrowing(operand))
        narrowed.push_back(&operand);
      else if (assignment.needsWidening(operand))
        widened.push_back(&operand);
      else if (!assignment.getLowered().contains(operand.get()))
        continue;
      changed.insert(op);
    }
    for (Value result : op->getResults())
      if (assignment.getLowered().contains(result))
        changed.insert(op);
  }
  // The scalar code inside an op reads what comes from outside as it was written.
  for (Operation *op : ops)
    if (getBodyKind(op) == BodyKind::Element)
      op->walk([&](Operation *inner) {
        for (OpOperand &operand : inner->getOpOperands())
          if (inner != op && assignment.getLowered().contains(operand.get()))
            widened.push_back(&operand);
      });
  for (Value value : assignment.getLowered())
    value.setType(withElements(value.getType(), low));
  eraseIdentityCasts(ops);
  CastBuilder casts;
  llvm::SetVector<Operation *> unused;
  auto change = [&](OpOperand &operand, FloatType type) {
    Operation *user = operand.getOwner();
    bool isUnread = isa<RankedTensorType>(operand.get().getType()) &&
                    graph.classifier.getModel(user).isUnreadDestination(operand.getOperandNumber());
    operand.set(isUnread ? casts.getEmpty(operand.get(), type, user)
                         : casts.get(operand.get(), type, user));
  };
  for (OpOperand *operand : narrowed) {
    Operation *definition = operand->get().getDefiningOp();
    if (definition && (getConstantAttribute(definition) || isa<tensor::EmptyOp>(definition)))
      unused.insert(definition);
    change(*operand, low);
  }
  for (OpOperand *operand : widened)
    change(*operand, f32);
  for (Operation *op : changed)
    if (!isCastToOwnType(op))
      retypeInside(op, casts);
  updateSignatures(graph.ties);
  for (Operation *op : unused)
    if (op->use_empty())
      op->erase();
  for (Operation *op : ops)
    if (changed.contains(op) && isCastToOwnType(op) && op->use_empty())
      op->erase();
}

void amp::eraseDeadCasts(Operation *root) {
  SmallVector<Operation *> casts;
  root->walk([&](CastOp cast) { casts.push_back(cast); });
  for (Operation *cast : llvm::reverse(casts))
    if (cast->use_empty())
      cast->erase();
}
