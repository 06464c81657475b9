"""`voiceprep score`: an answer, a batch, a session that is corrected."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from voiceprep.cli.score import score
from voiceprep.errors import BadInputError, UsageError

APP = typer.Typer()
APP.command()(score)
TEXT = (
    "I decided speech gets the nights. Vision lost its overnight runs, that was the price. "
    "Waiting jobs went from seventy to twelve."
)
ROUND = ("--round", "gpu-hm-screen")


def call(*arguments: str, stdin: str = "") -> Any:
    done = CliRunner().invoke(APP, list(arguments), input=stdin)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def test_an_answer_from_a_pipe() -> None:
    document = json.loads(call(*ROUND, "--json", "-", stdin=TEXT).stdout)
    assert document["overall"]["level"] >= 3
    assert document["question"] is None
    text = call(*ROUND, "-", stdin=TEXT).stdout
    assert "Level" in text
    assert "Next time" in text


def test_an_empty_answer_says_why_it_is_not_scored() -> None:
    assert call(*ROUND, "-", stdin=" ").stdout.startswith("Not scored: ")


def test_a_batch_answers_every_line_and_says_which_are_bad(tmp_path: Path) -> None:
    items = [
        {"id": "a", "round": "gpu-hm-screen", "question": None, "prior": None, "lang": "en", "text": TEXT, "level": 3},
        {"id": 7, "round": "no-such-round", "text": TEXT},
        {"id": "b", "round": "gpu-final", "text": ""},
    ]
    file = tmp_path / "batch.jsonl"
    file.write_text("\n".join([*map(json.dumps, items), "not json"]))
    done = CliRunner().invoke(APP, ["--batch", str(file)])
    assert isinstance(done.exception, BadInputError)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["id"] for row in rows] == ["a", 7, "b", None]
    assert rows[0]["overall"] is not None
    assert rows[1]["error"]["code"] == "unknown-round"
    assert rows[2]["overall"] is None
    assert rows[3]["error"]["code"] == "bad-json"


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("-",),
        (*ROUND, "--question", "no-such-question", "-"),
        (*ROUND, "--lang", "fr", "-"),
        ("--session", "latest", "-"),
        (*ROUND, "--llm", "nonsense", "-"),
    ],
)
def test_wrong_usage_is_told(arguments: tuple[str, ...]) -> None:
    with pytest.raises(UsageError):
        call(*arguments, stdin=TEXT)
