# RUN: %python %s amp-run
"""Shape changes move elements and round them once."""

import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
from entry import NUMPY, check_same, run


def numbers(shape, element="f32"):
    return np.random.RandomState(1).standard_normal(shape).astype(NUMPY[element])


def module(op, operands, result, rest=""):
    arguments = ", ".join(f"%{index}: tensor<{type}>" for index, type in enumerate(operands))
    types = ", ".join(f"tensor<{type}>" for type in operands)
    return f"""
func.func @f({arguments}) -> tensor<{result}> {{
  %r = train.{op} {rest} : ({types}) -> tensor<{result}>
  return %r : tensor<{result}>
}}
"""


RESHAPES = [
    ("?x8x8xf32", "?x64xf32", (3, 8, 8), (3, 64)),
    ("?x64xf32", "?x8x8xf16", (3, 64), (3, 8, 8)),
    ("?x8xf32", "?x4xf32", (3, 8), (6, 4)),
    ("?x4xf32", "2x?xf32", (6, 4), (2, 12)),
    ("4x6xf32", "3x8xf64", (4, 6), (3, 8)),
    ("2x3x4xf32", "24xf32", (2, 3, 4), (24,)),
    ("?xf32", "?x1x5xf32", (35,), (7, 1, 5)),
    ("f32", "1x1xf32", (), (1, 1)),
    ("1x1x1xf32", "f32", (1, 1, 1), ()),
    ("f32", "1xf32", (), (1,)),
    ("1xf32", "f32", (1,), ()),
    ("?x4xf32", "?x4xf16", (6, 4), (6, 4)),
]
for source, target, shape, new in RESHAPES:
    x = numbers(shape)
    got, = run(module("reshape", [source], target, "%0"), x)
    check_same(f"reshape {source} to {target}", got, x.reshape(new).astype(NUMPY[target.split("x")[-1]]))

TRANSPOSES = [
    ("?x5xf32", "5x?xf32", (3, 5), [1, 0]),
    ("2x?x4xf32", "?x4x2xf16", (2, 3, 4), [1, 2, 0]),
    ("2x3x?xf16", "?x2x3xf32", (2, 3, 4), [2, 0, 1]),
    ("4xf32", "4xf32", (4,), [0]),
]
for source, target, shape, permutation in TRANSPOSES:
    x = numbers(shape, source.split("x")[-1])
    got, = run(module("transpose", [source], target, f"%0 permutation {permutation}"), x)
    expected = np.ascontiguousarray(x.transpose(permutation)).astype(NUMPY[target.split("x")[-1]])
    check_same(f"transpose {source} {permutation}", got, expected)

BROADCASTS = [
    ("8xf32", "?x8xf16", "?x8xf32", (8,), (5, 8), [0]),
    ("?xf32", "?x8xf32", "?x8xf16", (5,), (5, 8), [1]),
    ("f32", "?x8xf32", "5x8xf32", (), (5, 8), [0, 1]),
    ("3xf16", "2x3x4xf32", "2x3x4xf32", (3,), (2, 3, 4), [0, 2]),
    ("2x3xf32", "2x3xf32", "2x3xf32", (2, 3), (2, 3), []),
]
for source, like, target, shape, full, dimensions in BROADCASTS:
    x, y = numbers(shape, source.split("x")[-1]), numbers(full, like.split("x")[-1])
    got, = run(module("broadcast", [source, like], target, f"%0 like %1 dimensions {dimensions}"), x, y)
    expected = np.broadcast_to(np.expand_dims(x, tuple(dimensions)), full).astype(NUMPY[target.split("x")[-1]])
    check_same(f"broadcast {source} {dimensions}", got, expected)
