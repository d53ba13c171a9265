#!/usr/bin/env python3
"""Writes test/unit/Runtime/HalfGolden.h: f32 bit patterns and the f16 that NumPy rounds them to."""

import os

import numpy as np

rng = np.random.default_rng(20240229)
# Exponents around the range of f16, random mantissas; every eighth close to a middle of two halves.
exponents = rng.integers(127 - 26, 127 + 17, 256).astype(np.uint32)
mantissas = rng.integers(0, 1 << 23, 256).astype(np.uint32)
mantissas[::8] = (mantissas[::8] & np.uint32(0x7FE000)) | np.uint32(0x1000)
mantissas[1::16] = (mantissas[1::16] & np.uint32(0x7FE000)) | np.uint32(0x1001)
signs = rng.integers(0, 2, 256).astype(np.uint32)
bits = (signs << np.uint32(31)) | (exponents << np.uint32(23)) | mantissas
with np.errstate(over="ignore"):
    halves = bits.view(np.float32).astype(np.float16).view(np.uint16)

path = os.path.join(os.path.dirname(__file__), "..", "unit", "Runtime", "HalfGolden.h")
with open(path, "w") as file:
    file.write("//===- HalfGolden.h - made by test/golden/half.py --------------------------===//\n")
    file.write("#include <cstdint>\n\n")
    file.write("struct HalfGolden {\n  uint32_t f32;\n  uint16_t f16;\n};\n\n")
    file.write("static constexpr HalfGolden halfGoldens[] = {\n")
    for start in range(0, len(bits), 4):
        row = ", ".join(f"{{0x{b:08x}, 0x{h:04x}}}"
                        for b, h in zip(bits[start:start + 4], halves[start:start + 4]))
        file.write(f"    {row},\n")
    file.write("};\n")
