//===- AmpDialect.cpp - registration of the amp dialect -------------------===//

#include "amp/Dialect/Amp/IR/Amp.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace amp;

#include "amp/Dialect/Amp/IR/AmpDialect.cpp.inc"

void AmpDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "amp/Dialect/Amp/IR/AmpOps.cpp.inc"
      >();
}

#define GET_OP_CLASSES
#include "amp/Dialect/Amp/IR/AmpOps.cpp.inc"
