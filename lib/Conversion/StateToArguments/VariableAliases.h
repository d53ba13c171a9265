//===- VariableAliases.h - which tensors may lie in a variable's memory ---===//
#ifndef AMP_LIB_CONVERSION_STATETOARGUMENTS_VARIABLEALIASES_H
#define AMP_LIB_CONVERSION_STATETOARGUMENTS_VARIABLEALIASES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace amp::conversion {

using Names = llvm::SmallSetVector<mlir::StringAttr, 4>;

/// Bufferization sees a variable's memory through one tensor. It does not see that a write to the
/// memory itself, at the end of a region, changes every tensor that lies there; this class says
/// which ones may.
class VariableAliases {
public:
  /// `tensor` is the memory of the variable `name`.
  void add(mlir::Value tensor, mlir::StringAttr name) { names[tensor] = name; }

  /// The variables in whose memory `value` may lie once it is bufferized.
  Names find(mlir::Value value) const;

  /// Whether an op of `value`'s function that `isAllowed` does not cover may write into the memory
  /// of `value`.
  static bool mayBeWritten(mlir::Value value,
                           llvm::function_ref<bool(mlir::Operation *)> isAllowed);

private:
  llvm::DenseMap<mlir::Value, mlir::StringAttr> names;
};

} // namespace amp::conversion

#endif // AMP_LIB_CONVERSION_STATETOARGUMENTS_VARIABLEALIASES_H
