#!/usr/bin/env python3
"""Fits the polynomials of lib/Target/CPU/ExpandMath*.cpp and prints them as C++ tables.

Every polynomial is the minimax one for its weight (Remez' exchange in 60 digits, with mpmath), rounded
coefficient by coefficient to f32 or f64. The bounds printed beside them are those of the rounded polynomial
in exact arithmetic; what the code makes of them is tested in test/unit/Target/CPU/MathTest.cpp.
"""

import struct
import sys

import mpmath as mp

mp.mp.dps = 60


def remez(f, weight, low, high, degree, powers=None, iterations=30):
    """The polynomial sum c[i] x^powers[i] that minimises max |weight(x) (p(x) - f(x))| on [low, high]."""
    powers = powers or list(range(degree + 1))
    n = len(powers)
    low, high = mp.mpf(low), mp.mpf(high)
    points = [
        (low + high) / 2 - (high - low) / 2 * mp.cos(mp.pi * i / n) for i in range(n + 1)
    ]
    grid_size = 60 * n
    for _ in range(iterations):
        rows = mp.matrix(n + 1, n + 1)
        right = mp.matrix(n + 1, 1)
        for i, x in enumerate(points):
            for j, power in enumerate(powers):
                rows[i, j] = x**power
            rows[i, n] = (-1) ** i / weight(x)
            right[i] = f(x)
        solution = mp.lu_solve(rows, right)
        coefficients = [solution[j] for j in range(n)]
        level = abs(solution[n])

        def error(x):
            value = sum(c * x**power for c, power in zip(coefficients, powers))
            return weight(x) * (value - f(x))

        grid = [
            (low + high) / 2 - (high - low) / 2 * mp.cos(mp.pi * i / grid_size)
            for i in range(grid_size + 1)
        ]
        values = [error(x) for x in grid]
        # One extremum for each run of one sign.
        extrema = []
        for x, value in zip(grid, values):
            if extrema and (value > 0) == (extrema[-1][1] > 0):
                if abs(value) > abs(extrema[-1][1]):
                    extrema[-1] = (x, value)
            else:
                extrema.append((x, value))
        while len(extrema) > n + 1:
            drop = 0 if abs(extrema[0][1]) < abs(extrema[-1][1]) else -1
            extrema.pop(drop)
        if len(extrema) < n + 1:
            break
        points = [x for x, _ in extrema]
        worst = max(abs(value) for _, value in extrema)
        if worst < level * mp.mpf("1.0001"):
            break
    return coefficients, powers


def to_float(value):
    return struct.unpack("<f", struct.pack("<f", float(value)))[0]


def emit(name, f, weight, low, high, degree, kind, scale=1):
    coefficients, powers = remez(f, weight, low, high, degree)
    rounded = [to_float(c) if kind == "float" else float(c) for c in coefficients]
    worst = 0
    for i in range(2001):
        x = mp.mpf(low) + (mp.mpf(high) - mp.mpf(low)) * i / 2000
        value = sum(mp.mpf(c) * x**power for c, power in zip(rounded, powers))
        worst = max(worst, abs(weight(x) * (value - f(x))))
    text = ", ".join(c.hex() for c in rounded)
    print(f"// error {mp.nstr(worst * scale, 3)}")
    print(f"static constexpr {kind} {name}[] = {{{text}}};")
    sys.stdout.flush()


def limit(f, at_zero):
    """`f` with its limit where it is 0 / 0."""
    return lambda x: at_zero if abs(x) < mp.mpf("1e-25") else f(x)


ln2 = mp.log(2)
half_ln2 = ln2 / 2 * mp.mpf("1.0001")

# exp(r) = 1 + r + r^2 q(r).
exp_q = limit(lambda r: (mp.exp(r) - 1 - r) / r**2, mp.mpf(1) / 2)
emit("kExpF32", exp_q, lambda r: 1, -half_ln2, half_ln2, 4, "float", scale=half_ln2**2)
emit("kExpF64", exp_q, lambda r: 1, -half_ln2, half_ln2, 9, "double", scale=half_ln2**2)

# log(1 + f) = f - f^2 / 2 + f^3 p(f), relative to f.
root = mp.sqrt(mp.mpf(1) / 2)
log_p = limit(lambda f: (mp.log(1 + f) - f + f * f / 2) / f**3, mp.mpf(1) / 3)
emit("kLogF32", log_p, lambda f: f * f + mp.mpf("1e-30"), root - 1, 2 * root - 1, 7, "float")

# log(m) = 2 s + s R(s^2) with s = (m - 1) / (m + 1); R(z) = z (2/3 + 2/5 z + ...), relative to 2.
s_max = (mp.sqrt(2) - 1) / (mp.sqrt(2) + 1)
z_max = s_max**2 * mp.mpf("1.0001")
atanh_r = limit(lambda z: (2 * mp.atanh(mp.sqrt(z)) / mp.sqrt(z) - 2) / z, mp.mpf(2) / 3)
emit("kLogF64", atanh_r, lambda z: z / 2 + mp.mpf("1e-30"), 0, z_max, 6, "double")
# The same from the next term on: R(z) = z (2/3 + z T(z)).
atanh_t = limit(lambda z: (atanh_r(z) - mp.mpf(2) / 3) / z, mp.mpf(2) / 5)
emit("kLogTailF64", atanh_t, lambda z: z**2 / 2 + mp.mpf("1e-30"), 0, z_max, 7, "double")

# tanh(x) = x + x^3 p(x^2), relative to x.
tanh_p = limit(lambda z: (mp.tanh(mp.sqrt(z)) / mp.sqrt(z) - 1) / z, -mp.mpf(1) / 3)
emit("kTanhF32", tanh_p, lambda z: z + mp.mpf("1e-30"), 0, mp.mpf("0.625") ** 2, 5, "float")
emit("kTanhF64", tanh_p, lambda z: z + mp.mpf("1e-30"), 0, mp.mpf("0.625") ** 2, 13, "double")

# erf(x) = x + x p(x^2), relative to erf(x) / x.
erf_p = limit(lambda z: mp.erf(mp.sqrt(z)) / mp.sqrt(z) - 1, 2 / mp.sqrt(mp.pi) - 1)
erf_weight = limit(lambda z: mp.sqrt(z) / mp.erf(mp.sqrt(z)), mp.sqrt(mp.pi) / 2)
emit("kErfF32", erf_p, erf_weight, 0, mp.mpf("0.9375") ** 2, 6, "float")
emit("kErfF64", erf_p, erf_weight, 0, mp.mpf("0.9375") ** 2, 13, "double")
# erf(x) = 1 - exp(-x - x q(x)) beyond; the error of q counts through erfc, relative to erf.
log_erfc = lambda x: -mp.log(mp.erfc(x)) / x - 1
erfc_weight = lambda x: x * mp.erfc(x) / mp.erf(x)
emit("kErfcF32", log_erfc, erfc_weight, mp.mpf("0.9375"), mp.mpf("4.0"), 6, "float")
emit("kErfcF64", log_erfc, erfc_weight, mp.mpf("0.9375"), mp.mpf("6.0"), 17, "double")
