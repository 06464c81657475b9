"""`voiceprep followup`: one answer, a batch, and everything that can be wrong with what is given."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from voiceprep.cli.followup import followup
from voiceprep.cli.written import language_of
from voiceprep.content import load_content, load_rubrics
from voiceprep.errors import BadInputError, UsageError, VoiceprepError
from voiceprep.review.followup import question_like

APP = typer.Typer()
APP.command()(followup)
MOVES = {"followup", "pushback", "curveball", "probe_detail", "forced_choice", "yield", "move_on", "close"}
TARGETS = {one.id for one in load_rubrics().detectors}


def _run(*arguments: str, given: str = "") -> Any:
    result = CliRunner().invoke(APP, list(arguments), input=given)
    if isinstance(result.exception, VoiceprepError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.stdout


def _one(*arguments: str, given: str = "") -> dict[str, Any]:
    return dict(json.loads(_run(*arguments, "--json", given=given)))


def _batch(tmp_path: Path, *lines: str) -> tuple[list[dict[str, Any]], BaseException | None]:
    path = tmp_path / "answers.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    result = CliRunner().invoke(APP, ["--batch", str(path)])
    return [json.loads(line) for line in result.stdout.splitlines()], result.exception


def test_the_fields_of_the_contract(tmp_path: Path) -> None:
    path = tmp_path / "answer.txt"
    path.write_text("I'd get everyone in a room and align on it.", encoding="utf-8")
    answered = _one("--round", "anyscale-cross-functional", "--question", "azure-churn", str(path))
    assert set(answered) == {"schema", "move", "target", "text", "lang", "interviewer", "latency"}
    assert answered["schema"] == 1
    assert answered["target"] == "joint_meeting"
    assert answered["move"] in MOVES
    assert (answered["lang"], answered["interviewer"]) == ("en", "embedded")
    assert answered["text"]
    assert answered["latency"] >= 0


def test_an_id_that_the_round_does_not_have_is_refused_with_those_it_has() -> None:
    with pytest.raises(UsageError) as refused:
        _run("--round", "gpu-technical", "--question", "nope", "-", given="We fair-share by weight.")
    assert refused.value.code == "unknown-question"
    assert all(question.id in refused.value.hint for question in load_content("gpu-technical").round.questions)


def test_the_language_is_seen_in_the_answer_or_given() -> None:
    zh = _one("--round", "gpu-technical", "--question", "你怎么看优先级", "-", given="我不知道，这块没做过，就先这样吧。")
    assert zh["lang"] == "zh"
    assert zh["target"] in {"quit_after_admission", "boundary_reasoning"}
    assert _one("--round", "gpu-technical", "--lang", "en", "-", given="就先这样吧。")["lang"] == "en"
    assert language_of("我会选 cache，rollback 的 condition 是 P95 没降") == "mixed"
    assert language_of("我们用 MIG 切分，然后按部门的配额来排队，大家都说好") == "zh"
    assert language_of("no Chinese here") == language_of("") == "en"


def test_a_question_that_no_pack_has_is_answered_by_points_that_fit_it() -> None:
    why = _one("--round", "gpu-final", "--question", "Why us?", "-", given="I like hard problems and nice people.")
    assert why["target"] in {"company_specific", "own_decision"}
    alien = _one("--round", "gpu-technical", "--question", "Favourite colour?", "-", given="I'd take blue because it calms me.")
    assert alien["target"] in TARGETS


def test_a_question_that_no_pack_has_is_held_against_what_its_verb_asks_for() -> None:
    content = load_content("gpu-technical")
    asked = {"Blue or red, which would you pick?": "prioritise", "红的还是蓝的，先做哪个？": "prioritise", "Colour?": None}
    found = {text: question_like(content, text) for text in asked}
    assert {text: each.verb.id if each.verb else None for text, each in found.items()} == asked
    assert {each.id for each in found.values()} == {"asked"}


def test_the_reply_to_an_objection_is_seen_as_one() -> None:
    prior = "The engineering cost of that is too high."
    asked = ("--round", "anyscale-system-design", "--question", "tenant-isolation", "--prior", prior)
    dropped = _one(*asked, "-", given="Oh, okay, you're right, then let's drop it, forget it.")
    assert dropped["target"] == "instant_concession"


@pytest.mark.parametrize(
    "text", ["", "   \n", "asdf qwer zxcv uiop", "。。。", "well " * 20_000], ids=["none", "blank", "junk", "dots", "long"]
)
@pytest.mark.parametrize("round_id", ["gpu-technical", "gpu-bar-raiser"])
def test_whatever_is_said_the_interviewer_has_a_sensible_move(text: str, round_id: str) -> None:
    answered = _one("--round", round_id, "-", given=text)
    assert answered["move"] == "followup"
    assert answered["target"] in TARGETS - {one.id for one in load_rubrics().detectors if one.kind == "trap"}


def test_a_batch_answers_each_line_with_its_id(tmp_path: Path) -> None:
    question = load_content("gpu-final").round.questions[0]
    items = [
        {"id": "a", "round": "gpu-final", "question": question.id, "prior": None, "lang": "en", "text": "It depends, both."},
        {
            "id": 7,
            "round": "anyscale-culture",
            "text": "我不想站队。两位都有道理，我保持中立，听他们商量。",
            "level": 2,
            "signals": [],
        },
    ]
    lines, error = _batch(tmp_path, *(json.dumps(item, ensure_ascii=False) for item in items), "")
    assert error is None or (isinstance(error, SystemExit) and error.code == 0)
    assert [line["id"] for line in lines] == ["a", 7]
    assert lines[0]["target"] == lines[1]["target"] == "fence_sitting"


def test_a_bad_line_says_why_and_the_others_are_answered(tmp_path: Path) -> None:
    good = json.dumps({"id": "good", "round": "gpu-final", "text": "hm"})
    lines, error = _batch(
        tmp_path,
        "{not json",
        json.dumps({"id": "x", "round": "no-such-round", "text": ""}),
        json.dumps({"id": "y", "round": "gpu-final"}),
        json.dumps({"id": "z", "round": "gpu-final", "text": "", "lang": "fr"}),
        "[" * 100_000,
        "[]",
        good,
    )
    assert isinstance(error, BadInputError)
    assert error.code == "bad-lines"
    assert [line.get("error", {}).get("code") for line in lines] == [
        "bad-json",
        "unknown-round",
        "bad-item",
        "bad-item",
        "bad-json",
        "bad-item",
        None,
    ]
    assert [line["id"] for line in lines] == [None, "x", "y", "z", None, None, "good"]
    assert lines[1]["error"]["message"].startswith("line 2: ")


def test_numbers_and_halves_of_characters_that_nobody_needs_refuse_no_line(tmp_path: Path) -> None:
    fields = '"round": "gpu-final", "text": "It depends, both."'
    lines, error = _batch(
        tmp_path,
        f'{{"id": "a", {fields}, "level": {"9" * 6000}, "signals": [-{"9" * 6000}]}}',
        f'{{"id": {"9" * 6000}, {fields}}}',
        f'{{"id": true, {fields}}}',
        '{"id": "half \\ud800", "round": "gpu-final", "question": "why \\udc00", "text": "It depends \\ud83d, both."}',
    )
    assert isinstance(error, BadInputError)
    assert [line["id"] for line in lines] == ["a", None, None, "half ?"]
    assert [line.get("error", {}).get("code") for line in lines] == [None, "bad-item", "bad-item", None]


@pytest.mark.parametrize("field", ["question", "prior"])
def test_what_was_asked_is_no_book(tmp_path: Path, field: str) -> None:
    item = {"id": 1, "round": "gpu-final", "text": "hm"}
    lines, _ = _batch(tmp_path, *(json.dumps(item | {field: "w " * 10_000 + more}) for more in ("", "w")))
    assert [line["id"] for line in lines] == [1, 1]
    assert [line.get("error", {}).get("code") for line in lines] == [None, "bad-item"]
    with pytest.raises(BadInputError) as refused:
        _run("--round", "gpu-final", f"--{field}", "w" * 20_001, "-", given="hm")
    assert refused.value.code == "bad-item"


def test_half_a_character_on_the_command_line_is_no_reason_to_stop() -> None:
    assert _one("--round", "gpu-final", "--prior", "Why \udc80?", "-", given="Because.")["text"]


@pytest.mark.skipif(sys.platform == "win32", reason="pipes and devices have no names there")
def test_what_never_ends_is_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, Path("/dev/zero")):
        for arguments in (("--batch", str(path)), ("--round", "gpu-final", str(path))):
            with pytest.raises(BadInputError) as refused:
                _run(*arguments)
            assert refused.value.code == "no-such-file"
            assert "pipe or a device" in refused.value.message


def test_more_than_can_be_an_answer_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("voiceprep.cli.written.MOST_BYTES", 100)
    path = tmp_path / "answer.txt"
    path.write_text("w" * 101, encoding="utf-8")
    for file, given in ((str(path), ""), ("-", "w" * 101)):
        with pytest.raises(BadInputError) as refused:
            _run("--round", "gpu-final", file, given=given)
        assert refused.value.code == "too-long"
    path.write_text("w" * 100, encoding="utf-8")
    assert _one("--round", "gpu-final", str(path))["text"]


def test_usage_is_checked(tmp_path: Path) -> None:
    for arguments in (
        [],
        ["--round", "gpu-final"],
        ["-"],
        ["--round", "nope", "-"],
        ["--round", "gpu-final", "--lang", "fr", "-"],
    ):
        with pytest.raises(UsageError):
            _run(*arguments, given="text")
    binary = tmp_path / "answer.bin"
    binary.write_bytes(b"\xff\xfe\x00\x80")
    for path in (binary, tmp_path / "absent.txt", tmp_path):
        with pytest.raises(BadInputError):
            _run("--round", "gpu-final", str(path))
    with pytest.raises(BadInputError):
        _run("--batch", str(tmp_path / "absent.jsonl"))
