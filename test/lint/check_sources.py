#!/usr/bin/env python3
"""Finds sources that no build sees: a .cpp that no CMakeLists.txt names, a .td that nothing includes, a folder that is
not added, a unit test that lit does not run."""

import os
import re

from lint import Lint


def listed(lint, path):
    """Whether a CMakeLists.txt in the file's folder or above names it, relative to itself."""
    folder = os.path.dirname(path)
    while True:
        cmake = os.path.join(folder, "CMakeLists.txt")
        if lint.exists(cmake):
            name = os.path.relpath(path, folder or ".")
            if re.search(rf"(?<![\w./-]){re.escape(name)}(?![\w.-])", lint.read(cmake)):
                return True
        if not folder:
            return False
        folder = os.path.dirname(folder)


def check_unit_tests(lint):
    """Every amp_add_unittest program has a test/Unit file that runs it."""
    run = "".join(lint.read(path) for path in lint.files("test/Unit"))
    for path in lint.files("test/unit", suffixes=["CMakeLists.txt"]):
        for name in re.findall(r"^amp_add_unittest\((\w+)", lint.read(path), re.M):
            if not re.search(rf"RUN:.*%unit/{name}\b", run):
                lint.report(path, 1, f"no file in test/Unit runs {name}; add '// RUN: %unit/{name}'")


def main():
    lint = Lint()
    for path in lint.files("lib", "tools", "test/unit", "test/lib", "benchmarks", suffixes=[".cpp"]):
        if not listed(lint, path):
            lint.report(path, 1, "no CMakeLists.txt names this source")
    tablegen = lint.files("include", "test/lib", suffixes=[".td", "CMakeLists.txt"])
    users = "".join(lint.read(path) for path in tablegen)
    for path in lint.files("include", "test/lib", suffixes=[".td"]):
        if not listed(lint, path) and f'include "{os.path.relpath(path, "include")}"' not in users:
            lint.report(path, 1, "no CMakeLists.txt names this file and no other .td includes it")
    for path in lint.files(suffixes=["CMakeLists.txt"]):
        folder = os.path.dirname(path)
        parent = os.path.dirname(folder)
        above = os.path.join(parent, "CMakeLists.txt")
        # A project of its own (a consumer in the tests) is configured by the test that uses it.
        if not folder or re.search(r"^project\(", lint.read(path), re.M):
            continue
        while parent and not lint.exists(above):
            parent = os.path.dirname(parent)
            above = os.path.join(parent, "CMakeLists.txt")
        if not lint.exists(above) or f"add_subdirectory({os.path.relpath(folder, parent or '.')})" not in lint.read(above):
            lint.report(path, 1, f"{above} does not add this folder")
    check_unit_tests(lint)
    lint.finish()


if __name__ == "__main__":
    main()
