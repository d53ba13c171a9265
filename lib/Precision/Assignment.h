//===- Assignment.h - what was decided for the ops of a function ----------===//
#ifndef AMP_LIB_PRECISION_ASSIGNMENT_H
#define AMP_LIB_PRECISION_ASSIGNMENT_H

#include "Analysis/FloatRangeAnalysis.h"
#include "GraphRoles.h"

namespace amp {

/// What was decided for an op.
struct Decision {
  enum Label { Low, F32, Keep };
  /// What the op reads in place of an f32 operand that is a number. Operands of other types, and
  /// those that the op reads in any type, stay.
  enum Reads {
    Written,     ///< The type that the operand was written with: what became low is cast back.
    AsIs,        ///< Whatever type the operand has now.
    Narrow,      ///< The low type.
    NarrowLeaves ///< The low type if the operand is a leaf, else whatever it has.
  };
  Label label = Keep;
  Reads reads = Written;
  bool isForced = false; ///< The user's choice, against a rule if need be.
  std::string reason;    ///< Why, for the remark.
  std::string overruled; ///< What speaks against a forced decision, if anything does.
};

/// The decisions of one function, and the types that follow from them.
class Assignment {
public:
  Assignment(mlir::FloatType low, const Classifier &classifier, const GraphRoles &roles,
             const FloatRanges &ranges)
      : low(low), classifier(classifier), roles(roles), ranges(ranges) {}

  mlir::FloatType getLow() const { return low; }

  /// The decision for `op`; *keep* for an op without one.
  const Decision &lookup(mlir::Operation *op) const;
  void set(mlir::Operation *op, Decision decision);

  /// Whether the value is of the low type, or is to become so.
  bool isLow(mlir::Value value) const;
  /// The f32 results that become low.
  const llvm::DenseSet<mlir::Value> &getLowered() const { return lowered; }

  /// Whether result `index` of `op` may be low. Rule P3: a sum may if its bounds fit.
  bool mayLowerResult(PrecisionOpInterface op, unsigned index) const;

  /// Whether the op is to read `operand` in the low type though it is f32 now: a cast is needed.
  bool needsNarrowing(mlir::OpOperand &operand) const;
  /// Whether the op is to read `operand` in f32 though it is to become low: a cast back is needed.
  bool needsWidening(mlir::OpOperand &operand) const;

private:
  bool forwardReadsLow(mlir::OpOperand &operand) const;

  mlir::FloatType low;
  const Classifier &classifier;
  const GraphRoles &roles;
  const FloatRanges &ranges;
  llvm::DenseMap<mlir::Operation *, Decision> decisions;
  llvm::DenseSet<mlir::Value> lowered;
};

/// Whether `value` is f32 or a shaped type of f32.
bool isF32(mlir::Value value);

/// Whether the op computes with `operand`, and in the type that the operand has.
bool isTypedNumber(mlir::OpOperand &operand);

} // namespace amp

#endif // AMP_LIB_PRECISION_ASSIGNMENT_H
