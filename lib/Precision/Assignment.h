//===- Assignment.h - what was decided for the ops of a function ----------===//
#ifndef AMP_LIB_PRECISION_ASSIGNMENT_H
#define AMP_LIB_PRECISION_ASSIGNMENT_H

#include "Analysis/Epsilons.h"
#include "Analysis/FloatRangeAnalysis.h"
#include "Analysis/Provenance.h"
#include "Analysis/Ties.h"
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

/// What is known of a module before anything is decided.
struct Graph {
  Graph(mlir::Operation *root, const Settings &settings)
      : settings(settings), classifier(settings), roles(root, classifier), ties(root), ranges(root),
        provenance(roles.getOps(), classifier.getModels(), ties, ranges, settings.low),
        epsilons(findEpsilons(roles.getOps(), settings.low)) {}

  /// Whether the op computes with `operand`, and in the type that the operand has.
  bool isTypedNumber(mlir::OpOperand &operand) const;
  /// Whether result `index` of `op` may be low. Rule P3: a sum may if its bounds fit.
  bool mayLowerResult(mlir::Operation *op, unsigned index) const;
  /// Whether `result` becomes low if its op does, by its own type or by a cast behind it (P12);
  /// `isForced` if that is the user's choice.
  bool followsLabel(mlir::OpResult result, bool isForced) const;

  const Settings &settings;
  Classifier classifier;
  GraphRoles roles;
  Ties ties;
  FloatRanges ranges;
  Provenance provenance;
  /// The ops that rule P2 holds in f32, with the reason.
  llvm::DenseMap<mlir::Operation *, std::string> epsilons;
};

/// The decisions for a module, and the types that follow from them.
class Assignment {
public:
  explicit Assignment(const Graph &graph) : graph(graph), low(graph.settings.low) {}

  const Graph &getGraph() const { return graph; }

  mlir::FloatType getLow() const { return low; }

  /// The decision for `op`; *keep* for an op without one.
  const Decision &lookup(mlir::Operation *op) const;
  void set(mlir::Operation *op, Decision decision);
  /// Makes the values of a tie low.
  void lowerTie(unsigned tie);
  bool isTieLow(unsigned tie) const { return loweredTies.contains(tie); }

  /// Whether the value is of the low type, is to become so, or is followed by a cast that makes it
  /// so (P12).
  bool isLow(mlir::Value value) const;
  /// The f32 values whose type becomes low.
  const llvm::DenseSet<mlir::Value> &getLowered() const { return lowered; }

  /// Whether the op is to read `operand` in the low type though it is f32 now: a cast is needed.
  bool needsNarrowing(mlir::OpOperand &operand) const;
  /// Whether the op is to read `operand` in f32 though it is to become low: a cast back is needed.
  bool needsWidening(mlir::OpOperand &operand) const;

private:
  bool forwardReadsLow(mlir::OpOperand &operand) const;
  bool wantsLow(mlir::OpOperand &operand) const;
  /// Whether the value's own type is low, or becomes so.
  bool isLowTyped(mlir::Value value) const;

  const Graph &graph;
  mlir::FloatType low;
  llvm::DenseMap<mlir::Operation *, Decision> decisions;
  llvm::DenseSet<mlir::Value> lowered;
  /// Values that stay f32 and are low for those who read them through a cast.
  llvm::DenseSet<mlir::Value> narrowed;
  llvm::DenseSet<unsigned> loweredTies;
};

/// Whether `value` is an f32 number, tensor or vector.
bool isF32(mlir::Value value);

} // namespace amp

#endif // AMP_LIB_PRECISION_ASSIGNMENT_H
