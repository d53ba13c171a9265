//===- MatmulTestUtils.h - buffers and a reference for matrix products ----===//
#ifndef AMP_TEST_UNIT_TARGET_CPU_MATMULTESTUTILS_H
#define AMP_TEST_UNIT_TARGET_CPU_MATMULTESTUTILS_H

#include "MatmulJit.h"
#include "llvm/ADT/APFloat.h"
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

namespace amp::test {

/// A buffer of an element type. It ends at a page that cannot be read or written, so that an access
/// beyond the end stops the test.
class Buffer {
public:
  Buffer(const std::string &type, int64_t size);
  Buffer(Buffer &&other);
  ~Buffer();

  int64_t size() const { return count; }
  void *data() const { return start; }
  double get(int64_t i) const;
  /// Rounds `value` to nearest even into the element type.
  void set(int64_t i, double value);
  void fill(double value);
  void fillRandom(std::mt19937 &random);
  bool operator==(const Buffer &other) const;

private:
  const llvm::fltSemantics *semantics;
  int64_t count, elementBytes;
  size_t mappedBytes;
  char *mapped, *start;
};

/// `value` rounded to nearest even into a type.
double roundTo(const std::string &type, double value);

/// What a kernel computes for one element, by its contract: per block of 256 values of K a chain of
/// fused multiply-adds from zero, and the blocks' sums added to `start` in order.
template <typename T>
T multiplyInOrder(T start, llvm::ArrayRef<double> a, llvm::ArrayRef<double> b) {
  for (size_t block = 0; block < a.size(); block += 256) {
    T sum = 0;
    for (size_t k = block; k < std::min(block + 256, a.size()); ++k)
      sum = std::fma(T(a[k]), T(b[k]), sum);
    start += sum;
  }
  return start;
}

/// The sum in f64 (long double where the kernel computes in f64) and the bound of its distance to a
/// sum of `k` products in a type with unit roundoff 2^-`precision`: each product and the start meet
/// at most k + k/256 + 2 roundings.
struct Bounded {
  long double value, bound;
};
Bounded multiplyExactly(double start, llvm::ArrayRef<double> a, llvm::ArrayRef<double> b,
                        int precision);

std::unique_ptr<MatmulJit> compile(const std::string &text, const MatmulJit::Options &options = {});

template <typename... Refs> void call(MatmulJit &jit, const std::string &name, Refs &...refs) {
  llvm::Expected<void *> address = jit.lookup(name);
  ASSERT_TRUE(bool(address)) << llvm::toString(address.takeError());
  reinterpret_cast<void (*)(Refs *...)>(*address)(&refs...);
}

} // namespace amp::test

#endif // AMP_TEST_UNIT_TARGET_CPU_MATMULTESTUTILS_H
