#!/usr/bin/env python3
"""Writes test/unit/Runtime/RandomGolden.h: the first random numbers of some streams, from a second
implementation of Philox4x32-10 (Salmon et al., 2011) and of what is built on it."""

import math
import os
import struct

MASK32 = 0xFFFFFFFF


def philox(counter, key):
    c, k = list(counter), list(key)
    for _ in range(10):
        high0, low0 = divmod(0xD2511F53 * c[0], 1 << 32)
        high1, low1 = divmod(0xCD9E8D57 * c[2], 1 << 32)
        c = [high1 ^ c[1] ^ k[0], low1, high0 ^ c[3] ^ k[1], low0]
        k = [(k[0] + 0x9E3779B9) & MASK32, (k[1] + 0xBB67AE85) & MASK32]
    return c


# The known answers of the Random123 distribution.
assert philox([0] * 4, [0] * 2) == [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]
assert philox([MASK32] * 4, [MASK32] * 2) == [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]


def fnv1a(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return value


def words(seed, name, purpose, position):
    stream = fnv1a(name.encode() + bytes([0, purpose]))
    return philox([position & MASK32, position >> 32, stream & MASK32, stream >> 32],
                  [seed & MASK32, seed >> 32])


def uniform(w):
    return (w[0] >> 8) / 2**24


def normal(w):
    radius = (((w[1] << 32 | w[0]) >> 11) + 1) / 2**53
    angle = ((w[3] << 32 | w[2]) >> 11) / 2**53
    return math.sqrt(-2 * math.log(radius)) * math.cos(2 * math.pi * angle)


def f32_bits(value):
    return struct.unpack("<I", struct.pack("<f", value))[0]


def array(name, values):
    text = ", ".join(f"0x{value:08x}" for value in values)
    return f"static constexpr uint32_t {name}[] = {{{text}}};\n"


initialize = 1
seed = 0x1234567890
positions = [0, 1, 2, 3, 1000, (1 << 32) + 5]
glorot = math.sqrt(3 / ((64 + 10) / 2))
path = os.path.join(os.path.dirname(__file__), "..", "unit", "Runtime", "RandomGolden.h")
with open(path, "w") as file:
    file.write("//===- RandomGolden.h - made by test/golden/random.py ----------------------===//\n")
    file.write("#include <cstdint>\n\n")
    file.write(f"static constexpr uint64_t goldenSeed = 0x{seed:x};\n")
    file.write("static constexpr uint64_t goldenPositions[] = {%s};\n"
               % ", ".join(str(p) for p in positions))
    values = [words(seed, "w1", initialize, p) for p in positions]
    file.write("/// Bits of the f32: uniform and normal of the stream \"w1\".\n")
    file.write(array("goldenUniform", [f32_bits(uniform(w)) for w in values]))
    file.write(array("goldenNormal", [f32_bits(normal(w)) for w in values]))
    file.write("/// The first elements of \"w3\", 64 x 10, glorot uniform.\n")
    file.write(array("goldenGlorot", [
        f32_bits(-glorot + (glorot - -glorot) * uniform(words(seed, "w3", initialize, i)))
        for i in range(6)]))
    file.write("/// The first elements of \"w2\", 128 x 64, he normal, in_axis 1.\n")
    file.write(array("goldenHe", [
        f32_bits(0.0 + math.sqrt(2 / 64) * normal(words(seed, "w2", initialize, i)))
        for i in range(6)]))
