#!/usr/bin/env python3
"""Prints how many tests of a lit result file (lit -o FILE) passed, failed and were skipped."""

import json
import sys

PASSED = {"PASS", "XFAIL", "FLAKYPASS"}
SKIPPED = {"UNSUPPORTED", "SKIPPED", "EXCLUDED"}

with open(sys.argv[1], encoding="utf-8") as file:
    codes = [test["code"] for test in json.load(file)["tests"]]
if not codes:
    sys.exit("no test was run")
passed = sum(code in PASSED for code in codes)
skipped = sum(code in SKIPPED for code in codes)
print(passed, len(codes) - passed - skipped, skipped)  # every other code is a failure
