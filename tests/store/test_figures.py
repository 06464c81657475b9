"""Figures of sessions: made once for each state of its files, gone with the session, made again where they are torn."""

from __future__ import annotations

import json
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from tests.fakes.content import content
from tests.fakes.interview import header, hold, in_turn, keep
from tests.faults import deeds
from voiceprep.review import trend
from voiceprep.store import log, review_file, transcripts
from voiceprep.store.archive import FIGURES, Archive
from voiceprep.store.figures import figures

FIRST, SECOND = "2026-11-29T09:00:00Z", "2026-11-30T09:00:00Z"


@dataclass(frozen=True)
class Figure:
    value: int


class Maker:
    """Counts what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, folder: Path) -> Figure:
        self.asked.append(folder.name)
        return Figure(len(folder.name))


def two_sessions(recordings: Path) -> list[str]:
    events = hold(content(), in_turn(["we measured it and it fell by half"]))
    return [keep(recordings, header("gpu-technical", "tester", started), events) for started in (FIRST, SECOND)]


def test_a_session_is_looked_at_again_only_when_a_file_of_it_changed(tmp_path: Path) -> None:
    one, two = two_sessions(tmp_path)
    make = Maker()
    assert figures(tmp_path, 1, Figure, make).keys() == {one, two}
    assert figures(tmp_path, 1, Figure, make) == {one: Figure(len(one)), two: Figure(len(two))}
    assert make.asked == [one, two]
    review_file.update(tmp_path / two, {"scores": {"overall": {"level": 3}}})
    figures(tmp_path, 1, Figure, make)
    assert make.asked == [one, two, two]
    figures(tmp_path, 2, Figure, make)  # another version keeps something else
    assert make.asked == [one, two, two, one, two]


def test_what_the_user_says_of_it_and_another_transcript_are_changes_too(tmp_path: Path) -> None:
    _, two = two_sessions(tmp_path)
    make = Maker()
    figures(tmp_path, 1, Figure, make)
    for deed in (deeds.correct, deeds.decode_again):
        make.asked.clear()
        deed(tmp_path, lambda: None)
        figures(tmp_path, 1, Figure, make)
        assert make.asked == [two]
    make.asked.clear()
    transcripts.undo(tmp_path / two)
    figures(tmp_path, 1, Figure, make)
    assert make.asked == [two]


def test_what_is_kept_is_for_its_owner_and_goes_with_a_session(tmp_path: Path) -> None:
    one, two = two_sessions(tmp_path)
    figures(tmp_path, 1, Figure, Maker())
    assert stat.S_IMODE((tmp_path / FIGURES).stat().st_mode) == 0o600
    Archive(tmp_path).delete(one)
    assert not (tmp_path / FIGURES).exists()
    assert figures(tmp_path, 1, Figure, Maker()).keys() == {two}


def test_torn_or_strange_figures_are_made_again(tmp_path: Path) -> None:
    two_sessions(tmp_path)
    wanted = figures(tmp_path, 1, Figure, Maker())
    whole = (tmp_path / FIGURES).read_text()
    for strange in (
        "",
        whole[: len(whole) // 2],
        "[]",
        '{"schema":1,"sessions":[]}',
        whole.replace('"value"', '"other"'),
        "[" * 5000,
    ):
        (tmp_path / FIGURES).write_text(strange)
        assert figures(tmp_path, 1, Figure, Maker()) == wanted


def test_what_cannot_be_read_is_asked_for_again(tmp_path: Path) -> None:
    one, two = two_sessions(tmp_path)
    assert figures(tmp_path, 1, Figure, lambda folder: None if folder.name == one else Figure(1)) == {two: Figure(1)}
    assert figures(tmp_path, 1, Figure, Maker()).keys() == {one, two}


def test_progress_reads_no_log_twice_and_says_the_same(tmp_path: Path) -> None:
    two_sessions(tmp_path)
    before = trend.progress(tmp_path, {})
    assert before.rounds[0].points[0].session
    for folder in tmp_path.iterdir():
        path = folder / log.NAME
        if path.is_file():
            head = path.read_bytes().split(b"\n", 1)[0]
            kept = path.stat()
            path.write_bytes(head.ljust(kept.st_size))  # nothing but the header can be read any more
            _same_time(path, kept.st_mtime_ns)
    assert trend.progress(tmp_path, {}) == before


def test_progress_keeps_numbers_and_no_words(tmp_path: Path) -> None:
    two_sessions(tmp_path)
    trend.progress(tmp_path, {})
    text = (tmp_path / FIGURES).read_text()
    assert "measured" not in text
    assert json.loads(text)["schema"] == trend.SCHEMA


def _same_time(path: Path, moment: int) -> None:
    os.utime(path, ns=(moment, moment))
