"""Interrupts a run once its log has the given number of steps, and expects exit status 1:
interrupt.py LOG STEPS COMMAND..."""

import os
import signal
import subprocess
import sys
import time

log, steps, command = sys.argv[1], int(sys.argv[2]), sys.argv[3:]


def count_lines():
    if not os.path.exists(log):
        return 0
    with open(log) as file:
        return sum(1 for _ in file)


# A shell in the background hands down an ignored SIGINT.
signal.signal(signal.SIGINT, signal.SIG_DFL)
process = subprocess.Popen(command)
while process.poll() is None and count_lines() <= steps:
    time.sleep(0.001)
if process.poll() is not None:
    sys.exit(f"expected to interrupt the run but it ended with exit status {process.returncode}")
process.send_signal(signal.SIGINT)
if process.wait() != 1:
    sys.exit(f"expected exit status 1 but got {process.returncode}")
