//===- Amp.cpp - the precision pass ---------------------------------------===//
//
// One pass, so that it is all or nothing: it works on a copy of the module and swaps that in.
//
//===----------------------------------------------------------------------===//

#include "CastInsertion.h"
#include "LocalStrategy.h"
#include "LossScaling.h"
#include "MasterWeights.h"
#include "MinCutStrategy.h"
#include "PaintStrategy.h"
#include "Remarks.h"
#include "amp/Precision/Passes.h"
#include "amp/Precision/Summary.h"
#include "mlir/IR/Verifier.h"

namespace amp {
#define GEN_PASS_DEF_AMP
#include "amp/Precision/Passes.h.inc"
} // namespace amp

using namespace mlir;
using namespace amp;

/// A module that went through for another half type cannot take this one.
static LogicalResult checkLowType(ModuleOp module, FloatType low) {
  auto done = module->getAttrOfType<TypeAttr>(AmpDialect::kLowTypeAttr);
  if (!done || done.getValue() == low)
    return success();
  return emitError(module.getLoc(), "the module is mixed precision in ")
         << done << " already (attribute " << AmpDialect::kLowTypeAttr
         << "); run amp with dtype=" << spellHalfType(low) << " on the module it was made from";
}

static Assignment assign(const Graph &graph) {
  // From level O2 on there is nothing left to choose.
  if (graph.settings.level != Level::O1)
    return assignLocally(graph);
  switch (graph.settings.strategy) {
  case Strategy::Local:
    return assignLocally(graph);
  case Strategy::Paint:
    return assignByPaint(graph);
  case Strategy::MinCut:
    return assignByCut(graph);
  }
  llvm_unreachable("all cases return");
}

/// Decides for the whole module, then applies.
static void assignFunctions(ModuleOp module, const Settings &settings) {
  Graph graph(module, settings);
  Assignment assignment = assign(graph);
  emitRemarks(assignment);
  applyAssignment(assignment);
}

/// A run that lowers nothing is worth a word.
static void warnIfAllF32(ModuleOp module, FloatType low) {
  if (summarizePrecision(module, /*batchSize=*/1).lowOps != 0)
    return;
  emitWarning(module.getLoc(), "amp made no op ")
      << spellHalfType(low) << "; --remarks-filter=amp-precision shows why each op stays f32";
}

/// The whole stage on a module that may be left half done on failure.
static LogicalResult assignPrecision(ModuleOp module, const Settings &settings) {
  Classifier classifier(settings);
  if (failed(classifier.verifyAttributes(module)))
    return failure();
  bool hasMasters = settings.level != Level::O3;
  if (!hasMasters)
    lowerVariables(module, classifier, settings.low);
  assignFunctions(module, settings);
  eraseDeadCasts(module);
  if (hasMasters && settings.masters == MasterWeights::Resident &&
      failed(keepHalfCopies(module, settings.low)))
    return failure();
  if (failed(scaleLosses(module, settings)))
    return failure();
  eraseDeadCasts(module);
  module->setAttr(AmpDialect::kLowTypeAttr, TypeAttr::get(settings.low));
  return verify(module);
}

namespace {

struct Amp : amp::impl::AmpBase<Amp> {
  using AmpBase::AmpBase;

  void runOnOperation() final {
    ModuleOp module = getOperation();
    FailureOr<Settings> settings = resolveSettings(module, getOptions());
    if (failed(settings))
      return signalPassFailure();
    if (!settings->low || settings->policy.isEmpty())
      return;
    if (failed(checkLowType(module, settings->low)))
      return signalPassFailure();

    OwningOpRef<ModuleOp> copy = module.clone();
    if (failed(assignPrecision(*copy, *settings)))
      return signalPassFailure();
    module.getBodyRegion().takeBody(copy->getBodyRegion());
    module->setAttrs((*copy)->getAttrDictionary());
    warnIfAllF32(module, settings->low);
  }

private:
  AmpOptions getOptions() const {
    return {dtype,        level,         strategy,       target,        assumeDim, assumeTripCount,
            policy,       policyJson,    lossScale,      masterWeights, initScale, staticScale,
            growthFactor, backoffFactor, growthInterval, hysteresis,    minScale,  maxScale};
  }
};

} // namespace
