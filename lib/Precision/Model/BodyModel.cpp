//===- BodyModel.cpp - what the scalar code inside an op says of it ---------===//

#include "BodyModel.h"
#include "../Analysis/OpFacts.h"
#include "OpModel.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace amp;

BodyKind amp::getBodyKind(Operation *op) {
  if (op->getNumRegions() == 0)
    return BodyKind::None;
  if (isa<linalg::LinalgOp>(op))
    return BodyKind::Element;
  const OpEntry *entry = lookupOpEntry(op->getName().getStringRef());
  return entry ? entry->body : BodyKind::Opaque;
}

//===----------------------------------------------------------------------===//
// linalg
//===----------------------------------------------------------------------===//

/// Whether all floats in the body are f32, or of a half type that a cast widens or narrows.
static bool holdsOnlyNarrowFloats(Block &body) {
  auto isNarrow = [](Type type) {
    auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
    return !element || element.isF32() || element.isF16() || element.isBF16();
  };
  return llvm::all_of(body.getArgumentTypes(), isNarrow) && llvm::all_of(body, [&](Operation &op) {
           return op.getNumRegions() == 0 && llvm::all_of(op.getResultTypes(), isNarrow);
         });
}

/// Whether the op only moves elements: its body yields arguments and constants.
static bool onlyMoves(Block &body) {
  return llvm::all_of(body.getTerminator()->getOperands(), [](Value value) {
    while (Operation *op = value.getDefiningOp()) {
      if (getKind(op) != OpKind::FloatCast)
        return false;
      value = op->getOperand(0);
    }
    return true;
  });
}

/// The strictest class of the ops in an elementwise body.
static BodySummary summarizeElementwise(Block &body) {
  BodySummary summary;
  summary.widensInside = true;
  summary.precisionClass = PrecisionClass::InternalF32;
  if (onlyMoves(body)) {
    summary.precisionClass = PrecisionClass::Clear;
    summary.kind = OpKind::Move;
    return summary;
  }
  for (Operation &op : body.without_terminator()) {
    if (llvm::none_of(op.getResultTypes(), hasFloatElements) &&
        llvm::none_of(op.getOperandTypes(), hasFloatElements))
      continue;
    const OpEntry *entry = lookupOpEntry(op.getName().getStringRef());
    OpKind kind = getKind(&op);
    if (kind == OpKind::Constant || kind == OpKind::FloatCast)
      continue;
    if (entry && entry->precisionClass != PrecisionClass::Deny &&
        entry->precisionClass != PrecisionClass::Keep)
      continue;
    summary.precisionClass = PrecisionClass::Deny;
    summary.reason = entry ? StringRef(entry->why) : "its body holds an op that is not known";
  }
  // One op is what the whole op is, to analyses.
  auto inner = body.without_terminator();
  if (llvm::hasSingleElement(inner))
    summary.kind = getKind(&*inner.begin());
  return summary;
}

static BodySummary summarizeGeneric(linalg::LinalgOp op) {
  BodySummary summary;
  Block &body = *op.getBlock();
  if (!llvm::all_of(op->getOperandTypes(), [](Type type) {
        return isa<RankedTensorType>(type) || type.isIntOrIndexOrFloat();
      })) {
    summary.precisionClass = PrecisionClass::Keep;
    summary.reason = "its operands are not all tensors and numbers";
    return summary;
  }
  if (isa<linalg::ElementwiseOp>(op)) {
    // Its body is built from its types, and computes in that of the result.
    const OpEntry *entry = lookupOpEntry(body.front().getName().getStringRef());
    summary.precisionClass = entry ? entry->precisionClass : PrecisionClass::Deny;
    summary.kind = getKind(&body.front());
    summary.reason = entry ? StringRef(entry->why) : StringRef();
    return summary;
  }
  if (linalg::isaContractionOpInterface(op) || linalg::isaConvolutionOpInterface(op)) {
    summary.precisionClass = PrecisionClass::Allow;
    summary.kind =
        linalg::isaContractionOpInterface(op) ? OpKind::Contraction : OpKind::Convolution;
    return summary;
  }
  if (!holdsOnlyNarrowFloats(body)) {
    summary.precisionClass = PrecisionClass::Keep;
    summary.reason = "its body holds another float type or a region";
    return summary;
  }
  if (op.getNumReductionLoops() == 0)
    return summarizeElementwise(body);
  summary.precisionClass = PrecisionClass::InternalF32;
  summary.widensInside = summary.hasF32Result = true;
  summary.reason = "accumulates in its result (P3)";
  return summary;
}

//===----------------------------------------------------------------------===//
// Regions of StableHLO and their like
//===----------------------------------------------------------------------===//

/// The ops before the last, whether or not that is registered as a terminator.
static llvm::iterator_range<Block::iterator> getInnerOps(Block &body) {
  return {body.begin(), body.empty() ? body.end() : std::prev(body.end())};
}

/// Whether every op in the body can be retyped with it.
static bool canRetype(Block &body) {
  return llvm::all_of(getInnerOps(body), [](Operation &op) {
    bool hasFloats = llvm::any_of(op.getResultTypes(), hasFloatElements) ||
                     llvm::any_of(op.getOperandTypes(), hasFloatElements);
    const OpEntry *entry = lookupOpEntry(op.getName().getStringRef());
    if (!hasFloats)
      return op.getNumRegions() == 0;
    if (!entry || op.getNumRegions() != 0)
      return false;
    return entry->kind == OpKind::Constant || entry->precisionClass == PrecisionClass::Promote ||
           entry->precisionClass == PrecisionClass::Clear;
  });
}

/// The kind of the one op that combines two numbers; `Other` if there is more to the body.
static OpKind getCombiner(Block &body) {
  auto ops = getInnerOps(body);
  return llvm::hasSingleElement(ops) ? getKind(&*ops.begin()) : OpKind::Other;
}

/// Whether the body gives its last argument: what a scatter writes replaces what was there.
static bool overwrites(Block &body) {
  Operation *terminator = body.getTerminator();
  return terminator->getNumOperands() == 1 && body.getNumArguments() == 2 &&
         terminator->getOperand(0) == body.getArgument(1);
}

static BodySummary summarizeRegions(Operation *op, const OpEntry &entry) {
  BodySummary summary;
  summary.precisionClass = entry.precisionClass;
  summary.kind = entry.kind;
  summary.reason = entry.why;
  auto deny = [&](StringRef reason) {
    summary.precisionClass = PrecisionClass::Deny;
    summary.reason = reason;
    return summary;
  };
  auto keep = [&](StringRef reason) {
    summary.precisionClass = PrecisionClass::Keep;
    summary.reason = reason;
    return summary;
  };
  for (Region &region : op->getRegions())
    if (!region.hasOneBlock() || !region.front().mightHaveTerminator() ||
        !canRetype(region.front()))
      return keep("its region holds what cannot be made low");
  if (op->getNumRegions() == 0)
    return summary;
  Block &body = op->getRegions().back().front();
  if (entry.kind == OpKind::Scatter)
    return overwrites(body) ? summary : deny("it accumulates (P3)");
  if (entry.kind != OpKind::Reduce)
    return summary;
  switch (getCombiner(body)) {
  case OpKind::Max:
    summary.kind = OpKind::ReduceMax;
    summary.precisionClass = PrecisionClass::Clear;
    return summary;
  case OpKind::Min:
    summary.kind = OpKind::ReduceMin;
    summary.precisionClass = PrecisionClass::Clear;
    return summary;
  case OpKind::Add:
    summary.kind = OpKind::ReduceSum;
    return deny("a sum is bounded by no operand (P3)");
  case OpKind::Mul:
    summary.kind = OpKind::ReduceProduct;
    return deny("a product is bounded by no operand (P3)");
  default:
    return deny("its region does not only compare");
  }
}

BodySummary amp::summarizeBody(Operation *op, const OpEntry &entry) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    if (isa<linalg::GenericOp, linalg::MapOp, linalg::ReduceOp, linalg::ElementwiseOp,
            linalg::ContractOp>(op))
      return summarizeGeneric(linalgOp);
    BodySummary summary;
    summary.precisionClass = entry.precisionClass;
    summary.kind = entry.kind;
    summary.reason = entry.why;
    return summary;
  }
  return summarizeRegions(op, entry);
}
