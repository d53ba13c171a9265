//===- Loss.cpp - rules of softmax, losses and metrics --------------------===//

#include "Rules.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace amp;
using namespace amp::train;

static void differentiateSoftmax(SoftmaxOp op, RuleBuilder &rule) {
  rule.set(0, rule.create<SoftmaxGradOp>(rule.typeOf(0), rule.grad, op.getResult()));
}

static void differentiateLogSoftmax(LogSoftmaxOp op, RuleBuilder &rule) {
  rule.set(0, rule.create<LogSoftmaxGradOp>(rule.typeOf(0), rule.grad, op.getResult()));
}

/// The type that the gradient op of a loss gives for an operand of type `type`: its shape, in the
/// loss's element type.
static Type getLossGradientType(RuleBuilder &rule, Type type) {
  return cast<RankedTensorType>(type).clone(getElementTypeOrSelf(rule.grad.getType()));
}

static void differentiateCrossEntropy(CrossEntropyOp op, RuleBuilder &rule) {
  Type type = rule.typeOf(0);
  Value gradient = rule.create<CrossEntropyGradOp>(getLossGradientType(rule, type), rule.grad,
                                                   op.getLogits(), op.getLabels());
  rule.set(0, rule.cast(gradient, type));
}

static void differentiateMse(MseOp op, RuleBuilder &rule) {
  Value gradient = rule.create<MseGradOp>(getLossGradientType(rule, rule.typeOf(0)), rule.grad,
                                          op.getPrediction(), op.getTarget());
  if (rule.needs(0))
    rule.set(0, rule.cast(gradient, rule.typeOf(0)));
  if (rule.needs(1))
    rule.set(1, rule.create<NegOp>(rule.typeOf(1), gradient));
}

namespace {

struct AccuracyRule : DifferentiableOpInterface::ExternalModel<AccuracyRule, AccuracyOp> {
  LogicalResult buildGradients(Operation *op, OpBuilder &, ValueRange, ArrayRef<bool>,
                               MutableArrayRef<Value>) const {
    return op->emitError("cannot differentiate 'train.accuracy': it is constant wherever it has a "
                         "derivative; train 'train.cross_entropy' and report the accuracy as the "
                         "task's metric");
  }
};

} // namespace

void amp::attachLossRules(MLIRContext *context) {
  SoftmaxOp::attachInterface<Rule<SoftmaxOp, differentiateSoftmax>>(*context);
  LogSoftmaxOp::attachInterface<Rule<LogSoftmaxOp, differentiateLogSoftmax>>(*context);
  CrossEntropyOp::attachInterface<Rule<CrossEntropyOp, differentiateCrossEntropy>>(*context);
  MseOp::attachInterface<Rule<MseOp, differentiateMse>>(*context);
  AccuracyOp::attachInterface<AccuracyRule>(*context);
}
