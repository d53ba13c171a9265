# RUN: %python %s amp-run
"""Matrix products against f64, with the bound of a sum in any order, and exactly where every sum is exact."""

import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
from entry import UNIT, check, check_same, round_to, rounding, run, store


def module(lhs, rhs, result, left, right, out, attributes=""):
    """A product of matrices of the element types `lhs` and `rhs`; bf16 travels as f32."""
    lines = []
    for name, element, shape in [("a", lhs, left), ("b", rhs, right)]:
        lines.append(f"%{name} = train.cast %{name}0 : (tensor<{shape}x{store(element)}>) -> tensor<{shape}x{element}>")
    lines.append(f"%r = train.matmul %a, %b {attributes}"
                 f" : (tensor<{left}x{lhs}>, tensor<{right}x{rhs}>) -> tensor<{out}x{result}>")
    lines.append(f"%s = train.cast %r : (tensor<{out}x{result}>) -> tensor<{out}x{store(result)}>")
    return (f"func.func @f(%a0: tensor<{left}x{store(lhs)}>, %b0: tensor<{right}x{store(rhs)}>)"
            f" -> tensor<{out}x{store(result)}> {{\n  " + "\n  ".join(lines) +
            f"\n  return %s : tensor<{out}x{store(result)}>\n}}\n")


def numbers(shape, element, seed):
    return round_to(np.random.RandomState(seed).standard_normal(shape).astype(np.float32), element)


def product_bound(a, b, unit):
    """Each of k products and k additions rounds; sum |a| |b| is the size of what they round."""
    return (2 * a.shape[1]) * unit * (np.abs(a) @ np.abs(b))


M, K, N = 37, 53, 29
TYPES = [("f32", "f32", "f32"), ("f16", "f16", "f16"), ("f16", "f16", "f32"), ("bf16", "bf16", "bf16"),
         ("f16", "bf16", "f32"), ("f16", "f32", "f16"), ("f64", "f64", "f64"), ("f32", "f64", "f32"),
         ("f16", "f16", "f64")]
for lhs, rhs, result in TYPES:
    unit = UNIT["f64" if "f64" in (lhs, rhs, result) else "f32"]
    for name, left, right in [("", "?x53", "53x29"), ("transpose_lhs", "53x?", "53x29"), ("transpose_rhs", "?x53", "29x53"),
                              ("transpose_lhs, transpose_rhs", "53x?", "?x53")]:
        a, b = numbers((M, K), lhs, 1), numbers((K, N), rhs, 2)
        x = np.ascontiguousarray(a.T) if "transpose_lhs" in name else a
        w = np.ascontiguousarray(b.T) if "transpose_rhs" in name else b
        out = "?x?" if right == "?x53" else "?x29"
        got, = run(module(lhs, rhs, result, left, right, out, f"{{{name}}}" if name else ""), x, w)
        wide = a.astype(np.float64) @ b.astype(np.float64)
        bound = product_bound(a.astype(np.float64), b.astype(np.float64), unit)
        check(f"matmul {lhs} {rhs} {result} {name}", got, wide, bound + rounding(wide, result))

# Small integers: every partial sum is exact in f32 but not in f16, so that only an f32 accumulator gives these bits.
generator = np.random.RandomState(5)
a = generator.randint(-8, 9, (M, 600)).astype(np.float16)
b = generator.randint(-8, 9, (600, N)).astype(np.float16)
for result in ["f16", "f32"]:
    got, = run(module("f16", "f16", result, "?x600", "600x29", "?x29"), a, b)
    exact = a.astype(np.float64) @ b.astype(np.float64)
    check_same(f"exact sums {result}", got, round_to(exact, result))

# The bias meets the accumulator: 2048 + 1 is no f16, 2048 + 1 + 1 is.
LINEAR = """
func.func @f(%x: tensor<?x2xf16>, %w: tensor<2x1xf16>, %b: tensor<1xf32>) -> tensor<?x1xf16> {
  %0 = train.linear %x, %w bias %b : (tensor<?x2xf16>, tensor<2x1xf16>, tensor<1xf32>) -> tensor<?x1xf16>
  return %0 : tensor<?x1xf16>
}
"""
got, = run(LINEAR, np.array([[2048, 1]], np.float16), np.ones((2, 1), np.float16), np.array([1], np.float32))
check_same("bias in f32", got, np.array([[2050]], np.float16))

TRANSPOSED = """
func.func @f(%x: tensor<?x53xf32>, %w: tensor<29x53xf32>, %b: tensor<29xf16>) -> (tensor<?x29xf32>, tensor<?x29xf16>) {
  %0 = train.linear %x, %w bias %b {transpose_weight}
      : (tensor<?x53xf32>, tensor<29x53xf32>, tensor<29xf16>) -> tensor<?x29xf32>
  %1 = train.bias_add %0, %b : (tensor<?x29xf32>, tensor<29xf16>) -> tensor<?x29xf16>
  return %0, %1 : tensor<?x29xf32>, tensor<?x29xf16>
}
"""
x, w, bias = numbers((M, K), "f32", 1), numbers((N, K), "f32", 2), numbers((N,), "f16", 3)
got, again = run(TRANSPOSED, x, w, bias)
a, b = x.astype(np.float64), w.astype(np.float64).T
wide = a @ b + bias
check("linear", got, wide, product_bound(a, b, UNIT["f32"]) + rounding(wide, "f32"))
check_same("bias_add", again, (got + bias.astype(np.float32)).astype(np.float16))
