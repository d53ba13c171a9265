#!/usr/bin/env python3
"""Finds constraints of ops that no test breaks.

A constraint is a line `- (C<N>) ...` in the description of an op. Its test is a function or symbol named
`@<op>_c<N>_<defect>` in a file of test/Dialect/, in a part between `// -----` lines that expects an error.
"""

import re

from lint import Lint

RECORD = re.compile(r"^(def|class)\s+(\w+)\s*(?:<[^{;]*?>)?\s*:\s*(\w+)\s*(?:<\s*(?:\w+_Dialect\s*,\s*)?\"([^\"]*)\")?", re.M)
CONSTRAINT = re.compile(r"^\s*- \(C(\d+)\)", re.M)


class Record:
    def __init__(self, kind, name, parent, mnemonic, path, line, body):
        self.is_op = kind == "def" and name.endswith("Op")
        self.name, self.parent, self.path, self.line = name, parent, path, line
        self.mnemonic = mnemonic
        self.constraints = [
            (int(match[1]), line + body.count("\n", 0, match.start(1))) for match in CONSTRAINT.finditer(body)]


def records(lint):
    found = {}
    for path in lint.files("include", "test/lib", suffixes=[".td"]):
        text = lint.read(path)
        matches = list(RECORD.finditer(text))
        ends = [match.start() for match in matches[1:]] + [len(text)]
        for match, end in zip(matches, ends):
            line = text.count("\n", 0, match.start()) + 1
            found[match[2]] = Record(match[1], match[2], match[3], match[4], path, line, text[match.start():end])
    return found


def broken_by_tests(lint):
    """The (op, number) pairs for which a part of a test file expects an error."""
    pairs = set()
    for path in lint.files("test/Dialect", suffixes=[".mlir"]):
        for part in re.split(r"^// -----.*$", lint.read(path), flags=re.M):
            if "expected-error" in part:
                pairs |= {(op, int(number)) for op, number in re.findall(r"@(\w+?)_c(\d+)_\w+", part)}
    return pairs


def main():
    lint = Lint()
    known = records(lint)
    tested = broken_by_tests(lint)
    for record in known.values():
        source = record
        while source and not source.constraints:
            source = known.get(source.parent)
        constraints = source.constraints if source else []
        if [number for number, _ in record.constraints] != list(range(1, len(record.constraints) + 1)):
            lint.report(record.path, record.line, f"the constraints of {record.name} are not numbered C1, C2, ...")
        if not record.is_op or not record.mnemonic:
            continue
        for number, line in constraints:
            if (record.mnemonic, number) not in tested:
                lint.report(source.path, line, f"no test in test/Dialect breaks (C{number}) of {record.mnemonic}; "
                                               f"add @{record.mnemonic}_c{number}_<defect> with its expected-error")
    lint.finish()


if __name__ == "__main__":
    main()
