//===- LowerCpu.cpp - stage 4: from train ops or linalg to the llvm dialect ===//

#include "amp/Conversion/Passes.h"
#include "amp/Pipelines/Pipelines.h"
#include "amp/Target/CPU/Passes.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Affine/Transforms/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/Tosa/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

static void addTosaToLinalg(OpPassManager &pm) {
  OpPassManager &func = pm.nest<func::FuncOp>();
  // Control flow first: its regions end in ops that the others would leave behind.
  func.addPass(createTosaToSCFPass());
  func.addPass(tosa::createTosaOptionalDecompositionsPass());
  func.addPass(tosa::createTosaInferShapesPass());
  func.addPass(tosa::createTosaMakeBroadcastablePass());
  func.addPass(tosa::createTosaToLinalgNamed());
  func.addPass(tosa::createTosaToLinalg());
  func.addPass(createTosaToArithPass());
  func.addPass(createTosaToTensorPass());
}

/// Fuses before it looks for common subexpressions: what two ops share is not fused into either.
static void addFusion(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(amp::createCpuDecomposeSoftmax());
  pm.addNestedPass<func::FuncOp>(amp::createCpuGeneralizeNamedOps());
  pm.addPass(createLinalgElementwiseOpFusionPass());
  pm.addPass(createCSEPass());
  pm.addNestedPass<func::FuncOp>(amp::createCpuSeparateDestinations());
}

void amp::buildConvertToLinalgPipeline(OpPassManager &pm) {
  pm.addPass(createCpuVerifyData());
  pm.addPass(createCpuStripFastMath());
  pm.addPass(createInlinerPass());
  pm.addPass(createSymbolDCEPass());
  addTosaToLinalg(pm);
  // Before train ops lose their names, and before fusion takes tensors away.
  pm.addNestedPass<func::FuncOp>(createInsertShapeChecks());
  pm.addPass(createConvertTrainToLinalg());
  pm.addPass(createConvertTensorToLinalgPass());
  pm.addNestedPass<func::FuncOp>(createConvertElementwiseToLinalgPass());
  addFusion(pm);
  // State comes last: fusion takes away the destinations that it gives to new values.
  pm.addPass(createConvertStateToArguments());
}

static void addBufferization(OpPassManager &pm) {
  bufferization::OneShotBufferizePassOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.functionBoundaryTypeConversion = bufferization::LayoutMapOption::IdentityLayoutMap;
  options.bufferAlignment = 64;
  options.allowReturnAllocsFromLoops = true;
  pm.addPass(amp::createCpuVerifyBufferizable());
  pm.addPass(bufferization::createOneShotBufferizePass(options));
  pm.addNestedPass<func::FuncOp>(bufferization::createBufferHoistingPass());
  pm.addNestedPass<func::FuncOp>(bufferization::createBufferLoopHoistingPass());
  pm.addPass(memref::createExpandReallocPass(memref::ExpandReallocPassOptions{false}));
  pm.addPass(bufferization::createOwnershipBasedBufferDeallocationPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(bufferization::createBufferDeallocationSimplificationPass());
  pm.addPass(bufferization::createLowerDeallocationsPass());
  pm.addPass(createCSEPass());
  pm.addPass(createCanonicalizerPass());
  pm.addNestedPass<func::FuncOp>(bufferization::createOptimizeAllocationLivenessPass());
  pm.addPass(createConvertBufferizationToMemRefPass());
}

static void addLoopsToLlvm(OpPassManager &pm) {
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(amp::createCpuLowerAsserts());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createConvertMathToLLVMPass());
  // Takes vectors apart: before their conversion.
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createConvertVectorToLLVMPass());
  pm.addPass(createUBToLLVMConversionPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
}

void amp::buildLowerLinalgPipeline(OpPassManager &pm, const CpuShape &shape) {
  addBufferization(pm);
  CpuLowerMatmulOptions matmul;
  matmul.vectorBits = shape.vectorBits;
  matmul.l2Bytes = shape.l2Bytes;
  pm.addPass(createCpuLowerMatmul(matmul));
  pm.addNestedPass<func::FuncOp>(createCpuVectorizeLinalg());
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  pm.addPass(createCpuExpandCasts());
  pm.addPass(createCpuExpandMath());
  addLoopsToLlvm(pm);
  pm.addPass(amp::createCpuStoreBF16AsIntegers());
  pm.addPass(amp::createCpuVerifyLowered());
}

void amp::buildLowerCpuPipeline(OpPassManager &pm) {
  buildConvertToLinalgPipeline(pm);
  buildLowerLinalgPipeline(pm, CpuShape());
}

void amp::registerLowerCpuPipeline() {
  PassPipelineRegistration<>("amp-stage-lower-cpu",
                             "lower train ops, TOSA or linalg to the llvm dialect for the CPU",
                             buildLowerCpuPipeline);
}
