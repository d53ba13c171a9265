"""Writes damaged and unfitting files beside good ones: make-bad-files.py FOLDER TRAIN.npz CHECKPOINT.safetensors"""

import json
import os
import struct
import sys

import numpy

folder, train, checkpoint = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
good = dict(numpy.load(train))


def save(name, **arrays):
    numpy.savez(os.path.join(folder, name + ".npz"), **{**good, **arrays})


def write(name, data):
    with open(os.path.join(folder, name), "wb") as file:
        file.write(data)


save("dtype", image=good["image"].astype(numpy.float64))
save("shape", image=good["image"][:, :63])
save("fortran", image=numpy.asfortranarray(good["image"]))
save("objects", image=good["image"].astype(object))
save("count", label=good["label"][:-1])
save("labels", label=good["label"] + 1)
numpy.savez(os.path.join(folder, "missing.npz"), image=good["image"])
data = open(train, "rb").read()
write("truncated.npz", data[: len(data) // 2])
write("empty.npz", b"")

data = open(checkpoint, "rb").read()
(length,) = struct.unpack("<Q", data[:8])
header = json.loads(data[8 : 8 + length])
body = data[8 + length :]


def reheader(name, change):
    changed = json.loads(json.dumps(header))
    change(changed)
    text = json.dumps(changed).encode()
    write(name, struct.pack("<Q", len(text)) + text + body)


write("truncated.safetensors", data[:-100])
reheader("other.safetensors", lambda h: h.update(w9=h.pop("w1")))
reheader("dtype.safetensors", lambda h: h["w1"].update(dtype="I32"))
reheader("shape.safetensors", lambda h: h["w1"].update(shape=[128, 64]))
write("syntax.json", b'{"version": 1,\n "classes": {"train.relu" "deny"}}\n')
write("name.json", b'{"version": 1, "classes": {"train.rlu": "deny"}}\n')
write("broken.mlir", b"func.func @f( {\n")
