#!/usr/bin/env python3
"""Writes test/unit/Runtime/PortableMathGolden.h: the sequences of lib/Runtime/PortableMath.cpp in Python's floats, which
are IEEE numbers without fused multiply-add."""

import math
import os


def log(x):
    m, exponent = math.frexp(x)
    if m < float.fromhex("0x1.6a09e667f3bcdp-1"):
        m, exponent = m * 2.0, exponent - 1
    s = (m - 1.0) / (m + 1.0)
    square = s * s
    total = 0.0
    for n in range(10, 0, -1):
        total = (total + 1.0 / (2 * n + 1)) * square
    log_m = 2.0 * s + 2.0 * s * total
    high, rest = float.fromhex("0x1.62e42fefa0000p-1"), float.fromhex("0x1.cf79abc9e3b3ap-40")
    return exponent * high + (log_m + exponent * rest)


def series(angle, first):
    square, total = angle * angle, 0.0
    for n in range(first, 1, -2):
        total = (1.0 + total) * -square / (n * (n - 1))
    return total


def cos_turns(x):
    quarter = math.floor(4.0 * x + 0.5)
    angle = 2.0 * math.pi * (x - 0.25 * quarter)
    cos, sin = 1.0 + series(angle, 18), angle + angle * series(angle, 17)
    return (cos, -sin, -cos, sin)[quarter % 4]


def main():
    arguments = [0.3, 0.9, 2.0**-53, 0.7071067811865476, 1.0 - 2.0**-53, 0.126, 0.625001]
    path = os.path.join(os.path.dirname(__file__), "../unit/Runtime/PortableMathGolden.h")
    with open(path, "w") as file:
        file.write("//===- PortableMathGolden.h - made by test/golden/portable_math.py ---------===//\n\n")
        file.write("struct PortableMathGolden {\n  double x, log, cosTurns;\n};\n\n")
        file.write("static constexpr PortableMathGolden portableMathGolden[] = {\n")
        for x in arguments:
            file.write(f"    {{{x.hex()}, {log(x).hex()}, {cos_turns(x).hex()}}},\n")
        file.write("};\n")


main()
