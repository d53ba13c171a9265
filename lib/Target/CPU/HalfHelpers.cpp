//===- HalfHelpers.cpp - f16 conversions for CPUs without instructions ----===//
//
// Compiled code calls these by their names in the compiler's runtime library, which not every
// system has. The arithmetic is on bits: written with _Float16, the functions would call
// themselves.

#include "CpuCompilerDetail.h"
#include "amp/Runtime/Half.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "llvm/ADT/bit.h"

#if defined(__x86_64__) || defined(__aarch64__)
#define AMP_HAS_FLOAT16 1
#else
#define AMP_HAS_FLOAT16 0
#endif

using namespace amp::runtime;

#if AMP_HAS_FLOAT16
static _Float16 truncateFloat(float value) { return llvm::bit_cast<_Float16>(f16FromF32(value)); }
static _Float16 truncateDouble(double value) { return llvm::bit_cast<_Float16>(f16FromF64(value)); }
static float extendHalf(_Float16 value) { return f32FromF16(llvm::bit_cast<uint16_t>(value)); }
#endif

void amp::registerHalfHelpers(mlir::ExecutionEngine &engine) {
#if AMP_HAS_FLOAT16
  engine.registerSymbols([](llvm::orc::MangleAndInterner mangle) {
    llvm::orc::SymbolMap symbols;
    symbols[mangle("__truncsfhf2")] = getCallable(truncateFloat);
    symbols[mangle("__truncdfhf2")] = getCallable(truncateDouble);
    symbols[mangle("__extendhfsf2")] = getCallable(extendHalf);
    return symbols;
  });
#endif
}
