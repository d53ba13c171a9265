#!/usr/bin/env python3
"""Finds files that are too long to read: over 800 lines is an error, over 500 a warning (which does not fail)."""

from lint import Lint

SUFFIXES = (".cpp", ".h", ".cuh", ".td", ".py", ".mlir", ".test", ".cmake", "CMakeLists.txt")


def main():
    lint = Lint()
    for path in lint.files(suffixes=SUFFIXES):
        lines = lint.read(path).count("\n")
        if lines > 800:
            lint.report(path, 800, f"has {lines} lines; split it by family or by stage (at most 800)")
        elif lines > 500:
            print(f"{path}:500: warning: has {lines} lines; think of splitting it")
    lint.finish()


if __name__ == "__main__":
    main()
