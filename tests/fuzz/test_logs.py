"""Everything that lies in a session's folder and beside it: torn, swapped, of another version, or made by somebody else."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fuzz.door import answered, fuzz
from tests.fuzz.mutations import lines_of, of_json, of_text
from voiceprep import config
from voiceprep.agent import probe
from voiceprep.agent.server import Server
from voiceprep.core.annotation import Anchor, Annotation, Change, history
from voiceprep.core.timeline import fold
from voiceprep.core.units import Media
from voiceprep.errors import VoiceprepError
from voiceprep.exporters import EXPORTERS, Subject
from voiceprep.intake.intake import from_document
from voiceprep.review.page import review_of
from voiceprep.store import annotations as kept_annotations
from voiceprep.store import baseline, corrections, drills, log, loops, practice_log, summary, track, transcripts
from voiceprep.store.archive import Archive
from voiceprep.store.recovery import recover

ID = "2026-11-30T09-05-12-test-round"
SHORT = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "data/session-schema-1/events.jsonl").read_text("utf-8").splitlines()
]
NOW = [SHORT[0] | {"schema": 3}, *SHORT[1:]]
"""The same in today's format: nothing that it holds was changed since."""
AT = "2026-11-30T09:05:12Z"


@pytest.fixture(scope="module")
def recordings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("recordings")
    (made / ID).mkdir()
    return made


LOGS = st.one_of(lines_of(seed=SHORT), lines_of(seed=NOW))


@given(data=LOGS)
@fuzz(300)
def test_a_log_is_a_story_or_refused(recordings: Path, data: bytes) -> None:
    path = recordings / ID / log.NAME
    path.write_bytes(data)
    answered(lambda: log.pick(path, {"FlagRaised", "WordsCommitted"}))
    found = answered(lambda: log.read(path))
    if isinstance(found, VoiceprepError):
        return
    timeline = fold(found.events)
    summary.summarize(path.parent, found.header, found.events)
    subject = Subject(header=found.header, timeline=timeline, events=found.events)
    for name in ("md", "json", "vtt", "srt", "csv", "txt", "textgrid"):
        if name in EXPORTERS:
            rendered = EXPORTERS[name].render(subject)
            assert isinstance(rendered, bytes) or rendered.encode("utf-8") is not None


@given(data=LOGS)
@fuzz(60)
def test_an_archive_opens_whatever_one_session_holds(recordings: Path, data: bytes) -> None:
    for left in (recordings / ID).iterdir():
        left.unlink()
    (recordings / ID / log.NAME).write_bytes(data)
    archive = Archive(recordings)
    recover(recordings)
    assert len(archive.list()) <= 1
    loops.runs(recordings)
    drills.takes(recordings)
    baseline.refresh(recordings)
    answered(lambda: review_of(recordings / ID))
    answered(lambda: archive.read(ID))


# --- the smaller files --------------------------------------------------------------------------------------------------


def _annotations() -> list[dict[str, Any]]:
    made = Annotation("n1", "user", "note", Anchor(Media(1.0), Media(2.5), 0, 1, "we chose"), "why?", "", AT)
    return [json.loads(json.dumps(asdict(one))) for one in (Change("set", AT, made), Change("undo", AT), Change("redo", AT))]


def _history(folder: Path) -> None:
    history(kept_annotations.read(folder), ())
    kept_annotations.Annotations(folder).history()


TAKE = {
    "schema": 1,
    "session": ID,
    "started": AT,
    "ended": "completed",
    "complete": True,
    "result": {
        "drill": "d",
        "prompt": "p",
        "language": "en",
        "criteria": [],
        "passed": True,
        "next_time": ["x"],
        "parts": [],
        "heard": [],
    },
    "floors": [{"step": "s", "asked": 0.0, "start": 1.0, "end": 2.0, "reason": "yielded", "spoken": None}],
    "grade": "good",
}
DUE = {"item": "drill:x", "at": AT, "grade": "good", "session": ID}
FIGURES = {"language": "en", "seconds": 30.0, "rate": 150.0, "pause": 0.4, "fillers": 2.0}
SERVER = Server("http://localhost:1/v1", "m", "K")
Read = Callable[[Path], Any]


def one(name: str, read: Read, *seeds: Any) -> Any:
    """A file with one document in it, in the session's folder (`../` : beside it)."""
    return pytest.param(name, read, of_json(*seeds), id=name.removeprefix("../"))


def many(name: str, read: Read, seed: list[Any]) -> Any:
    """A file of lines."""
    return pytest.param(name, read, lines_of(seed=seed), id=name.removeprefix("../"))


FILES = (
    many("annotations.jsonl", _history, _annotations()),
    many(
        "corrections.jsonl",
        corrections.read,
        [
            {"finding": "3.tradeoff", "verdict": "wrong", "note": "", "quote": "", "at": AT},
            {"finding": "1.x", "verdict": "heard"},
        ],
    ),
    many(
        "../practice.jsonl",
        lambda folder: practice_log.statements(folder.parent),
        [
            {"kind": "TimeSpent", "at": AT, "minutes": 3.5, "what": "books", "round": ""},
            {"kind": "Overruled", "at": AT, "session": ID, "item": "drill:x", "grade": "good"},
        ],
    ),
    many(
        "transcript-002.jsonl",
        transcripts.read_session,
        [
            {"schema": 1, "model": "small", "made": AT},
            {
                "passage": {"turn": 2, "start": 1.0, "end": 4.0},
                "words": [{"text": "hi", "start": 1.0, "end": 1.4, "confidence": 0.9}],
            },
        ],
    ),
    one(
        "../schedule.json",
        lambda folder: drills.schedule(folder.parent, ()),
        {"schema": 1, "sessions": {ID: {"stamp": "", "reviews": [DUE]}}},
    ),
    one("drill.json", drills.read, TAKE),
    one(
        "session.json",
        summary.read,
        {
            "schema": 3,
            "id": ID,
            "title": "t",
            "round": "r",
            "persona": "p",
            "language": "en",
            "mode": "coach",
            "started": AT,
            "duration": 3.0,
            "ended": "user",
            "models": {"stt": "x"},
        },
    ),
    one(
        "../baseline.json", lambda folder: baseline.refresh(folder.parent), {"schema": 1, "sessions": {ID: FIGURES, "x": None}}
    ),
    one(
        "candidate.json",
        lambda folder: track.read_sidecar(folder / "candidate.pcm"),
        {"rate": 16_000, "format": "pcm_s16le", "channels": 1},
    ),
    one(
        "intake.json",
        lambda folder: from_document((folder / "intake.json").read_bytes(), "intake.json"),
        {"schema": 1, "cv": {"name": "cv.txt", "sha256": "ab"}, "job": None, "claims": [], "demands": []},
    ),
    one(
        "review.json",
        review_of,
        {"schema": 1, "scores": {"overall": {"level": 2, "gate": []}, "answers": [], "dimensions": []}},
    ),
    one(
        "server.json",
        lambda folder: (probe.remembered(folder, SERVER, lambda: 2.0) or probe.Capabilities()).options(),
        asdict(probe.Capabilities()) | {"when": 1.0},
    ),
)


@pytest.mark.parametrize(("name", "read", "documents"), FILES)
@given(st.data())
@fuzz(100)
def test_a_file_is_read_refused_or_made_again(
    recordings: Path, name: str, read: Read, documents: st.SearchStrategy[bytes], data: st.DataObject
) -> None:
    folder = recordings / ID
    (folder / log.NAME).write_text("".join(f"{json.dumps(line)}\n" for line in SHORT), encoding="utf-8")
    path = folder / name
    if name == "server.json":
        path = probe._file(folder, SERVER)
        path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.draw(documents))
    try:
        answered(lambda: read(folder))
    finally:
        path.unlink(missing_ok=True)


SETTINGS = b"""stt = "base"
llm_url = "http://localhost:1/v1"
llm_budget_tokens = 300_000
llm_price_in = 0.5
cv = "~/cv.pdf"
"""


@given(data=of_text(SETTINGS))
@fuzz(100)
def test_settings_are_taken_or_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "config.toml").write_bytes(data)
    answered(lambda: config.load({"VOICEPREP_HOME": str(tmp_path)}))


@given(
    name=st.sampled_from(sorted(config.BY_NAME)),
    value=st.one_of(
        st.text(max_size=40), st.sampled_from(("nan", "inf", "-1", "1e999", "9" * 5_000, "~nobody-of-this-name/x"))
    ),
)
@fuzz(100)
def test_a_variable_of_the_environment_is_taken_or_refused(name: str, value: str) -> None:
    answered(lambda: config.load({f"VOICEPREP_{name.upper()}": value}))
