"""A session folder that somebody else has made, with links in it: nothing behind a link is read, changed or removed."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from tests.browser.archive import session
from tests.faults import deeds
from voiceprep.errors import MissingError, VoiceprepError
from voiceprep.intake import kept as intake
from voiceprep.intake.intake import Intake
from voiceprep.review.kept_review import kept_picture, kept_review
from voiceprep.review.page import keep_review
from voiceprep.review.results import keep_missing_results
from voiceprep.review.take import held_sounds_of
from voiceprep.store import (
    baseline,
    corrections,
    drills,
    log,
    peaks,
    practice_log,
    review_file,
    summary,
    track,
    transcripts,
)
from voiceprep.store.annotations import NAME as NOTES
from voiceprep.store.annotations import read as read_notes
from voiceprep.store.archive import OWN_PACE, Archive, is_session, sweep
from voiceprep.store.folder import DELETED, finish
from voiceprep.store.recovery import recover

CANARY = b"the neighbour's file " * 4_000
NAMES = (
    *("candidate.flac", "candidate.pcm", "candidate.json", "interviewer.pcm", "session.json", "annotations.json"),
    *("annotations.jsonl", "corrections.jsonl", "review.json", "drill.json", "transcript-002.jsonl", "events.torn", ".lock"),
    *(".reserve-0", ".peaks-candidate.npy", "cv.txt", "job.pdf", "intake.json", "pacing.toml", "interviewer.flac"),
    *("interviewer.json", "transcript-002.jsonl.undone", "derived", ".derived.lock", ".review.lock", ".annotations.lock"),
)
WRITTEN = tuple(f"{name}.part" for name in NAMES)
"""What a file is written under first, before it takes the place of the old one."""


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    path = tmp_path / "elsewhere"
    path.write_bytes(CANARY)
    return path


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A session's folder, to make copies of."""
    recordings = tmp_path_factory.mktemp("held")
    return recordings / session(recordings, exchanges=1)


@pytest.fixture
def linked(tmp_path: Path, held: Path, victim: Path) -> Callable[[str], Path]:
    """A session in whose folder this one name is a link to the victim."""

    def make(name: str) -> Path:
        folder = shutil.copytree(held, tmp_path / "recordings" / held.name)
        (folder / name).unlink(missing_ok=True)
        (folder / name).symlink_to(victim)
        return folder

    return make


def everything(folder: Path) -> None:
    """All that is done to a session; what refuses does so in a sentence."""
    for each in (deeds.annotate, deeds.correct, deeds.decode_again, deeds.keep_take):
        with suppress(VoiceprepError):
            each(folder.parent, lambda: None)
    for done in (recover, baseline.refresh, lambda _: finish(folder), lambda _: keep_review(folder)):
        with suppress(VoiceprepError):
            done(folder.parent)
    keep_missing_results(folder)
    for show in (kept_review, intake.forget):
        with suppress(VoiceprepError):
            show(folder)
    with suppress(VoiceprepError):
        review_file.update(folder, {"read": True})
    with suppress(VoiceprepError):
        drills.schedule(folder.parent, [drills.reviews_of_take])
    with suppress(VoiceprepError, OSError):
        peaks.pairs_of(folder, "candidate")
    held_sounds_of(folder)


@pytest.mark.parametrize("name", [*NAMES, *WRITTEN, "candidate.flac.part"])
def test_nothing_behind_a_link_is_changed_or_taken_along(linked: Callable[[str], Path], victim: Path, name: str) -> None:
    folder = linked(name)
    everything(folder)
    assert victim.read_bytes() == CANARY
    copies = [
        path
        for path in folder.parent.rglob("*")
        if path.is_file() and not path.is_symlink() and CANARY[:40] in path.read_bytes()
    ]
    assert copies == []
    Archive(folder.parent).delete(folder.name)
    assert victim.read_bytes() == CANARY
    assert not folder.exists()


def test_sound_behind_a_link_is_no_recording(held: Path, linked: Callable[[str], Path]) -> None:
    """Not even where it is sound: somebody else's voice would be exported as the candidate's."""
    own = held / "candidate.flac"
    folder = linked("candidate.flac")
    (folder / "candidate.flac").unlink()
    (folder / "candidate.flac").symlink_to(own)
    assert track.audio(folder, "candidate") is None
    assert track.seconds(folder, "candidate") == 0.0
    (folder / "candidate.flac").unlink()
    os.link(own, folder / "candidate.flac")  # the same bytes as a file of the folder's are one
    assert track.audio(folder, "candidate") is not None


def test_a_session_folder_that_is_a_link_is_no_session(tmp_path: Path, held: Path) -> None:
    """It is not listed, not recovered, not deleted; what it leads to stays as it is, under every name of ours."""
    there = held
    before = {path: path.read_bytes() for path in there.iterdir()}
    recordings = tmp_path / "recordings"
    recordings.mkdir()
    for name in (there.name, f"{DELETED}{there.name}"):
        (recordings / name).symlink_to(there)
    assert not is_session(recordings / there.name)
    assert Archive(recordings).list() == ()
    assert recover(recordings) == []
    sweep(recordings)
    with pytest.raises(VoiceprepError, match="no session"):
        Archive(recordings).delete(there.name)
    assert {path: path.read_bytes() for path in there.iterdir()} == before


def test_the_recordings_folder_itself_may_be_a_link(tmp_path: Path, held: Path) -> None:
    """The user's own choice of another disk."""
    shutil.copytree(held, tmp_path / "disk" / held.name)
    (tmp_path / "recordings").symlink_to(tmp_path / "disk")
    assert [told.id for told in Archive(tmp_path / "recordings").list()] == [held.name]
    Archive(tmp_path / "recordings").delete(held.name)
    assert list((tmp_path / "disk").iterdir()) == []


def test_the_user_s_statements_are_not_written_through_a_link(tmp_path: Path, victim: Path) -> None:
    (tmp_path / practice_log.NAME).symlink_to(victim)
    with pytest.raises(VoiceprepError, match="cannot write"):
        deeds.spend(tmp_path, lambda: None)
    assert victim.read_bytes() == CANARY


@pytest.mark.parametrize("show", [kept_review, lambda folder: kept_picture(folder, "svg")])
def test_a_folder_of_what_was_made_that_is_a_link_is_passed_by(
    tmp_path: Path, held: Path, show: Callable[[Path], object]
) -> None:
    """What lies behind it under a name of ours is not taken away, no review is written there, and it outlives the session."""
    folder = shutil.copytree(held, tmp_path / "recordings" / held.name)
    there = tmp_path / "elsewhere"
    there.mkdir()
    mine = {"review-own-mine.json": b"mine", "picture-light-own-mine.svg": b"mine", "letter.txt": b"dear"}
    for name, data in mine.items():
        (there / name).write_bytes(data)
    (folder / review_file.DERIVED).symlink_to(there)
    assert show(folder)
    with suppress(VoiceprepError):
        review_file.forget(folder)
    Archive(folder.parent).delete(folder.name)
    assert {path.name: path.read_bytes() for path in there.iterdir()} == mine


READERS: dict[str, Callable[[Path], object]] = {
    NOTES: read_notes,
    corrections.NAME: corrections.read,
    drills.NAME: drills.read,
    intake.NAME: intake.kept,
    log.NAME: lambda folder: log.read(folder / log.NAME),
    review_file.NAME: review_file.kept,
    summary.NAME: summary.read,
    "transcript-002.jsonl": lambda folder: transcripts.read(folder / "transcript-002.jsonl"),
}


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("what", ["link", "pipe"])
def test_what_is_no_file_of_the_folder_is_not_read(tmp_path: Path, held: Path, name: str, what: str) -> None:
    """Words of another session would be shown as this one's; a pipe would hold up the reader for ever."""
    folder = shutil.copytree(held, tmp_path / "recordings" / held.name)
    filled(folder)
    assert READERS[name](folder), "there is something to be read"
    (folder / name).rename(tmp_path / "told")
    (folder / name).symlink_to(tmp_path / "told") if what == "link" else os.mkfifo(folder / name)
    try:
        found = READERS[name](folder)
    except VoiceprepError:
        return
    assert not found


def filled(folder: Path) -> None:
    """Each of the files, with something in it."""
    for deed in (deeds.annotate, deeds.correct, deeds.decode_again, deeds.keep_take):
        deed(folder.parent, lambda: None)
    review_file.update(folder, {"scores": {}})
    (folder / intake.NAME).write_bytes(intake.encoded(Intake()))


def test_the_grades_of_a_linked_file_stay_and_the_deletion_says_so(tmp_path: Path, held: Path) -> None:
    shutil.copytree(held, tmp_path / held.name)
    elsewhere = tmp_path / "disk" / "grades"
    elsewhere.parent.mkdir()
    elsewhere.write_text(json.dumps({"session": held.name}) + "\n")
    (tmp_path / practice_log.NAME).symlink_to(elsewhere)
    (tmp_path / OWN_PACE).write_text("{}\n")
    with pytest.raises(MissingError, match=r"practice\.jsonl is a link") as told:
        Archive(tmp_path).delete(held.name)
    assert told.value.code == "grades-kept"
    assert {path.name for path in tmp_path.iterdir()} == {"disk", practice_log.NAME}
    assert held.name in elsewhere.read_text()


@pytest.mark.parametrize("about", ["this one", "another"])
def test_a_sweep_finishes_where_the_grades_are_a_link(tmp_path: Path, held: Path, about: str) -> None:
    shutil.copytree(held, tmp_path / f"{DELETED}{held.name}")
    elsewhere = tmp_path / "disk" / "grades"
    elsewhere.parent.mkdir()
    elsewhere.write_text(json.dumps({"session": held.name if about == "this one" else "20260101-000000-x"}) + "\n")
    (tmp_path / practice_log.NAME).symlink_to(elsewhere)
    sweep(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"disk", practice_log.NAME}


def test_grades_that_cannot_be_written_are_named_and_the_sweep_comes_back(tmp_path: Path, held: Path) -> None:
    shutil.copytree(held, tmp_path / held.name)
    (tmp_path / practice_log.NAME).write_text(json.dumps({"session": held.name}) + "\n" + json.dumps({"session": "b"}) + "\n")
    blocked = tmp_path / f"{practice_log.NAME}.part"
    blocked.mkdir()
    with pytest.raises(MissingError, match=rf"cannot write to \S*{practice_log.NAME}:"):
        Archive(tmp_path).delete(held.name)
    blocked.rmdir()
    sweep(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [practice_log.NAME]
    assert held.name not in (tmp_path / practice_log.NAME).read_text()
