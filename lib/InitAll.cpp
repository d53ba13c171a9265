//===- InitAll.cpp - the one list of dialects, passes and pipelines -------===//

#include "amp/InitAll.h"
#include "amp/Autodiff/Passes.h"
#include "amp/Conversion/Passes.h"
#include "amp/Dialect/Amp/IR/Amp.h"
#include "amp/Dialect/Train/IR/Train.h"
#include "amp/Pipelines/Pipelines.h"
#include "amp/Precision/Passes.h"
#include "amp/Target/CPU/Passes.h"

void amp::registerAllDialects(mlir::DialectRegistry &registry) {
  registry.insert<AmpDialect, train::TrainDialect>();
  registerDifferentiationRules(registry);
}

void amp::registerAllPasses() {
  registerAMPAutodiffPasses();
  registerAMPConversionPasses();
  registerAMPPrecisionPasses();
  registerAMPTargetCPUPasses();
  registerAutodiffPipeline();
  registerLowerCpuPipeline();
}
