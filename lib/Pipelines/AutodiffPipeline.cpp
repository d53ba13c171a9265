//===- AutodiffPipeline.cpp - the autodiff stage --------------------------===//

#include "amp/Autodiff/Passes.h"
#include "amp/Pipelines/Pipelines.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

void amp::buildAutodiffPipeline(OpPassManager &manager) {
  manager.addPass(createBuildTrainingStep());
}

void amp::registerAutodiffPipeline() {
  PassPipelineRegistration<>("amp-stage-autodiff",
                             "expand each task into a step and an evaluation function",
                             buildAutodiffPipeline);
}
