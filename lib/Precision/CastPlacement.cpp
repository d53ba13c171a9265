//===- CastPlacement.cpp - where casts stand --------------------------------===//

#include "CastPlacement.h"
#include "Cut/CostModel.h"
#include "Rules.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace amp;

/// Whether every use of the f32 `value` reads it through a cast to the low type.
static bool isReadLow(Value value, const Assignment &assignment) {
  return !value.use_empty() && llvm::all_of(value.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    return isHalfCast(user) ? assignment.isLow(user->getResult(0)) : assignment.needsNarrowing(use);
  });
}

/// Whether a cast of what the op reads is worth more than one of what it gives: of a leaf if it is
/// no larger, for other ops may share it; of what is computed only if it is less.
static bool pays(Operation *op, const Graph &graph) {
  int64_t size = graph.settings.assumedSize;
  double before = countElements(op->getOperand(0).getType(), size);
  double after = countElements(op->getResult(0).getType(), size);
  return before < after || (before == after && graph.roles.getLeaf(op->getOperand(0)));
}

bool amp::mayMoveCastBefore(Operation *op, const Graph &graph) {
  const OpModel &model = graph.classifier.getModel(op);
  if (model.getKind() != OpKind::Move || op->getNumResults() != 1 || op->getNumOperands() == 0 ||
      !model.isNumber(0) || !isF32(op->getOperand(0)) || !isF32(op->getResult(0)))
    return false;
  return !graph.roles.feedsOnlyUpdate(op) && !graph.roles.isSeed(op->getOperand(0)) &&
         graph.classifier.classify(op).value == PrecisionClass::Clear && pays(op, graph);
}

/// A backward op stays f32 with its forward op (P8), which the user may have marked.
static bool staysWithForward(Operation *op, const Assignment &assignment) {
  Operation *forward = assignment.getGraph().roles.getForwardOp(op);
  return forward && assignment.getGraph().classifier.getModel(forward) &&
         assignment.lookup(forward).label == Decision::F32;
}

SmallVector<Operation *> amp::moveCastsBeforeClearOps(const Graph &graph, Assignment &assignment) {
  SmallVector<Operation *> moved;
  for (Operation *op : llvm::reverse(graph.roles.getOps())) {
    if (assignment.lookup(op).label != Decision::F32 || !mayMoveCastBefore(op, graph) ||
        staysWithForward(op, assignment) || !isReadLow(op->getResult(0), assignment))
      continue;
    assignment.set(op, makeDecision(Decision::Low, Decision::Narrow, "all its users read low"));
    moved.push_back(op);
  }
  return moved;
}
