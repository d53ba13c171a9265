//===- GradientBuilder.cpp - the backward pass of a block -----------------===//

#include "GradientBuilder.h"
#include "amp/Autodiff/DifferentiableOpInterface.h"
#include "amp/Dialect/Train/IR/Train.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace amp;
using amp::train::TrainDialect;

namespace {

class BackwardPass {
public:
  BackwardPass(OpBuilder &builder, Location requestedAt)
      : builder(builder), requestedAt(requestedAt) {}

  /// Fills `active` with what depends on `inputs` up to and including `output`, through float
  /// values.
  void findActiveValues(Value output, ValueRange inputs);
  LogicalResult run(Value output, Value seed);
  Value getGradient(Value value) const { return gradients.lookup(value); }

private:
  LogicalResult differentiate(Operation *op);
  void addGradient(Value value, Value gradient);
  /// Gives `train.gradient_of = number` to the ops built since the one before the builder was
  /// `last`.
  void markSince(Operation *last, Attribute number);
  Operation *getLastOp() const;

  OpBuilder &builder;
  Location requestedAt;
  DenseSet<Value> active;
  /// The ops with an active operand and result, in their order.
  SmallVector<Operation *> path;
  DenseMap<Value, Value> gradients;
};

} // namespace

/// What `op` reads, including what its regions take from outside.
static SmallVector<Value> getReadValues(Operation *op) {
  SmallVector<Value> values(op->getOperands());
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  values.append(captured.begin(), captured.end());
  return values;
}

void BackwardPass::findActiveValues(Value output, ValueRange inputs) {
  active.insert(inputs.begin(), inputs.end());
  Operation *last = output.getDefiningOp();
  if (!last)
    return;
  for (Operation &op :
       llvm::make_range(last->getBlock()->begin(), std::next(last->getIterator()))) {
    if (!llvm::any_of(getReadValues(&op), [&](Value value) { return active.contains(value); }))
      continue;
    path.push_back(&op);
    for (Value result : op.getResults())
      if (hasFloatElements(result.getType()))
        active.insert(result);
  }
}

Operation *BackwardPass::getLastOp() const {
  Block::iterator position = builder.getInsertionPoint();
  return position == builder.getInsertionBlock()->begin() ? nullptr : &*std::prev(position);
}

void BackwardPass::markSince(Operation *last, Attribute number) {
  if (!number)
    return;
  Block::iterator begin =
      last ? std::next(last->getIterator()) : builder.getInsertionBlock()->begin();
  for (Operation &op : llvm::make_range(begin, builder.getInsertionPoint()))
    op.setDiscardableAttr(TrainDialect::kGradientOfAttr, number);
}

void BackwardPass::addGradient(Value value, Value gradient) {
  assert(gradient.getType() == value.getType() && "a gradient has the type of its value");
  Value &sum = gradients[value];
  if (!sum) {
    sum = gradient;
    return;
  }
  Operation *producer = value.getDefiningOp();
  Operation *last = getLastOp();
  sum = train::AddOp::create(builder, producer ? producer->getLoc() : gradient.getLoc(),
                             value.getType(), sum, gradient);
  if (producer)
    markSince(last, producer->getDiscardableAttr(TrainDialect::kForwardAttr));
}

LogicalResult BackwardPass::differentiate(Operation *op) {
  auto resultGradients =
      llvm::map_to_vector(op->getResults(), [&](Value result) { return gradients.lookup(result); });
  if (!llvm::any_of(resultGradients, [](Value gradient) { return bool(gradient); }))
    return success();

  auto rule = dyn_cast<DifferentiableOpInterface>(op);
  if (!rule)
    return op->emitError("cannot differentiate '")
           << op->getName()
           << "': it has no differentiation rule; compute the value that depends on "
           << "a parameter with other ops, or attach a DifferentiableOpInterface to this one";
  auto needed = llvm::map_to_vector(op->getOperands(),
                                    [&](Value operand) { return active.contains(operand); });
  SmallVector<Value> operandGradients(op->getNumOperands());
  Operation *last = getLastOp();
  if (failed(rule.buildGradients(builder, resultGradients, needed, operandGradients)))
    return failure();
  markSince(last, op->getDiscardableAttr(TrainDialect::kForwardAttr));
  for (auto [operand, isNeeded, gradient] :
       llvm::zip_equal(op->getOperands(), needed, operandGradients))
    if (isNeeded && gradient)
      addGradient(operand, gradient);
  return success();
}

LogicalResult BackwardPass::run(Value output, Value seed) {
  if (!active.contains(output))
    return success();
  addGradient(output, seed);
  // The note belongs to whatever error the rule gave.
  ScopedDiagnosticHandler notes(builder.getContext(), [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      diagnostic.attachNote(requestedAt) << "gradient requested here";
    return failure();
  });
  for (Operation *op : llvm::reverse(path))
    if (failed(differentiate(op)))
      return failure();
  return success();
}

FailureOr<SmallVector<Value>> amp::buildGradients(OpBuilder &builder, Value output, Value seed,
                                                  ValueRange inputs, Location requestedAt) {
  BackwardPass backward(builder, requestedAt);
  backward.findActiveValues(output, inputs);
  if (failed(backward.run(output, seed)))
    return failure();
  return llvm::map_to_vector(inputs, [&](Value input) { return backward.getGradient(input); });
}
