//===- ConvertStateToArguments.cpp - variables as memref arguments --------===//

#include "StateRewriter.h"
#include "amp/Conversion/Passes.h"
#include "mlir/Interfaces/CallInterfaces.h"

namespace amp {
#define GEN_PASS_DEF_CONVERTSTATETOARGUMENTS
#include "amp/Conversion/Passes.h.inc"
} // namespace amp

using namespace mlir;
using namespace amp;
using namespace amp::conversion;

/// Erases tasks, their losses and metrics, and private functions, as far as nothing calls them.
static void eraseUnused(ModuleOp module) {
  llvm::DenseSet<StringAttr> ofTasks;
  for (auto task : llvm::make_early_inc_range(module.getOps<train::TaskOp>())) {
    ofTasks.insert(task.getLossAttr().getAttr());
    if (FlatSymbolRefAttr metric = task.getMetricAttr())
      ofTasks.insert(metric.getAttr());
    task.erase();
  }
  // A function that goes may have been the last to call another.
  bool changed = true;
  while (changed) {
    changed = false;
    SymbolTableCollection tables;
    SymbolUserMap users(tables, module);
    for (auto function : llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
      bool isNeeded = function.isPublic() && !ofTasks.contains(function.getSymNameAttr());
      if (isNeeded || !users.useEmpty(function))
        continue;
      function.erase();
      changed = true;
    }
  }
}

/// Fails if a function that uses variables is called: the caller does not have its arguments.
static LogicalResult verifyCalls(ModuleOp module) {
  llvm::DenseSet<StringAttr> withState;
  for (auto function : module.getOps<func::FuncOp>()) {
    function.walk([&](Operation *op) {
      if (isa<train::ReadOp, train::AssignOp>(op))
        withState.insert(function.getSymNameAttr());
    });
  }
  WalkResult result = module.walk([&](func::CallOp call) {
    StringAttr callee = call.getCalleeAttr().getAttr();
    if (!withState.contains(callee))
      return WalkResult::advance();
    call.emitOpError("calls @") << callee.getValue() << ", which uses variables; inline it first";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

namespace {
struct ConvertStateToArguments
    : public amp::impl::ConvertStateToArgumentsBase<ConvertStateToArguments> {
  using ConvertStateToArgumentsBase::ConvertStateToArgumentsBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    eraseUnused(module);
    if (failed(verifyCalls(module)))
      return signalPassFailure();
    auto functions = llvm::filter_to_vector(module.getOps<func::FuncOp>(),
                                            [](func::FuncOp op) { return !op.isExternal(); });
    for (func::FuncOp function : functions)
      if (failed(verifyStateUses(function)))
        return signalPassFailure();
    auto variables = llvm::to_vector(module.getOps<train::VariableOp>());
    for (func::FuncOp function : functions)
      StateRewriter(function, variables).run();
    for (train::VariableOp variable : variables)
      variable.erase();
  }
};
} // namespace
