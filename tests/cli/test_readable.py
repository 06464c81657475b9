"""What the commands print is meant for the person who reads it: places, undo, scores, the other voice of a recording."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import typer
from rich.console import Console
from typer.testing import CliRunner

from voiceprep.cli import annotate, report
from voiceprep.cli.main import app
from voiceprep.cli.output import one_line
from voiceprep.cli.progress import hours
from voiceprep.cli.score_lines import score_lines
from voiceprep.content.loops import loop_ids
from voiceprep.core.annotation import Anchor, Annotation, Change, History
from voiceprep.core.events import Word
from voiceprep.core.units import Media
from voiceprep.errors import UsageError


@pytest.mark.parametrize(
    ("place", "seconds"), [("26", 26.0), ("83.2", 83.2), ("0:26", 26.0), ("1:02:03", 3723.0), ("1:02.5", 62.5)]
)
def test_a_place_is_written_as_people_write_it(place: str, seconds: float) -> None:
    assert annotate.seconds(place) == seconds


@pytest.mark.parametrize("place", ["", "a", "0:75", "1:2:3:4", "nan", "inf", "1:-2"])
def test_what_is_no_place_is_refused(place: str) -> None:
    with pytest.raises(typer.BadParameter):
        annotate.seconds(place)


def test_an_undo_says_what_became_of_the_annotation() -> None:
    label = Annotation("n3", "user", "label", Anchor(Media(1), Media(1)), "claim")
    made, gone = Change("set", "", label), Change("remove", "", id="n3")
    there, empty = History((label,)), History()
    assert annotate._told(made, there, empty) == "label n3 removed"
    assert annotate._told(gone, empty, there) == "label n3 is back"
    assert annotate._told(made, there, there) == "label n3 changed"


def scored(**fields: Any) -> dict[str, Any]:
    one = {
        "id": "depth",
        "title": "深度",
        "level": 2,
        "why": "听到了：数字。",
        "evidence": [{"quote": "降到 100 毫秒"}, {"quote": "降到 100 毫秒"}],
    }
    return {
        "overall": {"level": 2, "gate": ["depth"]},
        "dimensions": [one],
        "next_time": ["先说数字。"],
        "reasons": [],
    } | fields


def test_a_score_is_told_in_the_language_of_the_answer_and_quotes_once() -> None:
    lines = [line.plain for line in score_lines(scored())]
    assert lines == ["2 级（满 4 级）", "2  深度 (卡在这一项): 听到了：数字。", "     “降到 100 毫秒”", "下次：先说数字。"]
    assert [line.plain for line in score_lines(scored(overall=None, reasons=["没有内容"]))] == ["没有评分：没有内容"]


def test_marks_that_turn_a_line_around_are_not_printed() -> None:
    assert one_line("a\u202eb\x1b[31m") == "a\ufffdb\ufffd[31m"


def test_both_people_of_a_recording_are_printed_in_the_order_of_the_talk() -> None:
    class Of:
        def __init__(self, *words: Word) -> None:
            self.words = words

    mine = Of(Word("hello", Media(3), Media(3.5), 1.0), Word("bye", Media(9), Media(9.5), 1.0))
    theirs = Of(Word("why", Media(5), Media(5.5), 1.0))
    screen = Console(width=60)
    with screen.capture() as shown:
        screen.print(report._transcript([mine, theirs]))  # type: ignore[list-item]  # only the words are looked at
    assert [line.split() for line in shown.get().splitlines()] == [
        ["0:03", "You", "hello"],
        ["0:05", "Interviewer", "why"],
        ["0:09", "You", "bye"],
    ]


@pytest.mark.parametrize("command", ["status", "debrief"])
def test_a_loop_command_takes_the_loop_and_names_those_to_begin(
    command: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("VOICEPREP_HOME", str(tmp_path))
    result = CliRunner().invoke(app, ["loop", command, "gpu"])
    assert isinstance(result.exception, UsageError)
    assert result.exception.code == "unknown-run"
    assert all(f"voiceprep loop start {name}" in result.exception.hint for name in loop_ids())


def test_a_few_seconds_are_not_called_no_minutes() -> None:
    assert [hours(0), hours(8), hours(60), hours(3900)] == ["0:00", "0:08", "1:00", "1 h 05 min"]
