//===- Half.cpp - scalar conversions between f32, f64 and the half types ---===//

#include "amp/Runtime/Half.h"

using namespace amp::runtime;

namespace {
/// A small binary float format: sign, `exponentBits`, `mantissaBits`.
struct HalfFormat {
  int exponentBits;
  int mantissaBits;

  int bias() const { return (1 << (exponentBits - 1)) - 1; }
  uint16_t infinity() const { return ((1u << exponentBits) - 1) << mantissaBits; }
};
} // namespace

static constexpr HalfFormat f16Format{5, 10};
static constexpr HalfFormat bf16Format{8, 7};

/// Rounds the f64 with the given bits to nearest even. Every f32 is an f64, so that this is the
/// only rounding for both sources.
static uint16_t roundToHalf(uint64_t bits, HalfFormat format) {
  uint16_t sign = static_cast<uint16_t>((bits >> 63) << 15);
  int exponent = static_cast<int>((bits >> 52) & 0x7ff);
  uint64_t mantissa = bits & 0xfffffffffffffull;
  if (exponent == 0x7ff) {
    if (mantissa == 0)
      return sign | format.infinity();
    uint16_t quietBit = 1u << (format.mantissaBits - 1);
    return sign | format.infinity() | quietBit |
           static_cast<uint16_t>(mantissa >> (52 - format.mantissaBits));
  }
  // A subnormal f64 is far below half of the smallest subnormal of either format.
  if (exponent == 0)
    return sign;
  mantissa |= 1ull << 52;
  int target = exponent - 1023 + format.bias();
  // Bits to drop; one more for every step below the smallest normal exponent.
  int shift = 52 - format.mantissaBits;
  if (target < 1) {
    shift += 1 - target;
    target = 1;
  }
  if (shift > 54)
    return sign;
  uint64_t kept = mantissa >> shift;
  uint64_t rest = mantissa & ((1ull << shift) - 1);
  uint64_t halfway = 1ull << (shift - 1);
  if (rest > halfway || (rest == halfway && (kept & 1)))
    ++kept;
  // `kept` holds the implicit bit: adding it to the exponent field below carries as it should, and
  // a subnormal has no implicit bit, so its field comes out zero.
  uint64_t result = (static_cast<uint64_t>(target - 1) << format.mantissaBits) + kept;
  if (result >= format.infinity())
    return sign | format.infinity();
  return sign | static_cast<uint16_t>(result);
}

template <typename To, typename From> static To bitCast(From from) {
  static_assert(sizeof(To) == sizeof(From), "a bit cast keeps the size");
  To to;
  std::memcpy(&to, &from, sizeof(to));
  return to;
}

/// Widening by the processor would do for numbers; NaNs are widened by hand, so that the result
/// does not depend on it.
static uint64_t f64BitsFromF32(float value) {
  uint32_t bits = bitCast<uint32_t>(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u)
    return (static_cast<uint64_t>(bits >> 31) << 63) | 0x7ff8000000000000ull |
           (static_cast<uint64_t>(bits & 0x7fffffu) << 29);
  return bitCast<uint64_t>(static_cast<double>(value));
}

uint16_t amp::runtime::f16FromF32(float value) {
  return roundToHalf(f64BitsFromF32(value), f16Format);
}

uint16_t amp::runtime::f16FromF64(double value) {
  return roundToHalf(bitCast<uint64_t>(value), f16Format);
}

uint16_t amp::runtime::bf16FromF32(float value) {
  return roundToHalf(f64BitsFromF32(value), bf16Format);
}

uint16_t amp::runtime::bf16FromF64(double value) {
  return roundToHalf(bitCast<uint64_t>(value), bf16Format);
}

float amp::runtime::f32FromF16(uint16_t bits) {
  uint32_t sign = static_cast<uint32_t>(bits >> 15) << 31;
  uint32_t exponent = (bits >> 10) & 0x1f;
  uint32_t mantissa = bits & 0x3ff;
  if (exponent == 0x1f)
    return bitCast<float>(sign | 0x7f800000u | (mantissa ? 0x00400000u : 0u) | (mantissa << 13));
  if (exponent == 0) {
    // Exact: the mantissa has 10 bits and 2^-24 is a normal f32.
    float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
    return bitCast<float>(sign | bitCast<uint32_t>(magnitude));
  }
  return bitCast<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
}
