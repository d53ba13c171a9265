//===- InitAll.cpp - the one list of dialects, passes and pipelines -------===//

#include "amp/InitAll.h"
#include "amp/Dialect/Amp/IR/Amp.h"
#include "amp/Dialect/Train/IR/Train.h"

void amp::registerAllDialects(mlir::DialectRegistry &registry) {
  registry.insert<AmpDialect, train::TrainDialect>();
}

void amp::registerAllPasses() {}
