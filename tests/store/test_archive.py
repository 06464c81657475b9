from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from tests.store.samples import HEADER, names, tone
from voiceprep.core.events import AudioProgress, SessionEnded, VoiceStarted
from voiceprep.core.units import At, Media
from voiceprep.errors import BadInputError, MissingError, UsageError
from voiceprep.store import log
from voiceprep.store.archive import Archive
from voiceprep.store.folder import SessionFolder


def recorded(recordings: Path, day: int = 30, seconds: int = 2) -> str:
    live = SessionFolder.create(recordings, replace(HEADER, started=f"2026-11-{day:02}T09:05:12Z"))
    live.candidate.write(tone(16_000 * seconds))
    live.log.append(VoiceStarted(at=At(0.5), speaker="candidate", media=Media(0.3)))
    live.log.append(AudioProgress(at=At(2.0), media=Media(2.0)))
    live.log.append(SessionEnded(at=At(2.0), reason="completed"))
    live.close("user")
    return live.path.name


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    for day in (3, 21, 12):
        recorded(tmp_path / "recordings", day)
    return Archive(tmp_path / "recordings")


def test_the_newest_comes_first(archive: Archive) -> None:
    assert [told.started[8:10] for told in archive.list()] == ["21", "12", "03"]
    assert archive.find("latest").name == "2026-11-21T09-05-12-gpu-hm-screen"


def test_a_list_without_recordings_is_empty(tmp_path: Path) -> None:
    assert Archive(tmp_path / "nothing").list() == ()
    with pytest.raises(UsageError, match="no sessions yet") as raised:
        Archive(tmp_path / "nothing").find("latest")
    assert "voiceprep practice" in raised.value.hint


@pytest.mark.parametrize("spoiled", ["", "{}", "[" * 100_000, None])
def test_a_summary_is_told_from_the_log_where_it_is_missing_or_spoiled(archive: Archive, spoiled: str | None) -> None:
    before = archive.list()
    path = archive.recordings / before[1].id / "session.json"
    path.unlink() if spoiled is None else path.write_text(spoiled)
    assert archive.list() == before


def test_strange_folders_and_links_are_not_seen(archive: Archive, tmp_path: Path) -> None:
    before = archive.list()
    elsewhere = recorded(tmp_path / "elsewhere")
    (archive.recordings / "linked").symlink_to(tmp_path / "elsewhere" / elsewhere)
    (archive.recordings / "empty").mkdir()
    (archive.recordings / "linked-log").mkdir()
    (archive.recordings / "linked-log" / log.NAME).symlink_to(tmp_path / "elsewhere" / elsewhere / log.NAME)
    (archive.recordings / "spoiled").mkdir()
    (archive.recordings / "spoiled" / log.NAME).write_bytes(b"\xff\n")
    assert archive.list() == before
    for name in ("linked", "empty", "linked-log"):
        with pytest.raises(UsageError):
            archive.find(name)


@pytest.mark.parametrize(
    "wanted", ["", ".", "..", "../outside", "/etc", "a/b", "a\\b", "..%2foutside", "x\0y", "x" * 300, "2026\n", "~"]
)
def test_case_113_an_id_cannot_lead_anywhere_else(archive: Archive, wanted: str) -> None:
    recorded(archive.recordings.parent / "outside")
    for attempt in (archive.find, archive.read, archive.delete):
        with pytest.raises(UsageError) as raised:
            attempt(wanted)
        assert raised.value.code == "unknown-session"
        assert archive.list()[0].id in raised.value.hint
    assert len(archive.list()) == 3


def test_an_absolute_path_to_a_session_is_no_id(archive: Archive) -> None:
    with pytest.raises(UsageError):
        archive.find(str(archive.find("latest")))


def test_read(archive: Archive) -> None:
    header, events = archive.read("latest")
    assert header.id == archive.list()[0].id
    assert [type(event).__name__ for event in events] == ["VoiceStarted", "AudioProgress", "SessionEnded"]


def test_a_spoiled_log_is_named_with_its_line(archive: Archive) -> None:
    path = archive.find("latest") / log.NAME
    path.write_text(path.read_text().replace('"speaker":"candidate"', '"speaker":"nobody"'))
    with pytest.raises(BadInputError, match=r"events\.jsonl: line 2 "):
        archive.read("latest")


def test_delete_removes_everything(archive: Archive) -> None:
    wanted = archive.find("latest")
    (wanted / "extra").mkdir()
    (wanted / "extra" / "note").touch()
    assert archive.delete("latest") == wanted.name
    assert wanted.name not in {told.id for told in archive.list()}
    assert names(archive.recordings) == {told.id for told in archive.list()}


def test_delete_does_not_follow_links(archive: Archive, tmp_path: Path) -> None:
    outside = tmp_path / "kept"
    outside.mkdir()
    (outside / "file").touch()
    (archive.find("latest") / "link").symlink_to(outside)
    archive.delete("latest")
    assert (outside / "file").exists()


def test_a_live_session_is_read_but_not_deleted(tmp_path: Path) -> None:
    live = SessionFolder.create(tmp_path, HEADER)
    live.candidate.write(tone(8000))
    archive = Archive(tmp_path)
    assert [(told.ended, told.duration) for told in archive.list()] == [("", 0.5)]
    assert archive.read("latest")[1] == ()
    with pytest.raises(UsageError) as raised:
        archive.delete("latest")
    assert raised.value.code == "session-live"
    live.log.append(AudioProgress(at=At(0.5), media=Media(0.5)))
    live.close("user")
    assert archive.list()[0].ended == "user"


def test_a_refused_deletion_is_told(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object, **options: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "rename", refuse)
    with pytest.raises(MissingError) as raised:
        archive.delete("latest")
    assert raised.value.code == "recordings-unwritable"
    assert len(archive.list()) == 3
