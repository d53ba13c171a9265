//===- MinCut.h - the cheapest choice of many binary ones ------------------===//
#ifndef AMP_LIB_PRECISION_CUT_MINCUT_H
#define AMP_LIB_PRECISION_CUT_MINCUT_H

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <vector>

namespace amp {

/// Binary variables with costs of single ones and of pairs. Every pair term is submodular by its
/// form, so that the cheapest assignment is a minimum s-t cut, found exactly. What else is
/// forbidden is searched for by branch and bound over such cuts.
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

  /// That `node` has a value.
  struct Literal {
    Node node;
    bool isOne;
  };
  /// Forbids that all literals hold. Where a cut breaks this the first one is changed first.
  void forbid(llvm::ArrayRef<Literal> literals);

  /// The nodes that are 1 in the cheapest assignment; among equally cheap ones the one with the
  /// fewest, which is unique as long as forbid() excludes nothing: the ones of all others contain
  /// it. Empty if all are forbidden.
  llvm::BitVector solve();
  /// The cost of what solve() gave.
  Cost getCost() const { return cost; }
  /// Whether that is proven to be the least: a large problem in which forbid() excludes much is
  /// not searched to its end.
  bool isExact() const { return exact; }

private:
  /// Cut where `from` is 0 and `to` is 1.
  void add(Node from, Node to, Cost cost);
  struct Solution {
    llvm::BitVector ones;
    Cost cost = kForbidden;
  };
  Solution cutWith(llvm::ArrayRef<Literal> fixed);
  Solution cut() const;
  std::vector<const llvm::SmallVector<Literal, 4> *> findBroken(const llvm::BitVector &ones) const;
  Solution repair(Solution start);
  void search(llvm::SmallVectorImpl<Literal> &fixed, const Solution &relaxed, Solution &best);

  struct Arc {
    Node from, to;
    Cost cost;
  };
  unsigned numNodes = 2;
  llvm::SmallVector<Arc, 0> arcs;
  std::vector<llvm::SmallVector<Literal, 4>> clauses;
  Cost fixedCost = 0, cost = 0;
  bool isImpossible = false, exact = true;
  int64_t cutsLeft = 0;
};

} // namespace amp

#endif // AMP_LIB_PRECISION_CUT_MINCUT_H
