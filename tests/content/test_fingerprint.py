"""The header's sum of the content changes with every file that a session is played by, and with no other."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from voiceprep.config import data_folder
from voiceprep.content import load_content
from voiceprep.content.fingerprint import content_fingerprint

Folders = tuple[Path, Path]
ROUND, PERSONA = "gpu-technical", "infra-expert"


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    shutil.copytree(data_folder("prompts"), tmp_path / "prompts")
    shutil.copytree(data_folder("rubrics"), tmp_path / "rubrics")
    return tmp_path / "prompts", tmp_path / "rubrics"


@pytest.fixture
def read_by_loading(folders: Folders, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Every file below the two folders that loading the round opens, as it was opened."""
    seen: set[str] = set()
    root = folders[0].parent

    def noting(real: Callable[..., object]) -> Callable[..., object]:
        def opened(self: Path, *args: object, **how: object) -> object:
            if self.is_relative_to(root):
                seen.add(str(self.relative_to(root)))
            return real(self, *args, **how)

        return opened

    for name in ("open", "read_text", "read_bytes"):
        monkeypatch.setattr(Path, name, noting(getattr(Path, name)))
    load_content(ROUND, *folders)
    monkeypatch.undo()
    return seen


def summed(folders: Folders, lens: str = "", *, intake: bool = False) -> str:
    prompts, rubrics = folders
    pack = load_content(ROUND).round
    return content_fingerprint(pack, lens, intake=intake, prompts=prompts, rubrics=rubrics)


def append(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"\n")


def test_every_file_that_is_read_counts(folders: Folders, read_by_loading: set[str]) -> None:
    assert {"prompts/general.toml", "rubrics/coverage.tsv", f"prompts/rounds/{ROUND}.toml"} <= read_by_loading
    before = summed(folders)
    for name in sorted(read_by_loading):
        path = folders[0].parent / name
        kept = path.read_bytes()
        path.write_bytes(kept + b"\n")
        assert summed(folders) != before, name
        path.write_bytes(kept)
    assert summed(folders) == before


@pytest.mark.parametrize(
    ("name", "lens", "intake"),
    [("lenses/databricks.toml", "databricks", False), ("intake.toml", "", True), (f"personas/{PERSONA}.md", "", False)],
)
def test_a_lens_and_a_cv_bring_theirs(folders: Folders, name: str, lens: str, intake: bool) -> None:
    before, plain = summed(folders, lens, intake=intake), summed(folders)
    append(folders[0] / name)
    assert summed(folders, lens, intake=intake) != before
    assert (summed(folders) != plain) == name.startswith("personas/")


def test_what_another_round_is_played_by_does_not_count(folders: Folders) -> None:
    before = summed(folders)
    append(folders[0] / "rounds" / "gpu-final.toml")
    append(folders[0] / "personas" / "bar-raiser.md")
    assert summed(folders) == before
