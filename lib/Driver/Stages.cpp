//===- Stages.cpp - a model's way through the compiler stages -------------===//

#include "Stages.h"
#include "amp/InitAll.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include <mutex>

using namespace mlir;
using namespace amp;

/// The passes of the process, registered once.
static void registerPassesOnce() {
  static std::once_flag once;
  std::call_once(once, [] {
    mlir::registerAllPasses();
    amp::registerAllPasses();
  });
}

struct StageContext::Impl {
  static DialectRegistry createRegistry() {
    DialectRegistry registry;
    mlir::registerAllDialects(registry);
    mlir::registerAllExtensions(registry);
    amp::registerAllDialects(registry);
    return registry;
  }

  Impl()
      : context(createRegistry()), sourceManager(std::make_shared<llvm::SourceMgr>()),
        handler(*sourceManager, &context) {}

  MLIRContext context;
  std::shared_ptr<llvm::SourceMgr> sourceManager;
  SourceMgrDiagnosticHandler handler;
};

StageContext::StageContext() {
  registerPassesOnce();
  impl = std::make_unique<Impl>();
}
StageContext::~StageContext() = default;
MLIRContext &StageContext::get() { return impl->context; }

OwningOpRef<ModuleOp> StageContext::load(const std::string &path) {
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> file = openInputFile(path, &error);
  if (!file) {
    llvm::errs() << "error: " << error << "\n";
    return {};
  }
  impl->sourceManager->AddNewSourceBuffer(std::move(file), llvm::SMLoc());
  return parseSourceFile<ModuleOp>(impl->sourceManager, ParserConfig(&impl->context));
}

LogicalResult amp::runPasses(ModuleOp module, StringRef pipeline) {
  PassManager manager(module.getContext(), ModuleOp::getOperationName());
  std::string error;
  llvm::raw_string_ostream errorStream(error);
  if (failed(parsePassPipeline(pipeline, manager, errorStream))) {
    llvm::errs() << "error: " << llvm::StringRef(error).trim() << "\n";
    return failure();
  }
  return manager.run(module);
}

std::string amp::getPrecisionPass(const DriverOptions &options, StringRef dtype) {
  std::string text = ("amp{dtype=" + dtype).str();
  for (const std::string &option : options.precisionOptions) {
    auto [name, value] = StringRef(option).split('=');
    // A value with blanks or braces is quoted, as the pipeline syntax wants it.
    bool plain = value.find_first_of(" {}\"',") == StringRef::npos;
    text += (" " + name + "=" + (plain ? value.str() : "'" + value.str() + "'")).str();
  }
  return text + "}";
}

std::string amp::getPipelineText(const DriverOptions &options) {
  std::string text = "builtin.module(amp-stage-autodiff";
  if (options.amp != "off")
    text += "," + getPrecisionPass(options, options.amp);
  return text + ",amp-stage-lower-cpu)";
}

std::vector<std::string> amp::getPrecisionOptionNames() {
  registerPassesOnce();
  // The pass prints all its options by name; there is no other list of them.
  FailureOr<OpPassManager> manager = parsePassPipeline("builtin.module(amp)", llvm::nulls());
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (succeeded(manager))
    manager->begin()->printAsTextualPipeline(stream);
  StringRef options = StringRef(text).split('{').second.rsplit('}').first;
  std::vector<std::string> names;
  for (StringRef option : llvm::split(options, ' '))
    if (StringRef name = option.split('=').first; !name.empty() && name != "dtype")
      names.push_back(name.str());
  return names;
}

void amp::printPrecisionOptionHelp() {
  registerPassesOnce();
  // Upstream prints without end where a name does not fit before the description.
  PassInfo::lookup("amp")->printHelpStr(/*indent=*/2, /*descIndent=*/40);
}
