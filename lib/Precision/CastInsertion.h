//===- CastInsertion.h - makes the decided types true ---------------------===//
#ifndef AMP_LIB_PRECISION_CASTINSERTION_H
#define AMP_LIB_PRECISION_CASTINSERTION_H

#include "Assignment.h"

namespace amp {

/// Gives values in another float type: at most one cast per value and type, right after the value's
/// definition, so that it stands in no loop that the value is not in and after no write to the
/// variable that the value was read from (P6).
class CastBuilder {
public:
  /// `value` with elements of `type`: a cast that is there already, the source of a widening cast,
  /// a rounded constant, or else a new cast in the dialect of `user`, who reads it.
  mlir::Value get(mlir::Value value, mlir::FloatType type, mlir::Operation *user);
  /// A tensor of the shape of `value` with elements of `type` that nobody has written to, for
  /// `user`.
  mlir::Value getEmpty(mlir::Value value, mlir::FloatType type, mlir::Operation *user);

private:
  static void setPoint(mlir::OpBuilder &builder, mlir::Value value, mlir::Operation *last,
                       mlir::Operation *user);
  struct GraphKind {
    bool isOwn = false;             ///< Holds ops of the project's own dialects.
    const OpTable *table = nullptr; ///< Of the first op with a table that gives floats.
  };
  const GraphKind &getGraphKind(mlir::Value value);
  mlir::Value createCast(mlir::OpBuilder &builder, mlir::Value value, mlir::Type type,
                         mlir::Operation *user);
  mlir::Value create(mlir::Value value, mlir::FloatType type, mlir::Operation *user);

  llvm::DenseMap<std::pair<mlir::Value, mlir::Type>, mlir::Value> known, empties;
  llvm::DenseMap<mlir::Operation *, GraphKind> graphKinds;
  /// The last cast put at the start of a block; the next comes after it.
  llvm::DenseMap<mlir::Block *, mlir::Operation *> lastOfArguments;
};

/// Retypes the values that become low and casts what is read in another type. Constants of which
/// only a rounded copy is still used are erased.
void applyAssignment(const Assignment &assignment);

/// Erases the casts of the pass below `root` that have no use.
void eraseDeadCasts(mlir::Operation *root);

} // namespace amp

#endif // AMP_LIB_PRECISION_CASTINSERTION_H
