# RUN: %python %s amp-run
"""Every cast is one rounding, to nearest even, from any float type into any other."""

import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
from entry import check_same, run, store, NUMPY

# Precision in bits, exponent of the smallest subnormal number, largest finite number.
FORMATS = {
    "f16": (11, -24, 65504.0),
    "bf16": (8, -133, 2.0**127 * (2 - 2.0**-7)),
    "f32": (24, -149, 2.0**127 * (2 - 2.0**-23)),
    "f64": (53, -1074, np.finfo(np.float64).max),
}


def rounded(values, element):
    """f64 rounded once into `element`, by whole multiples of the last place: an f64 holds all of them exactly."""
    precision, smallest, largest = FORMATS[element]
    if element == "f64":
        return values
    _, exponent = np.frexp(values)
    place = np.maximum(exponent - precision, smallest)
    with np.errstate(over="ignore", invalid="ignore"):
        result = np.ldexp(np.rint(np.ldexp(values, -place)), place)
    return np.where(np.abs(result) > largest, np.copysign(np.inf, values), result)


def interesting():
    """f64 numbers at and beside the ties of each format, its limits, subnormals, and random ones of all sizes."""
    generator = np.random.RandomState(3)
    values = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-320, -5e-324, 1e308]
    for precision, smallest, largest in FORMATS.values():
        step = 2.0 ** -precision
        for base in [1.0, 1.0 + 2 * step, 1.0 + 4 * step, 1.0 + 6 * step]:
            for tie in [base + step, base + 3 * step]:
                values += [tie, tie + 2.0**-40, tie - 2.0**-40, tie + 2.0**-52, tie - 2.0**-52]
        values += [largest, largest * (1 + step / 2), largest * (1 + step / 2 - 2.0**-50)]
        for count in [0.5, 1.0, 1.5, 2.5, 0.5 + 2.0**-30, 0.5 - 2.0**-30]:
            values.append(np.ldexp(count, max(smallest, -1050)))
    values = np.array(values + [-value for value in values])
    sizes = generator.randint(-150, 130, 4000)
    randoms = np.ldexp(generator.uniform(-1, 1, 4000), sizes)
    halfway = np.ldexp(generator.randint(-2**9, 2**9, 2000) + 0.0, sizes[:2000])
    near = halfway * (1 + generator.choice([-1.0, 0.0, 1.0], 2000) * 2.0**-45)
    return np.concatenate([values, randoms, near])


def module(source, target):
    steps, value = [], "%0"
    if source == "bf16":
        steps.append("%c = train.cast %0 : (tensor<?xf32>) -> tensor<?xbf16>")
        value = "%c"
    steps.append(f"%r = train.cast {value} : (tensor<?x{source}>) -> tensor<?x{target}>")
    value = "%r"
    if target == "bf16":
        steps.append("%s = train.cast %r : (tensor<?xbf16>) -> tensor<?xf32>")
        value = "%s"
    return (f"func.func @f(%0: tensor<?x{store(source)}>) -> tensor<?x{store(target)}> {{\n  " + "\n  ".join(steps) +
            f"\n  return {value} : tensor<?x{store(target)}>\n}}\n")


for source in FORMATS:
    inputs = rounded(interesting(), source)
    for target in FORMATS:
        if source == target:
            continue
        expected = rounded(inputs, target).astype(NUMPY[store(target)])
        got, = run(module(source, target), inputs.astype(NUMPY[store(source)]))
        check_same(f"{source} to {target}", got, expected)

# The example that two roundings get wrong: through f32 this is a tie, and 1.
got, = run(module("f64", "bf16"), np.array([1.0 + 2.0**-8 + 2.0**-40]))
check_same("just above a tie", got, np.array([1.0 + 2.0**-7], dtype=np.float32))
