//===- Device.h - where a program runs -------------------------------------===//
#ifndef AMP_RUNTIME_DEVICE_H
#define AMP_RUNTIME_DEVICE_H

#include <string>
#include <vector>

namespace amp::runtime {

/// A place where programs run. Tensors live in host memory; a device with memory of its own copies.
class Device {
public:
  virtual ~Device();

  /// The value of `--device` that selects it: "cpu".
  virtual std::string name() const = 0;
  /// The hardware, as its maker calls it, with the number of threads in use.
  virtual std::string description() const = 0;
  /// The units with which it computes on or converts half types ("f16c", "avx512_fp16",
  /// "amx_bf16", ...); empty if it has none.
  virtual std::vector<std::string> halfUnits() const = 0;
};

/// The machine's processor, with `threads` threads (0: as many as the process may use).
class HostDevice : public Device {
public:
  explicit HostDevice(unsigned threads = 0);

  std::string name() const override { return "cpu"; }
  std::string description() const override;
  std::vector<std::string> halfUnits() const override { return units; }
  unsigned threads() const { return threadCount; }

private:
  std::string model;
  std::vector<std::string> units;
  unsigned threadCount;
};

} // namespace amp::runtime

#endif // AMP_RUNTIME_DEVICE_H
