//===- OpFacts.h - what the analyses ask of an op, whatever its dialect ----===//
#ifndef AMP_LIB_PRECISION_ANALYSIS_OPFACTS_H
#define AMP_LIB_PRECISION_ANALYSIS_OPFACTS_H

#include "amp/Precision/OpTable.h"
#include "mlir/IR/Operation.h"

namespace amp {

/// What the op computes: from its interface, else from the tables.
OpKind getKind(mlir::Operation *op);

/// The indices of the operands that are numbers the op computes with.
llvm::SmallVector<unsigned> getNumbers(mlir::Operation *op);

/// Whether a result of the op is a float, or is made of floats.
bool givesFloats(mlir::Operation *op);
/// The same for a result or an operand.
bool holdsFloats(mlir::Operation *op);

/// The value that `value` is, casts between floats and moves aside.
mlir::Value lookThroughMoves(mlir::Value value);

/// Elementwise arithmetic, or a move that a loop does by its indexing.
bool isElementwise(OpKind kind);

/// An attribute of the op by name, also one that an unregistered op holds among its properties;
/// null if there is none.
mlir::Attribute getNamedAttribute(mlir::Operation *op, llvm::StringRef name);

/// Sets an attribute of the op, among its properties if it is there.
void setNamedAttribute(mlir::Operation *op, llvm::StringRef name, mlir::Attribute value);

/// The value of a constant op; null if the op is none.
mlir::Attribute getConstantAttribute(mlir::Operation *op);
/// Gives a constant op another value, whose type its result is to have.
void replaceConstantAttribute(mlir::Operation *op, mlir::Attribute value);

} // namespace amp

#endif // AMP_LIB_PRECISION_ANALYSIS_OPFACTS_H
