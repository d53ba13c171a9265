//===- OpModel.h - how an op takes part in the assignment ------------------===//
//
// One view of an op for all strategies: from its interface, else from the table of its dialect and
// the op's own structure. Casting and retyping follow it.
//
//===----------------------------------------------------------------------===//
#ifndef AMP_LIB_PRECISION_MODEL_OPMODEL_H
#define AMP_LIB_PRECISION_MODEL_OPMODEL_H

#include "amp/Precision/OpTable.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace amp {

/// The model of one op.
class OpModel {
public:
  /// The model of an op that nothing is known of.
  OpModel() = default;
  OpModel(mlir::Operation *op, const OpEntry *entry);

  /// Whether anything is known of the op.
  explicit operator bool() const { return isKnown; }

  PrecisionClass getClass() const { return precisionClass; }
  OpKind getKind() const { return kind; }
  /// Why the op has its class, if there is more to say; else empty.
  llvm::StringRef getReason() const { return reason; }

  /// Whether operand `index` is a number that the op computes with.
  bool isNumber(unsigned index) const;
  /// Whether the op reads operand `index` in f32 at no cost whatever its type: it decides nothing.
  bool readsAnyType(unsigned index) const;
  /// Whether numbers of different float types may meet in the op, which widens them itself.
  bool readsMixedTypes() const { return mixed; }
  /// Whether operand `index` is a destination, which has the type of the result.
  bool isDestination(unsigned index) const;
  /// Whether that is a destination of which the op reads the shape alone.
  bool isUnreadDestination(unsigned index) const {
    return isDestination(index) && !readsDestination(index);
  }

  /// Whether result `index` may be low by the rules.
  bool mayLowerResult(unsigned index) const;
  /// Whether result `index` never is of the low type.
  bool isResultFixed(unsigned index) const;
  /// Rule P12: the op gives f32, and a cast that follows makes it low.
  bool hasWideResult() const { return wideResult; }

private:
  void readStructure(mlir::Operation *op);
  bool readsDestination(unsigned index) const;

  mlir::Operation *op = nullptr;
  const OpEntry *entry = nullptr;
  mutable PrecisionOpInterface interface;
  PrecisionClass precisionClass = PrecisionClass::Keep;
  OpKind kind = OpKind::Other;
  llvm::StringRef reason;
  bool isKnown = false, mixed = false, wideResult = false, fixedResult = false;
};

/// Models of the ops of a module, made once each.
class OpModels {
public:
  const OpModel &get(mlir::Operation *op) const;

private:
  mutable llvm::DenseMap<mlir::OperationName, const OpEntry *> entries;
  mutable llvm::DenseMap<mlir::Operation *, OpModel> models;
};

/// What the regions of `op` are.
BodyKind getBodyKind(mlir::Operation *op);

/// Whether `type` is an f32 number, or a ranked tensor or vector of f32: what the pass may make
/// low.
bool isF32Number(mlir::Type type);
/// Whether `type`, or its elements, are f16 or bf16.
bool isHalf(mlir::Type type);

} // namespace amp

#endif // AMP_LIB_PRECISION_MODEL_OPMODEL_H
