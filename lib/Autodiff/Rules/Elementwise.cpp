//===- Elementwise.cpp - rules of ops on single elements ------------------===//

#include "Rules.h"

using namespace mlir;
using namespace amp;
using namespace amp::train;

static void differentiateAdd(AddOp, RuleBuilder &rule) {
  for (unsigned operand : {0, 1})
    if (rule.needs(operand))
      rule.set(operand, rule.cast(rule.grad, rule.typeOf(operand)));
}

static void differentiateSub(SubOp, RuleBuilder &rule) {
  if (rule.needs(0))
    rule.set(0, rule.cast(rule.grad, rule.typeOf(0)));
  if (rule.needs(1))
    rule.set(1, rule.create<NegOp>(rule.typeOf(1), rule.grad));
}

static void differentiateMul(MulOp op, RuleBuilder &rule) {
  if (rule.needs(0))
    rule.set(0, rule.create<MulOp>(rule.typeOf(0), rule.grad, op.getRhs()));
  if (rule.needs(1))
    rule.set(1, rule.create<MulOp>(rule.typeOf(1), rule.grad, op.getLhs()));
}

/// With y = a / b and q = dy / b: da = q and db = -(q * y).
static void differentiateDiv(DivOp op, RuleBuilder &rule) {
  Value quotient;
  if (rule.needs(0)) {
    quotient = rule.create<DivOp>(rule.typeOf(0), rule.grad, op.getRhs());
    rule.set(0, quotient);
  }
  if (!rule.needs(1))
    return;
  if (!quotient || quotient.getType() != rule.typeOf(1))
    quotient = rule.create<DivOp>(rule.typeOf(1), rule.grad, op.getRhs());
  Value product = rule.create<MulOp>(rule.typeOf(1), quotient, op.getResult());
  rule.set(1, rule.create<NegOp>(rule.typeOf(1), product));
}

static void differentiateNeg(NegOp, RuleBuilder &rule) {
  rule.set(0, rule.create<NegOp>(rule.typeOf(0), rule.grad));
}

static void differentiateRelu(ReluOp op, RuleBuilder &rule) {
  rule.set(0, rule.create<ReluGradOp>(rule.typeOf(0), rule.grad, op.getInput()));
}

static void differentiateTanh(TanhOp op, RuleBuilder &rule) {
  rule.set(0, rule.create<TanhGradOp>(rule.typeOf(0), rule.grad, op.getResult()));
}

static void differentiateSigmoid(SigmoidOp op, RuleBuilder &rule) {
  rule.set(0, rule.create<SigmoidGradOp>(rule.typeOf(0), rule.grad, op.getResult()));
}

static void differentiateGelu(GeluOp op, RuleBuilder &rule) {
  rule.set(0,
           rule.create<GeluGradOp>(rule.typeOf(0), rule.grad, op.getInput(), op.getApproximate()));
}

/// Casting is linear: the adjoint of a cast is the cast back.
static void differentiateCast(CastOp, RuleBuilder &rule) {
  rule.set(0, rule.cast(rule.grad, rule.typeOf(0)));
}

void amp::attachElementwiseRules(MLIRContext *context) {
  AddOp::attachInterface<Rule<AddOp, differentiateAdd>>(*context);
  SubOp::attachInterface<Rule<SubOp, differentiateSub>>(*context);
  MulOp::attachInterface<Rule<MulOp, differentiateMul>>(*context);
  DivOp::attachInterface<Rule<DivOp, differentiateDiv>>(*context);
  NegOp::attachInterface<Rule<NegOp, differentiateNeg>>(*context);
  ReluOp::attachInterface<Rule<ReluOp, differentiateRelu>>(*context);
  TanhOp::attachInterface<Rule<TanhOp, differentiateTanh>>(*context);
  SigmoidOp::attachInterface<Rule<SigmoidOp, differentiateSigmoid>>(*context);
  GeluOp::attachInterface<Rule<GeluOp, differentiateGelu>>(*context);
  CastOp::attachInterface<Rule<CastOp, differentiateCast>>(*context);
}
