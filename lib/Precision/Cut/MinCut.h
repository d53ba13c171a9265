//===- MinCut.h - the cheapest choice of many binary ones ------------------===//
#ifndef AMP_LIB_PRECISION_CUT_MINCUT_H
#define AMP_LIB_PRECISION_CUT_MINCUT_H

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace amp {

/// Binary variables with costs of single ones and of pairs. Every pair term is submodular by its
/// form, so that the cheapest assignment is a minimum s-t cut, found exactly.
///
/// Costs are not negative. The sum of all finite ones must stay below `kForbidden`.
class MinCut {
public:
  using Cost = int64_t;
  static constexpr Cost kForbidden = Cost(1) << 58;

  /// A variable, or one of the two constants.
  using Node = unsigned;
  static constexpr Node kZero = 0, kOne = 1;

  Node addVariable() { return numNodes++; }
  /// Costs `cost` if `node` is 1.
  void addIfOne(Node node, Cost cost) { add(kZero, node, cost); }
  /// Costs `cost` if `node` is 0.
  void addIfZero(Node node, Cost cost) { add(node, kOne, cost); }
  /// Costs `cost` if `first` is 1 and `second` is 0.
  void addIfOneAndZero(Node first, Node second, Cost cost) { add(second, first, cost); }
  /// Forbids `first` 1 with `second` 0.
  void require(Node first, Node second) { add(second, first, kForbidden); }
  /// Makes two nodes equal.
  void equate(Node first, Node second) {
    require(first, second);
    require(second, first);
  }

  /// The nodes that are 1 in the cheapest assignment; among equally cheap ones the one with the
  /// fewest, which is unique: the ones of all others contain it. Empty if all are forbidden.
  llvm::BitVector solve();
  /// The cost of what solve() gave.
  Cost getCost() const { return cost; }

private:
  /// Cut where `from` is 0 and `to` is 1.
  void add(Node from, Node to, Cost cost);

  struct Arc {
    Node from, to;
    Cost cost;
  };
  unsigned numNodes = 2;
  llvm::SmallVector<Arc, 0> arcs;
  Cost fixed = 0, cost = 0;
  bool isImpossible = false;
};

} // namespace amp

#endif // AMP_LIB_PRECISION_CUT_MINCUT_H
