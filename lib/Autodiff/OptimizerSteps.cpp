//===- OptimizerSteps.cpp - optimizer state and optimizer ops -------------===//

#include "OptimizerSteps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace amp::train;

ArrayRef<llvm::StringLiteral> amp::getOptimizerStateNames(Attribute optimizer) {
  static constexpr llvm::StringLiteral kMomentum[] = {"velocity"};
  static constexpr llvm::StringLiteral kAdam[] = {"exp_avg", "exp_avg_sq"};
  if (isa<MomentumAttr>(optimizer))
    return kMomentum;
  if (isa<AdamAttr, AdamWAttr>(optimizer))
    return kAdam;
  return {};
}

template <typename AdamLikeOp, typename AdamLikeAttr>
static Operation *buildAdam(OpBuilder &builder, Location loc, AdamLikeAttr attr, Value parameter,
                            Value gradient, ValueRange states, Value step) {
  Type type = parameter.getType();
  auto number = [&](double value) { return builder.getF64FloatAttr(value); };
  return AdamLikeOp::create(
      builder, loc, TypeRange{type, states[0].getType(), states[1].getType()}, parameter, gradient,
      states[0], states[1], step, number(attr.getLearningRate()), number(attr.getBeta1()),
      number(attr.getBeta2()), number(attr.getEpsilon()), number(attr.getWeightDecay()));
}

SmallVector<Value> amp::buildOptimizerStep(OpBuilder &builder, Location loc, Attribute optimizer,
                                           Value parameter, Value gradient, ValueRange states,
                                           Value step) {
  Type type = parameter.getType();
  auto number = [&](double value) { return builder.getF64FloatAttr(value); };
  Operation *op =
      llvm::TypeSwitch<Attribute, Operation *>(optimizer)
          .Case([&](SgdAttr attr) {
            return SgdOp::create(builder, loc, type, parameter, gradient,
                                 number(attr.getLearningRate()), number(attr.getWeightDecay()));
          })
          .Case([&](MomentumAttr attr) {
            return MomentumOp::create(
                builder, loc, TypeRange{type, states[0].getType()}, parameter, gradient, states[0],
                number(attr.getLearningRate()), number(attr.getMomentum()),
                builder.getBoolAttr(attr.getNesterov()), number(attr.getWeightDecay()));
          })
          .Case([&](AdamAttr attr) {
            return buildAdam<AdamOp>(builder, loc, attr, parameter, gradient, states, step);
          })
          .Case([&](AdamWAttr attr) {
            return buildAdam<AdamWOp>(builder, loc, attr, parameter, gradient, states, step);
          });
  return SmallVector<Value>(op->getResults());
}
