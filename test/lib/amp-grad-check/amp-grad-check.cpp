//===- amp-grad-check.cpp - checks gradients against differences ----------===//
//
// amp-grad-check model.mlir --function=f,g
//
// Builds the gradient @f.grad of each function, unless the file has one, compiles both for the CPU
// and compares with central differences in f64; GradientCheck.h has the derivation of the
// tolerance. Prints the largest error of each function; exits with 1 if one exceeds its tolerance.
//
//===----------------------------------------------------------------------===//

#include "GradientCheck.h"
#include "amp/Autodiff/Passes.h"
#include "amp/InitAll.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using amp::test::GradientCheckOptions;
using amp::test::GradientCheckResult;

/// Adds the gradient of each function to `module`, unless it is there.
static LogicalResult buildGradients(ModuleOp module, ArrayRef<std::string> functions) {
  PassManager manager(module.getContext());
  for (const std::string &function : functions)
    if (!module.lookupSymbol(function + ".grad"))
      manager.addPass(amp::createBuildGradient({function}));
  return manager.run(module);
}

static llvm::Error run(StringRef file, ArrayRef<std::string> functions,
                       const GradientCheckOptions &options) {
  DialectRegistry registry;
  registry.insert<arith::ArithDialect, func::FuncDialect>();
  amp::registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(file, sources, &context);
  if (!module || failed(buildGradients(*module, functions)))
    return llvm::createStringError("cannot build the gradients of " + file);
  auto compiled = amp::compileForCpu(*module, {});
  if (!compiled)
    return compiled.takeError();
  for (const std::string &function : functions) {
    llvm::Expected<GradientCheckResult> result =
        amp::test::checkGradient(**compiled, function, options);
    if (!result)
      return result.takeError();
    llvm::outs() << "@" << function << ": " << result->derivatives << " derivatives, max error "
                 << llvm::format("%.2e", result->maxError) << ", at most "
                 << llvm::format("%.3f", result->maxRatio) << " of the tolerance\n";
  }
  return llvm::Error::success();
}

int main(int argc, char **argv) {
  namespace cl = llvm::cl;
  GradientCheckOptions options;
  cl::opt<std::string> file(cl::Positional, cl::Required, cl::desc("<file>"));
  cl::list<std::string> functions("function", cl::CommaSeparated, cl::OneOrMore,
                                  cl::desc("functions to check"));
  cl::opt<double, true> low("low", cl::location(options.low), cl::desc("least float argument"));
  cl::opt<double, true> high("high", cl::location(options.high),
                             cl::desc("bound of float arguments"));
  cl::opt<int64_t, true> labels("labels", cl::location(options.labels),
                                cl::desc("bound of integer arguments"));
  cl::opt<int64_t, true> dim("dim", cl::location(options.dim),
                             cl::desc("extent of dynamic dimensions"));
  cl::opt<uint64_t, true> seed("seed", cl::location(options.seed),
                               cl::desc("seed of random numbers"));
  cl::opt<double, true> roundings("roundings", cl::location(options.roundings),
                                  cl::desc("roundings on a path through a function"));
  cl::ParseCommandLineOptions(argc, argv, "checks gradients against differences\n");
  if (llvm::Error error = run(file, functions, options)) {
    llvm::errs() << "amp-grad-check: " << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  return 0;
}
