from __future__ import annotations

import json
import stat
import threading
from pathlib import Path

import pytest

from voiceprep.core.annotation import Anchor, Annotation
from voiceprep.core.units import Media
from voiceprep.errors import UsageError
from voiceprep.store.annotations import FOLD, LONGEST_TEXT, NAME, Annotations, read

HERE = Anchor(Media(83.2), Media(84.0), 3, 4, "the queue")
LIVE = Annotation("live-1", "user", "star", Anchor(Media(2.0), Media(2.0)))


@pytest.fixture
def notes(tmp_path: Path) -> Annotations:
    return Annotations(tmp_path, [LIVE], lambda: "2026-12-01T09:00:00Z")


def test_what_is_written_is_read_again_and_private(notes: Annotations, tmp_path: Path) -> None:
    made = notes.add("label", HERE, "好的 metric")
    assert Annotations(tmp_path, [LIVE]).history().annotations == (LIVE, made)
    for name in (NAME, FOLD):
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600
    assert [each["id"] for each in json.loads((tmp_path / FOLD).read_text())] == ["live-1", "n1"]
    assert {path.name for path in tmp_path.iterdir()} == {NAME, FOLD}


def test_the_file_only_grows(notes: Annotations, tmp_path: Path) -> None:
    notes.add("note", HERE, "one")
    before = (tmp_path / NAME).read_bytes()
    notes.edit("n1", text="two")
    notes.remove("live-1")
    notes.undo()
    notes.undo()
    notes.redo()
    assert (tmp_path / NAME).read_bytes().startswith(before)
    assert [(each.id, each.text) for each in notes.history().annotations] == [("live-1", ""), ("n1", "two")]


def test_a_torn_last_line_loses_nothing_before_or_after_it(notes: Annotations, tmp_path: Path) -> None:
    notes.add("note", HERE, "one")
    notes.add("note", HERE, "two")
    path = tmp_path / NAME
    path.write_bytes(path.read_bytes()[:-30])
    assert [each.text for each in notes.history().annotations] == ["", "one"]
    notes.add("note", HERE, "three")
    assert [each.text for each in notes.history().annotations if each.text] == ["one", "three"]


def test_ids_are_not_used_twice(notes: Annotations) -> None:
    notes.add("note", HERE, "one")
    notes.undo()
    assert notes.add("note", HERE, "two").id == "n2"


def test_there_may_be_nothing_to_undo(notes: Annotations) -> None:
    with pytest.raises(UsageError, match="nothing to undo"):
        notes.undo()
    with pytest.raises(UsageError, match="nothing to redo"):
        notes.redo()
    with pytest.raises(UsageError, match="live-1"):
        notes.remove("n7")
    with pytest.raises(UsageError, match="characters"):
        notes.add("note", HERE, "x" * (LONGEST_TEXT + 1))


def test_half_a_character_is_no_reason_to_lose_a_note(notes: Annotations) -> None:
    notes.add("note", HERE, "a\ud83d b")
    assert notes.history().annotations[-1].text == "a? b"


def test_two_writers_at_once_lose_nothing(tmp_path: Path) -> None:
    def write() -> None:
        for _ in range(10):
            Annotations(tmp_path).add("star", HERE)

    threads = [threading.Thread(target=write) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(read(tmp_path)) == 30
    assert len({each.id for each in Annotations(tmp_path).history().annotations}) == 30


def test_a_folder_that_is_gone_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="any more"):
        Annotations(tmp_path / "gone").add("star", HERE)
    assert not (tmp_path / "gone").exists()
