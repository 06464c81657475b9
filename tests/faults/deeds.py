"""What is done to a recordings folder, a step at a time: each deed prepares in peace, calls `arm`, and then does its work."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.store.samples import HEADER, tone
from voiceprep.core.annotation import Anchor
from voiceprep.core.drills.take import DrillResult
from voiceprep.core.events import AudioProgress
from voiceprep.core.listening.baseline import Sample
from voiceprep.core.units import At, Media
from voiceprep.store import baseline, corrections, drills, own_pace, practice_log, transcripts
from voiceprep.store.annotations import Annotations
from voiceprep.store.archive import Archive
from voiceprep.store.corrections import Correction
from voiceprep.store.folder import SessionFolder
from voiceprep.store.practice_log import TimeSpent
from voiceprep.store.recovery import recover
from voiceprep.store.schedule import Review
from voiceprep.store.transcripts import Transcript

Arm = Callable[[], None]
ITEM = "drill:headline-30"
RESULT = DrillResult(
    drill="headline-30", prompt="p", language="en", criteria=(), passed=True, next_time=("say it first",), parts=(), heard=()
)
TAKE = drills.Kept(
    session="s",
    started=HEADER.started,
    ended="completed",
    complete=True,
    result=RESULT,
    floors=(),
    grade="good",
    text="we chose",
)


def recorded(recordings: Path) -> SessionFolder:
    """A session with two seconds of both voices, still open."""
    live = SessionFolder.create(recordings, HEADER)
    for second in (1.0, 2.0):
        live.candidate.write(tone(16_000))
        live.interviewer.write(tone(24_000, 24_000))
        live.log.append(AudioProgress(at=At(second), media=Media(second)))
    return live


def create(recordings: Path, arm: Arm) -> None:
    arm()
    recorded(recordings)


def close(recordings: Path, arm: Arm) -> None:
    live = recorded(recordings)
    arm()
    live.close("user")


def mend(recordings: Path, arm: Arm) -> None:
    """Recovery, of a session that was killed."""
    arm()
    recover(recordings)


def annotate(recordings: Path, arm: Arm) -> None:
    notes = Annotations(Archive(recordings).find("latest"))
    arm()
    notes.add("note", Anchor(Media(0.5), Media(1.0)), "said twice")


def correct(recordings: Path, arm: Arm) -> None:
    folder = Archive(recordings).find("latest")
    arm()
    corrections.append(folder, Correction("3.tradeoff", "wrong", "that was the other team"))


def spend(recordings: Path, arm: Arm) -> None:
    arm()
    practice_log.state(recordings, TimeSpent(at="2026-11-30T10:00:00+00:00", minutes=25.0, what="reading"))


def grade(recordings: Path, arm: Arm) -> None:
    session = Archive(recordings).find("latest").name
    arm()
    at = "2026-11-30T10:00:00+00:00"
    practice_log.state(recordings, practice_log.Overruled(at=at, session=session, item=ITEM, grade="hard"))


def keep_take(recordings: Path, arm: Arm) -> None:
    folder = Archive(recordings).find("latest")
    arm()
    drills.write(folder, TAKE)


def plan(recordings: Path, arm: Arm) -> None:
    """The schedule, which knows nothing yet of the latest session."""
    arm()
    drills.schedule(recordings, [lambda folder, head: [Review(ITEM, head.started, "good", folder.name)]])


def measure_pace(recordings: Path, arm: Arm) -> None:
    """The baseline, which knows nothing yet of the latest session."""
    arm()
    baseline.refresh(recordings)


def keep_minute(recordings: Path, arm: Arm) -> None:
    arm()
    own_pace.keep(recordings, own_pace.Minute("2026-11-30T10:00:00+00:00", Sample("en", 60.0, 140.0, 0.4, 2.0)))


def decode_again(recordings: Path, arm: Arm) -> None:
    folder = Archive(recordings).find("latest")
    arm()
    transcripts.add(folder, Transcript(model="small", made="2026-11-30T10:00:00Z", decoded=()))


def delete(recordings: Path, arm: Arm) -> None:
    archive = Archive(recordings)
    arm()
    archive.delete("latest")


DEEDS: dict[str, Callable[[Path, Arm], None]] = {
    each.__name__: each
    for each in (
        *(create, close, mend, annotate, correct, spend, grade, decode_again, delete),
        *(keep_take, plan, measure_pace, keep_minute),
    )
}
