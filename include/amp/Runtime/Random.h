//===- Random.h - counter-based random numbers and initialisers ------------===//
#ifndef AMP_RUNTIME_RANDOM_H
#define AMP_RUNTIME_RANDOM_H

#include "amp/Runtime/Tensor.h"
#include <array>
#include <string_view>

namespace amp::runtime {

/// Philox4x32 with 10 rounds (Salmon, Moraes, Dror and Shaw: "Parallel random numbers: as easy as
/// 1, 2, 3", 2011): four random words for a counter and a key.
std::array<uint32_t, 4> philox4x32(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key);

/// What a stream of random numbers is for. Part of the counter: the values must never change.
enum class RandomPurpose : uint32_t { Initialize = 1, Shuffle = 2 };

/// A stream of random numbers that can be read at any position: the value at a position is a
/// function of (seed, name, purpose, position) and of nothing else.
class RandomStream {
public:
  RandomStream(uint64_t seed, std::string_view name, RandomPurpose purpose);

  /// The four words at `position`.
  std::array<uint32_t, 4> words(uint64_t position) const;
  /// 64 random bits.
  uint64_t bits(uint64_t position) const;
  /// Uniform in [0, 1): a multiple of 2^-24.
  float uniform(uint64_t position) const;
  /// Uniform in [0, 1): a multiple of 2^-53.
  double uniformDouble(uint64_t position) const;
  /// Standard normal: Box and Muller's transform in f64 of two uniform numbers, without the
  /// machine's mathematical library, so that the bits are the same everywhere.
  double normal(uint64_t position) const;
  /// Uniform in [0, bound) without bias worth naming (bound / 2^64); bound is positive.
  uint64_t below(uint64_t position, uint64_t bound) const;

private:
  std::array<uint32_t, 2> key;
  std::array<uint32_t, 2> stream;
};

/// How a variable gets its first value: the initialisers of the train dialect.
struct Initializer {
  enum class Kind { Zeros, Constant, Uniform, Normal, Glorot, He };
  enum class Distribution { Uniform, Normal };

  static Initializer zeros() { return {}; }
  static Initializer constant(double value) { return {Kind::Constant, value, 0.0}; }
  static Initializer uniform(double low, double high) { return {Kind::Uniform, low, high}; }
  static Initializer normal(double mean, double stddev) { return {Kind::Normal, mean, stddev}; }
  static Initializer glorot(Distribution distribution, int64_t inAxis = 0) {
    return {Kind::Glorot, 0.0, 0.0, distribution, inAxis};
  }
  static Initializer he(Distribution distribution, int64_t inAxis = 0) {
    return {Kind::He, 0.0, 0.0, distribution, inAxis};
  }

  Kind kind = Kind::Zeros;
  /// The constant; low of uniform; mean of normal.
  double first = 0.0;
  /// High of uniform; standard deviation of normal.
  double second = 0.0;
  Distribution distribution = Distribution::Uniform;
  /// The axis of the weight that is summed over; the other one is the fan out.
  int64_t inAxis = 0;
};

/// Fills `tensor`, the initial value of the variable `name` in a run with `seed`. An error if the
/// initialiser does not fit the tensor: random values in integers, glorot or he not of rank 2.
Status initialize(Tensor &tensor, const Initializer &initializer, uint64_t seed,
                  std::string_view name);

} // namespace amp::runtime

#endif // AMP_RUNTIME_RANDOM_H
