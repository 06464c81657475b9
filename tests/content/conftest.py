"""A copy of the shipped files that a test may break."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from voiceprep.config import data_folder
from voiceprep.content import Problem, check_all


@dataclass(frozen=True)
class Copy:
    root: Path

    @property
    def prompts(self) -> Path:
        return self.root / "prompts"

    @property
    def rubrics(self) -> Path:
        return self.root / "rubrics"

    def change(self, name: str, old: str, new: str) -> None:
        """Replace the first place of `old`, which must be there."""
        path = self.root / name
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    def keep_rounds(self, *names: str) -> None:
        """Leave no round but these."""
        for path in (self.prompts / "rounds").iterdir():
            if path.relative_to(self.root).as_posix() not in names:
                path.unlink()

    def problems(self) -> list[Problem]:
        return check_all(self.prompts, self.rubrics)


@pytest.fixture
def files(tmp_path: Path) -> Copy:
    shutil.copytree(data_folder("prompts"), tmp_path / "prompts")
    shutil.copytree(data_folder("rubrics"), tmp_path / "rubrics")
    return Copy(tmp_path)
