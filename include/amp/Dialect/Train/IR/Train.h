//===- Train.h - the train dialect ----------------------------------------===//
#ifndef AMP_DIALECT_TRAIN_IR_TRAIN_H
#define AMP_DIALECT_TRAIN_IR_TRAIN_H

#include "amp/Precision/PrecisionOpInterface.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/bit.h"

namespace amp::train {

/// The resource that reads and assignments of variables touch.
struct VariableResource : public mlir::SideEffects::Resource::Base<VariableResource> {
  llvm::StringRef getName() final { return "train.variable"; }
};

/// A finite f64 that is a parameter of an attribute. Equal if the bits are, so that -0 is not 0.
struct Number {
  double value;
  operator double() const { return value; }
  friend bool operator==(Number lhs, Number rhs) {
    return llvm::bit_cast<uint64_t>(lhs.value) == llvm::bit_cast<uint64_t>(rhs.value);
  }
  friend llvm::hash_code hash_value(Number number) {
    return llvm::hash_value(llvm::bit_cast<uint64_t>(number.value));
  }
};

/// Parses a finite decimal number of an attribute; prints the shortest text that reads back the
/// same.
llvm::FailureOr<Number> parseNumber(mlir::AsmParser &parser);
void printNumber(mlir::AsmPrinter &printer, Number number);

/// Fails, with an error at `op`, unless all its operands and results have compatible shapes.
llvm::LogicalResult verifySameShape(mlir::Operation *op);

/// Trait: all operands and results have compatible shapes.
template <typename ConcreteOp>
class SameShape : public mlir::OpTrait::TraitBase<ConcreteOp, SameShape> {
public:
  static llvm::LogicalResult verifyTrait(mlir::Operation *op) { return verifySameShape(op); }
};

/// The element type in which an op on `types` computes: f64 if any has f64 elements, else f32.
mlir::FloatType getComputeType(mlir::TypeRange types);

} // namespace amp::train

#include "amp/Dialect/Train/IR/TrainDialect.h.inc"
#include "amp/Dialect/Train/IR/TrainEnums.h.inc"
#include "amp/Dialect/Train/IR/TrainOpInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "amp/Dialect/Train/IR/TrainAttrs.h.inc"

#define GET_OP_CLASSES
#include "amp/Dialect/Train/IR/TrainOps.h.inc"

#endif // AMP_DIALECT_TRAIN_IR_TRAIN_H
