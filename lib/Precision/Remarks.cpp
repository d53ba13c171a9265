//===- Remarks.cpp - tells why each op got its precision ------------------===//

#include "Remarks.h"
#include "Analysis/OpFacts.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace amp;

static void emitDecision(Operation *op, const Assignment &assignment, const Decision &decision,
                         remark::RemarkOpts options) {
  StringRef low = spellHalfType(assignment.getLow());
  StringRef name = op->getName().getStringRef();
  bool hasF32Result = llvm::any_of(
      op->getResults(), [&](Value value) { return isF32(value) && !assignment.isLow(value); });
  switch (decision.label) {
  case Decision::Low:
    remark::passed(op->getLoc(), options)
        << llvm::formatv("'{0}' is {1}{2}: {3}", name, low,
                         hasF32Result ? " with an f32 result" : "", decision.reason)
               .str();
    break;
  case Decision::F32:
    remark::missed(op->getLoc(), options)
        << llvm::formatv("'{0}' stays f32: {1}", name, decision.reason).str();
    break;
  case Decision::Keep:
    remark::analysis(op->getLoc(), options)
        << llvm::formatv("'{0}' is left alone: {1}", name, decision.reason).str();
    break;
  }
  if (!decision.overruled.empty())
    remark::failed(op->getLoc(), options)
        << llvm::formatv("'{0}' is {1} by the user's choice against a rule: {2}", name, low,
                         decision.overruled)
               .str();
}

void amp::emitRemarks(const Assignment &assignment) {
  const Graph &graph = assignment.getGraph();
  ArrayRef<Operation *> ops = graph.roles.getOps();
  // Without a listener the texts would be made for nothing.
  if (ops.empty() || !ops.front()->getContext()->getRemarkEngine())
    return;
  FunctionOpInterface function;
  auto options = remark::RemarkOpts::name("assign").category("amp-precision");
  for (Operation *op : ops) {
    // A constant is what its readers make of it, and a cast is not decided.
    if (!graph.classifier.getModel(op) || !holdsFloats(op) || isHalfCast(op) ||
        getConstantAttribute(op))
      continue;
    if (!function || !function->isProperAncestor(op))
      function = op->getParentOfType<FunctionOpInterface>();
    emitDecision(op, assignment, assignment.lookup(op), options.function(function.getName()));
  }
}
