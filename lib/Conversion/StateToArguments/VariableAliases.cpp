//===- VariableAliases.cpp - which tensors may lie in a variable's memory -===//

#include "VariableAliases.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace amp::conversion;

/// The values in whose memory `value` may lie: what its op updates or looks at, or, of an op not
/// known here, everything that it sees.
static void collectSources(Value value, SmallVectorImpl<Value> &sources) {
  Operation *op = value.getDefiningOp();
  if (!op) {
    // A loop-carried value, or an argument of the function, which has no sources.
    if (Operation *parent = cast<BlockArgument>(value).getOwner()->getParentOp();
        parent && parent->getNumResults() > 0)
      llvm::append_range(sources, parent->getOperands());
    else
      return;
    op = cast<BlockArgument>(value).getOwner()->getParentOp();
  } else if (auto destination = dyn_cast<DestinationStyleOpInterface>(op)) {
    sources.push_back(destination.getTiedOpOperand(cast<OpResult>(value))->get());
    return;
  } else if (isa<tensor::EmptyOp, tensor::FromElementsOp, bufferization::AllocTensorOp>(op)) {
    return;
  } else {
    llvm::append_range(sources, op->getOperands());
  }
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (!block.empty())
        llvm::append_range(sources, block.back().getOperands());
}

Names VariableAliases::find(Value value) const {
  Names found;
  SmallVector<Value> worklist = {value};
  llvm::DenseSet<Value> visited;
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    if (!isa<TensorType>(next.getType()) || !visited.insert(next).second)
      continue;
    if (StringAttr name = names.lookup(next))
      found.insert(name);
    else
      collectSources(next, worklist);
  }
  return found;
}

bool VariableAliases::mayBeWritten(Value value, llvm::function_ref<bool(Operation *)> isAllowed) {
  SmallVector<Value> worklist = {value};
  while (!worklist.empty()) {
    for (OpOperand &use : worklist.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      if (isAllowed(user) || isa<tensor::ExtractOp, tensor::DimOp>(user))
        continue;
      if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp,
              tensor::ExtractSliceOp>(user)) {
        worklist.push_back(user->getResult(0));
        continue;
      }
      auto destination = dyn_cast<DestinationStyleOpInterface>(user);
      bool reads = destination ? destination.isDpsInput(&use)
                               : user->hasTrait<OpTrait::ReturnLike>() && user->getParentOp() &&
                                     user->getParentOp()->getNumResults() == 0;
      if (!reads)
        return true;
    }
  }
  return false;
}
