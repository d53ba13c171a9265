#!/usr/bin/env python3
"""Writes optimizers.json: the steps of PyTorch's optimizers on a small f32 tensor with given gradients.

usage: optimizers.py [OUTPUT]         needs PyTorch; made with the version that the file names

Per trajectory: the op of the `train` dialect, its attributes, the first parameter values, and per step the gradient and
the parameter and states after the step. Numbers are decimal and read back as the same f32. The f64 run of the same
steps stands beside the f32 one, as `parameter_f64`: the distance of the two is what rounding does to this trajectory.
"""

import json
import os
import sys

import numpy as np
import torch

SIZE = 6
STEPS = 8


def numbers(tensor):
    """The shortest decimals that read back the same, in the tensor's own type."""
    array = tensor.detach().numpy()
    texts = [np.format_float_scientific(value, unique=True, trim="0") for value in array]
    values = [float(text) for text in texts]
    assert all(array.dtype.type(value) == element for value, element in zip(values, array))
    return values


def gradients():
    """From 1e-8 to 1e3 in size, both signs, one element always zero."""
    generator = np.random.RandomState(7)
    size = 10.0 ** np.array([-8.0, -4.0, -1.0, 0.0, 3.0, 0.0])
    steps = generator.standard_normal((STEPS, SIZE)) * size
    steps[:, SIZE - 1] = 0.0
    return steps.astype(np.float32)


def steps_of(make, dtype, states):
    start = torch.tensor(np.linspace(-1.5, 2.0, SIZE).astype(np.float32), dtype=dtype)
    parameter = torch.nn.Parameter(start.clone())
    optimizer = make([parameter])
    rows = []
    for gradient in gradients():
        parameter.grad = torch.tensor(gradient, dtype=dtype)
        optimizer.step()
        row = {"gradient": numbers(parameter.grad), "parameter": numbers(parameter)}
        for name, key in states.items():
            row[name] = numbers(optimizer.state[parameter][key])
        rows.append(row)
    return numbers(start), rows


def run(op, make, states, **attributes):
    start, rows = steps_of(make, torch.float32, states)
    _, exact = steps_of(make, torch.float64, states)
    for row, row64 in zip(rows, exact):
        row["parameter_f64"] = row64["parameter"]
    return {"op": op, "attributes": attributes, "start": start, "steps": rows}


def sgd(op, learning_rate, weight_decay, momentum=None, nesterov=False):
    def make(parameters):
        return torch.optim.SGD(parameters, lr=learning_rate, weight_decay=weight_decay, momentum=momentum or 0.0,
                               nesterov=nesterov, foreach=False, fused=False)

    if momentum is None:
        return run(op, make, {}, learning_rate=learning_rate, weight_decay=weight_decay)
    return run(op, make, {"velocity": "momentum_buffer"}, learning_rate=learning_rate, momentum=momentum,
               nesterov=nesterov, weight_decay=weight_decay)


def adam(op, kind, learning_rate, weight_decay, beta1=0.9, beta2=0.999, epsilon=1e-8):
    def make(parameters):
        return kind(parameters, lr=learning_rate, betas=(beta1, beta2), eps=epsilon, weight_decay=weight_decay,
                    foreach=False, fused=False)

    return run(op, make, {"exp_avg": "exp_avg", "exp_avg_sq": "exp_avg_sq"}, learning_rate=learning_rate,
               beta1=beta1, beta2=beta2, epsilon=epsilon, weight_decay=weight_decay)


def main():
    trajectories = [
        sgd("train.sgd", 0.1, 0.0),
        sgd("train.sgd", 0.05, 0.01),
        sgd("train.momentum", 0.1, 0.0, momentum=0.9),
        sgd("train.momentum", 0.05, 0.01, momentum=0.8),
        sgd("train.momentum", 0.05, 0.01, momentum=0.9, nesterov=True),
        adam("train.adam", torch.optim.Adam, 1e-3, 0.0),
        adam("train.adam", torch.optim.Adam, 1e-2, 0.1, beta1=0.8, beta2=0.99, epsilon=1e-6),
        adam("train.adamw", torch.optim.AdamW, 1e-3, 0.01),
        adam("train.adamw", torch.optim.AdamW, 1e-2, 0.1, beta1=0.8, beta2=0.99, epsilon=1e-6),
    ]
    here = os.path.dirname(os.path.abspath(__file__))
    path = sys.argv[1] if len(sys.argv) > 1 else os.path.join(here, "optimizers.json")
    lines = ",\n".join(json.dumps(trajectory) for trajectory in trajectories)
    with open(path, "w", encoding="ascii") as file:
        file.write(f'{{"made_with": "PyTorch {torch.__version__}", "trajectories": [\n{lines}\n]}}\n')


if __name__ == "__main__":
    main()
