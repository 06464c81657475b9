"""baseline.json: rebuilt from the sessions at any time, and gone with them."""

import json
import shutil
from pathlib import Path

import pytest

from bench.pacing_scene import Scene, play, spoken
from bench.pacing_truth import opening
from tests.bench.test_pacing_truth import content
from voiceprep.core.events import Fact
from voiceprep.store.archive import Archive
from voiceprep.store.baseline import NAME, baseline_of, refresh
from voiceprep.store.codec import as_logged
from voiceprep.store.folder import SessionFolder
from voiceprep.store.header import Header
from voiceprep.store.transcripts import Transcript, add


def session(recordings: Path, day: int, pace: float, source: str = "microphone") -> str:
    """A session of ninety seconds of speech at this pace."""
    voiced, words = spoken("go " * int(pace * 1.5), 4.0, "en", pace)
    log, _ = play(Scene((opening(content(), "en"),), voiced, words, voiced[-1][1] + 8), content())
    header = Header(
        version="1",
        started=f"2026-12-{day:02d}T10:00:00Z",
        round="gpu-technical",
        persona="",
        language="en",
        mode="coach",
        source=source,  # type: ignore[arg-type]
        clock="wall",
    )
    folder = SessionFolder.create(recordings, header)
    for event in log:
        folder.log.append(as_logged(event) if isinstance(event, Fact) else event)
    folder.close("audio-ended")
    return folder.header.id


@pytest.fixture
def recordings(tmp_path: Path) -> Path:
    session(tmp_path, 1, 140.0)
    session(tmp_path, 2, 160.0)
    session(tmp_path, 3, 300.0, source="demo")
    return tmp_path


def test_it_is_made_from_what_the_user_said_and_nobody_else(recordings: Path) -> None:
    own = baseline_of(recordings, "en")
    assert own is not None
    assert own.rate == pytest.approx(150, rel=0.02)
    assert own.seconds == pytest.approx(180, rel=0.02)
    assert baseline_of(recordings, "zh") is None


@pytest.mark.parametrize("spoiled", ["", "[]", '{"schema": 1}', '{"schema": 1, "sessions": {"x": {"language": "fr"}}}', "\x00"])
def test_a_spoiled_file_is_made_anew(recordings: Path, spoiled: str) -> None:
    whole = refresh(recordings)
    (recordings / NAME).write_text(spoiled)
    assert refresh(recordings) == whole
    assert json.loads((recordings / NAME).read_text())["sessions"].keys() == whole.keys()


def test_the_same_after_it_was_lost(recordings: Path) -> None:
    first = baseline_of(recordings, "en")
    (recordings / NAME).unlink()
    assert baseline_of(recordings, "en") == first


def test_a_session_that_is_deleted_leaves_nothing(recordings: Path) -> None:
    name = max(refresh(recordings))
    Archive(recordings).delete(name)
    assert not (recordings / NAME).exists()
    assert name not in refresh(recordings)
    assert name not in (recordings / NAME).read_text()


def test_a_session_that_was_moved_away_does_not_count(recordings: Path) -> None:
    names = sorted(refresh(recordings))
    shutil.rmtree(recordings / names[0])
    own = baseline_of(recordings, "en")
    assert own is not None
    assert own.rate == pytest.approx(160, rel=0.02)


def test_no_recordings_is_no_baseline(tmp_path: Path) -> None:
    assert baseline_of(tmp_path / "nothing", "en") is None
    assert not (tmp_path / "nothing").exists()


def test_a_folder_that_refuses_costs_only_the_file(recordings: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("voiceprep.store.disk.replace_json", full)
    assert baseline_of(recordings, "en") is not None


def test_a_session_that_was_running_counts_once_it_is_over(recordings: Path) -> None:
    name = session(recordings, 4, 200.0)
    ended = (recordings / name / "session.json").read_bytes()
    (recordings / name / "session.json").unlink()
    assert name not in refresh(recordings)
    (recordings / name / "session.json").write_bytes(ended)
    sample = refresh(recordings)[name]
    assert sample is not None
    assert sample.rate == pytest.approx(200, rel=0.02)


def test_what_was_decoded_again_is_read_again(recordings: Path) -> None:
    name = min(refresh(recordings))
    add(recordings / name, Transcript(model="other", made="2026-12-09T10:00:00Z", decoded=()))
    folder = recordings / name
    fresh = {key: value for key, value in refresh(recordings).items() if key == name}
    (recordings / NAME).unlink()
    assert fresh == {key: value for key, value in refresh(recordings).items() if key == name}
    stamps = json.loads((recordings / NAME).read_text())["sessions"]
    assert "transcript-002.jsonl" in stamps[folder.name]["stamp"]
