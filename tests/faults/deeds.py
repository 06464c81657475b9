"""What is done to a recordings folder, a step at a time: each deed prepares in peace, calls `arm`, and then does its work."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.store.samples import HEADER, tone
from voiceprep.core.annotation import Anchor
from voiceprep.core.events import AudioProgress
from voiceprep.core.units import At, Media
from voiceprep.store import corrections, practice_log, transcripts
from voiceprep.store.annotations import Annotations
from voiceprep.store.archive import Archive
from voiceprep.store.corrections import Correction
from voiceprep.store.folder import SessionFolder
from voiceprep.store.practice_log import TimeSpent
from voiceprep.store.recovery import recover
from voiceprep.store.transcripts import Transcript

Arm = Callable[[], None]


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


def decode_again(recordings: Path, arm: Arm) -> None:
    folder = Archive(recordings).find("latest")
    arm()
    transcripts.add(folder, Transcript(model="small", made="2026-11-30T10:00:00Z", decoded=()))


def delete(recordings: Path, arm: Arm) -> None:
    archive = Archive(recordings)
    arm()
    archive.delete("latest")


DEEDS: dict[str, Callable[[Path, Arm], None]] = {
    each.__name__: each for each in (create, close, mend, annotate, correct, spend, decode_again, delete)
}
