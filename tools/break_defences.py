"""Takes each defence away, one at a time, and looks whether a test notices: python -m tools.break_defences [WORD ...].

A test of an attack that passes without the defence tests nothing. Each entry of tools/defences.toml is an edit of a copy of
this repository (never of the repository itself) and the tests that must fail there, and must pass before. Exit status 1 where
one passes all the same, or could not be run.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_FILES = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
PASSED, FAILED = 0, 1
"""What pytest's exit status says; any other says that nothing was tested."""


@dataclass(frozen=True, slots=True)
class Defence:
    """One edit that takes a defence away, and how pytest is asked for the tests that hold it."""

    attack: str
    edits: Sequence[tuple[str, str, str]]
    tests: Sequence[str]
    flags: Sequence[str] = field(default=())


def defences(words: Sequence[str]) -> list[Defence]:
    """Those whose attack has one of these words in it; all without any."""
    raw = tomllib.loads((ROOT / "tools" / "defences.toml").read_text(encoding="utf-8"))
    found = [Defence(**entry) for entry in raw["defence"]]
    return [one for one in found if not words or any(word in one.attack for word in words)]


def copied(into: Path) -> Path:
    """A copy of what is here and not ignored, with the page's libraries and the models beside it."""
    names = subprocess.run(_FILES, cwd=ROOT, check=True, capture_output=True).stdout  # noqa: S603 - ours
    for name in filter(None, names.decode().split("\0")):
        if (ROOT / name).is_file():
            (into / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, into / name)
    for name in ("node_modules", ".voiceprep"):
        if (ROOT / name).exists():
            (into / name).symlink_to(ROOT / name)
    return into


def outcome(defence: Defence, copy: Path) -> int:
    """What pytest exits with for the defence's tests in the copy."""
    command = [sys.executable, "-B", "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *defence.tests, *defence.flags]
    environment = os.environ | {"PYTHONPATH": str(copy)}
    return subprocess.run(command, cwd=copy, env=environment, check=False, capture_output=True).returncode  # noqa: S603 - ours


def broken(defence: Defence, copy: Path) -> int:
    """The same with the defence taken away, which is put back afterwards."""
    before = {name: (copy / name).read_text(encoding="utf-8") for name, _, _ in defence.edits}
    try:
        for name, old, new in defence.edits:
            text = (copy / name).read_text(encoding="utf-8")
            if old not in text:
                raise SystemExit(f"tools/defences.toml: {name} has no {old!r} any more")
            (copy / name).write_text(text.replace(old, new, 1), encoding="utf-8")
        return outcome(defence, copy)
    finally:
        for name, text in before.items():
            (copy / name).write_text(text, encoding="utf-8")


def main() -> int:
    """0 where every defence is missed by its tests."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", help="only attacks with one of these words")
    toothless = 0
    chosen = defences(parser.parse_args().words)
    with tempfile.TemporaryDirectory() as folder:
        copy = copied(Path(folder))
        for one in chosen:
            whole, without = outcome(one, copy), broken(one, copy)
            missed = (whole, without) == (PASSED, FAILED)
            toothless += not missed
            told = "held     " if missed else f"TOOTHLESS ({whole}, then {without})"
            print(f"{told} {one.attack}", flush=True)
    return int(toothless > 0)


if __name__ == "__main__":
    sys.exit(main())
