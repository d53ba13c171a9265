//===- AddressChecks.cpp - the address sanitizer in compiled code ---------===//
//
// The sanitizer's runtime is that of this program, so that it knows the memory of both.

#include "CpuCompilerDetail.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Instrumentation/AddressSanitizer.h"

using namespace llvm;

#if LLVM_ADDRESS_SANITIZER_BUILD

static void runAddressSanitizer(Module &module, TargetMachine &machine) {
  PassBuilder builder(&machine);
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  AddressSanitizerOptions options;
  options.InsertVersionCheck = false;
  // Calls instead of inlined checks: the code is compiled in half the time, and is not run for
  // long.
  options.InstrumentationWithCallsThreshold = 0;
  // Nothing runs a constructor of the module, and none is needed: the runtime is there already.
  ModulePassManager passes;
  passes.addPass(AddressSanitizerPass(options, /*UseGlobalGC=*/false, /*UseOdrIndicator=*/false,
                                      AsanDtorKind::None, AsanCtorKind::None));
  passes.run(module, modules);
}

void amp::addAddressChecks(Module &module, TargetMachine &machine) {
  for (Function &function : module)
    if (!function.isDeclaration())
      function.addFnAttr(Attribute::SanitizeAddress);
  // A constant would have to be announced to the runtime, and taken back with the module.
  GlobalValue::SanitizerMetadata unchecked;
  unchecked.NoAddress = true;
  for (GlobalVariable &global : module.globals())
    global.setSanitizerMetadata(unchecked);
  runAddressSanitizer(module, machine);
}

#else

void amp::addAddressChecks(Module &module, TargetMachine &machine) {}

#endif
