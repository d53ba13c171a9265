//===- Register.cpp - attaches all differentiation rules ------------------===//

#include "Rules.h"
#include "amp/Autodiff/Passes.h"

using namespace mlir;

void amp::registerDifferentiationRules(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, train::TrainDialect *) {
    attachElementwiseRules(context);
    attachLinearRules(context);
    attachLossRules(context);
    attachShapeRules(context);
  });
}
