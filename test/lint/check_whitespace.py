#!/usr/bin/env python3
"""Finds tabs, trailing blanks, carriage returns and a missing or doubled newline at the end of a file."""

from lint import Lint

BINARY = (".npz", ".npy", ".safetensors", ".mlirbc", ".png", ".bin")


def check(lint, path, text):
    for number, line in enumerate(text.split("\n"), 1):
        if "\t" in line:
            lint.report(path, number, "has a tab; use spaces")
        if "\r" in line:
            lint.report(path, number, "has a carriage return; end lines with a newline alone")
        elif line != line.rstrip():
            lint.report(path, number, "has blanks at its end")
    if text and not text.endswith("\n"):
        lint.report(path, text.count("\n") + 1, "does not end with a newline")
    if text.endswith("\n\n"):
        lint.report(path, text.count("\n"), "ends with an empty line")


def main():
    lint = Lint()
    for path in lint.files():
        if path == ".git" or path.endswith(BINARY):
            continue
        try:
            text = lint.read(path)
        except UnicodeDecodeError:
            lint.report(path, 1, "is not UTF-8 text; if it is data, add its suffix to BINARY in check_whitespace.py")
            continue
        check(lint, path, text)
    lint.finish()


if __name__ == "__main__":
    main()
