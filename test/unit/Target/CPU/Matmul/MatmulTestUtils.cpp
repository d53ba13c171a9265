//===- MatmulTestUtils.cpp - buffers and a reference for matrix products --===//

#include "MatmulTestUtils.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

using namespace amp;
using namespace amp::test;

static const llvm::fltSemantics &semanticsOf(const std::string &type) {
  return type == "f16"    ? llvm::APFloat::IEEEhalf()
         : type == "bf16" ? llvm::APFloat::BFloat()
         : type == "f32"  ? llvm::APFloat::IEEEsingle()
                          : llvm::APFloat::IEEEdouble();
}

Buffer::Buffer(const std::string &type, int64_t size) : semantics(&semanticsOf(type)), count(size) {
  elementBytes = llvm::APFloat::getSizeInBits(*semantics) / 8;
  size_t page = sysconf(_SC_PAGESIZE);
  size_t bytes = llvm::alignTo(std::max<size_t>(size * elementBytes, 1), page);
  mappedBytes = bytes + page;
  mapped = static_cast<char *>(
      mmap(nullptr, mappedBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  mprotect(mapped + bytes, page, PROT_NONE);
  start = mapped + bytes - size * elementBytes;
}

Buffer::Buffer(Buffer &&other)
    : semantics(other.semantics), count(other.count), elementBytes(other.elementBytes),
      mappedBytes(other.mappedBytes), mapped(std::exchange(other.mapped, nullptr)),
      start(other.start) {}

Buffer::~Buffer() {
  if (mapped)
    munmap(mapped, mappedBytes);
}

static double toDouble(llvm::APFloat value) {
  bool inexact;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &inexact);
  return value.convertToDouble();
}

double Buffer::get(int64_t i) const {
  uint64_t bits = 0;
  std::memcpy(&bits, start + i * elementBytes, elementBytes);
  return toDouble(llvm::APFloat(*semantics, llvm::APInt(8 * elementBytes, bits)));
}

void Buffer::set(int64_t i, double value) {
  bool inexact;
  llvm::APFloat rounded(value);
  rounded.convert(*semantics, llvm::APFloat::rmNearestTiesToEven, &inexact);
  uint64_t bits = rounded.bitcastToAPInt().getZExtValue();
  std::memcpy(start + i * elementBytes, &bits, elementBytes);
}

void Buffer::fill(double value) {
  for (int64_t i = 0; i < count; ++i)
    set(i, value);
}

void Buffer::fillRandom(std::mt19937 &random) {
  std::normal_distribution<double> normal;
  for (int64_t i = 0; i < count; ++i)
    set(i, normal(random));
}

bool Buffer::operator==(const Buffer &other) const {
  return count == other.count && std::memcmp(start, other.start, count * elementBytes) == 0;
}

double amp::test::roundTo(const std::string &type, double value) {
  bool inexact;
  llvm::APFloat rounded(value);
  rounded.convert(semanticsOf(type), llvm::APFloat::rmNearestTiesToEven, &inexact);
  return toDouble(rounded);
}

Bounded amp::test::multiplyExactly(double start, llvm::ArrayRef<double> a, llvm::ArrayRef<double> b,
                                   int precision) {
  long double sum = start, magnitude = std::abs(start);
  for (size_t k = 0; k < a.size(); ++k) {
    sum += static_cast<long double>(a[k]) * b[k];
    magnitude += std::abs(static_cast<long double>(a[k]) * b[k]);
  }
  size_t blocks = a.size() / 256;
  long double roundings = a.size() + blocks + 2;
  long double relative = roundings * std::ldexp(1.0L, -precision);
  return {sum, relative / (1 - relative) * magnitude};
}

std::unique_ptr<MatmulJit> amp::test::compile(const std::string &text,
                                              const MatmulJit::Options &options) {
  auto jit = MatmulJit::create(text, options);
  if (!jit) {
    ADD_FAILURE() << llvm::toString(jit.takeError());
    return nullptr;
  }
  return std::move(*jit);
}
