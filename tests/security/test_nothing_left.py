"""Deleted is deleted: no file under voiceprep's home holds a word of the session, or its name, afterwards."""

from __future__ import annotations

import asyncio
import io
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pypdf import PdfReader

from tests.browser.archive import session
from voiceprep.cli import main
from voiceprep.config import Places
from voiceprep.core.annotation import Anchor
from voiceprep.core.units import Media
from voiceprep.exporters import EXPORTERS
from voiceprep.exporters.gathering import subject_of
from voiceprep.exporters.redacted import redacted
from voiceprep.intake import kept
from voiceprep.review.page import keep_review
from voiceprep.store import baseline, peaks, practice_log, retention
from voiceprep.store.annotations import Annotations
from voiceprep.store.archive import Archive, sweep
from voiceprep.store.drills import reviews_of_take, schedule
from voiceprep.web.trash import Trash

SECRET = "Zanzibarquota"
SAID = f"We ran one cluster and I decided on the {SECRET} for every team because the queue was long. " * 3
AT = "2026-11-30T10:00:00+00:00"


def holders(home: Path, *needles: str) -> list[Path]:
    """The files whose name or bytes hold any of these, and folders of such a name."""
    found = []
    for path in home.rglob("*"):
        data = path.read_bytes() if path.is_file() else b""
        if any(needle in path.name or needle.encode() in data for needle in needles):
            found.append(path.relative_to(home))
    return found


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Places:
    monkeypatch.setenv("VOICEPREP_HOME", str(tmp_path))
    monkeypatch.delenv("VOICEPREP_RECORDINGS", raising=False)
    return Places(home=tmp_path, recordings=tmp_path / "recordings")


@pytest.fixture
def made(places: Places) -> str:
    """A session with everything that the program makes of one, and the words of an analysis of it that broke off."""
    name = session(places.recordings, said=SAID)
    folder = places.recordings / name
    Annotations(folder).add("note", Anchor(Media(5.0), Media(6.0)), f"the {SECRET}")
    keep_review(folder)
    (folder / kept.NAME).write_text(f'{{"claims": ["{SECRET}"]}}')
    (folder / "cv.txt").write_text(SECRET)
    peaks.pairs_of(folder, "candidate")
    analyses = places.cache / retention.ANALYSES
    analyses.mkdir(parents=True)
    (analyses / "0123-base.jsonl").write_text(f'{{"text": "{SECRET}"}}')
    baseline.refresh(places.recordings)
    schedule(places.recordings, [reviews_of_take])
    practice_log.state(places.recordings, practice_log.Overruled(at=AT, session=name, item="drill:x", grade="good"))
    with (places.recordings / practice_log.NAME).open("ab") as file:
        file.write(f'{{"kind": "Overruled", "session": "{name}", "gra'.encode())
    assert len(holders(places.home, SECRET)) >= 6
    assert {path.name for path in holders(places.home, name)} >= {baseline.NAME, name, "session.json"}
    return name


def test_by_the_command(places: Places, made: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["voiceprep", "delete", made, "--yes"])
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    with pytest.raises(SystemExit) as end:
        main.run()
    assert end.value.code == 0
    assert holders(places.home, SECRET, made) == []


async def test_by_the_page_once_its_trash_is_emptied(places: Places, made: str) -> None:
    trash = Trash(Archive(places.recordings), kept=0.0, removed=lambda: retention.forget_words(places.cache))
    trash.throw(made, asyncio.get_running_loop())
    await asyncio.to_thread(trash.empty)
    assert holders(places.home, SECRET, made) == []


def test_by_a_deletion_that_was_stopped_half_way(places: Places, made: str) -> None:
    (places.recordings / made).rename(places.recordings / f".deleted-{made}")
    sweep(places.recordings)
    retention.forget_words(places.cache)
    assert holders(places.home, SECRET, made) == []


def test_by_its_age(places: Places, made: str) -> None:
    assert [gone.id for gone in retention.expire(places, 30, datetime(2036, 1, 1, tzinfo=UTC))] == [made]
    assert holders(places.home, SECRET, made) == []


def read(whole: str | bytes) -> str:
    """What a reader sees; of a PDF, what stands on its pages."""
    if isinstance(whole, str):
        return whole
    return " ".join(page.extract_text() for page in PdfReader(io.BytesIO(whole)).pages)


@pytest.mark.parametrize("name", EXPORTERS)
def test_an_export_without_names_has_none_in_any_format(places: Places, name: str) -> None:
    said = "My manager Quentin froze it, and I joined Umbrellacorp then. Quentin agreed with Umbrellacorp in May."
    made = session(places.recordings, exchanges=1, said=said)
    Annotations(places.recordings / made).add("note", Anchor(Media(5.0), Media(6.0)), "ask quentin, mail q@umbrella.example")
    keep_review(places.recordings / made)
    subject = subject_of(Archive(places.recordings), made)
    shown, hidden = (read(EXPORTERS[name].render(each)) for each in (subject, redacted(subject)))
    if name != "csv":  # it has flags alone
        assert "Quentin" in shown
    if name in {"markdown", "html", "pdf", "json"}:
        assert "estimate" in hidden
    for secret in ("quentin", "umbrella"):
        assert secret not in hidden.lower()
