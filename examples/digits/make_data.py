#!/usr/bin/env python3
"""Writes train.npz and test.npz from the UCI handwritten digits.

usage: make_data.py [--source=digits.csv.gz] [--out=FOLDER]

The source is the file of that name in scikit-learn (sklearn/datasets/data); without --source the installed
scikit-learn is asked for it. One line is one sample: 64 pixels from 0 to 16, then the digit.
"""

import argparse
import gzip
import importlib.util
import io
import os
import sys
import zipfile

import numpy as np

TRAIN = 1000  # samples in train.npz; the other 797 go to test.npz
SEED = 20


def find_source():
    spec = importlib.util.find_spec("sklearn")
    if spec is None:
        sys.exit("scikit-learn was not found; install it, or pass --source=digits.csv.gz")
    return os.path.join(os.path.dirname(spec.origin), "datasets", "data", "digits.csv.gz")


def read_samples(path):
    with gzip.open(path, "rt", encoding="ascii") as file:
        table = np.loadtxt(file, delimiter=",")
    image = (table[:, :64] / 16).astype(np.float32)  # multiples of 1/16: exact, in f16 too
    label = table[:, 64].astype(np.int32)
    return image, label


def write_npz(path, **arrays):
    """As np.savez_compressed, but without the time of day, so that the same arrays give the same file."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, array in arrays.items():
            data = io.BytesIO()
            np.lib.format.write_array(data, array, version=(1, 0), allow_pickle=False)
            entry = zipfile.ZipInfo(name + ".npy", date_time=(1980, 1, 1, 0, 0, 0))
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data.getvalue(), zipfile.ZIP_DEFLATED, 9)


def main():
    parser = argparse.ArgumentParser(description="makes the digits data set")
    parser.add_argument("--source")
    parser.add_argument("--out", default=os.path.dirname(os.path.abspath(__file__)))
    options = parser.parse_args()

    image, label = read_samples(options.source or find_source())
    # The legacy generator's stream is frozen: the same order with every NumPy.
    order = np.random.RandomState(SEED).permutation(len(label))
    image, label = image[order], label[order]
    write_npz(os.path.join(options.out, "train.npz"), image=image[:TRAIN], label=label[:TRAIN])
    write_npz(os.path.join(options.out, "test.npz"), image=image[TRAIN:], label=label[TRAIN:])


if __name__ == "__main__":
    main()
