"""Later transcripts of a session: kept beside the log, the newest in force, undone without loss."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from voiceprep.core.events import Word
from voiceprep.core.redecoded import Decoded, passages
from voiceprep.core.timeline import fold
from voiceprep.core.units import Media
from voiceprep.errors import BadInputError, UsageError
from voiceprep.store import log, transcripts
from voiceprep.store.archive import Archive
from voiceprep.store.transcripts import Transcript

DATA = Path(__file__).parents[1] / "data" / "session-schema-1"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "recordings" / "2026-11-30T09-05-12-gpu-hm-screen"
    path.mkdir(parents=True)
    shutil.copy(DATA / "events.jsonl", path)
    return path


def saying(folder: Path, text: str) -> Transcript:
    found = passages(log.read(folder / log.NAME).events)
    decoded = (
        Decoded(each, (Word(text, Media(round(each.start + 1, 3)), Media(round(each.start + 1.2, 3)), 0.7),)) for each in found
    )
    return Transcript(model="large cpu int8", made="2026-12-01T10:00:00Z", decoded=tuple(decoded))


def said(folder: Path) -> set[str]:
    return {word.text for word in fold(transcripts.read_session(folder)[1]).words}


def test_the_newest_transcript_is_what_readers_get_and_the_log_stays(folder: Path) -> None:
    before = (folder / log.NAME).read_bytes()
    first = said(folder)
    assert transcripts.add(folder, saying(folder, "二")).name == "transcript-002.jsonl"
    assert transcripts.add(folder, saying(folder, "三")).name == "transcript-003.jsonl"
    assert said(folder) == {"三"}
    header, _ = Archive(folder.parent).read("latest")
    assert header.models["stt"] == "large cpu int8"
    assert (folder / log.NAME).read_bytes() == before
    assert transcripts.undo(folder) == folder / "transcript-002.jsonl"
    assert said(folder) == {"二"}
    assert transcripts.undo(folder) is None
    assert said(folder) == first
    assert len(list(folder.glob("transcript-*.undone"))) == 2
    assert transcripts.add(folder, saying(folder, "四")).name == "transcript-004.jsonl"


def test_it_is_private(folder: Path) -> None:
    assert transcripts.add(folder, saying(folder, "x")).stat().st_mode & 0o777 == 0o600


def test_what_was_written_is_what_is_read(folder: Path) -> None:
    made = saying(folder, "Kubernetes")
    assert transcripts.read(transcripts.add(folder, made)) == made


def test_nothing_to_undo(folder: Path) -> None:
    with pytest.raises(UsageError) as caught:
        transcripts.undo(folder)
    assert caught.value.code == "nothing-to-undo"


@pytest.mark.parametrize("text", ["", "{}", "no json", '{"schema": 9, "model": "x", "made": "y"}', '{"schema": 1}\n{"x": 1}'])
def test_a_spoiled_transcript_is_named_and_can_be_taken_back(folder: Path, text: str) -> None:
    path = transcripts.add(folder, saying(folder, "x"))
    path.write_text(text)
    with pytest.raises(BadInputError) as caught:
        transcripts.read_session(folder)
    assert caught.value.code == "bad-transcript"
    assert path.name in caught.value.message
    transcripts.undo(folder)
    assert said(folder)
