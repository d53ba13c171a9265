//===- Compile.h - compiles a module's text and calls its functions -------===//
#ifndef AMP_TEST_UNIT_TARGET_CPU_COMPILE_H
#define AMP_TEST_UNIT_TARGET_CPU_COMPILE_H

#include "amp/Target/CPU/CpuCompiler.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"
#include <cstring>

/// A module's functions, with arguments and results as vectors. Fails the test on any error.
class Compiled {
public:
  explicit Compiled(const std::string &text, const std::string &features = "",
                    unsigned optLevel = 2);
  ~Compiled();

  /// Appends an argument for the next call.
  template <typename T> Compiled &arg(std::vector<T> &values, std::vector<int64_t> shape) {
    arguments.push_back({values.data(), std::move(shape), nullptr});
    return *this;
  }
  /// Calls, and forgets the arguments.
  Compiled &call(const std::string &name);
  /// The elements of a result of the last call, as `T`.
  template <typename T> std::vector<T> result(size_t index) const {
    if (index >= results.size())
      return {};
    size_t count = 1;
    for (int64_t extent : results[index].shape)
      count *= extent;
    std::vector<T> values(count);
    if (count != 0)
      std::memcpy(values.data(), results[index].data, count * sizeof(T));
    return values;
  }
  const std::vector<int64_t> &shape(size_t index) const { return results[index].shape; }

  std::unique_ptr<amp::CompiledModule> module;

private:
  void freeResults();

  mlir::MLIRContext context;
  std::vector<amp::BufferRef> arguments, results;
};

/// The error that compiling `text` gives; empty if there is none.
std::string compileError(const std::string &text, const amp::CpuOptions &options = {});

/// The features that tests take away to see what a smaller CPU computes.
std::vector<std::string> featureSets();

inline uint32_t bitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}
inline float floatOf(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

#endif // AMP_TEST_UNIT_TARGET_CPU_COMPILE_H
