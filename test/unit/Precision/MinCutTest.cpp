//===- MinCutTest.cpp - the cheapest choice, against all choices ----------===//

#include "Cut/MinCut.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <random>

using namespace amp;

namespace {

/// A random problem that is kept as its terms too.
struct Problem {
  struct Term {
    enum Kind { One, Zero, OneAndZero, Require, Equate } kind;
    MinCut::Node first, second;
    MinCut::Cost cost;
  };
  unsigned size;
  std::vector<Term> terms;
  std::vector<std::vector<MinCut::Literal>> clauses;

  /// The cost of an assignment, whose bits are the variables; none if it is forbidden.
  std::optional<MinCut::Cost> price(unsigned bits) const {
    auto get = [&](MinCut::Node node) {
      return node < 2 ? node == 1 : (bits >> (node - 2) & 1) != 0;
    };
    MinCut::Cost cost = 0;
    for (const std::vector<MinCut::Literal> &clause : clauses)
      if (llvm::all_of(clause, [&](MinCut::Literal it) { return get(it.node) == it.isOne; }))
        return std::nullopt;
    for (const Term &term : terms) {
      bool first = get(term.first), second = get(term.second);
      bool applies = false;
      switch (term.kind) {
      case Term::One:
        applies = first;
        break;
      case Term::Zero:
        applies = !first;
        break;
      case Term::OneAndZero:
        applies = first && !second;
        break;
      case Term::Require:
        if (first && !second)
          return std::nullopt;
        break;
      case Term::Equate:
        if (first != second)
          return std::nullopt;
        break;
      }
      cost += applies ? term.cost : 0;
    }
    return cost;
  }

  void build(MinCut &cut) const {
    for (unsigned i = 0; i < size; ++i)
      cut.addVariable();
    for (const std::vector<MinCut::Literal> &clause : clauses)
      cut.forbid(clause);
    for (const Term &term : terms) {
      switch (term.kind) {
      case Term::One:
        cut.addIfOne(term.first, term.cost);
        break;
      case Term::Zero:
        cut.addIfZero(term.first, term.cost);
        break;
      case Term::OneAndZero:
        cut.addIfOneAndZero(term.first, term.second, term.cost);
        break;
      case Term::Require:
        cut.require(term.first, term.second);
        break;
      case Term::Equate:
        cut.equate(term.first, term.second);
        break;
      }
    }
  }
};

Problem makeProblem(std::mt19937 &random) {
  Problem problem;
  problem.size = 1 + random() % 10;
  // Small costs make ties.
  int64_t top = random() % 2 ? 4 : 1000000;
  for (unsigned count = random() % 40; count > 0; --count) {
    auto kind = Problem::Term::Kind(random() % 5);
    if (kind == Problem::Term::Equate && random() % 4 != 0)
      kind = Problem::Term::OneAndZero;
    problem.terms.push_back({kind, MinCut::Node(random() % (problem.size + 2)),
                             MinCut::Node(random() % (problem.size + 2)),
                             MinCut::Cost(random() % top)});
  }
  return problem;
}

/// The same with some combinations of several variables forbidden.
Problem makeProblemWithClauses(std::mt19937 &random) {
  Problem problem = makeProblem(random);
  for (unsigned count = 1 + random() % 6; count > 0; --count) {
    std::vector<MinCut::Literal> &clause = problem.clauses.emplace_back();
    for (unsigned length = 1 + random() % 4; length > 0; --length)
      clause.push_back({MinCut::Node(random() % (problem.size + 2)), random() % 2 == 0});
  }
  return problem;
}

} // namespace

TEST(MinCut, IsTheCheapest) {
  std::mt19937 random(7);
  unsigned forbidden = 0, ties = 0;
  for (unsigned round = 0; round < 3000; ++round) {
    SCOPED_TRACE(round);
    Problem problem = makeProblem(random);
    std::optional<MinCut::Cost> least;
    unsigned common = ~0u, count = 0;
    for (unsigned bits = 0; bits < (1u << problem.size); ++bits) {
      std::optional<MinCut::Cost> cost = problem.price(bits);
      if (!cost || (least && *cost > *least))
        continue;
      if (!least || *cost < *least)
        common = ~0u, count = 0;
      least = cost;
      common &= bits;
      ++count;
    }
    MinCut cut;
    problem.build(cut);
    llvm::BitVector ones = cut.solve();
    ASSERT_EQ(ones.empty(), !least);
    if (!least) {
      ++forbidden;
      continue;
    }
    ties += count > 1;
    ASSERT_EQ(cut.getCost(), *least);
    unsigned bits = 0;
    for (unsigned i = 0; i < problem.size; ++i)
      bits |= unsigned(ones.test(i + 2)) << i;
    // Of equally cheap ones it is that with the ones that all of them have.
    ASSERT_EQ(bits, common);
  }
  EXPECT_GT(forbidden, 100u);
  EXPECT_GT(ties, 100u);
}

TEST(MinCut, IsTheCheapestOfWhatIsAllowed) {
  std::mt19937 random(8);
  unsigned forbidden = 0, found = 0;
  for (unsigned round = 0; round < 3000; ++round) {
    SCOPED_TRACE(round);
    Problem problem = makeProblemWithClauses(random);
    std::optional<MinCut::Cost> least;
    for (unsigned bits = 0; bits < (1u << problem.size); ++bits)
      if (std::optional<MinCut::Cost> cost = problem.price(bits))
        least = std::min(least.value_or(*cost), *cost);
    MinCut cut;
    problem.build(cut);
    llvm::BitVector ones = cut.solve();
    ASSERT_TRUE(cut.isExact());
    ASSERT_EQ(ones.empty(), !least);
    ++(least ? found : forbidden);
    if (!least)
      continue;
    ASSERT_EQ(cut.getCost(), *least);
    unsigned bits = 0;
    for (unsigned i = 0; i < problem.size; ++i)
      bits |= unsigned(ones.test(i + 2)) << i;
    ASSERT_EQ(problem.price(bits), least);
  }
  EXPECT_GT(forbidden, 100u);
  EXPECT_GT(found, 1000u);
}

TEST(MinCut, Constants) {
  MinCut cut;
  EXPECT_EQ(cut.solve().count(), 1u);
  cut.addIfOneAndZero(MinCut::kOne, MinCut::kZero, 5);
  cut.addIfOne(MinCut::kZero, 7);
  (void)cut.solve();
  EXPECT_EQ(cut.getCost(), 5);
}
