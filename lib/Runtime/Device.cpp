//===- Device.cpp - the host's processor -----------------------------------===//

#include "amp/Runtime/Device.h"
#include <fstream>
#include <sched.h>
#include <sstream>
#include <string_view>

using namespace amp::runtime;

Device::~Device() = default;

/// How many processors this process may use; 1 if the system does not say.
static unsigned usableProcessors() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) != 0)
    return 1;
  return static_cast<unsigned>(CPU_COUNT(&set));
}

/// The text after the colon of the first line of /proc/cpuinfo that starts with `key`.
static std::string cpuInfo(std::string_view key) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.compare(0, key.size(), key) != 0)
      continue;
    size_t colon = line.find(": ");
    if (colon != std::string::npos)
      return line.substr(colon + 2);
  }
  return {};
}

/// The flags, as Linux spells them, of units that read, write or compute half types.
static bool isHalfUnit(std::string_view flag) {
  for (std::string_view unit : {"f16c", "avx512_fp16", "avx512_bf16", "avx_ne_convert", "amx_bf16",
                                "amx_fp16", "fphp", "asimdhp", "asimdfhm", "bf16", "svebf16"})
    if (flag == unit)
      return true;
  return false;
}

HostDevice::HostDevice(unsigned threads)
    : model(cpuInfo("model name")), threadCount(threads ? threads : usableProcessors()) {
  if (model.empty())
    model = "unknown processor";
  std::string flags = cpuInfo("flags");
  // AArch64 calls them features.
  std::istringstream words(flags.empty() ? cpuInfo("Features") : flags);
  for (std::string flag; words >> flag;)
    if (isHalfUnit(flag))
      units.push_back(flag);
}

std::string HostDevice::description() const {
  return model + ", " + std::to_string(threadCount) + (threadCount == 1 ? " thread" : " threads");
}
