"""Prints name, type, shape and SHA-256 of every array in the given .npz files."""

import hashlib
import os
import sys

import numpy as np

for path in sys.argv[1:]:
    with np.load(path) as archive:
        for name in archive:
            array = np.ascontiguousarray(archive[name])
            digest = hashlib.sha256(array.tobytes()).hexdigest()
            print(os.path.basename(path), name, array.dtype, array.shape, digest)
