//===- Amp.h - the amp dialect --------------------------------------------===//
#ifndef AMP_DIALECT_AMP_IR_AMP_H
#define AMP_DIALECT_AMP_IR_AMP_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "amp/Dialect/Amp/IR/AmpDialect.h.inc"

#define GET_OP_CLASSES
#include "amp/Dialect/Amp/IR/AmpOps.h.inc"

#endif // AMP_DIALECT_AMP_IR_AMP_H
