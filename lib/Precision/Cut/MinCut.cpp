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
    fixed += arcCost;
    return;
  }
  arcs.push_back({from, to, arcCost});
}

llvm::BitVector MinCut::solve() {
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
  cost = fixed;
  for (const Arc &arc : arcs) {
    Node from = place[arc.from], to = place[arc.to];
    if (from == to || from == kOne || to == kZero)
      continue;
    if (from == kZero && to == kOne)
      cost += arc.cost;
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
  cost += flow.flowValue();
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
  llvm::BitVector ones(numNodes);
  for (Node node = 0; node < numNodes; ++node)
    if (reaching.test(place[node]))
      ones.set(node);
  return ones;
}
