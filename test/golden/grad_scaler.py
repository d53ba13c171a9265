#!/usr/bin/env python3
"""Writes grad_scaler.json: what PyTorch's GradScaler does over given sequences of overflows.

usage: grad_scaler.py [OUTPUT]        needs PyTorch; made with the version that the file names

Per trajectory: the four settings, `found_inf` as a string with one 0 or 1 per step, and after each step the bits of the
f32 scale in hexadecimal and the growth tracker.
"""

import json
import os
import random
import struct
import sys

import torch


def bits(value):
    return struct.pack(">f", value).hex()


def run(name, found_inf, init_scale=65536.0, growth=2.0, backoff=0.5, interval=2000):
    parameter = torch.nn.Parameter(torch.zeros(2))
    optimizer = torch.optim.SGD([parameter], lr=0.0)
    scaler = torch.amp.GradScaler(
        "cpu", init_scale=init_scale, growth_factor=growth, backoff_factor=backoff, growth_interval=interval)
    scale, tracker = [], []
    for overflow in found_inf:
        scaler.scale(torch.zeros(()))  # creates the state at the first step, as a training does
        parameter.grad = torch.tensor([1.0, float("inf") if overflow else 1.0])
        scaler.step(optimizer)
        scaler.update()
        # The f32 state itself: get_scale() would go through a Python float.
        scale.append(bits(scaler._scale.item()))
        tracker.append(int(scaler._growth_tracker.item()))
    return {
        "name": name, "init_scale": bits(init_scale), "growth_factor": growth, "backoff_factor": backoff,
        "growth_interval": interval, "found_inf": "".join(map(str, found_inf)), "scale": scale,
        "growth_tracker": tracker,
    }


def sequence(seed, steps, probability):
    generator = random.Random(seed)
    return [int(generator.random() < probability) for _ in range(steps)]


LARGEST = struct.unpack(">f", bytes.fromhex("7f7fffff"))[0]
SMALLEST_NORMAL = 2.0**-126

TRAJECTORIES = [
    run("defaults, clean up to the first growth, then an overflow", [0] * 2001 + [1, 0]),
    run("defaults, overflows only", [1] * 20),
    run("overflow on the step that would grow", [0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0], interval=3),
    run("factors that f32 cannot hold", sequence(1, 120, 0.2), growth=1.1, backoff=0.7, interval=3),
    run("growth from the largest f32 stays there", [0] * 4 + [1, 0, 0], init_scale=LARGEST, interval=1),
    run("growth up to the largest power of two", [0] * 6, init_scale=2.0**125, interval=1),
    run("growth by 1.1 up to the end", [0] * 12, init_scale=2.0**127, growth=1.1, interval=1),
    run("decay through the subnormals to zero", [1] * 30 + [0] * 3, init_scale=SMALLEST_NORMAL, interval=1),
    run("decay by 0.7 through the subnormals", [1] * 80, init_scale=SMALLEST_NORMAL, backoff=0.7),
    run("growth out of the subnormals", [1] * 6 + [0] * 12, init_scale=SMALLEST_NORMAL, interval=2),
    run("a scale that is no power of two", sequence(2, 80, 0.3), init_scale=1000.1, interval=2),
    run("random overflows, interval 1", sequence(3, 150, 0.5), interval=1),
    run("random overflows, interval 5", sequence(4, 200, 0.1), interval=5),
    run("random overflows, uneven factors", sequence(5, 200, 0.25), growth=1.7, backoff=0.35, interval=2),
    run("factors next to one", sequence(6, 20, 0.5), growth=1.0000001, backoff=0.9999999, interval=1),
]


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    path = sys.argv[1] if len(sys.argv) > 1 else os.path.join(here, "grad_scaler.json")
    lines = ",\n".join(json.dumps(trajectory) for trajectory in TRAJECTORIES)
    with open(path, "w", encoding="ascii") as file:
        file.write(f'{{"made_with": "PyTorch {torch.__version__}", "trajectories": [\n{lines}\n]}}\n')


if __name__ == "__main__":
    main()
