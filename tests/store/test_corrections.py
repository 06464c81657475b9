"""Corrections are only ever added, and the latest counts."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from voiceprep.errors import MissingError, UsageError
from voiceprep.store.corrections import NAME, Correction, append, check, read


def test_the_latest_word_on_a_finding_counts(tmp_path: Path) -> None:
    append(tmp_path, Correction("3.tradeoff", "wrong", "that was a joke"))
    append(tmp_path, Correction("4.number", "wrong"))
    append(tmp_path, Correction("3.tradeoff", "heard", quote="I gave up the nights"), clock=lambda: "2026-11-30T10:00:00+00:00")
    append(tmp_path, Correction("4.number", "withdrawn"))
    [one] = read(tmp_path)
    assert (one.turn, one.label, one.verdict, one.at) == (3, "tradeoff", "heard", "2026-11-30T10:00:00+00:00")
    assert len((tmp_path / NAME).read_text().splitlines()) == 4
    assert (tmp_path / NAME).stat().st_mode & 0o777 == 0o600


def test_a_line_that_was_cut_off_costs_no_other(tmp_path: Path) -> None:
    append(tmp_path, Correction("1.metric", "wrong"))
    with (tmp_path / NAME).open("ab") as file:
        file.write(b'{"finding": "2.me')
    append(tmp_path, Correction("5.number", "wrong"))
    assert [one.finding for one in read(tmp_path)] == ["1.metric", "5.number"]


@pytest.mark.parametrize("finding", ["", "tradeoff", "x.tradeoff", "3.", "3.trade off", "../3.x"])
def test_what_names_no_finding_is_refused(tmp_path: Path, finding: str) -> None:
    with pytest.raises(UsageError):
        append(tmp_path, Correction(finding, "wrong"))
    assert read(tmp_path) == ()


def test_what_points_at_nothing_is_refused() -> None:
    answers = {3: "I gave up the nights"}
    check(Correction("3.tradeoff", "heard", quote="gave up"), answers)
    check(Correction("3.tradeoff", "wrong"), answers)
    check(Correction("999.tradeoff", "withdrawn"), answers)
    for bad in (Correction("999.tradeoff", "wrong"), Correction("3.tradeoff", "heard", quote="never said")):
        with pytest.raises(UsageError) as refused:
            check(bad, answers)
        assert refused.value.code == "bad-correction"


def test_a_correction_that_the_disk_does_not_hold_is_no_success(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(_: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr("os.fsync", lost)
    with pytest.raises(MissingError):
        append(tmp_path, Correction("3.tradeoff", "wrong"))
