# RUN: %python %s amp-run
"""Optimizer steps have the bits of NumPy's f32 in the documented order, whose f64 is PyTorch's."""

import json
import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "Inputs"))
from entry import NUMPY, check, check_same, run

STATES = {"sgd": [], "momentum": ["velocity"], "adam": ["exp_avg", "exp_avg_sq"], "adamw": ["exp_avg", "exp_avg_sq"]}


def power(base, exponent):
    """Binary exponentiation, as the step computes it."""
    result = 1.0
    while exponent:
        result = result * base if exponent & 1 else result
        base, exponent = base * base, exponent >> 1
    return result


def step(op, a, t, p, g, states, wide):
    """One step of `op` with the attributes `a` in the type `wide`, one rounding per operation."""
    decay, rate = a["weight_decay"], a["learning_rate"]
    if op == "adamw":
        p = p if decay == 0 else wide(1 - rate * decay) * p
    elif decay != 0:
        g = g + wide(decay) * p
    if op == "sgd":
        return [p - wide(rate) * g]
    if op == "momentum":
        v = wide(a["momentum"]) * states[0] + g
        d = g + wide(a["momentum"]) * v if a["nesterov"] else v
        return [p - wide(rate) * d, v]
    m = wide(a["beta1"]) * states[0] + wide(1 - a["beta1"]) * g
    v = wide(a["beta2"]) * states[1] + wide(1 - a["beta2"]) * g * g
    d = np.sqrt(v) / wide(np.sqrt(1 - power(a["beta2"], t))) + wide(a["epsilon"])
    return [p - wide(rate / (1 - power(a["beta1"], t))) * (m / d), m, v]


def module(op, attributes, size, count, parameter, gradient, first=1):
    """`count` steps in a row, numbered from `first`; the results of each."""
    texts = {key: str(value).lower() if isinstance(value, bool) else f"{value!r} : f64"
             for key, value in attributes.items()}
    # MLIR reads 1.0e-08 and not 1e-08.
    texts = {key: text.replace("e-", ".0e-") if "." not in text else text for key, text in texts.items()}
    types = [f"tensor<{size}x{parameter}>"] * (1 + len(STATES[op]))
    state = [f"%s{index}" for index in range(len(types))]
    arguments = [f"{name}: {type}" for name, type in zip(state, types)]
    arguments += [f"%g{index}: tensor<{size}x{gradient}>" for index in range(count)]
    lines, results = [], []
    for index in range(count):
        operands, extra, extra_type = [state[0], f"%g{index}", *state[1:]], "", ""
        if op.startswith("adam"):
            lines.append(f"  %t{index} = arith.constant dense<{first + index}> : tensor<i64>")
            extra, extra_type = f", %t{index}", ", tensor<i64>"
        state = [f"%r{index}_{number}" for number in range(len(types))]
        inputs = [types[0], f"tensor<{size}x{gradient}>", *types[1:]]
        lines.append(f"  {', '.join(state)} = train.{op} {', '.join(operands)}{extra} "
                     f"{{{', '.join(f'{key} = {text}' for key, text in texts.items())}}}\n"
                     f"      : ({', '.join(inputs)}{extra_type}) -> ({', '.join(types)})")
        results += state
    all_types = ", ".join(types * count)
    return (f"func.func @f({', '.join(arguments)}) -> ({all_types}) {{\n" + "\n".join(lines) +
            f"\n  return {', '.join(results)} : {all_types}\n}}\n")


def check_steps(name, op, attributes, start, gradients, parameter="f32", gradient="f32", first=1):
    """Runs all steps at once and compares each with NumPy; returns the parameters of an f64 run beside it."""
    kind, wide = NUMPY[parameter], np.float64 if "f64" in (parameter, gradient) else np.float32
    p, states = start.astype(kind), [np.zeros(start.shape, kind) for _ in STATES[op]]
    gradients = [g.astype(NUMPY[gradient]) for g in gradients]
    text = module(op, attributes, start.size, len(gradients), parameter, gradient, first)
    got = run(text, p, *states, *gradients)
    exact, exact_states, trajectory = start.astype(np.float64), [np.zeros(start.shape)] * len(states), []
    for index, g in enumerate(gradients):
        with np.errstate(over="ignore"):
            values = step(op, attributes, first + index, p.astype(wide), g.astype(wide), [s.astype(wide) for s in states], wide)
            p, *states = [value.astype(kind) for value in values]
        for number, (value, expected) in enumerate(zip(got[index * len(values):], [p, *states])):
            check_same(f"{name}, step {first + index}, result {number}", value, expected)
        exact, *exact_states = step(op, attributes, first + index, exact, g.astype(np.float64), exact_states, np.float64)
        trajectory.append(exact)
    return trajectory


with open(os.path.join(HERE, "..", "golden", "optimizers.json")) as file:
    golden = json.load(file)["trajectories"]
for trajectory in golden:
    op = trajectory["op"].split(".")[1]
    name = f"{op} {trajectory['attributes']}"
    gradients = [np.array(row["gradient"], np.float32) for row in trajectory["steps"]]
    exact = check_steps(name, op, trajectory["attributes"], np.array(trajectory["start"], np.float32), gradients)
    for index, (row, value) in enumerate(zip(trajectory["steps"], exact)):
        # The same formulas in f64, up to 64 roundings of PyTorch's other order.
        expected = np.array(row["parameter_f64"])
        check(f"{name}, formula of step {index + 1}", value, expected, 64 * 2.0**-53 * (1 + np.abs(expected)))

# Other types: a half gradient, half parameters and states, f64, and a step far into a training.
generator = np.random.RandomState(1)
start, gradients = generator.standard_normal(40), list(generator.standard_normal((3, 40)))
for trajectory in golden[1::2]:
    op = trajectory["op"].split(".")[1]
    for parameter, gradient in [("f32", "f16"), ("f16", "f16"), ("f64", "f64"), ("f32", "f64")]:
        check_steps(f"{op} {parameter} {gradient}", op, trajectory["attributes"], start, gradients, parameter, gradient)
adam = golden[5]["attributes"]
check_steps("adam after a million steps", "adam", adam, start, gradients, first=10**6)
