//===- InlineCalls.cpp - a function's body without calls ------------------===//

#include "InlineCalls.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace {

class CallInliner {
public:
  CallInliner(OpBuilder &builder, SymbolTableCollection &symbols)
      : builder(builder), symbols(symbols) {}

  /// Clones the body of `function`. `call` is what calls it, or null for the outermost function,
  /// and `callSite` where that stands, seen from the outermost function.
  FailureOr<SmallVector<Value>> cloneBody(func::FuncOp function, ValueRange arguments,
                                          func::CallOp call, LocationAttr callSite);

private:
  LogicalResult checkBody(func::FuncOp function, func::CallOp call);
  FailureOr<SmallVector<Value>> expandCall(func::CallOp call, ValueRange operands,
                                           LocationAttr callSite);
  LogicalResult cloneOp(Operation &op, IRMapping &mapping, LocationAttr callSite);

  OpBuilder &builder;
  SymbolTableCollection &symbols;
  /// The functions that are being cloned, from the outside in.
  SmallVector<func::FuncOp> stack;
};

} // namespace

LogicalResult CallInliner::checkBody(func::FuncOp function, func::CallOp call) {
  auto emitError = [&]() {
    return call ? call.emitError("cannot inline the call of @") << function.getName()
                : function.emitError("cannot expand @") << function.getName();
  };
  if (function.isExternal())
    return emitError() << ": it has no body; define it in this module";
  if (llvm::is_contained(stack, function))
    return emitError() << ": it calls itself; autodiff needs a graph without recursion";
  if (!function.getBody().hasOneBlock())
    return emitError() << ": it has " << function.getBody().getBlocks().size()
                       << " blocks; autodiff needs a graph of one block";
  if (!isa<func::ReturnOp>(function.getBody().front().getTerminator()))
    return emitError() << ": it does not end in a return";
  return success();
}

FailureOr<SmallVector<Value>> CallInliner::expandCall(func::CallOp call, ValueRange operands,
                                                      LocationAttr callSite) {
  // The verifier of func.call has found it before.
  auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(stack.back(), call.getCalleeAttr());
  return cloneBody(callee, operands, call, callSite);
}

/// The location in the function that the call at `callSite` called; itself without a call.
static Location inlineLocation(Location location, LocationAttr callSite) {
  return callSite ? Location(CallSiteLoc::get(location, Location(callSite))) : location;
}

LogicalResult CallInliner::cloneOp(Operation &op, IRMapping &mapping, LocationAttr callSite) {
  if (auto inner = dyn_cast<func::CallOp>(op)) {
    auto operands = llvm::map_to_vector(
        inner.getOperands(), [&](Value operand) { return mapping.lookupOrDefault(operand); });
    FailureOr<SmallVector<Value>> results =
        expandCall(inner, operands, inlineLocation(inner.getLoc(), callSite));
    if (failed(results))
      return failure();
    mapping.map(inner.getResults(), *results);
    return success();
  }
  Operation *clone = builder.clone(op, mapping);
  clone->walk(
      [&](Operation *nested) { nested->setLoc(inlineLocation(nested->getLoc(), callSite)); });
  SmallVector<func::CallOp> nestedCalls;
  clone->walk([&](func::CallOp nested) { nestedCalls.push_back(nested); });
  for (func::CallOp nested : nestedCalls) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(nested);
    FailureOr<SmallVector<Value>> results =
        expandCall(nested, nested.getOperands(), nested.getLoc());
    if (failed(results))
      return failure();
    nested.replaceAllUsesWith(*results);
    nested.erase();
  }
  return success();
}

FailureOr<SmallVector<Value>> CallInliner::cloneBody(func::FuncOp function, ValueRange arguments,
                                                     func::CallOp call, LocationAttr callSite) {
  if (failed(checkBody(function, call)))
    return failure();
  stack.push_back(function);
  Block &body = function.getBody().front();
  IRMapping mapping;
  mapping.map(body.getArguments(), arguments);
  for (Operation &op : body.without_terminator())
    if (failed(cloneOp(op, mapping, callSite)))
      return failure();
  stack.pop_back();
  return llvm::map_to_vector(body.getTerminator()->getOperands(),
                             [&](Value value) { return mapping.lookupOrDefault(value); });
}

FailureOr<SmallVector<Value>> amp::cloneWithoutCalls(OpBuilder &builder, func::FuncOp function,
                                                     ValueRange arguments,
                                                     SymbolTableCollection &symbols) {
  return CallInliner(builder, symbols).cloneBody(function, arguments, {}, {});
}
