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

/// What the table says, where the body changes nothing.
static BodySummary summarizeEntry(const OpEntry &entry) {
  return {entry.precisionClass, entry.kind, entry.why};
}

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
  if (onlyMoves(body))
    return {PrecisionClass::Clear, OpKind::Move, "", /*widensInside=*/true};
  BodySummary summary{PrecisionClass::InternalF32, OpKind::Other, "", /*widensInside=*/true};
  for (Operation &op : body.without_terminator()) {
    if (!holdsFloats(&op))
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
  Block &body = *op.getBlock();
  if (!llvm::all_of(op->getOperandTypes(), [](Type type) {
        return isa<RankedTensorType>(type) || type.isIntOrIndexOrFloat();
      }))
    return {PrecisionClass::Keep, OpKind::Other, "its operands are not all tensors and numbers"};
  if (isa<linalg::ElementwiseOp>(op)) {
    // Its body is built from its types, and computes in that of the result.
    const OpEntry *entry = lookupOpEntry(body.front().getName().getStringRef());
    return entry ? summarizeEntry(*entry) : BodySummary();
  }
  if (linalg::isaContractionOpInterface(op))
    return {PrecisionClass::Allow, OpKind::Contraction, ""};
  if (linalg::isaConvolutionOpInterface(op))
    return {PrecisionClass::Allow, OpKind::Convolution, ""};
  if (!holdsOnlyNarrowFloats(body))
    return {PrecisionClass::Keep, OpKind::Other, "its body holds another float type or a region"};
  if (op.getNumReductionLoops() == 0)
    return summarizeElementwise(body);
  return {PrecisionClass::InternalF32, OpKind::Other, "accumulates in its result (P3)",
          /*widensInside=*/true, /*hasF32Result=*/true};
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
    const OpEntry *entry = lookupOpEntry(op.getName().getStringRef());
    if (!holdsFloats(&op))
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
  for (Region &region : op->getRegions())
    if (!region.hasOneBlock() || !region.front().mightHaveTerminator() ||
        !canRetype(region.front()))
      return {PrecisionClass::Keep, entry.kind, "its region holds what cannot be made low"};
  Block &body = op->getRegions().back().front();
  if (entry.kind == OpKind::Scatter && !overwrites(body))
    return {PrecisionClass::Deny, entry.kind, "it accumulates (P3)"};
  if (entry.kind != OpKind::Reduce)
    return summarizeEntry(entry);
  switch (getCombiner(body)) {
  case OpKind::Max:
    return {PrecisionClass::Clear, OpKind::ReduceMax, entry.why};
  case OpKind::Min:
    return {PrecisionClass::Clear, OpKind::ReduceMin, entry.why};
  case OpKind::Add:
    return {PrecisionClass::Deny, OpKind::ReduceSum, "a sum is bounded by no operand (P3)"};
  case OpKind::Mul:
    return {PrecisionClass::Deny, OpKind::ReduceProduct, "a product is bounded by no operand (P3)"};
  default:
    return {PrecisionClass::Deny, entry.kind, "its region does not only compare"};
  }
}

BodySummary amp::summarizeBody(Operation *op, const OpEntry &entry) {
  if (isa<linalg::GenericOp, linalg::MapOp, linalg::ReduceOp, linalg::ElementwiseOp,
          linalg::ContractOp>(op))
    return summarizeGeneric(cast<linalg::LinalgOp>(op));
  return isa<linalg::LinalgOp>(op) ? summarizeEntry(entry) : summarizeRegions(op, entry);
}
