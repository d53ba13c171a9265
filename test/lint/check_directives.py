#!/usr/bin/env python3
"""Finds tests that test less than they seem to: no RUN line, a directive without its colon, a prefix nobody reads."""

import re

from lint import Lint

SUFFIXES = ("", "-NEXT", "-SAME", "-NOT", "-DAG", "-LABEL", "-EMPTY")
LIT_KEYWORDS = {"RUN", "REQUIRES", "UNSUPPORTED", "XFAIL", "ALLOW_RETRIES", "DEFINE", "REDEFINE", "END"}
PREFIXES = re.compile(r"-?-check-prefix(?:es)?[= ]([A-Z0-9a-z_,-]+)")
LEAD = r"^\s*(?://+|#|;)?\s*"


def prefixes_of(text):
    found = {"CHECK"}
    for names in PREFIXES.findall(text):
        found |= set(names.split(","))
    return found


def check(lint, path):
    # lit reads no further than END., and split-file hands out what follows.
    text = re.split(r"^END\.$", lint.read(path), flags=re.M)[0]
    if not re.search(r"\bRUN:", text):
        lint.report(path, 1, "has no RUN line, so it is never run")
        return
    prefixes = prefixes_of(text)
    names = "|".join(sorted(map(re.escape, prefixes), key=len, reverse=True))
    bare = re.compile(rf"{LEAD}((?:{names})(?:{'|'.join(SUFFIXES[1:])}|-COUNT-\d+)?|RUN|REQUIRES|UNSUPPORTED|XFAIL)(?:\s|$)")
    # An upper-case word and a colon at the start of a comment reads like a directive.
    word = re.compile(r"^\s*//+\s*([A-Z][A-Z0-9_-]*):(?!:)")
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("//---"):
            continue
        match = bare.match(line)
        if match:
            lint.report(path, number, f"'{match[1]}' has no colon, so it is not checked")
        match = word.match(line)
        if match and not known(match[1], prefixes):
            lint.report(path, number, f"no RUN line reads '{match[1]}:'; name it in --check-prefix, or write a sentence")


def known(name, prefixes):
    if name in LIT_KEYWORDS or name == "NOTE":
        return True
    name = re.sub(r"-COUNT-\d+$", "", name)
    return any(name == prefix + suffix for prefix in prefixes for suffix in SUFFIXES)


def main():
    lint = Lint()
    for path in lint.files("test", suffixes=(".mlir", ".test")):
        if "/Inputs/" not in path:
            check(lint, path)
    lint.finish()


if __name__ == "__main__":
    main()
