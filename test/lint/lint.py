"""What the lints share: the files of the project, and how a finding is reported.

Every lint is `check_<name>.py [ROOT]`: it prints one line per finding, `file:line: what and how to mend it`, and exits
with 1 if there was any.
"""

import os
import sys

SKIPPED_FOLDERS = {".git", "build", "Output", "__pycache__"}


class Lint:
    """One run of a lint over the tree below `root`."""

    def __init__(self):
        here = os.path.dirname(os.path.abspath(__file__))
        self.root = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.path.join(here, "..", ".."))
        self.findings = 0

    def files(self, *folders, suffixes=()):
        """The paths, relative to the root and sorted, of the files below `folders` (all folders if none is given)."""
        found = []
        for folder in folders or [""]:
            for path, names, files in os.walk(os.path.join(self.root, folder)):
                names[:] = [name for name in names if name not in SKIPPED_FOLDERS]
                found += [os.path.relpath(os.path.join(path, file), self.root) for file in files]
        return sorted(file for file in set(found) if not suffixes or file.endswith(tuple(suffixes)))

    def exists(self, path):
        return os.path.exists(os.path.join(self.root, path))

    def read(self, path):
        with open(os.path.join(self.root, path), encoding="utf-8", newline="") as file:
            return file.read()

    def report(self, path, line, message):
        print(f"{path}:{line}: {message}")
        self.findings += 1

    def finish(self):
        sys.exit(1 if self.findings else 0)
