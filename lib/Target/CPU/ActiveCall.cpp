//===- ActiveCall.cpp - a call of compiled code, and how it can fail ------===//

#include "CpuCompilerDetail.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "llvm/Support/ErrorHandling.h"
#include <cstdlib>

using namespace amp;

/// The innermost call in this thread.
static thread_local ActiveCall *current = nullptr;

ActiveCall::ActiveCall() : outer(current) { current = this; }

ActiveCall::~ActiveCall() {
  current = outer;
  if (failed)
    for (void *buffer : buffers)
      std::free(buffer);
}

llvm::Error ActiveCall::takeFailure() {
  return failed ? llvm::createStringError(message) : llvm::Error::success();
}

void ActiveCall::fail(llvm::StringRef text, llvm::ArrayRef<int64_t> values) {
  failed = true;
  message = text.str();
  for (auto [index, value] : llvm::enumerate(values)) {
    std::string reference = "{" + std::to_string(index) + "}";
    if (size_t at = message.find(reference); at != std::string::npos)
      message.replace(at, reference.size(), std::to_string(value));
  }
}

//===----------------------------------------------------------------------===//
// What compiled code calls
//===----------------------------------------------------------------------===//

static void reportFailure(const char *message, int64_t count, int64_t first, int64_t second) {
  assert(current && "compiled code runs in CompiledModule::call");
  current->fail(message, llvm::ArrayRef({first, second}).take_front(count));
}

static bool hasFailed() { return current && current->hasFailed(); }

/// Compiled code does not look at what it gets.
static void *own(void *buffer, size_t bytes) {
  if (!buffer && bytes != 0)
    llvm::report_bad_alloc_error("a buffer of compiled code");
  if (buffer && current)
    current->addBuffer(buffer);
  return buffer;
}

static void *allocate(size_t bytes) { return own(std::malloc(bytes), bytes); }

/// What the optimiser makes of an allocation and a fill with zeros.
static void *allocateZeros(size_t count, size_t bytes) {
  return own(std::calloc(count, bytes), count && bytes);
}

static void release(void *buffer) {
  if (current)
    current->removeBuffer(buffer);
  std::free(buffer);
}

void amp::registerCallHooks(mlir::ExecutionEngine &engine) {
  engine.registerSymbols([](llvm::orc::MangleAndInterner mangle) {
    llvm::orc::SymbolMap symbols;
    symbols[mangle("__amp_report_failure")] = getCallable(reportFailure);
    symbols[mangle("__amp_has_failed")] = getCallable(hasFailed);
    symbols[mangle("malloc")] = getCallable(allocate);
    symbols[mangle("calloc")] = getCallable(allocateZeros);
    symbols[mangle("free")] = getCallable(release);
    return symbols;
  });
}
