#!/usr/bin/env python3
"""Finds error messages in lib/ and tools/ that no test expects, and messages in the wrong style.

Of each call that makes an error, the longest string literal stands for the message; a test has to contain four
successive words of it (all, if it has fewer).
"""

import re

from lint import Lint

CALL = re.compile(r"\b(?:emitError|emitOpError|emitWarning|createStringError|makeError|error)\s*\(")
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')
WORDS = 4


def without_comments(text):
    """Blanks line comments, so that offsets and line numbers stay."""
    return re.sub(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*', lambda match: match[1] or " " * len(match[0]), text)


def pieces(statement):
    """The text pieces of a message: adjacent literals joined, placeholders cut out."""
    joined = re.sub(r'"\s*\n?\s*"', "", statement)
    found = []
    for literal in LITERAL.findall(joined):
        literal = literal.replace('\\"', '"').replace("\\n", " ")
        found += re.split(r"\{\d+[^}]*\}|%[sdfgzuxl]+", literal)
    return [piece.strip() for piece in found if re.search(r"[A-Za-z]{2}", piece)]


def normalized(text):
    return re.sub(r"\s+", " ", text)


def expected_by(tests, piece):
    words = normalized(piece).strip(" :;,.'\"([").split(" ")
    count = min(WORDS, len(words))
    return any(" ".join(words[start:start + count]) in tests for start in range(len(words) - count + 1))


def main():
    lint = Lint()
    tests = ""
    for path in lint.files("test", suffixes=[".mlir", ".test", ".cpp", ".py"]):
        if not path.startswith("test/lint/"):
            tests += re.sub(r'"\s*\n\s*R?"', "", lint.read(path)).replace('\\"', '"') + "\n"
    tests = normalized(tests)
    for path in lint.files("lib", "tools", "include", suffixes=[".cpp", ".h", ".td"]):
        text = without_comments(lint.read(path))
        for match in CALL.finditer(text):
            end = text.find(";", match.end())
            # A semicolon inside a literal does not end the statement.
            while end != -1 and text.count('"', match.start(), end) % 2:
                end = text.find(";", end + 1)
            found = pieces(text[match.end():end])
            if not found:
                continue
            line = text.count("\n", 0, match.start()) + 1
            if re.match(r"[A-Z][a-z]", found[0]):
                lint.report(path, line, f"the message starts upper-case: '{found[0]}'")
            if found[-1].endswith(".") and not found[-1].endswith(".."):
                lint.report(path, line, f"the message ends with a period: '{found[-1]}'")
            longest = max(found, key=len)
            if not expected_by(tests, longest):
                lint.report(path, line, f"no test expects the message '{longest}'")
    lint.finish()


if __name__ == "__main__":
    main()
