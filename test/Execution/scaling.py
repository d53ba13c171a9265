# RUN: %python %s amp-run
"""Gradient statistics, clipping and the loss scale; the scale has the bits of PyTorch's GradScaler."""

import json
import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "Inputs"))
from entry import NUMPY, UNIT, check, check_same, run

F32 = np.float32

#
# Check, unscale, clip
#

CHECK = """
func.func @f(%a: tensor<?x10x{0}>, %b: tensor<33x{1}>, %s: tensor<f32>) -> (tensor<i1>, tensor<2xi1>, tensor<f32>, tensor<f32>) {{
  %inv = amp.inverse_scale %s : (tensor<f32>) -> tensor<f32>
  %finite, %nonfinite, %norm = amp.check_gradients %a, %b by %inv
      : (tensor<?x10x{0}>, tensor<33x{1}>, tensor<f32>) -> (tensor<i1>, tensor<2xi1>, tensor<f32>)
  return %finite, %nonfinite, %norm, %inv : tensor<i1>, tensor<2xi1>, tensor<f32>, tensor<f32>
}}
"""
SCALE = F32(65536.0 * 1.1)
INVERSE = F32(1 / np.float64(SCALE))


def check_gradients(what, a, b, nonfinite, scale=SCALE):
    names = {np.dtype(value): key for key, value in NUMPY.items()}
    finite, flags, norm, inverse = run(CHECK.format(names[a.dtype], names[b.dtype]), a, b, scale)
    check_same(f"{what}: inverse", inverse, np.array(F32(1 / np.float64(scale))))
    check_same(f"{what}: nonfinite", flags, np.array(nonfinite))
    check_same(f"{what}: finite", finite, np.array(not any(nonfinite)))
    return norm, inverse.astype(np.float64)


generator = np.random.RandomState(1)
for left, right in [("f16", "f32"), ("f32", "f16"), ("f32", "f32")]:
    a, b = generator.standard_normal((21, 10)).astype(NUMPY[left]), generator.standard_normal(33).astype(NUMPY[right])
    norm, inverse = check_gradients("finite", a, b, [False, False])
    squares = (a.astype(np.float64) * inverse)**2, (b.astype(np.float64) * inverse)**2
    expected = np.sqrt(squares[0].sum() + squares[1].sum())
    # A square has three roundings, the sums one per element; the root halves their relative error and rounds once.
    check("norm", norm, expected, UNIT["f32"] * ((3 + a.size + b.size) / 2 + 1) * expected)
    for value in [np.inf, -np.inf, np.nan]:
        for index in [0, 7, 32]:
            bad = b.copy()
            bad[index] = value
            check_gradients(f"{value} in b", a, bad, [False, True])
        bad = a.copy()
        bad[20, 9] = value
        check_gradients(f"{value} in a", bad, b, [True, False])
        check_gradients(f"{value} in both", bad, np.full(33, value, b.dtype), [True, True])

# A sum of squares that overflows says nothing about the elements.
large = np.full((21, 10), 1e30, F32)
norm, _ = check_gradients("large but finite", large, np.ones(33, F32), [False, False], F32(1.0))
check("infinite norm", norm, np.inf, 0)
large[3, 3] = np.inf
check_gradients("large and infinite", large, np.ones(33, F32), [True, False], F32(1.0))
norm, _ = check_gradients("empty", np.zeros((0, 10), F32), np.zeros(33, F32), [False, False])
check_same("norm of nothing", norm, np.array(F32(0)))

CLIP = """
func.func @f(%g: tensor<?x10xf16>, %inv: tensor<f32>, %n: tensor<f32>) -> (tensor<?x10xf32>, tensor<?x10xf32>, tensor<f32>) {
  %u = amp.unscale %g by %inv : (tensor<?x10xf16>, tensor<f32>) -> tensor<?x10xf32>
  %c = train.clip %u norm %n {max_norm = 1.5 : f64} : (tensor<?x10xf32>, tensor<f32>) -> tensor<?x10xf32>
  %m = train.global_norm %g, %u : (tensor<?x10xf16>, tensor<?x10xf32>) -> tensor<f32>
  return %u, %c, %m : tensor<?x10xf32>, tensor<?x10xf32>, tensor<f32>
}
"""
g = generator.standard_normal((21, 10)).astype(np.float16)
for norm in [0.1, 1.5, 3.0, 1e30, np.inf, np.nan]:
    unscaled, clipped, total = run(CLIP, g, INVERSE, F32(norm))
    expected = g.astype(F32) * INVERSE
    check_same("unscale", unscaled, expected)
    factor = F32(1.5) / (F32(norm) + F32(1e-6))
    factor = factor if np.isnan(factor) else min(factor, F32(1))
    check_same(f"clip by {norm}", clipped, expected * factor)
    wide = np.concatenate([g.ravel(), expected.ravel()]).astype(np.float64)
    expected = np.sqrt((wide**2).sum())
    check("global_norm", total, expected, UNIT["f32"] * ((2 + wide.size) / 2 + 1) * expected)

#
# Scale update
#

UPDATE = """
func.func @f(%found: tensor<?xi1>, %scale: tensor<f32>) -> (tensor<?xf32>, tensor<?x4xi32>) {{
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = tensor.dim %found, %zero : tensor<?xi1>
  %first = tensor.extract %scale[] : tensor<f32>
  %scales = tensor.empty(%n) : tensor<?xf32>
  %counts = tensor.empty(%n) : tensor<?x4xi32>
  %i0 = arith.constant 0 : i32
  %h0 = arith.constant {hysteresis} : i32
  %r:7 = scf.for %i = %zero to %n step %one
      iter_args(%out = %scales, %all = %counts, %sv = %first, %gv = %i0, %hv = %h0, %cv = %i0, %tv = %i0)
      -> (tensor<?xf32>, tensor<?x4xi32>, f32, i32, i32, i32, i32) {{
    %s = tensor.from_elements %sv : tensor<f32>
    %g = tensor.from_elements %gv : tensor<i32>
    %h = tensor.from_elements %hv : tensor<i32>
    %c = tensor.from_elements %cv : tensor<i32>
    %t = tensor.from_elements %tv : tensor<i32>
    %bad = tensor.extract %found[%i] : tensor<?xi1>
    %true = arith.constant true
    %good = arith.xori %bad, %true : i1
    %finite = tensor.from_elements %good : tensor<i1>
    %s1, %g1, %h1, %c1, %t1 = amp.update_scale %finite, %s, %g, %h, %c, %t {{{attributes}}}
        : (tensor<i1>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
        -> (tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
    %v = tensor.extract %s1[] : tensor<f32>
    %next = tensor.insert %v into %out[%i] : tensor<?xf32>
{inserts}
    scf.yield %next, %a4, %v, %v0, %v1, %v2, %v3 : tensor<?xf32>, tensor<?x4xi32>, f32, i32, i32, i32, i32
  }}
  return %r#0, %r#1 : tensor<?xf32>, tensor<?x4xi32>
}}
"""
INSERTS = "\n".join(f"""    %p{i} = arith.constant {i} : index
    %v{i} = tensor.extract %{name}1[] : tensor<i32>
    %a{i + 1} = tensor.insert %v{i} into %{"a" + str(i) if i else "all"}[%i, %p{i}] : tensor<?x4xi32>"""
                    for i, name in enumerate("ghct"))


def update(found, first, growth=2.0, backoff=0.5, interval=2000, hysteresis=1, bounds=""):
    """Scales and counters (growth, hysteresis, consecutive, total) after each step."""
    attributes = (f"growth_factor = {growth!r} : f64, backoff_factor = {backoff!r} : f64, "
                  f"growth_interval = {interval} : i32, hysteresis = {hysteresis} : i32{bounds}")
    text = UPDATE.format(hysteresis=hysteresis, attributes=attributes, inserts=INSERTS)
    return run(text, np.array(found, bool), np.array(first, F32))


def bits(texts):
    return np.array([int(text, 16) for text in texts], np.uint32).view(F32)


with open(os.path.join(HERE, "..", "golden", "grad_scaler.json")) as file:
    golden = json.load(file)["trajectories"]
for row in golden:
    found = [text == "1" for text in row["found_inf"]]
    scales, counts = update(found, bits([row["init_scale"]])[0], row["growth_factor"], row["backoff_factor"],
                            row["growth_interval"])
    check_same(row["name"], scales, bits(row["scale"]))
    check_same(f"{row['name']}: tracker", counts[:, 0], np.array(row["growth_tracker"], np.int32))
    total = np.cumsum(found)
    check_same(f"{row['name']}: total", counts[:, 3], total.astype(np.int32))
    since = total - np.maximum.accumulate(np.where(found, 0, total))
    check_same(f"{row['name']}: consecutive", counts[:, 2], since.astype(np.int32))

# Hysteresis: the third overflow since a clean step backs off, and each after it.
scales, counts = update([1, 1, 1, 1, 0, 1, 1, 0, 1], 1024.0, hysteresis=3)
check_same("hysteresis", scales, np.array([1024, 1024, 512, 256, 256, 256, 256, 256, 256], F32))
check_same("hysteresis tracker", counts[:, 1], np.array([2, 1, 0, -1, 3, 2, 1, 3, 2], np.int32))

# Bounds hold for a scale that changes; one that starts outside stays until it does.
scales, _ = update([1, 1, 1, 0, 0, 0, 0], 16.0, interval=1, bounds=", min_scale = 4.0 : f32, max_scale = 20.0 : f32")
check_same("bounds", scales, np.array([8, 4, 4, 8, 16, 20, 20], F32))
scales, _ = update([0, 0, 1], 100.0, interval=3, bounds=", max_scale = 20.0 : f32")
check_same("bound not crossed yet", scales, np.array([100, 100, 20], F32))
