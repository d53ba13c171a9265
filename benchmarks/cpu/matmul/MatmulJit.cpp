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
#include "llvm/TargetParser/Host.h"
#include <mutex>
#include <unistd.h>

using namespace mlir;

namespace {
struct Engine : public amp::MatmulJit {
  llvm::Expected<void *> lookup(StringRef name) override {
    return engine->lookup(("_mlir_ciface_" + name).str());
  }

  std::unique_ptr<ExecutionEngine> engine;
};
} // namespace

unsigned amp::MatmulJit::hostVectorBits() {
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  return features.lookup("avx512f") ? 512 : features.lookup("avx2") ? 256 : 128;
}

int64_t amp::MatmulJit::hostL2Bytes() {
  long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
  return bytes > 0 ? bytes : int64_t(1) << 20;
}

static const char *const kLowering =
    "convert-linalg-to-loops,canonicalize,cse,arith-expand{include-bf16=true},convert-scf-to-cf,"
    "expand-strided-metadata,lower-affine,convert-vector-to-llvm,convert-ub-to-llvm,"
    "convert-arith-to-llvm,convert-index-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,"
    "convert-cf-to-llvm,reconcile-unrealized-casts";

static LogicalResult lower(ModuleOp module, const amp::MatmulJit::Options &jitOptions) {
  static std::once_flag once;
  std::call_once(once, [] { registerAllPasses(); });
  PassManager pm(module.getContext());
  amp::CpuLowerMatmulOptions options;
  options.vectorBits =
      jitOptions.vectorBits ? jitOptions.vectorBits : amp::MatmulJit::hostVectorBits();
  options.l2Bytes = jitOptions.l2Bytes ? jitOptions.l2Bytes : amp::MatmulJit::hostL2Bytes();
  pm.addPass(amp::createCpuLowerMatmul(options));
  return success(succeeded(parsePassPipeline(kLowering, pm)) && succeeded(pm.run(module)));
}

static llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createMachine(StringRef features) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  SmallVector<StringRef> changes;
  features.split(changes, ',', -1, /*KeepEmpty=*/false);
  for (StringRef change : changes)
    builder->addFeatures({change.str()});
  builder->setCodeGenOptLevel(llvm::CodeGenOptLevel::Aggressive);
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
  auto machine = createMachine(jitOptions.features),
       jitMachine = createMachine(jitOptions.features);
  if (!machine || !jitMachine)
    return llvm::joinErrors(machine.takeError(), jitMachine.takeError());
  auto optimise = makeOptimizingTransformer(3, 0, machine->get());
  ExecutionEngineOptions options;
  options.transformer = optimise;
  options.jitCodeGenOptLevel = llvm::CodeGenOptLevel::Aggressive;
  options.enablePerfNotificationListener = false;
  options.enableObjectDump = true;
  auto engine = ExecutionEngine::create(*module, options, std::move(*jitMachine));
  if (!engine)
    return engine.takeError();
  auto jit = std::make_unique<Engine>();
  jit->engine = std::move(*engine);
  return jit;
}
