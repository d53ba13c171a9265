//===- CallFailure.cpp - how compiled code says that it cannot go on ------===//

#include "CpuCompilerDetail.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"

using namespace amp;

/// Of the innermost call in this thread.
static thread_local CallFailure *current = nullptr;

CallFailure::CallFailure() : outer(current) { current = this; }
CallFailure::~CallFailure() { current = outer; }

llvm::Error CallFailure::take() {
  if (!failed)
    return llvm::Error::success();
  return llvm::createStringError(text);
}

void CallFailure::report(llvm::StringRef message, llvm::ArrayRef<int64_t> values) {
  failed = true;
  text = message.str();
  for (auto [index, value] : llvm::enumerate(values)) {
    std::string reference = "{" + std::to_string(index) + "}";
    if (size_t at = text.find(reference); at != std::string::npos)
      text.replace(at, reference.size(), std::to_string(value));
  }
}

static void reportFailure(const char *message, int64_t count, int64_t first, int64_t second) {
  assert(current && "compiled code runs in CompiledModule::call");
  current->report(message, llvm::ArrayRef({first, second}).take_front(count));
}

static bool hasFailed() { return current && current->hasFailed(); }

void amp::registerFailureHooks(mlir::ExecutionEngine &engine) {
  engine.registerSymbols([](llvm::orc::MangleAndInterner mangle) {
    auto symbol = [](auto *function) {
      return llvm::orc::ExecutorSymbolDef(llvm::orc::ExecutorAddr::fromPtr(function),
                                          llvm::JITSymbolFlags::Exported |
                                              llvm::JITSymbolFlags::Callable);
    };
    llvm::orc::SymbolMap symbols;
    symbols[mangle("__amp_report_failure")] = symbol(reportFailure);
    symbols[mangle("__amp_has_failed")] = symbol(hasFailed);
    return symbols;
  });
}
