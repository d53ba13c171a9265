//===- Summary.cpp - what a module's precision comes to -------------------===//

#include "amp/Precision/Summary.h"
#include "Analysis/OpFacts.h"
#include "GraphRoles.h"
#include "amp/Dialect/Amp/IR/Amp.h"
#include "amp/Dialect/Train/IR/Train.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace amp;
using namespace amp::train;

/// Bytes of a value of `type`; i1 takes one byte.
static int64_t countBytes(Type type, int64_t batchSize) {
  Type element = getElementTypeOrSelf(type);
  if (!element.isIntOrFloat())
    return 0;
  int64_t bytes = std::max<int64_t>(1, element.getIntOrFloatBitWidth() / 8);
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasRank())
    return bytes;
  for (int64_t dim : shaped.getShape())
    bytes *= ShapedType::isDynamic(dim) ? batchSize : dim;
  return bytes;
}

/// Whether an op with a model reads, as a number that decides, or gives a half type.
static bool isLowOp(Operation *op, const OpModel &model) {
  for (OpOperand &operand : op->getOpOperands()) {
    unsigned index = operand.getOperandNumber();
    if (model.getClass() == PrecisionClass::Allow && model.isNumber(index) &&
        !model.readsAnyType(index) && isHalf(operand.get().getType()))
      return true;
  }
  return llvm::any_of(op->getResultTypes(), isHalf);
}

static void countOps(FunctionOpInterface function, PrecisionSummary &summary) {
  OpModels models;
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto next = getBodyKind(op) == BodyKind::Element ? WalkResult::skip() : WalkResult::advance();
    if (isHalfCast(op)) {
      ++summary.casts;
      return next;
    }
    const OpModel &model = models.get(op);
    if (model && model.getClass() != PrecisionClass::Keep) {
      if (holdsFloats(op))
        ++(isLowOp(op, model) ? summary.lowOps : summary.f32Ops);
      return next;
    }
    bool isOurs = isa<ReadOp, SeedOp>(op) || isa_and_nonnull<AmpDialect>(op->getDialect());
    if (!isOurs && !getConstantAttribute(op) && givesFloats(op))
      ++summary.keptOps;
    return next;
  });
}

/// Whether the forward pass computed `value`: a forward op, or a cast of what it has.
static bool isActivation(Value value) {
  Operation *op = value.getDefiningOp();
  bool isCast = false;
  while (auto cast = dyn_cast_or_null<amp::CastOp>(op)) {
    isCast = true;
    op = cast.getInput().getDefiningOp();
  }
  return op ? op->hasAttr(TrainDialect::kForwardAttr) && !matchPattern(op, m_Constant()) : isCast;
}

static void countStep(FunctionOpInterface step, int64_t batchSize, PrecisionSummary &summary) {
  llvm::SetVector<Value> activations, gradients;
  step->walk([&](Operation *op) {
    if (isa<GlobalNormOp, CheckGradientsOp>(op)) {
      for (Value operand : op->getOperands())
        if (cast<ShapedType>(operand.getType()).getRank() != 0 || isa<GlobalNormOp>(op))
          gradients.insert(operand);
      return;
    }
    if (!op->hasAttr(TrainDialect::kGradientOfAttr))
      return;
    for (Value operand : op->getOperands())
      if (isActivation(operand))
        activations.insert(operand);
  });
  for (Value value : activations)
    summary.activationBytes += countBytes(value.getType(), batchSize);
  for (Value value : gradients)
    summary.gradientBytes += countBytes(value.getType(), batchSize);
}

static void countVariables(ModuleOp module, PrecisionSummary &summary) {
  for (auto variable : module.getOps<VariableOp>()) {
    int64_t bytes = countBytes(variable.getTensorType(), /*batchSize=*/1);
    switch (variable.getRole()) {
    case VariableRole::Parameter:
    case VariableRole::Frozen:
      summary.weightBytes += bytes;
      break;
    case VariableRole::HalfCopy:
      summary.halfCopyBytes += bytes;
      break;
    case VariableRole::OptimizerState:
      summary.optimizerBytes += bytes;
      break;
    case VariableRole::Counter:
    case VariableRole::ScaleState:
      break;
    }
  }
}

PrecisionSummary amp::summarizePrecision(ModuleOp module, int64_t batchSize) {
  PrecisionSummary summary;
  countVariables(module, summary);
  SmallVector<FunctionOpInterface> functions;
  module.walk<WalkOrder::PreOrder>([&](FunctionOpInterface function) {
    functions.push_back(function);
    return WalkResult::skip();
  });
  auto isStep = [](FunctionOpInterface function) {
    return function->hasAttr(TrainDialect::kStepOfAttr);
  };
  bool hasStep = llvm::any_of(functions, isStep);
  for (FunctionOpInterface function : functions) {
    if (hasStep && !isStep(function))
      continue;
    countOps(function, summary);
    countStep(function, batchSize, summary);
  }
  return summary;
}
