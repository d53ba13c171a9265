#!/usr/bin/env python3
"""What NumPy writes is read, and what is written NumPy reads, with the same bits."""

import json
import struct
import subprocess
import sys

import numpy as np

folder, copy = sys.argv[1:]
rng = np.random.default_rng(1)
arrays = {}
for dtype in ("f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"):
    for shape in ((), (3,), (0, 2), (5, 7), (2, 3, 4)):
        count = int(np.prod(shape))
        data = rng.bytes(count * np.dtype(dtype).itemsize)
        arrays[f"{dtype}_{len(shape)}"] = np.frombuffer(data, dtype).reshape(shape)
arrays["flags"] = rng.integers(0, 2, 100).astype(bool)
arrays["bf16"] = np.frombuffer(rng.bytes(12), "V2").reshape(2, 3)
# As many axes as NumPy has.
arrays["deep"] = np.ones((1,) * 32, np.float32)
# The same elements with gaps between them: NumPy writes them without.
arrays["strided"] = arrays["f4_2"][::2, ::3]


def same(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


def check(found):
    assert list(found) == list(arrays)
    for name, array in arrays.items():
        assert same(found[name], array), name


for save in (np.savez, np.savez_compressed):
    save(f"{folder}/in.npz", **arrays)
    subprocess.run([copy, f"{folder}/in.npz", f"{folder}/out.npz"], check=True)
    with np.load(f"{folder}/out.npz") as found:
        check(found)

# Safetensors, read here after its specification.
subprocess.run([copy, f"{folder}/in.npz", f"{folder}/out.safetensors"], check=True)
content = open(f"{folder}/out.safetensors", "rb").read()
size = struct.unpack("<Q", content[:8])[0]
header = json.loads(content[8:8 + size])
assert content[8:9] == b"{" and (8 + size) % 8 == 0
names = {"f2": "F16", "f4": "F32", "f8": "F64", "V2": "BF16", "b1": "BOOL"}
assert set(header) == set(arrays)
covered = 0
for name, entry in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
    array = arrays[name]
    kind = array.dtype.str[1:]
    begin, end = entry["data_offsets"]
    assert entry["dtype"] == names.get(kind, f"{kind[0].upper()}{8 * array.itemsize}"), name
    assert entry["shape"] == list(array.shape), name
    assert content[8 + size + begin:8 + size + end] == array.tobytes(), name
    assert begin == covered and begin % max(array.itemsize, 1) == 0, name
    covered = end
assert 8 + size + covered == len(content)

# And back.
subprocess.run([copy, f"{folder}/out.safetensors", f"{folder}/back.npz"], check=True)
with np.load(f"{folder}/back.npz") as found:
    assert all(same(found[name], array) for name, array in arrays.items())


def fails(message, **bad):
    np.savez(f"{folder}/bad.npz", **bad)
    run = subprocess.run([copy, f"{folder}/bad.npz", f"{folder}/no.npz"], capture_output=True,
                         text=True)
    assert run.returncode == 1 and message in run.stderr, run.stderr


fails("array 'a' expects elements in C order but got Fortran order; save it with "
      "numpy.ascontiguousarray(array)", a=np.ones((2, 3)).T)
fails("array 'a' expects little-endian elements but got '>f4'", a=np.ones(3, ">f4"))
fails("array 'a' expects numbers but got pickled Python objects", a=np.array([{}], object))
fails("array 'a' expects numbers but got an array of records", a=np.zeros(2, "f4,i4"))
fails("but got '<c8'", a=np.ones(2, np.complex64))
fails("but got '<U1'", a=np.array(["x"]))

# The ways out that the messages name.
np.savez(f"{folder}/good.npz", a=np.ascontiguousarray(np.ones((2, 3)).T),
         b=(b := np.ones(3, ">f4")).astype(b.dtype.newbyteorder("<")))
subprocess.run([copy, f"{folder}/good.npz", f"{folder}/out.npz"], check=True)
