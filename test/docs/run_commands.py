#!/usr/bin/env python3
"""Runs the commands that a page of the documentation shows.

usage: run_commands.py --source=FOLDER --build=FOLDER [PAGE...]        default: every page below the source folder

Commands stand in fenced blocks. In a `sh` block every line is a command. In a `console` block a line that starts with
`$ ` is one, and what follows is its standard output, in which `...` stands for any text, or alone on a line for any
lines. Before a block may stand a comment: after `<!-- not run: REASON -->` it is left alone, after
`<!-- numbers vary -->` a number of the output matches any other, and a unit of time another. The commands of a page run one after the other in an
empty folder that looks like the project's root, with `build/release` being the build under test.
"""

import argparse
import glob
import os
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"(?:<!-- (not run: [^\n]+|numbers vary) -->\n+)?^```(sh|console)\n(.*?)^```$", re.M | re.S)
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")

TIME_UNITS = r"(?:us|ms|s)"


def commands(text):
    """The (line, command, pattern of its output or None) of the page."""
    for block in BLOCK.finditer(text):
        if block[1] and block[1].startswith("not run"):
            continue
        line = text.count("\n", 0, block.start(3)) + 1
        for command, output in split(block[2], block[3]):
            yield line, command, None if output is None else pattern_of(output, bool(block[1]))


def split(kind, body):
    if kind == "sh":
        return [(body, None)]
    parts = []
    for text in re.split(r"^\$ ", body, flags=re.M)[1:]:
        # A command goes on while its lines end with a backslash.
        match = re.match(r"((?:[^\n]*\\\n)*[^\n]*\n)(.*)", text, re.S)
        parts.append((match[1], match[2]))
    return parts


def pattern_of(expected, numbers_vary):
    pattern = ""
    for line in expected.rstrip("\n").split("\n"):
        if line.strip() == "...":
            pattern += r"(?:[^\n]*\n)*?"
            continue
        words = []
        for word in line.split():
            word = re.escape(word).replace(re.escape("..."), ".*?")
            # An escaped number: its point has a backslash.
            if numbers_vary:
                word = re.sub(r"\d+(?:\\\.\d+)?", lambda _: NUMBER.pattern, word)
                word = TIME_UNITS if re.fullmatch(TIME_UNITS, word) else word
            words.append(word)
        # Columns may be of another width: blanks match blanks.
        pattern += r"[ ]*" + r"[ ]+".join(words) + r"[ ]*\n"
    return pattern


def mirror(source, build, folder):
    """Makes `folder` look like the project's root without letting a command write into it."""
    for name in os.listdir(source):
        if name != "build" and not name.startswith(".git"):
            os.symlink(os.path.join(source, name), os.path.join(folder, name))
    os.mkdir(os.path.join(folder, "build"))
    os.symlink(build, os.path.join(folder, "build", "release"))


def run_page(page, folder):
    """Runs the page's blocks in `folder`; how many there were. Leaves with an error at the first that fails."""
    with open(page, encoding="utf-8") as file:
        text = file.read()
    count = 0
    for line, command, pattern in commands(text):
        run = subprocess.run(["bash", "-euo", "pipefail", "-c", command], cwd=folder, text=True,
                             capture_output=True, stdin=subprocess.DEVNULL)
        if run.returncode:
            sys.exit(f"{page}:{line}: exit status {run.returncode} of\n{command}{run.stdout}{run.stderr}")
        if pattern is not None and not re.fullmatch(pattern, run.stdout.rstrip("\n") + "\n"):
            sys.exit(f"{page}:{line}: the output is another one:\n{command}{run.stdout}")
        count += 1
    return count


def pages_of(source):
    pages = glob.glob(os.path.join(source, "*.md"))
    for folder in ("docs", "examples", "test", "tools"):
        pages += glob.glob(os.path.join(source, folder, "**", "*.md"), recursive=True)
    return sorted(pages)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pages", nargs="*")
    parser.add_argument("--source", required=True)
    parser.add_argument("--build", required=True)
    options = parser.parse_args()
    for page in options.pages or pages_of(options.source):
        with tempfile.TemporaryDirectory() as folder:
            mirror(os.path.abspath(options.source), os.path.abspath(options.build), folder)
            print(f"{os.path.relpath(page, options.source)}: {run_page(page, folder)} blocks run")


if __name__ == "__main__":
    main()
