//===- MatmulJit.cpp - matrix product kernels as callable functions -------===//

#include "MatmulJit.h"
#include "amp/Target/CPU/Passes.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include <mutex>

using namespace mlir;

namespace {
struct Engine : public amp::MatmulJit {
  llvm::Expected<void *> lookup(StringRef name) override {
    return engine->lookup(("_mlir_ciface_" + name).str());
  }

  std::unique_ptr<ExecutionEngine> engine;
};
} // namespace

static const char *const kLowering =
    "convert-linalg-to-loops,canonicalize,cse,arith-expand{include-bf16=true},convert-scf-to-cf,"
    "expand-strided-metadata,lower-affine,convert-math-to-llvm,convert-vector-to-llvm,convert-ub-"
    "to-llvm,"
    "convert-arith-to-llvm,convert-index-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,"
    "convert-cf-to-llvm,reconcile-unrealized-casts";

static LogicalResult lower(ModuleOp module, const amp::MatmulJit::Options &jitOptions) {
  static std::once_flag once;
  std::call_once(once, [] { registerAllPasses(); });
  PassManager pm(module.getContext());
  amp::CpuLowerMatmulOptions options;
  options.vectorBits = jitOptions.vectorBits;
  options.l2Bytes = jitOptions.l2Bytes;
  pm.addPass(amp::createCpuLowerMatmul(options));
  return success(succeeded(parsePassPipeline(kLowering, pm)) && succeeded(pm.run(module)));
}

static llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createMachine() {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  builder->setCodeGenOptLevel(llvm::CodeGenOptLevel::Default);
  builder->getOptions().AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return builder->createTargetMachine();
}

llvm::Expected<std::unique_ptr<amp::MatmulJit>> amp::MatmulJit::create(StringRef text,
                                                                       const Options &jitOptions) {
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllToLLVMIRTranslations(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  if (!module || failed(lower(*module, jitOptions)))
    return llvm::createStringError("the module cannot be lowered");
  auto machine = createMachine(), jitMachine = createMachine();
  if (!machine || !jitMachine)
    return llvm::joinErrors(machine.takeError(), jitMachine.takeError());
  auto optimise = makeOptimizingTransformer(2, 0, machine->get());
  ExecutionEngineOptions options;
  options.transformer = optimise;
  options.jitCodeGenOptLevel = llvm::CodeGenOptLevel::Aggressive;
  options.enablePerfNotificationListener = false;
  auto engine = ExecutionEngine::create(*module, options, std::move(*jitMachine));
  if (!engine)
    return engine.takeError();
  auto jit = std::make_unique<Engine>();
  jit->engine = std::move(*engine);
  return jit;
}
