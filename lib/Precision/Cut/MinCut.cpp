//===- MinCut.cpp - the cheapest choice of many binary ones ----------------===//

#include "MinCut.h"
#include "llvm/ADT/STLExtras.h"
#include <lemon/preflow.h>
#include <lemon/static_graph.h>

using namespace amp;

void MinCut::add(Node from, Node to, Cost arcCost) {
  if (from == to || arcCost == 0 || to == kZero || from == kOne)
    return;
  if (from == kZero && to == kOne) {
    isImpossible |= arcCost >= kForbidden;
    fixedCost += arcCost;
    return;
  }
  arcs.push_back({from, to, arcCost});
}

//===----------------------------------------------------------------------===//
// Pairs: one cut
//===----------------------------------------------------------------------===//

MinCut::Solution MinCut::cut() const {
  // Forbidden arcs at the constants would flood the flow: what they fix is merged with them.
  llvm::SmallVector<llvm::SmallVector<Node, 2>> forcedOnes(numNodes), forcedZeros(numNodes);
  for (const Arc &arc : arcs)
    if (arc.cost >= kForbidden) {
      forcedOnes[arc.to].push_back(arc.from);  // to is 1, so from is
      forcedZeros[arc.from].push_back(arc.to); // from is 0, so to is
    }
  llvm::SmallVector<Node> place(numNodes, ~0u);
  auto spread = [&](Node start, auto &edges) {
    llvm::SmallVector<Node> worklist = {start};
    place[start] = start;
    while (!worklist.empty())
      for (Node next : edges[worklist.pop_back_val()]) {
        if (place[next] != ~0u && place[next] != start)
          return false;
        if (place[next] == ~0u) {
          place[next] = start;
          worklist.push_back(next);
        }
      }
    return true;
  };
  place[kOne] = kOne;
  place[kZero] = kZero;
  if (isImpossible || !spread(kOne, forcedOnes) || !spread(kZero, forcedZeros))
    return {};
  Node count = 2;
  for (Node node = 2; node < numNodes; ++node)
    if (place[node] == ~0u)
      place[node] = count++;

  llvm::SmallVector<Arc, 0> free;
  Solution solution;
  solution.cost = fixedCost;
  for (const Arc &arc : arcs) {
    Node from = place[arc.from], to = place[arc.to];
    if (from == to || from == kOne || to == kZero)
      continue;
    if (from == kZero && to == kOne)
      solution.cost += arc.cost;
    else
      free.push_back({from, to, arc.cost});
  }
  // A static graph numbers its arcs by their sources.
  llvm::sort(free, [](const Arc &lhs, const Arc &rhs) {
    return std::tie(lhs.from, lhs.to, lhs.cost) < std::tie(rhs.from, rhs.to, rhs.cost);
  });
  lemon::StaticDigraph graph;
  std::vector<std::pair<int, int>> ends;
  ends.reserve(free.size());
  for (const Arc &arc : free)
    ends.emplace_back(arc.from, arc.to);
  graph.build(int(count), ends.begin(), ends.end());
  using Capacities = lemon::StaticDigraph::ArcMap<Cost>;
  Capacities capacities(graph);
  for (auto [index, arc] : llvm::enumerate(free))
    capacities[lemon::StaticDigraph::arc(int(index))] = arc.cost;
  lemon::Preflow<lemon::StaticDigraph, Capacities> flow(graph, capacities, graph.node(kZero),
                                                        graph.node(kOne));
  flow.runMinCut();
  solution.cost += flow.flowValue();
  // What still reaches the target is 1 in every cheapest assignment, and nothing else needs to be:
  // the levels of the algorithm may be out of date.
  llvm::BitVector reaching(count);
  llvm::SmallVector<Node> worklist = {kOne};
  reaching.set(kOne);
  auto visit = [&](lemon::StaticDigraph::Node node) {
    Node id = Node(graph.id(node));
    if (!reaching.test(id)) {
      reaching.set(id);
      worklist.push_back(id);
    }
  };
  while (!worklist.empty()) {
    lemon::StaticDigraph::Node node = graph.node(int(worklist.pop_back_val()));
    for (lemon::StaticDigraph::InArcIt arc(graph, node); arc != lemon::INVALID; ++arc)
      if (flow.flow(arc) < capacities[arc])
        visit(graph.source(arc));
    for (lemon::StaticDigraph::OutArcIt arc(graph, node); arc != lemon::INVALID; ++arc)
      if (flow.flow(arc) > 0)
        visit(graph.target(arc));
  }
  solution.ones.resize(numNodes);
  for (Node node = 0; node < numNodes; ++node)
    if (reaching.test(place[node]))
      solution.ones.set(node);
  return solution;
}

/// The cut where some nodes have a value. Empty if they cannot have it.
MinCut::Solution MinCut::cutWith(llvm::ArrayRef<Literal> fixed) {
  size_t numArcs = arcs.size();
  bool wasImpossible = isImpossible;
  Cost costBefore = fixedCost;
  for (auto [node, isOne] : fixed)
    isOne ? require(kOne, node) : require(node, kZero);
  Solution solution = cut();
  arcs.truncate(numArcs);
  isImpossible = wasImpossible;
  fixedCost = costBefore;
  return solution;
}

//===----------------------------------------------------------------------===//
// More than pairs: a search
//===----------------------------------------------------------------------===//

void MinCut::forbid(llvm::ArrayRef<Literal> literals) {
  llvm::SmallVector<Literal, 4> clause;
  for (Literal literal : literals) {
    if (literal.node < 2) {
      if ((literal.node == kOne) != literal.isOne)
        return; // It never holds.
      continue;
    }
    auto known = llvm::find_if(clause, [&](Literal other) { return other.node == literal.node; });
    if (known == clause.end())
      clause.push_back(literal);
    else if (known->isOne != literal.isOne)
      return;
  }
  unsigned numOnes = llvm::count_if(clause, [](Literal literal) { return literal.isOne; });
  if (clause.size() > 2 || (clause.size() == 2 && numOnes != 1)) {
    clauses.push_back(std::move(clause));
    return;
  }
  Node one = kOne, zero = kZero;
  for (auto [node, isOne] : clause)
    (isOne ? one : zero) = node;
  require(one, zero);
}

std::vector<const llvm::SmallVector<MinCut::Literal, 4> *>
MinCut::findBroken(const llvm::BitVector &ones) const {
  std::vector<const llvm::SmallVector<Literal, 4> *> broken;
  for (const auto &clause : clauses)
    if (llvm::all_of(clause,
                     [&](Literal literal) { return ones.test(literal.node) == literal.isOne; }))
      broken.push_back(&clause);
  return broken;
}

/// Changes the first literal of whatever is broken until nothing is: an assignment that is allowed,
/// if not the cheapest. Empty if there is none on this way.
MinCut::Solution MinCut::repair(Solution start) {
  llvm::SmallVector<Literal> fixed;
  while (!start.ones.empty()) {
    auto broken = findBroken(start.ones);
    if (broken.empty())
      break;
    for (const auto *clause : broken)
      fixed.push_back({clause->front().node, !clause->front().isOne});
    start = cutWith(fixed);
  }
  return start;
}

/// Looks for what is cheaper than `best` and has the values `fixed`, of which `relaxed` is the cut.
void MinCut::search(llvm::SmallVectorImpl<Literal> &fixed, const Solution &relaxed,
                    Solution &best) {
  if (relaxed.ones.empty() || relaxed.cost >= best.cost)
    return;
  auto broken = findBroken(relaxed.ones);
  if (broken.empty()) {
    best = relaxed;
    return;
  }
  // One literal of the first must change: each in turn, those before it kept.
  size_t numFixed = fixed.size();
  for (Literal literal : *broken.front()) {
    if (cutsLeft-- <= 0) {
      exact = false;
      break;
    }
    fixed.push_back({literal.node, !literal.isOne});
    search(fixed, cutWith(fixed), best);
    fixed.back() = literal;
  }
  fixed.truncate(numFixed);
}

llvm::BitVector MinCut::solve() {
  exact = true;
  Solution relaxed = cut();
  Solution best = repair(relaxed);
  if (best.ones.empty())
    best.cost = kForbidden;
  // A cut takes about a microsecond an arc.
  constexpr int64_t kMostArcs = 4'000'000;
  cutsLeft = kMostArcs / int64_t(arcs.size() + 1);
  llvm::SmallVector<Literal> fixed;
  search(fixed, relaxed, best);
  cost = best.cost;
  return best.ones;
}
