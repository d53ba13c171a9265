//===- Rules.h - what no strategy is free to choose --------------------------===//
#ifndef AMP_LIB_PRECISION_RULES_H
#define AMP_LIB_PRECISION_RULES_H

#include "Assignment.h"

namespace amp {

/// Decides what the rules and the user decide, whatever the strategy.
class Rules {
public:
  explicit Rules(const Graph &graph) : graph(graph) {}

  /// The decision for an op that is left alone, held in f32 or low by the user's choice; none where
  /// the strategy may choose. Does not look at what the op was derived from (P8).
  std::optional<Decision> decide(mlir::Operation *op) const;
  /// The part of decide() that comes before P8.
  std::optional<Decision> decideFirst(mlir::Operation *op) const;

  /// The decision for an op that a strategy made low or f32: how it then reads its operands.
  Decision followLabel(mlir::Operation *op, bool isLow, llvm::StringRef reason) const;

  /// The forward op whose decision `op` has to have (P8); null if it has none, or its own mark.
  mlir::Operation *getLeader(mlir::Operation *op) const;
  /// What follows for `op` from the decision for its forward op.
  Decision followForward(mlir::Operation *op, mlir::Operation *forward,
                         const Decision &decision) const;
  /// What `op` is if its forward op may be low or not; none if it is as that one is.
  std::optional<Decision> decideApart(mlir::Operation *op) const;

  /// What P1 and P3 decide for an op that may be low with its operands: f32 if an operand does not
  /// fit the low type, or if no result may be low.
  std::optional<Decision> decideUnfit(mlir::Operation *op) const;

  /// Whether any result may be low by the rules.
  bool mayLowerAnyResult(mlir::Operation *op) const;
  /// Rule P1: the first operand that is a constant which the low type cannot hold; else empty.
  std::string findUnfitOperand(mlir::Operation *op) const;
  /// Rule P1 for what flows into a tie: why it stays f32; else empty.
  std::string findUnfitRead(const Tie &tie) const;

private:
  /// The op's class; without the built-in tables its own counts all the same where P8 is no choice.
  PrecisionClass getOwnClass(mlir::Operation *op) const;
  Decision decideForced(mlir::Operation *op, const Choice &choice) const;
  std::string findForeignType(mlir::Operation *op) const;
  std::string findUnfitInBody(mlir::Operation *op) const;
  bool readsPartOfLeaf(mlir::Operation *op) const;

  const Graph &graph;
};

/// A decision with its parts.
Decision makeDecision(Decision::Label label, Decision::Reads reads, std::string reason,
                      bool isForced = false);

} // namespace amp

#endif // AMP_LIB_PRECISION_RULES_H
