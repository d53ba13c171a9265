"""Runs a command and fails unless it exits with the given status: expect-status.py STATUS COMMAND..."""

import subprocess
import sys

expected, command = int(sys.argv[1]), sys.argv[2:]
found = subprocess.run(command).returncode
if found != expected:
    sys.exit(f"expected exit status {expected} but got {found}")
