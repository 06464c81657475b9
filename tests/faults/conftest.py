"""The server of mortal children, one for all tests of this folder."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

REPO = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class End:
    """What became of a child: its exit code (negative: the signal that ended it) and what it had handed over before."""

    status: int
    cpu: float
    events: int
    samples: int
    began: float
    said: str


class Mortals:
    """Asks for one child at a time."""

    def __init__(self, process: subprocess.Popen[str], said: Path) -> None:
        self._process = process
        self._said = said

    def run(self, **request: Any) -> End:
        """A child that does this, over. See `mortal.py` for what can be asked."""
        assert self._process.stdin
        assert self._process.stdout
        self._said.unlink(missing_ok=True)
        self._process.stdin.write(json.dumps(request | {"said": str(self._said)}) + "\n")
        self._process.stdin.flush()
        told = json.loads(self._process.stdout.readline())
        return End(**told, said=self._said.read_text("utf-8", errors="replace") if self._said.exists() else "")


@pytest.fixture(scope="session")
def mortals(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mortals]:
    with subprocess.Popen(
        [sys.executable, "-m", "tests.faults.mortal"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=REPO
    ) as process:
        yield Mortals(process, tmp_path_factory.mktemp("mortal") / "said")
        assert process.stdin
        process.stdin.close()
