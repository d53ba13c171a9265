# RUN: %python %s amp-run
"""Reductions accumulate in f32 and round once; their gradients spread what comes back."""

import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
from entry import NUMPY, UNIT, check, check_same, round_to, rounding, run

SHAPE = (11, 6, 19)
DIMENSIONS = [[0], [1], [2], [0, 1], [0, 2], [1, 2], [0, 1, 2], []]


def numbers(element, seed=1, shape=SHAPE):
    return np.random.RandomState(seed).standard_normal(shape).astype(NUMPY[element])


def text(shape, element):
    """The type of a tensor whose dimensions of size 11 are dynamic."""
    return "tensor<" + "x".join([*("?" if size == 11 else str(size) for size in shape), element]) + ">"


def without(shape, dimensions):
    return [size for index, size in enumerate(shape) if index not in dimensions]


def function(arguments, lines, results):
    """A function that returns the values %r0, %r1, ... of the types `results`, one per line."""
    body = "\n".join(f"  %r{index} = {line}" for index, line in enumerate(lines))
    values = ", ".join(f"%r{index}" for index in range(len(lines)))
    types = ", ".join(results)
    parameters = ", ".join(f"%{index}: {type}" for index, type in enumerate(arguments))
    return f"func.func @f({parameters}) -> ({types}) {{\n{body}\n  return {values} : {types}\n}}\n"


def reduce_all(x, element, result, cases):
    """The results of the reductions (kind, dimensions) of `cases`."""
    source = text(x.shape, element)
    results = [text(without(x.shape, dimensions), result) for _, dimensions in cases]
    lines = [f"train.reduce {kind} %0 dimensions {dimensions} : ({source}) -> {type}"
             for (kind, dimensions), type in zip(cases, results)]
    return run(function([source], lines, results), x)


CASES = [(kind, dimensions) for dimensions in DIMENSIONS for kind in ["sum", "mean", "max", "min"]]
EXTREMA = {"max": np.max, "min": np.min}
FEW = [case for case in CASES if case[1] in ([0], [1, 2])]
for element, result, cases in [("f32", "f32", CASES), ("f16", "f16", CASES), ("f16", "f32", FEW), ("f32", "f16", FEW),
                               ("f64", "f64", FEW), ("f32", "f64", FEW)]:
    x = numbers(element)
    wide = x.astype(np.float64)
    unit = UNIT["f64" if "f64" in (element, result) else "f32"]
    for (kind, dimensions), got in zip(cases, reduce_all(x, element, result, cases)):
        axes, what = tuple(dimensions), f"{kind} {element} {result} {dimensions}"
        if kind in EXTREMA:
            check_same(what, got, round_to(EXTREMA[kind](x, axis=axes), result))
            continue
        # As many additions as elements, each of at most the sum of all sizes; a mean divides once more.
        count = int(np.prod([SHAPE[axis] for axis in axes]))
        divisor = count if kind == "mean" else 1
        expected = wide.sum(axes) / divisor
        bound = (count + 1) * unit * np.abs(wide).sum(axes) / divisor
        check(what, got, expected, bound + rounding(expected, result))

# A sum that an f16 accumulator cannot hold, and a count that is no f16.
ones = np.ones((11, 7000), np.float16)
got, = reduce_all(ones, "f16", "f32", [("sum", [1])])
check_same("sum of 7000 ones", got, np.full(11, 7000, np.float32))
got, = reduce_all(ones, "f16", "f16", [("mean", [0, 1])])
check_same("mean of 77000 ones", got, np.array(1, np.float16))

# A NaN anywhere is the extremum; infinities are ordinary numbers.
x = numbers("f32")
x[3, 2, 5], x[4, 1, 7], x[5, 5, 5] = np.nan, np.inf, -np.inf
cases = [case for case in CASES if case[0] in EXTREMA]
for (kind, dimensions), got in zip(cases, reduce_all(x, "f32", "f32", cases)):
    check_same(f"{kind} with NaN {dimensions}", got, EXTREMA[kind](x, axis=tuple(dimensions)))

#
# Gradients
#


def gradients(x, elements, result, kinds, dimensions, *arrays):
    """The gradients of reductions along `dimensions`; `arrays` are the grad and the output of each kind."""
    grad, element, output = elements
    kept = without(x.shape, dimensions)
    arguments = [text(x.shape, element)] + [text(kept, grad), text(kept, output)] * len(kinds)
    target = text(x.shape, result)
    lines = [f"train.reduce_grad {kind} %{2 * index + 1}, %0, %{2 * index + 2} dimensions {dimensions}"
             f" : ({text(kept, grad)}, {text(x.shape, element)}, {text(kept, output)}) -> {target}"
             for index, kind in enumerate(kinds)]
    return run(function(arguments, lines, [target] * len(kinds)), x, *arrays)


def gradient_of(kind, grad, x, y, axes):
    """The gradient in f64."""
    grad, y = np.expand_dims(grad.astype(np.float64), axes), np.expand_dims(y, axes)
    if kind == "sum":
        return np.broadcast_to(grad, x.shape)
    if kind == "mean":
        return np.broadcast_to(grad / np.prod([x.shape[axis] for axis in axes]), x.shape)
    hit = x.astype(y.dtype) == y
    return np.where(hit, grad / np.maximum(hit.sum(axis=axes, keepdims=True), 1), 0.0)


KINDS = ["sum", "mean", "max", "min"]
for elements, result in [(("f32", "f32", "f32"), "f32"), (("f16", "f16", "f16"), "f16"), (("f32", "f32", "f16"), "f16"),
                         (("f64", "f64", "f64"), "f64")]:
    # Few different numbers, so that extrema are shared.
    x = np.round(numbers(elements[1]) * 2) / 2
    x = x.astype(NUMPY[elements[1]])
    unit = UNIT["f64" if "f64" in elements else "f32"]
    for dimensions in DIMENSIONS if elements == ("f16", "f16", "f16") else [[0], [1, 2]]:
        axes = tuple(dimensions)
        g = numbers(elements[0], 2, without(SHAPE, dimensions))
        outputs = [EXTREMA.get(kind, np.max)(x, axis=axes).astype(NUMPY[elements[2]]) for kind in KINDS]
        arrays = [array for y in outputs for array in (g, y)]
        for kind, y, got in zip(KINDS, outputs, gradients(x, elements, result, KINDS, dimensions, *arrays)):
            expected = gradient_of(kind, g, x, y, axes)
            bound = unit * np.abs(expected) + rounding(expected, result)
            check(f"{kind} gradient {elements} {dimensions}", got, expected, bound)

# The maximum was rounded into f16: the element that it came from still gets the gradient.
x = np.array([[1.0, 2.0001, 0.5]] * 11, np.float32)
got, = gradients(x, ("f32", "f32", "f16"), "f32", ["max"], [1], np.ones(11, np.float32), x.max(axis=1).astype(np.float16))
check_same("rounded maximum", got, np.array([[0.0, 1.0, 0.0]] * 11, np.float32))
