# RUN: %python %s amp-run
"""Softmax, losses and metrics against f64, and where they must not overflow or count wrongly."""

import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
from entry import FUNCTION, NUMPY, UNIT, check, check_same, rounding, run

ROWS, CLASSES = 23, 37


def numbers(element, seed=1, scale=3.0, shape=(ROWS, CLASSES)):
    return (np.random.RandomState(seed).standard_normal(shape) * scale).astype(NUMPY[element])


def module(op, operands, result):
    types = ", ".join(f"tensor<{type}>" for type in operands)
    names = ", ".join(f"%{index}" for index in range(len(operands)))
    arguments = ", ".join(f"%{index}: tensor<{type}>" for index, type in enumerate(operands))
    return f"""
func.func @f({arguments}) -> tensor<{result}> {{
  %r = train.{op} {names} : ({types}) -> tensor<{result}>
  return %r : tensor<{result}>
}}
"""


def softmax(x):
    """Shifted input, probabilities, sum of exponentials, and the relative error of that sum in units of rounding.

    An exponential is wrong by the rounding of its argument, |x - max| units, and by its own; the sum rounds per element.
    """
    shifted = x - x.max(axis=-1, keepdims=True)
    e = np.exp(shifted)
    s = e.sum(axis=-1, keepdims=True)
    error = FUNCTION + x.shape[-1] + (e * np.abs(shifted)).sum(axis=-1, keepdims=True) / s
    return shifted, e / s, s, error


TYPES = [("f32", "f32"), ("f16", "f16"), ("f16", "f32"), ("f64", "f64")]
for element, result in TYPES:
    unit = UNIT["f64" if element == "f64" else "f32"]
    for shape, type in [((ROWS, CLASSES), f"?x{CLASSES}x"), ((3, 5, 8), "3x?x8x"), ((9,), "9x")]:
        x = numbers(element, shape=shape)
        shifted, p, s, error = softmax(x.astype(np.float64))
        got, = run(module("softmax", [type + element], type + result), x)
        bound = p * unit * (np.abs(shifted) + FUNCTION + error + 1)
        check(f"softmax {element} {shape}", got, p, bound + rounding(p, result))
        y = shifted - np.log(s)
        got, = run(module("log_softmax", [type + element], type + result), x)
        bound = unit * (np.abs(shifted) + error + FUNCTION * np.abs(np.log(s)) + np.abs(y))
        check(f"log_softmax {element} {shape}", got, y, bound + rounding(y, result))

        g = numbers(element, 2, shape=shape)
        wide, q = g.astype(np.float64), p.astype(NUMPY[element])
        terms = wide * q
        inner = wide - terms.sum(axis=-1, keepdims=True)
        expected = q * inner
        size = np.abs(terms).sum(axis=-1, keepdims=True) * (shape[-1] + 1) + np.abs(inner)
        got, = run(module("softmax_grad", [type + element] * 2, type + result), g, q)
        bound = unit * (np.abs(q) * size + np.abs(expected))
        check(f"softmax_grad {element} {shape}", got, expected, bound + rounding(expected, result))

        z = y.astype(NUMPY[element]).astype(np.float64)
        total, size = wide.sum(axis=-1, keepdims=True), np.abs(wide).sum(axis=-1, keepdims=True)
        expected = wide - np.exp(z) * total
        got, = run(module("log_softmax_grad", [type + element] * 2, type + result), g, z.astype(NUMPY[element]))
        bound = unit * (np.exp(z) * ((FUNCTION + 1) * np.abs(total) + shape[-1] * size) + np.abs(expected))
        check(f"log_softmax_grad {element} {shape}", got, expected, bound + rounding(expected, result))

# Logits whose exponentials overflow or vanish.
x = np.array([[1e4, 0.0, -1e4], [-1e4, -1e4, -1e4], [3e38, 3e38, -3e38]], np.float32)
got, = run(module("softmax", ["?x3xf32"], "?x3xf32"), x)
check("softmax of large logits", got, [[1, 0, 0], [1 / 3, 1 / 3, 1 / 3], [0.5, 0.5, 0]], 4 * UNIT["f32"])

#
# Cross-entropy
#

LABELS = np.random.RandomState(4).randint(0, CLASSES, ROWS)


def cross_entropy(x, labels):
    """Loss, its gradient, and their errors in units of rounding."""
    shifted, p, s, error = softmax(x)
    inside = (labels >= 0) & (labels < x.shape[1])
    chosen = np.take_along_axis(shifted, np.where(inside, labels, 0)[:, None], axis=1)
    rows = np.where(inside[:, None], np.log(s) - chosen, 0.0)
    count = len(labels)
    row_error = error + FUNCTION * np.abs(np.log(s)) + np.abs(chosen) + np.abs(rows)
    loss_error = (row_error.sum() + count * np.abs(rows).sum()) / count + np.abs(rows).mean()
    hit = (np.arange(x.shape[1])[None, :] == labels[:, None])
    gradient = np.where(inside[:, None], (p - hit) / count, 0.0)
    gradient_error = (p * (np.abs(shifted) + FUNCTION + error + 1) + 3 * np.abs(p - hit)) / count
    return rows.mean(), loss_error, gradient, gradient_error


for element, result, label in [("f32", "f32", "i32"), ("f16", "f32", "i64"), ("f64", "f64", "i8"), ("f32", "f32", "ui8")]:
    unit = UNIT[result]
    x, labels = numbers(element), LABELS.copy()
    if label != "ui8":
        labels[3], labels[5] = -1, CLASSES
    loss, loss_error, gradient, gradient_error = cross_entropy(x.astype(np.float64), labels)
    labels = labels.astype(NUMPY[label])
    types = [f"?x{CLASSES}x{element}", f"?x{label}"]
    got, = run(module("cross_entropy", types, result), x, labels)
    check(f"cross_entropy {element} {label}", got, loss, unit * loss_error)
    for seed in [1.0, 65536.0]:
        got, = run(module("cross_entropy_grad", [result, *types], f"?x{CLASSES}x{result}"), np.array(seed, NUMPY[result]), x,
                   labels)
        check(f"cross_entropy_grad {element} {label} {seed}", got, seed * gradient, seed * unit * gradient_error)

#
# Mean squared error
#

for element, result in [("f32", "f32"), ("f16", "f32"), ("f64", "f64")]:
    unit = UNIT[result]
    y, t = numbers(element), numbers(element, 2)
    error = y.astype(np.float64) - t
    types = [f"?x{CLASSES}x{element}"] * 2
    got, = run(module("mse", types, result), y, t)
    loss = np.mean(error**2)
    check(f"mse {element}", got, loss, (error.size + 4) * unit * loss)
    got, = run(module("mse_grad", [result, *types], f"?x{CLASSES}x{result}"), np.array(0.75, NUMPY[result]), y, t)
    expected = 0.75 * 2 * error / error.size
    check(f"mse_grad {element}", got, expected, 4 * unit * np.abs(expected) + rounding(expected, result))

#
# Accuracy
#

nan, inf = np.nan, np.inf
ROWS_OF_LOGITS = np.array([
    [1, 2, 3], [3, 3, 1], [3, 3, 1], [nan, 1, 0], [0, 1, nan], [-inf, -inf, -inf], [inf, 1, inf], [1, 5, 2], [1, 5, 2],
    [0.0, -0.0, -1]
])
for element in ["f32", "f16", "f64"]:
    for label in ["i32", "i64", "i8"]:
        labels = np.array([2, 0, 1, 1, 2, 0, 0, -1, 3, 0]).astype(NUMPY[label])
        # Right are: the largest, the first of two, the first of equal infinities (twice), and +0 before -0.
        got, = run(module("accuracy", [f"?x3x{element}", f"?x{label}"], "f32"), ROWS_OF_LOGITS.astype(NUMPY[element]), labels)
        check_same(f"accuracy {element} {label}", got, np.array(np.float32(5) / np.float32(10)))
