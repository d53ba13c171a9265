# RUN: %python %s amp-run
"""Elementwise ops: exact where IEEE arithmetic gives the answer, within a derived bound where a function is computed."""

import math
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
from entry import FUNCTION, UNIT, check, check_same, round_to, rounding, run, store

SPECIAL = [0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, math.nan, 6.0e-8, -6.0e-8, 65504.0, 1e-3, -2.5]


def module(op, elements, result, attributes=""):
    """A function of the op; bf16 operands and results are cast at its border, exactly."""
    count = len(elements)
    arguments = ", ".join(f"%{index}: tensor<?x7x{store(element)}>" for index, element in enumerate(elements))
    lines, operands = [], []
    for index, element in enumerate(elements):
        operands.append(f"%{index}")
        if element == "bf16":
            operands[-1] = f"%c{index}"
            lines.append(f"%c{index} = train.cast %{index} : (tensor<?x7xf32>) -> tensor<?x7xbf16>")
    types = ", ".join(f"tensor<?x7x{element}>" for element in elements)
    lines.append(f"%r = train.{op} {', '.join(operands)} {attributes} : ({types}) -> tensor<?x7x{result}>")
    if result == "bf16":
        lines.append("%s = train.cast %r : (tensor<?x7xbf16>) -> tensor<?x7xf32>")
    value = "%s" if result == "bf16" else "%r"
    return (f"func.func @f({arguments}) -> tensor<?x7x{store(result)}> {{\n  " + "\n  ".join(lines) +
            f"\n  return {value} : tensor<?x7x{store(result)}>\n}}\n")


def operand(element, seed, scale=3.0):
    generator = np.random.RandomState(seed)
    values = (generator.standard_normal(91) * scale).astype(np.float64)
    # Every pair of special values meets in one of two operands.
    values[:len(SPECIAL)] = np.roll(SPECIAL, seed)
    with np.errstate(over="ignore"):
        values = round_to(values.astype(np.float32 if element != "f64" else np.float64), element)
    return values.reshape(13, 7)


def widen(array):
    return array.astype(np.float64 if array.dtype == np.float64 else np.float32)


def check_exact(op, function, elements, result, scale=3.0):
    arrays = [operand(element, seed, scale) for seed, element in enumerate(elements)]
    got, = run(module(op, elements, result), *arrays)
    wide = np.float64 if "f64" in (*elements, result) else np.float32
    with np.errstate(all="ignore"):
        expected = round_to(function(*(array.astype(wide) for array in arrays)), result)
    check_same(f"{op} {elements} -> {result}", got, expected)


BINARY = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide}
for op, function in BINARY.items():
    for elements, result in [(("f32", "f32"), "f32"), (("f16", "f16"), "f16"), (("bf16", "f32"), "bf16"),
                             (("f16", "bf16"), "f32"), (("f64", "f32"), "f32"), (("f16", "f64"), "f16")]:
        check_exact(op, function, elements, result)

EXACT = {
    "neg": np.negative,
    "relu": lambda x: np.where(np.isnan(x), x, np.where(x > 0, x, x.dtype.type(0))),
}
for op, function in EXACT.items():
    for element, result in [("f32", "f32"), ("f16", "f16"), ("bf16", "bf16"), ("f32", "f16"), ("f64", "f64")]:
        check_exact(op, function, (element,), result)
for elements, result in [(("f32", "f32"), "f32"), (("f16", "bf16"), "f16")]:
    check_exact("relu_grad", lambda g, x: np.where(x > 0, g, g.dtype.type(0)), elements, result)
    check_exact("tanh_grad", lambda g, y: g * (g.dtype.type(1) - y * y), elements, result, scale=0.5)
    check_exact("sigmoid_grad", lambda g, y: g * (y * (g.dtype.type(1) - y)), elements, result, scale=0.5)


def sigmoid(x):
    e = np.exp(-np.abs(x))
    return np.where(x < 0, e, 1.0) / (1.0 + e)


erf = np.vectorize(math.erf)
SQRT2, DENSITY, TANH = math.sqrt(2.0), 1.0 / math.sqrt(2.0 * math.pi), math.sqrt(2.0 / math.pi)


def gelu(x):
    return 0.5 * x * (1 + erf(x / SQRT2))


def gelu_tanh(x):
    return 0.5 * x * (1 + np.tanh(TANH * (x + 0.044715 * x**3)))


def gelu_slope(x):
    return 0.5 * (1 + erf(x / SQRT2)) + x * DENSITY * np.exp(-0.5 * x * x)


def gelu_tanh_slope(x):
    t = np.tanh(TANH * (x + 0.044715 * x**3))
    return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * TANH * (1 + 3 * 0.044715 * x * x)


# The f32 error of each function as a multiple of UNIT, at x with value y. 1 + erf and 1 + tanh cancel for negative x, so
# that their error is absolute: that of the function, of its argument (3 or 8 roundings times the largest slope times x
# of the function, 0.5), and of the sum.
BOUNDS = {
    "tanh": (np.tanh, "", lambda x, y: FUNCTION * np.abs(y)),
    "sigmoid": (sigmoid, "", lambda x, y: (2 * FUNCTION + 2) * np.abs(y)),
    "gelu": (gelu, "", lambda x, y: np.abs(x) * (FUNCTION + 1.5 + 2) / 2 + 2 * np.abs(y)),
    "gelu tanh": (gelu_tanh, "approximate tanh", lambda x, y: np.abs(x) * (FUNCTION + 4 + 2) / 2 + 2 * np.abs(y)),
}
for name, (function, attributes, error) in BOUNDS.items():
    op = name.split()[0]
    for element, result in [("f32", "f32"), ("f16", "f16"), ("bf16", "bf16"), ("f64", "f64")]:
        x = operand(element, 0)
        # An infinite gelu at minus infinity is an infinity times zero.
        x = np.where(np.isinf(x) & (op == "gelu"), x.dtype.type(2.0), x)
        with np.errstate(all="ignore"):
            y = function(x.astype(np.float64))
        got, = run(module(op, (element,), result, attributes), x)
        unit = UNIT["f64" if element == "f64" else "f32"]
        check(f"{name} {element} -> {result}", got, y, unit * error(x.astype(np.float64), y) + rounding(y, result))

# Far out the sigmoid is still the exponential.
x = np.array([[-100.0, -88.0, -50.0, 20.0, 100.0, 3e38, -3e38]], dtype=np.float32)
got, = run(module("sigmoid", ("f32",), "f32"), x)
y = sigmoid(x.astype(np.float64))
check("sigmoid far out", got, y, (2 * FUNCTION + 2) * UNIT["f32"] * y + rounding(y, "f32"))

# Derivatives: the products of the slope's two terms add FUNCTION + 8 roundings of numbers below |x| + 1.
for name, function, attributes in [("gelu_grad", gelu_slope, ""), ("gelu_grad tanh", gelu_tanh_slope, "approximate tanh")]:
    for elements, result in [(("f32", "f32"), "f32"), (("f16", "f16"), "f16"), (("f64", "f64"), "f64")]:
        g, x = np.full((13, 7), 1.5, dtype=widen(operand(elements[0], 0)).dtype), operand(elements[1], 1)
        g = round_to(g, elements[0])
        x = np.where(np.isfinite(x) & (np.abs(x) < 1e3), x, x.dtype.type(0.5))
        y = 1.5 * function(x.astype(np.float64))
        got, = run(module("gelu_grad", elements, result, attributes), g, x)
        unit = UNIT["f64" if "f64" in elements else "f32"]
        bound = 1.5 * unit * (2 * FUNCTION + 16) * (np.abs(x.astype(np.float64)) + 1)
        check(f"{name} {elements} -> {result}", got, y, bound + rounding(y, result))
