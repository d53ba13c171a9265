"""Calls one function of a module with amp-run and compares what it gives with NumPy's f64.

Bounds are written as roundings times the unit roundoff of the type that rounds times the size of what is rounded.
"""

import os
import subprocess
import sys
import tempfile

import numpy as np

# The unit roundoff, and half the distance of two subnormal numbers.
UNIT = {"f16": 2.0**-11, "bf16": 2.0**-8, "f32": 2.0**-24, "f64": 2.0**-53}
TINY = {"f16": 2.0**-25, "bf16": 2.0**-134, "f32": 2.0**-150, "f64": 2.0**-1075}
# What a device promises of exp, log, tanh and erf in f32: 4 units in the last place, which are 8 roundings.
FUNCTION = 8

NUMPY = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "i1": np.bool_, "i8": np.int8, "ui8": np.uint8,
         "i32": np.int32, "i64": np.int64}


def run(module, *arrays, entry="f"):
    """The results of the function `entry` of `module` for `arrays`."""
    with tempfile.TemporaryDirectory() as folder:
        model, inputs, outputs = (os.path.join(folder, name) for name in ["model.mlir", "inputs.npz", "outputs.npz"])
        with open(model, "w") as file:
            file.write(module)
        np.savez(inputs, **{f"arg{index}": array for index, array in enumerate(arrays)})
        command = [*sys.argv[1].split(), model, f"--entry={entry}", f"--inputs={inputs}", f"--outputs={outputs}"]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode != 0:
            sys.exit(f"{done.stdout.decode()}\n{module}")
        with np.load(outputs) as file:
            return [file[f"out{index}"] for index in range(len(file.files))]


def rounding(value, element):
    """The largest error of one rounding of `value` into `element`."""
    return np.maximum(UNIT[element] * np.abs(value), TINY[element])


def check(what, got, expected, bound):
    """Each element is as expected within `bound`; infinities and NaNs are where they are expected."""
    got, expected = np.asarray(got, dtype=np.float64), np.asarray(expected, dtype=np.float64)
    if got.shape != expected.shape:
        sys.exit(f"{what}: shape {got.shape} instead of {expected.shape}")
    special = ~np.isfinite(expected)
    with np.errstate(invalid="ignore"):
        wrong = np.where(special, ~((got == expected) | (np.isnan(got) & np.isnan(expected))),
                         ~(np.abs(got - expected) <= bound))
    report(what, wrong, got, expected, bound)


def check_same(what, got, expected):
    """Each element has the bits that are expected; one NaN is as good as another."""
    got, expected = np.asarray(got), np.asarray(expected)
    if got.shape != expected.shape or got.dtype != expected.dtype:
        sys.exit(f"{what}: {got.dtype}{got.shape} instead of {expected.dtype}{expected.shape}")
    wrong = (got != expected)
    if got.dtype.kind == "f":
        wrong = np.where(np.isnan(expected), ~np.isnan(got), wrong | (np.signbit(got) != np.signbit(expected)))
    report(what, wrong, got, expected, 0)


def report(what, wrong, got, expected, bound):
    if not np.any(wrong):
        return
    place = tuple(int(index) for index in np.argwhere(wrong)[0])
    limit = np.broadcast_to(bound, np.shape(wrong))[place]
    sys.exit(f"{what}: {np.count_nonzero(wrong)} of {wrong.size} elements are wrong; at {place}: "
             f"{got[place]!r} instead of {expected[place]!r}, bound {limit}")


def to_bf16(values):
    """f32 rounded to nearest even into bf16, still as f32."""
    values = np.asarray(values, dtype=np.float32)
    bits = values.view(np.uint32).astype(np.uint64)
    rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).astype(np.uint32).view(np.float32)
    return np.where(np.isnan(values), np.float32(np.nan), rounded)


def round_to(values, element):
    """f32 or f64 rounded into `element`; bf16 stays an f32."""
    return to_bf16(values) if element == "bf16" else np.asarray(values).astype(NUMPY[element])


def store(element):
    """The type in which `element` travels in files: bf16 travels as f32."""
    return "f32" if element == "bf16" else element
