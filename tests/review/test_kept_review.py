"""The kept review: that it is made once, and anew whenever something that it rests on changes."""

from __future__ import annotations

import json
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event as Signal

import pytest

from tests.fakes.interview import header, keep
from tests.review.scenes import ladder
from voiceprep.core.annotation import Anchor
from voiceprep.core.events import SessionEnded
from voiceprep.core.units import Media
from voiceprep.review import kept_review as module
from voiceprep.review.kept_review import kept_picture, kept_review
from voiceprep.review.page import review_of
from voiceprep.store import corrections, review_file
from voiceprep.store.annotations import Annotations
from voiceprep.store.corrections import Correction
from voiceprep.store.review_file import DERIVED

HEAD = header("gpu-hm-screen", "hiring-manager", "2026-12-01T09:00:00Z")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / keep(tmp_path, HEAD, ladder().log)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The language of each review that was really made, in order."""
    calls: list[str] = []

    def counted(folder: Path, tongue: object = None) -> object:
        calls.append(str(tongue))
        return review_of(folder, tongue)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "review_of", counted)
    return calls


def test_it_is_what_a_new_one_would_be_and_made_once(folder: Path, made: list[str]) -> None:
    first = kept_review(folder)
    assert first == json.loads(json.dumps(review_of(folder).to_json()))
    assert kept_review(folder) == first
    assert len(made) == 1
    assert first["scores"]["reasons"], "nobody had judged it: on the way it was found too short to be"
    assert review_file.kept(folder)["facts"] == first["facts"]


def test_each_language_is_kept_beside_the_other(folder: Path, made: list[str]) -> None:
    assert (kept_review(folder)["tongue"], kept_review(folder, "zh")["tongue"]) == ("en", "zh")
    assert (kept_review(folder)["tongue"], kept_review(folder, "zh")["tongue"]) == ("en", "zh")
    assert len(made) == 2


@pytest.mark.parametrize("change", ["note", "correction", "version", "rubric"])
def test_it_is_made_again_when_what_it_rests_on_changes(
    folder: Path, made: list[str], monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    before = kept_review(folder)
    if change == "note":
        Annotations(folder).add("note", Anchor(Media(1.0), Media(1.0)), "say the number first")
    elif change == "correction":
        basis = review_file.kept(folder)["scored_from"]
        corrections.append(folder, Correction("2.tradeoff", "wrong"))
    elif change == "version":
        monkeypatch.setattr(module, "__version__", "99")
    else:
        rubrics = folder.parent / "files"
        rubrics.mkdir()
        (rubrics / "a.toml").write_text("changed")
        monkeypatch.setattr(module, "data_folder", lambda _: rubrics)
    after = kept_review(folder)
    assert len(made) == 2
    assert (after != before) is (change == "note")
    if change == "correction":
        assert review_file.kept(folder)["scored_from"] != basis
    assert len(list((folder / DERIVED).glob("review-own-*"))) == 1, "the old one is gone"


@pytest.mark.parametrize("spoiled", [b"{", b"{}", b"[]", b'{"schema": 0, "words": []}'])
def test_a_spoiled_copy_is_as_if_it_were_not_there(folder: Path, spoiled: bytes) -> None:
    first = kept_review(folder)
    (copy,) = (folder / DERIVED).iterdir()
    copy.write_bytes(spoiled)
    assert kept_review(folder) == first
    assert stat.S_IMODE(copy.parent.stat().st_mode) == 0o700


def test_one_at_a_time(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two who ask at once get the same, and it is made once."""
    begun, go = Signal(), Signal()
    calls: list[int] = []

    def slow(folder: Path, tongue: object = None) -> object:
        calls.append(1)
        begun.set()
        assert go.wait(30)
        return review_of(folder, tongue)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "review_of", slow)
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(kept_review, folder)
        assert begun.wait(30)
        second = pool.submit(kept_review, folder)
        go.set()
        assert first.result(60) == second.result(60)
    assert len(calls) == 1


def test_a_session_that_still_runs_is_not_kept(tmp_path: Path, made: list[str]) -> None:
    log = [event for event in ladder().log if not isinstance(event, SessionEnded)]
    folder = tmp_path / keep(tmp_path, HEAD, log, crashed=True)
    kept_review(folder)
    kept_review(folder)
    assert len(made) == 2
    assert not (folder / DERIVED).exists()


def test_a_picture_is_drawn_once(folder: Path, made: list[str]) -> None:
    first = kept_picture(folder, "svg")
    assert b"<svg" in first
    assert kept_picture(folder, "svg") == first
    assert len(made) == 1
    assert kept_picture(folder, "svg", "dark") != first
