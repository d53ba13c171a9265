//===- Emit.cpp - prints a module after a stage ---------------------------===//

#include "Commands.h"
#include "amp/Target/CPU/CpuCompiler.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace amp;

int amp::emitStage(ModuleOp module, const DriverOptions &options) {
  if (options.emit == EmitStage::Train) {
    module.print(llvm::outs());
    return kDone;
  }
  StringRef precision = options.emit == EmitStage::Autodiff ? "off" : StringRef(options.amp);
  OwningOpRef<ModuleOp> prepared = prepareModule(module, options, precision);
  if (!prepared)
    return kBadInput;
  if (options.emit == EmitStage::Autodiff || options.emit == EmitStage::Precision) {
    prepared->print(llvm::outs());
    return kDone;
  }
  CpuOptions cpu;
  cpu.keepLowered = options.emit == EmitStage::Lowered;
  cpu.keepSource = options.emit == EmitStage::Source;
  llvm::Expected<std::unique_ptr<CompiledModule>> code = compileForCpu(*prepared, cpu);
  if (!code) {
    llvm::errs() << "error: " << llvm::toString(code.takeError()) << "\n";
    return kBadInput;
  }
  llvm::outs() << (cpu.keepLowered ? (*code)->loweredText() : (*code)->assemblyText());
  return kDone;
}
