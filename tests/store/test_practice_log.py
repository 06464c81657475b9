"""What the user states beside the sessions."""

from __future__ import annotations

from pathlib import Path

import pytest

from voiceprep.errors import MissingError
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


@pytest.mark.parametrize(
    "junk", [b'{"kind": "TimeSp', b"\xff\xfe", b"[]", b'{"kind": "Mood"}', b'{"kind": "Overruled", "grade": "superb"}']
)
def test_a_line_that_nobody_can_read_is_passed_over_and_spoils_no_other(tmp_path: Path, junk: bytes) -> None:
    state(tmp_path, GRADED)
    with (tmp_path / NAME).open("ab") as file:
        file.write(junk)  # torn: no line end
    state(tmp_path, SPENT)
    assert statements(tmp_path) == (GRADED, SPENT)


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(MissingError) as raised:
        state(tmp_path / "file", SPENT)
    assert raised.value.code == "recordings-unwritable"
