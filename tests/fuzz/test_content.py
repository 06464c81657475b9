"""Packs, personas, drills, loops, lenses, rubrics and thresholds that somebody got wrong."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fuzz.door import answered, fuzz
from tests.fuzz.mutations import TEXT_EDITS, edited, of_text
from voiceprep.config import data_folder
from voiceprep.content import loader
from voiceprep.content.committee import load_committee
from voiceprep.content.drills import load_drill
from voiceprep.content.lenses import load_lens
from voiceprep.content.loops import load_loop
from voiceprep.content.own_pacing import with_own_pacing
from voiceprep.content.review import load_review
from voiceprep.content.scoring import load_scoring

ROUND, DRILL = "anyscale-system-design", "headline-30"
Load = Callable[[Path, Path], Any]


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the shipped files to spoil, one at a time."""
    root = tmp_path_factory.mktemp("content")
    for name in ("prompts", "rubrics"):
        shutil.copytree(data_folder(name), root / name)
    return root


def _content(prompts: Path, rubrics: Path) -> Any:
    return loader.load_content(ROUND, prompts, rubrics)


FILES: dict[str, Load] = {
    f"prompts/rounds/{ROUND}.toml": _content,
    "prompts/personas/hiring-manager.md": lambda prompts, rubrics: loader.load_content("gpu-hm-screen", prompts, rubrics),
    "prompts/general.toml": _content,
    f"prompts/drills/{DRILL}.toml": lambda prompts, rubrics: load_drill(DRILL, prompts, rubrics),
    "prompts/loops/gpu.toml": lambda prompts, rubrics: load_loop("gpu", prompts, rubrics),
    "prompts/lenses/anyscale.toml": lambda prompts, rubrics: load_lens("anyscale", prompts, rubrics),
    "prompts/review.toml": lambda prompts, _: load_review(prompts),
    "prompts/committee.toml": load_committee,
    "rubrics/signals.toml": lambda _, rubrics: loader.load_rubrics(rubrics),
    "rubrics/endings.toml": lambda _, rubrics: loader.load_rubrics(rubrics),
    "rubrics/pacing.toml": lambda _, rubrics: loader.load_rubrics(rubrics),
    "rubrics/coverage.tsv": lambda _, rubrics: loader.load_rubrics(rubrics),
    "rubrics/proposals.tsv": lambda _, rubrics: loader.load_rubrics(rubrics),
    "rubrics/aim.tsv": lambda _, rubrics: loader.load_rubrics(rubrics),
    "rubrics/lexicon.toml": lambda _, rubrics: loader.load_rubrics(rubrics),
    "rubrics/scoring/breaks.toml": lambda _, rubrics: load_scoring(rubrics),
    "rubrics/scoring/matter.toml": lambda _, rubrics: load_scoring(rubrics),
    f"rubrics/scoring/rounds/{ROUND}.toml": lambda _, rubrics: load_scoring(rubrics),
}


def _tried(shipped: Path, name: str, data: st.DataObject) -> None:
    path = shipped / name
    good = path.read_bytes()
    try:
        path.write_bytes(
            edited(good, data.draw(TEXT_EDITS))
        )  # the edits are drawn: what is drawn is kept, megabytes of weights too
        answered(lambda: FILES[name](shipped / "prompts", shipped / "rubrics"))
    finally:
        path.write_bytes(good)


PROMPTS = [name for name in FILES if name.startswith("prompts")]
RUBRICS = [name for name in FILES if name.startswith("rubrics")]


@pytest.mark.parametrize("name", PROMPTS)
@given(data=st.data())
@fuzz(25, among=len(PROMPTS))
def test_a_pack_is_used_or_refused_with_its_place(shipped: Path, name: str, data: st.DataObject) -> None:
    _tried(shipped, name, data)


@pytest.mark.parametrize("name", RUBRICS)
@given(data=st.data())
@fuzz(5, among=len(RUBRICS))  # each is a tenth of a second of compiling patterns
def test_a_rubric_is_used_or_refused_with_its_place(shipped: Path, name: str, data: st.DataObject) -> None:
    _tried(shipped, name, data)


@lru_cache(maxsize=1)
def _loaded() -> Any:
    return loader.load_content(ROUND)


THRESHOLDS = b"[monologue]\nnotice = 90\nwarning = 150\n\n[long_pause]\nnotice = 12.5\n"


@given(data=of_text(THRESHOLDS))
@fuzz()
def test_own_thresholds_are_used_or_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "pacing.toml"
    path.write_bytes(data)
    answered(lambda: with_own_pacing(_loaded(), path))
