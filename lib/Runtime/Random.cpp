//===- Random.cpp - counter-based random numbers and initialisers ----------===//
//
// Compiled without contraction to fused multiply-add, which would differ by machine.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Random.h"
#include "amp/Runtime/PortableMath.h"
#include <cmath>

using namespace amp::runtime;

std::array<uint32_t, 4> amp::runtime::philox4x32(std::array<uint32_t, 4> counter,
                                                 std::array<uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    uint64_t product0 = 0xD2511F53ull * counter[0];
    uint64_t product1 = 0xCD9E8D57ull * counter[2];
    counter = {static_cast<uint32_t>(product1 >> 32) ^ counter[1] ^ key[0],
               static_cast<uint32_t>(product1),
               static_cast<uint32_t>(product0 >> 32) ^ counter[3] ^ key[1],
               static_cast<uint32_t>(product0)};
    key[0] += 0x9E3779B9u;
    key[1] += 0xBB67AE85u;
  }
  return counter;
}

/// FNV-1a with 64 bits over the name, a zero byte and the purpose.
static uint64_t hashStream(std::string_view name, RandomPurpose purpose) {
  uint64_t hash = 0xcbf29ce484222325ull;
  auto add = [&](uint64_t byte) { hash = (hash ^ byte) * 0x100000001b3ull; };
  for (unsigned char byte : name)
    add(byte);
  add(0);
  add(static_cast<uint64_t>(purpose));
  return hash;
}

static std::array<uint32_t, 2> split(uint64_t value) {
  return {static_cast<uint32_t>(value), static_cast<uint32_t>(value >> 32)};
}

/// The key is the seed; the counter's upper half tells streams apart.
RandomStream::RandomStream(uint64_t seed, std::string_view name, RandomPurpose purpose)
    : key(split(seed)), stream(split(hashStream(name, purpose))) {}

std::array<uint32_t, 4> RandomStream::words(uint64_t position) const {
  std::array<uint32_t, 2> low = split(position);
  return philox4x32({low[0], low[1], stream[0], stream[1]}, key);
}

static uint64_t join(uint32_t low, uint32_t high) {
  return low | (static_cast<uint64_t>(high) << 32);
}

uint64_t RandomStream::bits(uint64_t position) const {
  std::array<uint32_t, 4> random = words(position);
  return join(random[0], random[1]);
}

float RandomStream::uniform(uint64_t position) const {
  return static_cast<float>(words(position)[0] >> 8) * 0x1p-24f;
}

double RandomStream::uniformDouble(uint64_t position) const {
  return static_cast<double>(bits(position) >> 11) * 0x1p-53;
}

double RandomStream::normal(uint64_t position) const {
  std::array<uint32_t, 4> random = words(position);
  // In (0, 1], so that the logarithm is finite.
  double radius = static_cast<double>((join(random[0], random[1]) >> 11) + 1) * 0x1p-53;
  double angle = static_cast<double>(join(random[2], random[3]) >> 11) * 0x1p-53;
  return std::sqrt(-2.0 * portableLog(radius)) * portableCosTurns(angle);
}

uint64_t RandomStream::below(uint64_t position, uint64_t bound) const {
  return static_cast<uint64_t>((static_cast<unsigned __int128>(bits(position)) * bound) >> 64);
}

/// The variance that glorot or he gives a weight matrix of this shape.
static double fanVariance(const Initializer &initializer, const Shape &shape) {
  double fanIn = static_cast<double>(shape[initializer.inAxis]);
  double fanOut = static_cast<double>(shape[1 - initializer.inAxis]);
  double fan = initializer.kind == Initializer::Kind::He ? fanIn : (fanIn + fanOut) / 2.0;
  // 1 / mean fan for glorot is 2 / (in + out).
  return (initializer.kind == Initializer::Kind::He ? 2.0 : 1.0) / fan;
}

static void fillUniform(Tensor &tensor, double low, double high, const RandomStream &random) {
  for (int64_t i = 0, e = tensor.numElements(); i < e; ++i)
    tensor.setFromDouble(i, low + (high - low) * random.uniform(static_cast<uint64_t>(i)));
}

static void fillNormal(Tensor &tensor, double mean, double stddev, const RandomStream &random) {
  for (int64_t i = 0, e = tensor.numElements(); i < e; ++i)
    tensor.setFromDouble(i, mean + stddev * random.normal(static_cast<uint64_t>(i)));
}

Status amp::runtime::initialize(Tensor &tensor, const Initializer &initializer, uint64_t seed,
                                std::string_view name) {
  using Kind = Initializer::Kind;
  const std::string prefix = "variable '" + std::string(name) + "' expects ";
  if (initializer.kind == Kind::Zeros || initializer.kind == Kind::Constant) {
    double value = initializer.kind == Kind::Zeros ? 0.0 : initializer.first;
    for (int64_t i = 0, e = tensor.numElements(); i < e; ++i)
      tensor.setFromDouble(i, value);
    return {};
  }
  if (!isFloat(tensor.elementType()))
    return error(prefix + "a float type for a random initial value but got " + tensor.typeString());
  RandomStream random(seed, name, RandomPurpose::Initialize);
  if (initializer.kind == Kind::Uniform) {
    fillUniform(tensor, initializer.first, initializer.second, random);
    return {};
  }
  if (initializer.kind == Kind::Normal) {
    fillNormal(tensor, initializer.first, initializer.second, random);
    return {};
  }
  if (tensor.rank() != 2)
    return error(prefix + "rank 2 for a glorot or he initial value but got " + tensor.typeString());
  if (initializer.inAxis != 0 && initializer.inAxis != 1)
    return error(prefix + "in_axis 0 or 1 but got " + std::to_string(initializer.inAxis));
  if (tensor.numElements() == 0)
    return {};
  double variance = fanVariance(initializer, tensor.shape());
  if (initializer.distribution == Initializer::Distribution::Normal) {
    fillNormal(tensor, 0.0, std::sqrt(variance), random);
    return {};
  }
  // Uniform in [-a, a) has variance a^2 / 3.
  double bound = std::sqrt(3.0 * variance);
  fillUniform(tensor, -bound, bound, random);
  return {};
}
