#!/usr/bin/env python3
"""Graphs from files through the precision pass, and what must hold for each of them.

  graphs.py AMP_OPT [--table=FILE | --write-table=FILE] FOLDER...

AMP_OPT is one argument: a command, of which further words are options.

Runs `amp` on every .mlir file below the folders, for both half types and with all strategies, and checks that

- the module that comes out verifies and parses again,
- a second run changes nothing, also if the mark of the first one is stripped,
- no type but f32 changes: every other element type is there as often as before,
- without a target every contraction is low unless its remark names the rule that forbids it.

Prints a table of contractions, low ones and casts for strategy mincut. With --table it must equal that of the file, in
which a file of the folders that is not listed is an error, too.
"""

import collections
import os
import re
import shlex
import subprocess
import sys

STRATEGIES = ("local", "paint", "mincut")
REMARK = re.compile(r"remark: \[(\w+)\].*Remark=\"'([\w.]+)' (.*)\"")
CASTS = re.compile(r"amp\.cast|arith\.(?:ext|trunc)f|tosa\.cast|stablehlo\.convert")
CONTRACTIONS = re.compile(r"train\.(matmul|linear)$|stablehlo\.(dot|dot_general|convolution|dynamic_conv)$|chlo\.ragged_dot$|"
                          r"tosa\.(matmul|conv2d|conv3d|depthwise_conv2d|transpose_conv2d)$|linalg\.(.*matmul.*|.*mmt4d|dot|"
                          r".*matvec|.*vecmat|contract|.*conv_\dd.*)$")


def run(tool, text, *flags):
    """The output and the diagnostics; exits if the tool fails."""
    done = subprocess.run([*shlex.split(tool), "--allow-unregistered-dialect", "--split-input-file", *flags, "-"], input=text,
                          capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"amp-opt {' '.join(flags)} ended with {done.returncode}:\n{done.stderr[:2000]}")
    return done.stdout, done.stderr


def count_types(text):
    """How often each type that the pass must not change stands for a tensor, vector or scalar of its own."""
    elements = re.findall(r"[<x](i\d+|ui\d+|index|f64|f8E\w+|complex<\w+>|!quant[^>]*>)[,>]", text)
    return collections.Counter(elements)


def check_file(tool, path):
    with open(path, encoding="utf-8") as file:
        source, _ = run(tool, file.read())
    casts_before = len(CASTS.findall(source))
    row = None
    for low in ("f16", "bf16"):
        for strategy in STRATEGIES:
            options = f"--amp=dtype={low} strategy={strategy}"
            once, remarks = run(tool, source, options, "--remarks-filter=amp-precision")
            for name, text in (("", once), (", the mark stripped,", re.sub(r"amp\.low_type = \w+(, )?", "", once))):
                again, _ = run(tool, text, options)
                if again != once:
                    sys.exit(f"{path}: a second run with {options}{name} changes its input")
            if count_types(once) != count_types(source):
                sys.exit(f"{path}: {options} changes other types: {count_types(source)} to {count_types(once)}")
            # A generic op is a contraction by its body: its remark says so.
            contractions = [found.groups() for found in REMARK.finditer(remarks)
                            if CONTRACTIONS.match(found[2]) or "class allow" in found[3]]
            for kind, op, reason in contractions:
                if kind != "Passed" and not re.search(r"\(P\d+|reads|gives|keep|memory", reason):
                    sys.exit(f"{path}: {options}: '{op}' {reason}")
            if strategy == "mincut" and low == "f16":
                passed = sum(kind == "Passed" for kind, _, _ in contractions)
                row = (len(contractions), passed, len(CASTS.findall(once)) - casts_before)
    return row


def main():
    tool, table, write, folders = sys.argv[1], None, None, []
    for argument in sys.argv[2:]:
        if argument.startswith("--table="):
            table = argument.split("=", 1)[1]
        elif argument.startswith("--write-table="):
            write = argument.split("=", 1)[1]
        else:
            folders.append(argument)
    lines = ["graph: contractions, of them low, casts added (f16, strategy mincut, target generic)"]
    for folder in folders:
        paths = sorted(os.path.join(root, name) for root, _, names in os.walk(folder) for name in names
                       if name.endswith(".mlir"))
        if not paths:
            sys.exit(f"{folder}: no .mlir file below it")
        for path in paths:
            contractions, low, casts = check_file(tool, path)
            lines.append(f"{os.path.relpath(path, folder)}: {contractions}, {low}, {casts}")
    text = "\n".join(lines) + "\n"
    print(text, end="")
    if write:
        with open(write, "w", encoding="utf-8") as file:
            file.write(text)
    if table:
        with open(table, encoding="utf-8") as file:
            known = file.read()
        if known != text:
            sys.exit(f"{table} says otherwise; --write-table={table} writes it anew")
    print(f"{len(lines) - 1} graphs hold")


if __name__ == "__main__":
    main()
