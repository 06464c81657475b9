"""Tries every parser and door with many bad inputs: python tools/fuzz.py [TIMES] [WHICH ...].

The same tests as in tests/fuzz, with other inputs in every run, one after another and each in a process of its own: what one of
them leaves behind, or takes with it, is not the next one's. A line a test, with how often it was tried and at what cost of
processor time; a finding names the smallest input that hypothesis knows.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TIMES = 10_000
TRIED = re.compile(r"(\d+) passing,")


def _pytest(*args: str, times: int) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *args]
    environment = os.environ | {"VOICEPREP_FUZZ": str(times)}
    return subprocess.run(command, cwd=ROOT, env=environment, check=False, capture_output=True, text=True)  # noqa: S603 - ours


def _tests(which: Sequence[str]) -> Iterator[str]:
    """Each test once, however many files or commands it is given to; those whose name has one of these words in it."""
    found = _pytest("--collect-only", "tests/fuzz", times=1).stdout
    names = dict.fromkeys(line.partition("[")[0] for line in found.splitlines() if line.startswith("tests/"))
    return (name for name in names if not which or any(word in name for word in which))


def _processor() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> int:
    """0 where nothing was found, 1 else."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("times", nargs="?", type=int, default=TIMES, help=f"inputs for each test ({TIMES})")
    parser.add_argument("which", nargs="*", help="words, one of which is in a test's name; all tests without any")
    given = parser.parse_args()
    failed = 0
    for test in _tests(given.which):
        before = _processor()
        done = _pytest("--timeout=0", "--hypothesis-show-statistics", "--tb=short", test, times=given.times)
        tried = sum(int(count) for count in TRIED.findall(done.stdout))
        failed += done.returncode != 0
        print(f"{'ok   ' if done.returncode == 0 else 'FOUND'} {tried:6} {_processor() - before:7.0f} s  {test}", flush=True)
        if done.returncode:
            print(done.stdout[-20_000:], done.stderr[-2_000:], flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
