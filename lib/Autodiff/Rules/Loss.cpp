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

static void differentiateCrossEntropy(CrossEntropyOp op, RuleBuilder &rule) {
  rule.set(0, rule.create<CrossEntropyGradOp>(rule.typeOf(0), rule.grad, op.getLogits(),
                                              op.getLabels()));
}

/// The gradient in the prediction, in the type `type` of that or of the target. The op computes in
/// the type of the loss and cannot give less than f64 if that is f64.
static Value buildMseGradient(MseOp op, RuleBuilder &rule, Type type) {
  Type lossType = getElementTypeOrSelf(rule.grad.getType());
  Type direct = lossType.isF64() ? cast<RankedTensorType>(type).clone(lossType) : type;
  return rule.create<MseGradOp>(direct, rule.grad, op.getPrediction(), op.getTarget());
}

static void differentiateMse(MseOp op, RuleBuilder &rule) {
  Value gradient;
  if (rule.needs(0)) {
    gradient = buildMseGradient(op, rule, rule.typeOf(0));
    rule.set(0, rule.cast(gradient, rule.typeOf(0)));
  }
  if (!rule.needs(1))
    return;
  if (!gradient || rule.typeOf(0) != rule.typeOf(1))
    gradient = buildMseGradient(op, rule, rule.typeOf(1));
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
