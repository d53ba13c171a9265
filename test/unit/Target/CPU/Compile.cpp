//===- Compile.cpp - compiles a module's text and calls its functions -----===//

#include "Compile.h"
#include "amp/InitAll.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"

using namespace amp;

static mlir::OwningOpRef<mlir::ModuleOp> parse(mlir::MLIRContext &context,
                                               const std::string &text) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  amp::registerAllDialects(registry);
  context.appendDialectRegistry(registry);
  return mlir::parseSourceString<mlir::ModuleOp>(text, &context);
}

Compiled::Compiled(const std::string &text, const std::string &features, unsigned optLevel) {
  auto source = parse(context, text);
  EXPECT_TRUE(source);
  CpuOptions options;
  options.features = features;
  options.optLevel = optLevel;
  auto compiled = compileForCpu(*source, options);
  if (!compiled)
    ADD_FAILURE() << llvm::toString(compiled.takeError());
  else
    module = std::move(*compiled);
}

Compiled::~Compiled() { freeResults(); }

void Compiled::freeResults() {
  for (BufferRef &result : results)
    std::free(result.allocated);
  results.clear();
}

Compiled &Compiled::call(const std::string &name) {
  freeResults();
  if (module)
    if (llvm::Error error = module->call(name, arguments, results))
      ADD_FAILURE() << llvm::toString(std::move(error));
  arguments.clear();
  return *this;
}

std::string compileError(const std::string &text, const CpuOptions &options) {
  mlir::MLIRContext context;
  auto source = parse(context, text);
  EXPECT_TRUE(source);
  auto compiled = compileForCpu(*source, options);
  return compiled ? "" : llvm::toString(compiled.takeError());
}

std::vector<std::string> featureSets() {
#if defined(__x86_64__)
  return {"",         "-avx512fp16",    "-avx512bf16,-avx512fp16",
          "-avx512f", "-avx512f,-f16c", "-avx512f,-avx2,-avx,-fma,-f16c"};
#else
  return {""};
#endif
}
