"""`make bench`: what ccbrowse costs beside the least that it could cost. See `--help`."""

import runpy
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parents[1])  # the tests' home, as pytest has it
    runpy.run_module("bench", run_name="__main__", alter_sys=True)
