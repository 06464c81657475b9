"""Tries every parser and door with many bad inputs: python tools/fuzz.py [TIMES] [-k WHICH].

The same tests as in tests/fuzz, with other inputs in every run; a finding names the smallest input that hypothesis knows.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TIMES = "10000"


def main() -> int:
    times, *more = sys.argv[1:] or [TIMES]
    pytest = [sys.executable, "-m", "pytest", "-q", "--timeout=0", "--durations=0", "--durations-min=1", "tests/fuzz", *more]
    return subprocess.run(pytest, cwd=ROOT, env=os.environ | {"VOICEPREP_FUZZ": times}, check=False).returncode  # noqa: S603 - ours


if __name__ == "__main__":
    sys.exit(main())
