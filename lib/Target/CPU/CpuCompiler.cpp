//===- CpuCompiler.cpp - lowering, optimisation and JIT -------------------===//

#include "amp/Target/CPU/CpuCompiler.h"
#include "CpuCompilerDetail.h"
#include "amp/Dialect/Amp/IR/Amp.h"
#include "amp/Dialect/Train/IR/Train.h"
#include "amp/InitAll.h"
#include "amp/Pipelines/Pipelines.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <cstdlib>
#include <unistd.h>

using namespace mlir;

namespace {

/// Collects errors and their notes as text; passes everything else on.
class ErrorCollector : public ScopedDiagnosticHandler {
public:
  explicit ErrorCollector(MLIRContext *context)
      : ScopedDiagnosticHandler(context), context(context),
        printedOps(context->shouldPrintOpOnDiagnostic()) {
    // A function's whole text is no help in a message.
    context->printOpOnDiagnostic(false);
    setHandler([this](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
        return failure();
      append(diagnostic, "error");
      for (Diagnostic &note : diagnostic.getNotes())
        append(note, "note");
      return success();
    });
  }

  ~ErrorCollector() { context->printOpOnDiagnostic(printedOps); }

  /// What was collected, else `fallback`.
  llvm::Error take(StringRef fallback) {
    return llvm::createStringError(text.empty() ? fallback : StringRef(text).rtrim());
  }

private:
  void append(Diagnostic &diagnostic, const char *severity) {
    llvm::raw_string_ostream os(text);
    if (auto location = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>())
      os << location.getFilename().getValue() << ":" << location.getLine() << ":"
         << location.getColumn() << ": ";
    os << severity << ": " << diagnostic.str() << "\n";
  }

  MLIRContext *context;
  bool printedOps;
  std::string text;
};

} // namespace

static void prepareContext(MLIRContext &context) {
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllToLLVMIRTranslations(registry);
  amp::registerAllDialects(registry);
  context.appendDialectRegistry(registry);
}

static LogicalResult runPipeline(ModuleOp module, function_ref<void(OpPassManager &)> build) {
  PassManager pm(module.getContext());
  build(pm);
  return pm.run(module);
}

/// Removes our attributes from arguments and results: the signatures are recorded, and the
/// translation to LLVM IR would warn about each.
static void dropValueAttributes(func::FuncOp func) {
  auto isForeign = [](NamedAttribute attribute) {
    return !isa_and_nonnull<amp::train::TrainDialect, amp::AmpDialect>(attribute.getNameDialect());
  };
  auto keepForeign = [&](DictionaryAttr attributes) {
    return DictionaryAttr::get(
        func.getContext(),
        llvm::to_vector(llvm::make_filter_range(
            attributes ? attributes.getValue() : ArrayRef<NamedAttribute>(), isForeign)));
  };
  for (unsigned index = 0; index < func.getNumArguments(); ++index)
    func.setArgAttrs(index, keepForeign(func.getArgAttrDict(index)));
  for (unsigned index = 0; index < func.getNumResults(); ++index)
    func.setResultAttrs(index, keepForeign(func.getResultAttrDict(index)));
}

/// Gives the functions that are called from outside their C interface.
static LogicalResult prepareInterfaces(ModuleOp module) {
  for (auto func : module.getOps<func::FuncOp>()) {
    if (func.isExternal())
      return func.emitOpError("has no body; define it in the module, nothing is linked to it");
    dropValueAttributes(func);
    if (func.isPublic())
      func->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(), UnitAttr::get(func.getContext()));
  }
  return success();
}

/// Leaves only the entry points visible, so that LLVM optimises what is called and nothing else.
static void keepEntryPoints(llvm::Module &module) {
  constexpr StringRef kEntry = "_mlir__mlir_ciface_", kWrapper = "_mlir_";
  for (llvm::Function &function : llvm::make_early_inc_range(module)) {
    if (function.isDeclaration() || function.getName().starts_with(kEntry))
      continue;
    if (function.getName().starts_with(kWrapper) &&
        !function.getName().starts_with("_mlir_ciface_")) {
      function.eraseFromParent();
      continue;
    }
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
}

static void preferWideVectors(llvm::Module &module, const llvm::TargetMachine &machine) {
  if (!machine.getTargetTriple().isX86())
    return;
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      function.addFnAttr("prefer-vector-width", "512");
}

static std::string printAssembly(llvm::Module &module, llvm::TargetMachine &machine) {
  std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module);
  SmallString<0> text;
  llvm::raw_svector_ostream os(text);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, os, nullptr, llvm::CodeGenFileType::AssemblyFile))
    return "";
  passes.run(*copy);
  return text.str().str();
}

/// The changes to the host's features that the options and the environment ask for.
static std::string getFeatureChanges(const amp::CpuOptions &options) {
  std::string features = options.features;
  if (const char *more = std::getenv("AMP_CPU_FEATURES"))
    features += (features.empty() ? "" : ",") + std::string(more);
  return features;
}

static amp::CpuShape getShape(const llvm::TargetMachine &machine) {
  // Not the feature string: what it adds, it may take away again further on.
  const llvm::MCSubtargetInfo *features = machine.getMCSubtargetInfo();
  amp::CpuShape shape;
  shape.vectorBits = !machine.getTargetTriple().isX86()    ? 128
                     : features->checkFeatures("+avx512f") ? 512
                     : features->checkFeatures("+avx2")    ? 256
                                                           : 128;
  if (long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE); bytes > 0)
    shape.l2Bytes = bytes;
  return shape;
}

static llvm::Error createEngine(ModuleOp module, const amp::CpuOptions &options,
                                amp::CompiledModule::Impl &impl);

llvm::Expected<std::unique_ptr<amp::CompiledModule>> amp::compileForCpu(ModuleOp module,
                                                                        const CpuOptions &options) {
  prepareContext(*module.getContext());
  ErrorCollector errors(module.getContext());
  if (failed(runPipeline(module, buildConvertToLinalgPipeline)))
    return errors.take("conversion to linalg failed");
  auto functions = describeFunctions(module);
  if (failed(functions) || failed(prepareInterfaces(module)))
    return errors.take("the module has functions that cannot be called");
  auto impl = std::make_unique<CompiledModule::Impl>();
  auto machine = createHostMachine(getFeatureChanges(options), options.optLevel);
  if (!machine)
    return machine.takeError();
  impl->machine = std::move(*machine);
  CpuShape shape = getShape(*impl->machine);
  if (failed(runPipeline(module, [&](OpPassManager &pm) { buildLowerLinalgPipeline(pm, shape); })))
    return errors.take("lowering for the CPU failed");

  if (options.keepLowered)
    llvm::raw_string_ostream(impl->lowered) << *module;
  if (llvm::Error error = createEngine(module, options, *impl))
    return errors.take(llvm::toString(std::move(error)));
  impl->functions = std::move(*functions);
  for (auto [index, function] : llvm::enumerate(impl->functions)) {
    impl->index[function.name] = index;
    auto entry = impl->engine->lookupPacked("_mlir_ciface_" + function.name);
    if (!entry)
      return entry.takeError();
    impl->entries.push_back(*entry);
  }
  return std::unique_ptr<CompiledModule>(new CompiledModule(std::move(impl)));
}

static llvm::Error createEngine(ModuleOp module, const amp::CpuOptions &options,
                                amp::CompiledModule::Impl &impl) {
  auto jitMachine = amp::createHostMachine(getFeatureChanges(options), options.optLevel);
  if (!jitMachine)
    return jitMachine.takeError();
  auto optimise = makeOptimizingTransformer(options.optLevel, 0, impl.machine.get());
  impl.transformer = [&impl, optimise, keep = options.keepSource](llvm::Module *llvmModule) {
    keepEntryPoints(*llvmModule);
    preferWideVectors(*llvmModule, *impl.machine);
    llvm::Error error = optimise(llvmModule);
    if (keep) {
      llvm::raw_string_ostream(impl.llvm) << *llvmModule;
      impl.assembly = printAssembly(*llvmModule, *impl.machine);
    }
    amp::addAddressChecks(*llvmModule, *impl.machine);
    return error;
  };
  ExecutionEngineOptions engineOptions;
  engineOptions.transformer = impl.transformer;
  engineOptions.jitCodeGenOptLevel = (*jitMachine)->getOptLevel();
  engineOptions.enablePerfNotificationListener = false;
  auto engine = ExecutionEngine::create(module, engineOptions, std::move(*jitMachine));
  if (!engine)
    return engine.takeError();
  impl.engine = std::move(*engine);
  amp::registerHalfHelpers(*impl.engine);
  amp::registerCallHooks(*impl.engine);
  return llvm::Error::success();
}
