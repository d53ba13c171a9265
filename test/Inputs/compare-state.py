"""Compares two checkpoints: compare-state.py A B [--changed NAME,...]

Fails unless exactly the variables that --changed names differ in their bytes; without --changed all must be equal.
"""

import json
import struct
import sys


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + length])
    body = data[8 + length:]
    return {name: body[slice(*entry["data_offsets"])]
            for name, entry in header.items() if name != "__metadata__"}


first, second = read(sys.argv[1]), read(sys.argv[2])
expected = set(sys.argv[4].split(",")) if len(sys.argv) > 4 else set()
if first.keys() != second.keys():
    sys.exit(f"different variables: {sorted(first.keys() ^ second.keys())}")
changed = {name for name in first if first[name] != second[name]}
if changed != expected:
    sys.exit(f"expected a change of {sorted(expected)} but found one of {sorted(changed)}")
