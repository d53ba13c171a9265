#!/usr/bin/env python3
"""Finds passes that break the rule of names: one pass = one definition = one file = one flag = one test.

`def AssignThings : Pass<"amp-assign-things">` is implemented in lib/**/AssignThings.cpp and tested by
test/**/assign-things.mlir. A pass of one target carries the target's name in front (`CpuLowerMatmul`, flag
`amp-cpu-lower-matmul`) and may leave it out in the names of its files, which lie in the target's folder.
"""

import os
import re

from lint import Lint

PASS = re.compile(r'^def (\w+)\s*:\s*Pass<\s*"([^"]+)"', re.M)


def kebab(name):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name).lower()


def main():
    lint = Lint()
    sources = {os.path.basename(path)[:-4] for path in lint.files("lib", suffixes=[".cpp"])}
    tests = {os.path.basename(path)[:-5] for path in lint.files("test", suffixes=[".mlir"])}
    for path in lint.files("include", suffixes=["Passes.td"]):
        text = lint.read(path)
        for match in PASS.finditer(text):
            name, flag = match[1], match[2]
            line = text.count("\n", 0, match.start()) + 1
            expected = "amp" if name == "Amp" else "amp-" + kebab(name)
            if flag != expected:
                lint.report(path, line, f"the flag of {name} is '{flag}', not '{expected}'")
            stems = [name, re.sub(r"^(Cpu|Cuda)(?=[A-Z])", "", name)]
            if not any(stem in sources for stem in stems):
                lint.report(path, line, f"there is no {name}.cpp in lib/ for the pass {name}")
            if not any(kebab(stem) in tests for stem in stems):
                lint.report(path, line, f"there is no {kebab(name)}.mlir in test/ for the pass {name}")
    lint.finish()


if __name__ == "__main__":
    main()
