//===- CutOracle.h - the cheapest assignment, by trying all -----------------===//
//
// An answer to the question of strategy `mincut` that shares no code with it: every choice of low
// and f32 for the ops and ties of a graph, but for those that break a rule, is made true by the
// real cast insertion, and the module that comes out is priced by the casts and bytes in it. What
// an op is, which rules hold it, what fuses and what things cost is written here a second time, for
// the ops of RandomGraph.h alone.
//
//===----------------------------------------------------------------------===//
#ifndef AMP_TEST_UNIT_PRECISION_CUTORACLE_H
#define AMP_TEST_UNIT_PRECISION_CUTORACLE_H

#include "Assignment.h"
#include <array>

namespace amp {

/// The numbers of a target: 10^12 operations, 10^9 bytes per second, microseconds.
struct Rates {
  double f32, low, bandwidth, launch;
  bool preferLow;
};

/// The terms that costs are the sum of, and two facts that they depend on.
enum class Term {
  ArithmeticLow,
  ArithmeticF32,
  WriteLow, ///< a copy that the op which makes the value writes
  WriteF32,
  ReadLow,
  ReadF32,
  FusedCast, ///< in the op that makes the value: all but free
  PassRead,  ///< what a cast that is a pass of its own reads
  PassWrite,
  PassLaunch,
  Trips,  ///< that a loop's body runs several times
  Fusion, ///< that what a fusion group keeps inside never is in memory
  None
};
constexpr unsigned kNumTerms = unsigned(Term::None);

/// The price of a module as it is, and what it were without each of the terms, in picoseconds.
using Prices = std::array<int64_t, kNumTerms + 1>;

class CutOracle {
public:
  CutOracle(mlir::ModuleOp module, const Settings &settings, const Rates &rates);

  /// How many binary choices there are.
  unsigned getNumChoices() const { return choices.size() + ties.size(); }
  /// The least price of all assignments, and of all under each planted error; how many there are.
  Prices findLeast(unsigned &numLegal);
  /// The module of the cheapest one that findLeast() found, as text.
  llvm::StringRef getCheapest() const { return cheapest; }

  /// The price of an assignment of the module, made true on a copy, which is added as text.
  Prices price(const Assignment &assignment, std::string &text);
  /// Why the rules forbid the assignment; else empty.
  std::string findBroken(const Assignment &assignment);

private:
  /// Whether each op and tie is low.
  struct Labels {
    llvm::DenseMap<mlir::Operation *, bool> ops;
    llvm::DenseMap<unsigned, bool> ties;
  };

  void findChoices();
  std::string findHeld(mlir::Operation *op) const;
  void findInternal();

  bool isHomeLow(mlir::Value value, const Labels &labels) const;
  bool readsLow(mlir::OpOperand &use, const Labels &labels) const;
  std::string findBroken(const Labels &labels) const;
  std::string findBrokenMove(mlir::Operation *op, bool isLow, const Labels &labels) const;
  mlir::OwningOpRef<mlir::ModuleOp> apply(const Labels &labels) const;
  Prices price(mlir::ModuleOp assigned) const;

  mlir::ModuleOp module;
  const Settings &settings;
  Rates rates;
  Graph graph; ///< For the numbers of the ties, and which loops update weights (P5).
  llvm::SmallVector<mlir::Operation *> choices;
  llvm::SmallVector<unsigned> ties;
  std::string cheapest;
  llvm::DenseSet<int64_t> internal; ///< By `test.id`: each op has one result at most.
};

} // namespace amp

#endif // AMP_TEST_UNIT_PRECISION_CUTORACLE_H
