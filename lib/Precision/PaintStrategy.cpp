//===- PaintStrategy.cpp - islands of low ops, painted ----------------------===//

#include "PaintStrategy.h"
#include "Analysis/OpFacts.h"
#include "CastPlacement.h"
#include "Rules.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace amp;

namespace {

/// An op, or a tie of control flow, which is clear.
struct Node {
  enum Colour { Unpainted, Allow, Deny, Blocked } colour = Unpainted;
  Operation *op = nullptr; ///< Null for a tie.
  bool isClear = false;
  bool isFixed = false;    ///< By a rule or the user; its colour stays.
  bool readsOther = false; ///< Reads f32 that no node makes and that is no leaf.
  SmallVector<unsigned> from, to;

  /// Whether paint runs through it.
  bool isOpen() const { return colour == Unpainted; }
};

class Painter {
public:
  explicit Painter(const Graph &graph) : graph(graph), rules(graph) {}

  Assignment run();

private:
  void addOp(Operation *op);
  void addTies();
  void connect();
  void connect(Value value, unsigned reader);

  llvm::BitVector reach(Node::Colour start, bool forward) const;
  void spreadDeny();
  void fillBetween();
  void paintFollowers();
  void spreadThroughClear();
  void removeUnready();
  bool isReady(unsigned number) const;

  Decision describe(const Node &node) const;

  const Graph &graph;
  Rules rules;
  SmallVector<Node, 0> nodes;
  llvm::DenseMap<Operation *, unsigned> ofOps;
  llvm::DenseMap<Operation *, Decision> fixed;
  unsigned firstTie = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// The graph
//===----------------------------------------------------------------------===//

void Painter::addOp(Operation *op) {
  Node node;
  node.op = op;
  PrecisionClass ownClass = graph.classifier.classify(op).value;
  node.isClear = ownClass == PrecisionClass::Clear;
  if (std::optional<Decision> decided = rules.decide(op)) {
    node.isFixed = true;
    node.colour = decided->label == Decision::Low    ? Node::Allow
                  : decided->label == Decision::Keep ? Node::Blocked
                                                     : Node::Deny;
    // A part of a leaf is one.
    if (node.isClear && decided->label == Decision::F32 && op->getNumResults() == 1 &&
        graph.roles.getLeaf(op->getResult(0)))
      node.colour = Node::Blocked;
    fixed[op] = std::move(*decided);
  } else if (ownClass == PrecisionClass::Allow) {
    node.colour = Node::Allow;
  } else if (std::optional<Decision> unfit = rules.decideUnfit(op)) {
    node.isFixed = true;
    node.colour = Node::Deny;
    fixed[op] = std::move(*unfit);
  }
  ofOps[op] = nodes.size();
  nodes.push_back(std::move(node));
}

void Painter::addTies() {
  firstTie = nodes.size();
  for (const Tie &tie : graph.ties.getTies()) {
    Node node;
    node.isClear = true;
    node.isFixed = tie.isFixed || !rules.findUnfitRead(tie).empty();
    node.colour = node.isFixed ? Node::Blocked : Node::Unpainted;
    nodes.push_back(std::move(node));
  }
}

/// `reader` reads `value`, which an op or a tie makes; arguments and constants take any colour.
void Painter::connect(Value value, unsigned reader) {
  value = lookThroughCasts(value);
  unsigned maker;
  if (std::optional<unsigned> tie = graph.ties.lookup(value);
      tie && !nodes[firstTie + *tie].isFixed)
    maker = firstTie + *tie;
  else if (auto made = ofOps.find(value.getDefiningOp()); made != ofOps.end())
    maker = made->second;
  else {
    nodes[reader].readsOther |= isF32(value) && !graph.roles.getLeaf(value);
    return;
  }
  nodes[maker].to.push_back(reader);
  nodes[reader].from.push_back(maker);
}

void Painter::connect() {
  for (unsigned number = 0; number < firstTie; ++number)
    for (OpOperand &operand : nodes[number].op->getOpOperands())
      if (graph.isTypedNumber(operand))
        connect(operand.get(), number);
  for (auto [index, tie] : llvm::enumerate(graph.ties.getTies()))
    for (OpOperand *read : tie.reads)
      connect(read->get(), firstTie + index);
}

//===----------------------------------------------------------------------===//
// Painting
//===----------------------------------------------------------------------===//

/// The open nodes that a way through open nodes leads to from a node of the colour.
llvm::BitVector Painter::reach(Node::Colour start, bool forward) const {
  llvm::BitVector reached(nodes.size());
  SmallVector<unsigned> worklist;
  for (unsigned number = 0; number < nodes.size(); ++number)
    if (nodes[number].colour == start)
      worklist.push_back(number);
  while (!worklist.empty()) {
    const Node &node = nodes[worklist.pop_back_val()];
    for (unsigned next : forward ? node.to : node.from)
      if (nodes[next].isOpen() && !reached.test(next)) {
        reached.set(next);
        worklist.push_back(next);
      }
  }
  return reached;
}

/// Deny flows forward as far as the last infer or deny op; clear ops behind that stay open.
void Painter::spreadDeny() {
  llvm::BitVector behind = reach(Node::Deny, /*forward=*/true);
  SmallVector<unsigned> worklist;
  llvm::BitVector denied(nodes.size());
  for (unsigned number = 0; number < nodes.size(); ++number) {
    bool ends =
        nodes[number].colour == Node::Deny || (behind.test(number) && !nodes[number].isClear);
    if (!ends)
      continue;
    denied.set(number);
    worklist.push_back(number);
  }
  while (!worklist.empty())
    for (unsigned before : nodes[worklist.pop_back_val()].from)
      if (behind.test(before) && !denied.test(before)) {
        denied.set(before);
        worklist.push_back(before);
      }
  for (unsigned number : denied.set_bits())
    nodes[number].colour = Node::Deny;
}

void Painter::fillBetween() {
  llvm::BitVector between = reach(Node::Allow, /*forward=*/true);
  between &= reach(Node::Allow, /*forward=*/false);
  for (unsigned number : between.set_bits())
    nodes[number].colour = Node::Allow;
}

/// Infer ops that read an allow op.
void Painter::paintFollowers() {
  SmallVector<unsigned> followers;
  for (unsigned number = 0; number < nodes.size(); ++number)
    if (nodes[number].isOpen() && !nodes[number].isClear &&
        llvm::any_of(nodes[number].from,
                     [&](unsigned from) { return nodes[from].colour == Node::Allow; }))
      followers.push_back(number);
  for (unsigned number : followers)
    nodes[number].colour = Node::Allow;
}

void Painter::spreadThroughClear() {
  SmallVector<unsigned> worklist;
  for (unsigned number = 0; number < nodes.size(); ++number)
    if (nodes[number].colour == Node::Allow)
      worklist.push_back(number);
  while (!worklist.empty()) {
    unsigned number = worklist.pop_back_val();
    for (unsigned next : llvm::concat<unsigned>(nodes[number].from, nodes[number].to)) {
      if (!nodes[next].isOpen() || !nodes[next].isClear)
        continue;
      nodes[next].colour = Node::Allow;
      worklist.push_back(next);
    }
  }
}

/// Whether all that flows into the node is low: a rule forbids to make low what was computed in
/// f32, except for a contraction.
bool Painter::isReady(unsigned number) const {
  const Node &node = nodes[number];
  if (node.isFixed ||
      (node.op && graph.classifier.classify(node.op).value == PrecisionClass::Allow))
    return true;
  return !node.readsOther && llvm::all_of(node.from, [&](unsigned from) {
    const Node &maker = nodes[from];
    if (maker.colour == Node::Allow)
      return true;
    return maker.op && maker.isClear && graph.roles.getLeaf(maker.op->getResult(0));
  });
}

void Painter::removeUnready() {
  bool changed;
  do {
    changed = false;
    for (unsigned number = 0; number < nodes.size(); ++number)
      if (nodes[number].colour == Node::Allow && !isReady(number)) {
        nodes[number].colour = Node::Deny;
        changed = true;
      }
  } while (changed);
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

Decision Painter::describe(const Node &node) const {
  bool isLow = node.colour == Node::Allow;
  if (isLow && graph.classifier.classify(node.op).value == PrecisionClass::Allow)
    return rules.followLabel(node.op, isLow, "class allow");
  StringRef reason = isLow                       ? "painted allow"
                     : node.colour == Node::Deny ? "painted deny"
                                                 : "not painted";
  return rules.followLabel(node.op, isLow, reason);
}

Assignment Painter::run() {
  SmallVector<Operation *> derived;
  for (Operation *op : graph.roles.getOps()) {
    if (!graph.classifier.getModel(op) || isHalfCast(op) || getConstantAttribute(op))
      continue;
    if (rules.getLeader(op) && !rules.decideFirst(op))
      derived.push_back(op);
    else
      addOp(op);
  }
  addTies();
  connect();
  bool hasAllow = llvm::any_of(nodes, [](const Node &node) { return node.colour == Node::Allow; });
  if (hasAllow) {
    spreadDeny();
    fillBetween();
    paintFollowers();
    spreadThroughClear();
    removeUnready();
  }
  Assignment result(graph);
  for (unsigned number = 0; number < firstTie; ++number) {
    Operation *op = nodes[number].op;
    auto decided = fixed.find(op);
    result.set(op, decided != fixed.end() ? decided->second : describe(nodes[number]));
  }
  for (unsigned number = firstTie; number < nodes.size(); ++number)
    if (nodes[number].colour == Node::Allow)
      result.lowerTie(number - firstTie);
  // A backward op may have been derived from one that comes from elsewhere than autodiff.
  for (Operation *op : derived) {
    Operation *forward = rules.getLeader(op);
    result.set(op, rules.followForward(op, forward, result.lookup(forward)));
  }
  moveCastsBeforeClearOps(graph, result);
  return result;
}

Assignment amp::assignByPaint(const Graph &graph) { return Painter(graph).run(); }
