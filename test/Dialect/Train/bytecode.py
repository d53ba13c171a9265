# RUN: %python %s amp-opt %t | FileCheck %s
"""A reader refuses bytecode whose version of the train dialect is newer than its own."""

import subprocess
import sys

tool, path = sys.argv[1].split(), sys.argv[2]
module = b"train.variable @w : tensor<4xf32> = #train.zeros"
code = subprocess.run([*tool, "-", "--emit-bytecode"], input=module, stdout=subprocess.PIPE, check=True).stdout

# Section 8 of the format holds a dialect's version: its length, then the number, both as (n << 1) | 1.
assert code.count(b"\x08\x03\x03") == 1, "the module holds one versioned dialect of version 1"

# CHECK: read version 1: 0
result = subprocess.run([*tool, "-"], input=code, capture_output=True)
print("read version 1:", result.returncode)

# CHECK: read version 2: 1
# CHECK: error: bytecode of the train dialect has version 2, this tool reads up to 1
newer = code.replace(b"\x08\x03\x03", b"\x08\x03\x05")
result = subprocess.run([*tool, "-"], input=newer, capture_output=True)
print("read version 2:", result.returncode)
print(result.stderr.decode())
