"""What the user states beside the sessions."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from tests.store.samples import HEADER
from voiceprep.errors import MissingError
from voiceprep.store import disk
from voiceprep.store.archive import Archive
from voiceprep.store.folder import SessionFolder
from voiceprep.store.practice_log import NAME, Overruled, TimeSpent, state, statements

GRADED = Overruled(at="2026-12-01T10:00:00+00:00", session="s", item="drill:a", grade="hard")
SPENT = TimeSpent(at="2026-12-01T11:00:00+00:00", minutes=30.0, what="读书 | reading", round="gpu-technical")


def test_statements_come_back_in_order_and_the_file_is_private(tmp_path: Path) -> None:
    place = tmp_path / "new"
    state(place, GRADED)
    state(place, SPENT)
    assert statements(place) == (GRADED, SPENT)
    assert (place / NAME).stat().st_mode & 0o777 == 0o600


def test_there_are_none_without_a_file(tmp_path: Path) -> None:
    assert statements(tmp_path) == ()


def minutes(figure: str) -> bytes:
    return b'{"kind": "TimeSpent", "at": "2026-12-01T11:00:00+00:00", "what": "", "minutes": %s}' % figure.encode()


FIGURES = ("NaN", '"nan"', '"30"', "1e400", "1e300", "-1", "true", f"1{'0' * 400}")


@pytest.mark.parametrize(
    "junk",
    [
        *(b'{"kind": "TimeSp', b"\xff\xfe", b"[]", b'{"kind": "Mood"}', b'{"kind": "Overruled", "grade": "superb"}'),
        *map(minutes, FIGURES),
    ],
)
def test_a_line_that_nobody_can_read_is_passed_over_and_spoils_no_other(tmp_path: Path, junk: bytes) -> None:
    state(tmp_path, GRADED)
    with (tmp_path / NAME).open("ab") as file:
        file.write(junk)  # torn: no line end
    state(tmp_path, SPENT)
    assert statements(tmp_path) == (GRADED, SPENT)


def test_what_was_said_about_a_session_goes_with_it_and_nothing_else(tmp_path: Path) -> None:
    live = SessionFolder.create(tmp_path, HEADER)
    live.close("user")
    mine, other = replace(GRADED, session=live.path.name), replace(GRADED, session=f"{live.path.name}-2")
    about = replace(SPENT, what=f"read {live.path.name} again")
    for each in (mine, other, about, mine):
        state(tmp_path, each)
    Archive(tmp_path).delete(live.path.name)
    assert statements(tmp_path) == (other, about)
    assert (tmp_path / NAME).stat().st_mode & 0o777 == 0o600


def test_a_file_of_which_nothing_is_left_goes(tmp_path: Path) -> None:
    live = SessionFolder.create(tmp_path, HEADER)
    live.close("user")
    state(tmp_path, replace(GRADED, session=live.path.name))
    Archive(tmp_path).delete("latest")
    assert list(tmp_path.iterdir()) == []


def test_what_is_said_while_lines_are_dropped_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who appends waits for who rewrites, and appends to the new file, not to the one that is thrown away."""
    state(tmp_path, GRADED)
    state(tmp_path, SPENT)
    real, other = disk.replace_file, threading.Thread(target=state, args=(tmp_path, SPENT))

    def replaced(path: Path, data: bytes) -> None:
        other.start()
        other.join(0.05)  # it may get as far as it can
        real(path, data)

    monkeypatch.setattr(disk, "replace_file", replaced)
    disk.drop_lines(tmp_path / NAME, lambda line: b"Overruled" in line)
    other.join()
    assert statements(tmp_path) == (SPENT, SPENT)


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(MissingError) as raised:
        state(tmp_path / "file", SPENT)
    assert raised.value.code == "recordings-unwritable"
