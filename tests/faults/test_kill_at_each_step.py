"""kill -9 at each single step that is taken on the disk: nothing that was there is lost, and what was begun is done or not."""

from __future__ import annotations

import json
import shutil
import signal
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import soundfile  # type: ignore[import-untyped]  # ships no types

from tests.faults import deeds
from tests.faults.conftest import Mortals
from tests.store.samples import HEADER, names
from voiceprep.core.events import AudioProgress, SessionEnded
from voiceprep.store import baseline, corrections, drills, own_pace, practice_log, transcripts
from voiceprep.store.annotations import FOLD, Annotations
from voiceprep.store.archive import SCHEDULE, STATEMENTS, Archive
from voiceprep.store.locks import free
from voiceprep.store.recovery import recover

SHAPES = {f".peaks-{name}{end}" for name in ("candidate", "interviewer") for end in ("", ".part")}
"""They can be made again, and are."""
FINAL = {"events.jsonl", "session.json", "annotations.json", "review.json", "candidate.flac", "interviewer.flac"}
MOST = 200


def killed(mortals: Mortals, deed: str, prepared: Callable[[], Path]) -> Iterator[tuple[int, Path]]:
    """The folder after each of the kills, until the deed is done unharmed: (which step, or 0 for the last, folder)."""
    for step in range(1, MOST):
        recordings = prepared()
        end = mortals.run(deed=deed, recordings=str(recordings), step=step)
        if end.status == 0:
            assert step > 3, "nothing of it was done on the disk"
            yield 0, recordings
            return
        assert end.status == -signal.SIGKILL, end.said
        yield step, recordings
    pytest.fail("it never ends")


@pytest.fixture
def fresh(tmp_path: Path) -> Callable[[], Path]:
    """A new recordings folder each time."""
    made = 0

    def make() -> Path:
        nonlocal made
        made += 1
        return tmp_path / f"recordings-{made}"

    return make


@pytest.fixture
def crashed(fresh: Callable[[], Path]) -> Callable[[], Path]:
    """... with a session that was killed, and a torn line."""

    def make() -> Path:
        recordings = fresh()
        live = deeds.recorded(recordings)
        live._close_files()
        free(live._lock)
        with (live.path / "events.jsonl").open("ab") as file:
            file.write(b'{"kind":"AudioProgress","at":3.0,"med')
        return recordings

    return make


@pytest.fixture(scope="module")
def once_kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished session, one word of the user's of each kind, and figures that know nothing of what came last."""
    recordings = tmp_path_factory.mktemp("kept") / "recordings"
    deeds.recorded(recordings).close("user")
    for each in (
        *(deeds.plan, deeds.measure_pace, deeds.annotate, deeds.correct, deeds.spend),
        *(deeds.grade, deeds.decode_again, deeds.keep_take, deeds.keep_minute),
    ):
        each(recordings, lambda: None)
    return recordings


@pytest.fixture
def kept(fresh: Callable[[], Path], once_kept: Path) -> Callable[[], Path]:
    """Such a session, each time as if it were the first time."""
    return lambda: shutil.copytree(once_kept, fresh())


def whole(recordings: Path, ended: str) -> None:
    """The one session is there, final, with all that was said in it."""
    (found,) = Archive(recordings).list()
    assert (found.ended, found.duration) == (ended, 2.0)
    _, events = Archive(recordings).read(found.id)
    assert [event.at for event in events if isinstance(event, AudioProgress)] == [1.0, 2.0]
    assert isinstance(events[-1], SessionEnded)
    folder = recordings / found.id
    # A kill right after the last step leaves the lock, which nobody holds any more and nobody minds.
    assert FINAL <= names(folder) <= FINAL | {"events.torn", ".lock"} | SHAPES
    assert soundfile.info(folder / "candidate.flac").frames == 32_000
    assert soundfile.info(folder / "interviewer.flac").frames == 48_000


def test_while_a_session_is_made(mortals: Mortals, fresh: Callable[[], Path]) -> None:
    """There is no session yet, or one that is recovered. Never half of one that stands in the way of the next."""
    for _, recordings in killed(mortals, "create", fresh):
        assert [report.outcome for report in recover(recordings)] in ([], ["recovered"])
        there = len(Archive(recordings).list())
        deeds.recorded(recordings).close("user")
        assert len(Archive(recordings).list()) == there + 1
        assert recover(recordings) == []


def test_while_a_session_is_closed(mortals: Mortals, fresh: Callable[[], Path]) -> None:
    ends = set()
    for step, recordings in killed(mortals, "close", fresh):
        recover(recordings)
        ends.add(Archive(recordings).list()[0].ended)
        whole(recordings, "user" if step == 0 else Archive(recordings).list()[0].ended)
    assert ends == {"interrupted", "user"}  # before its end was in the log, and after


def test_while_a_session_is_recovered(mortals: Mortals, crashed: Callable[[], Path]) -> None:
    for _, recordings in killed(mortals, "mend", crashed):
        recover(recordings)
        whole(recordings, "interrupted")
        (folder,) = recordings.iterdir()
        assert (folder / "events.torn").read_bytes() == b'{"kind":"AudioProgress","at":3.0,"med'


@pytest.mark.parametrize("deed", ["annotate", "correct", "spend", "grade", "decode_again"])
def test_while_the_user_s_own_words_are_written(mortals: Mortals, kept: Callable[[], Path], deed: str) -> None:
    for step, recordings in killed(mortals, deed, kept):
        assert recover(recordings) == []
        folder = Archive(recordings).find("latest")
        notes = Annotations(folder)
        assert [each.text for each in notes.history().annotations] in (["said twice"], ["said twice"] * 2)
        assert [each.note for each in corrections.read(folder)] == ["that was the other team"]
        assert len(practice_log.statements(recordings)) in (2, 3)
        assert transcripts.newest(folder) in (folder / "transcript-002.jsonl", folder / "transcript-003.jsonl")
        assert Archive(recordings).read("latest")[0].models["stt"] == "small"
        # ... and the next one is kept whole, whatever half a line lies before it.
        before = len(notes.history().annotations), len(practice_log.statements(recordings))
        deeds.DEEDS[deed](recordings, lambda: None)
        after = len(notes.history().annotations), len(practice_log.statements(recordings))
        assert (after[0] - before[0], after[1] - before[1]) == (deed == "annotate", deed in {"spend", "grade"}), step
        assert len(corrections.read(folder)) == 1
        assert (folder / FOLD).is_file()


def test_while_a_take_is_kept(mortals: Mortals, kept: Callable[[], Path]) -> None:
    """It is the old one or the new one, and half of neither."""
    for _, recordings in killed(mortals, "keep_take", kept):
        folder = Archive(recordings).find("latest")
        assert drills.read(folder) == replace(deeds.TAKE, session=folder.name)
        deeds.keep_take(recordings, lambda: None)
        assert not list(folder.glob("*.part"))


def test_while_the_schedule_is_written(mortals: Mortals, kept: Callable[[], Path]) -> None:
    """It can be read, or is made again: the user's own grade stands in it at any moment."""
    for step, recordings in killed(mortals, "plan", kept):
        for _ in range(2):
            due = drills.schedule(recordings, [drills.reviews_of_take])[deeds.ITEM]
            assert (due.grade, due.reviews) == ("hard", 1), step
        assert json.loads((recordings / SCHEDULE).read_bytes())["schema"] == drills.SCHEDULED


def test_while_the_baseline_is_written(mortals: Mortals, kept: Callable[[], Path]) -> None:
    for _, recordings in killed(mortals, "measure_pace", kept):
        document = json.loads((recordings / baseline.NAME).read_bytes())
        (stamp,) = (one["stamp"] for one in document["sessions"].values())
        again = baseline.refresh(recordings)
        assert list(again) == list(document["sessions"])
        (now,) = (one["stamp"] for one in json.loads((recordings / baseline.NAME).read_bytes())["sessions"].values())
        assert "transcript-002" in now
        assert stamp in {now, "events.jsonl" + now.partition("events.jsonl")[2].partition(";")[0]}


def test_while_a_minute_of_the_sound_check_is_kept(mortals: Mortals, kept: Callable[[], Path]) -> None:
    for _, recordings in killed(mortals, "keep_minute", kept):
        before = len(own_pace.minutes(recordings, "en"))
        assert before in (1, 2)
        deeds.keep_minute(recordings, lambda: None)
        assert len(own_pace.minutes(recordings, "en")) == before + 1  # whatever half a line lies before it


def test_while_a_session_is_deleted(mortals: Mortals, kept: Callable[[], Path]) -> None:
    """It is there whole, or gone altogether; never half, and never its sound without its name."""
    gone = 0
    for step, recordings in killed(mortals, "delete", kept):
        recover(recordings)
        folders = [path for path in recordings.iterdir() if path.is_dir()]
        if folders:
            (found,) = Archive(recordings).list()
            assert names(recordings / found.id) >= FINAL
            assert step
        else:
            assert [type(each) for each in practice_log.statements(recordings)] == [practice_log.TimeSpent]
            assert {path.name for path in recordings.iterdir()} == {STATEMENTS}
        gone += not folders
    assert gone > 1


def test_the_kills_are_at_different_places(mortals: Mortals, fresh: Callable[[], Path]) -> None:
    """The tests above can fail: without the step the child lives, and a kill leaves what was written before it."""
    sizes = set()
    for step in (8, 14, 30):
        recordings = fresh()
        mortals.run(deed="create", recordings=str(recordings), step=step)
        sizes.add(sum(path.stat().st_size for path in recordings.rglob("*") if not path.name.startswith(".reserve")))
    assert len(sizes) == 3
    assert HEADER.round
