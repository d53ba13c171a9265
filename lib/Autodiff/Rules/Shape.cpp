//===- Shape.cpp - rules of shape changes and reductions ------------------===//

#include "Rules.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace amp;
using namespace amp::train;

static void differentiateReshape(ReshapeOp, RuleBuilder &rule) {
  rule.set(0, rule.create<ReshapeOp>(rule.typeOf(0), rule.grad));
}

static void differentiateTranspose(TransposeOp op, RuleBuilder &rule) {
  rule.set(0, rule.create<TransposeOp>(rule.typeOf(0), rule.grad,
                                       invertPermutationVector(op.getPermutation())));
}

/// What was repeated is summed up. Of `like` only the shape was read.
static void differentiateBroadcast(BroadcastOp op, RuleBuilder &rule) {
  if (!rule.needs(0))
    return;
  if (op.getDimensions().empty())
    rule.set(0, rule.cast(rule.grad, rule.typeOf(0)));
  else
    rule.set(0,
             rule.create<ReduceOp>(rule.typeOf(0), ReduceKind::Sum, rule.grad, op.getDimensions()));
}

/// The gradient of a maximum or minimum looks for the elements that equal the output. If the output
/// was rounded into another type, it is computed again in that of the input.
static void differentiateReduce(ReduceOp op, RuleBuilder &rule) {
  auto inputType = cast<RankedTensorType>(rule.typeOf(0));
  auto outputType = cast<RankedTensorType>(op.getResult().getType());
  Value output = op.getResult();
  bool selects = op.getKind() == ReduceKind::Max || op.getKind() == ReduceKind::Min;
  if (selects && inputType.getElementType() != outputType.getElementType())
    output = rule.create<ReduceOp>(outputType.clone(inputType.getElementType()), op.getKind(),
                                   op.getInput(), op.getDimensions());
  rule.set(0, rule.create<ReduceGradOp>(inputType, op.getKind(), rule.grad, op.getInput(), output,
                                        op.getDimensions()));
}

void amp::attachShapeRules(MLIRContext *context) {
  ReshapeOp::attachInterface<Rule<ReshapeOp, differentiateReshape>>(*context);
  TransposeOp::attachInterface<Rule<TransposeOp, differentiateTranspose>>(*context);
  BroadcastOp::attachInterface<Rule<BroadcastOp, differentiateBroadcast>>(*context);
  ReduceOp::attachInterface<Rule<ReduceOp, differentiateReduce>>(*context);
}
