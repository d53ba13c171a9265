//===- Half.h - scalar conversions between f32, f64 and the half types -----===//
#ifndef AMP_RUNTIME_HALF_H
#define AMP_RUNTIME_HALF_H

#include <cstdint>
#include <cstring>

namespace amp::runtime {

// Every conversion rounds once, to nearest even, keeps subnormals, overflows to infinity, and makes
// a NaN quiet, keeping its sign and the payload bits that fit.

uint16_t f16FromF32(float value);
uint16_t f16FromF64(double value);
float f32FromF16(uint16_t bits);

uint16_t bf16FromF32(float value);
uint16_t bf16FromF64(double value);

inline float f32FromBF16(uint16_t bits) {
  uint32_t wide = static_cast<uint32_t>(bits) << 16;
  // A signalling NaN becomes quiet.
  if ((wide & 0x7fffffffu) > 0x7f800000u)
    wide |= 0x00400000u;
  float value;
  std::memcpy(&value, &wide, sizeof(value));
  return value;
}

} // namespace amp::runtime

#endif // AMP_RUNTIME_HALF_H
