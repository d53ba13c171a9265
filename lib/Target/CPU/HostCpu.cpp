//===- HostCpu.cpp - this machine: LLVM's description and a readable one --===//

#include "CpuCompilerDetail.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include <cstdlib>
#include <mutex>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

using namespace llvm;

static void addFeatures(orc::JITTargetMachineBuilder &builder, StringRef changes) {
  SmallVector<StringRef> parts;
  changes.split(parts, ',', -1, /*KeepEmpty=*/false);
  std::vector<std::string> features;
  for (StringRef part : parts)
    features.push_back(part.trim().str());
  builder.addFeatures(features);
}

static Error checkFeatures(StringRef changes) {
  SmallVector<StringRef> parts;
  changes.split(parts, ',', -1, /*KeepEmpty=*/false);
  for (StringRef part : parts)
    if (!part.trim().starts_with("+") && !part.trim().starts_with("-"))
      return createStringError("expected CPU features like \"+fma,-avx512f\", but found \"" +
                               part.trim() + "\" without a sign");
  return Error::success();
}

Expected<std::unique_ptr<TargetMachine>> amp::createHostMachine(StringRef changes,
                                                                unsigned optLevel) {
  static std::once_flag once;
  std::call_once(once, [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
  });
  if (Error error = checkFeatures(changes))
    return error;
  auto builder = orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  addFeatures(*builder, changes);
  builder->setCodeGenOptLevel(optLevel == 0   ? CodeGenOptLevel::None
                              : optLevel == 3 ? CodeGenOptLevel::Aggressive
                                              : CodeGenOptLevel::Default);
  // A product and a sum are one operation only where the program says fma.
  builder->getOptions().AllowFPOpFusion = FPOpFusion::Strict;
  return builder->createTargetMachine();
}

static std::string getBrand() {
#if defined(__x86_64__)
  unsigned words[12] = {};
  if (__get_cpuid_max(0x80000000, nullptr) >= 0x80000004) {
    for (unsigned i = 0; i < 3; ++i)
      __get_cpuid(0x80000002 + i, &words[4 * i], &words[4 * i + 1], &words[4 * i + 2],
                  &words[4 * i + 3]);
    StringRef brand(reinterpret_cast<const char *>(words), sizeof(words));
    brand = brand.take_until([](char c) { return c == 0; }).trim();
    if (!brand.empty())
      return brand.str();
  }
#endif
  return sys::getHostCPUName().str();
}

std::string amp::describeCpu() {
  // LLVM's names beside the ones people look for.
  static constexpr std::pair<const char *, const char *> units[] = {
      {"f16c", "f16c"},         {"avx512bf16", "avx512_bf16"}, {"avx512fp16", "avx512_fp16"},
      {"amx-bf16", "amx_bf16"}, {"amx-fp16", "amx_fp16"},      {"fullfp16", "fp16"},
      {"bf16", "bf16"}};
  StringMap<bool> features = sys::getHostCPUFeatures();
  SmallVector<StringRef> present;
  for (auto [feature, name] : units)
    if (features.lookup(feature))
      present.push_back(name);
  std::string text = getBrand() + " (";
  return text + (present.empty() ? "no units for half types" : join(present, ", ")) + ")";
}
