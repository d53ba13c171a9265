"""Data for last-gradient.mlir, and what a step on it must leave.

    last-gradient.py make GOOD.npz BAD.npz
    last-gradient.py skipped|stepped CHECKPOINT.safetensors
"""

import json
import struct
import sys

import numpy

if sys.argv[1] == "make":
    x, t = numpy.ones((4, 4), numpy.float32), numpy.full((4, 3), 0.1, numpy.float32)
    numpy.savez(sys.argv[2], x=x, t=t)
    t[-1, -1] = 3e38
    numpy.savez(sys.argv[3], x=x, t=t)
    sys.exit()

with open(sys.argv[2], "rb") as file:
    data = file.read()
(length,) = struct.unpack("<Q", data[:8])
header, body = json.loads(data[8 : 8 + length]), data[8 + length :]
types = {"F32": numpy.float32, "I32": numpy.int32, "I64": numpy.int64}
state = {name: numpy.frombuffer(body[slice(*entry["data_offsets"])], types[entry["dtype"]])
         for name, entry in header.items() if name != "__metadata__"}
initial = {"first": 0.5, "last": 0.25, "first.exp_avg": 0, "first.exp_avg_sq": 0, "last.exp_avg": 0,
           "last.exp_avg_sq": 0, "t.step_count": 0}
if not initial.keys() <= state.keys():
    sys.exit(f"the checkpoint has {sorted(state)}")
changed = sorted(name for name, value in initial.items() if (state[name] != value).any())
expected = [] if sys.argv[1] == "skipped" else sorted(initial)
if changed != expected or state["amp.total_skips"][0] != (not expected):
    sys.exit(f"changed: {changed}, skips: {state['amp.total_skips'][0]}")
