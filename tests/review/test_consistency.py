"""One story in several sessions."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tests.core.test_ledger import said
from tests.store.samples import HEADER, tone
from voiceprep.cli import main
from voiceprep.core.events import Event, MoveChosen, QuestionAsked
from voiceprep.core.timeline import fold
from voiceprep.core.units import At
from voiceprep.exporters import Subject, json_document, markdown
from voiceprep.review.consistency import across, told
from voiceprep.store.folder import SessionFolder
from voiceprep.store.header import Header


def header(name: str, round_: str = "gpu-hm-screen", **more: str) -> Header:
    return replace(HEADER, id=name, round=round_, **more)  # type: ignore[arg-type]


def session(*turns: tuple[str, str, str]) -> list[Event]:
    """Events of (question id, what was asked, what was answered), turn by turn."""
    events: list[Event] = []
    for number, (question, asked, answer) in enumerate(turns, 1):
        events.append(MoveChosen(at=At(0), move="question", target="", phrase="", reason=""))
        events.append(QuestionAsked(at=At(0), question=question, text=asked, of=f"s{number}"))
        events += said(2 * number, answer)
    return events


GAME = "Startup latency of large model replicas was {} seconds."
FIRST = session(("project", "Tell me about a project.", GAME.format("forty")))
LATER = session(("story", "Which project was the hardest?", GAME.format("ninety")))


def test_a_figure_of_one_story_is_compared_from_session_to_session() -> None:
    found = across([told(header("a"), FIRST), told(header("b", "gpu-final"), LATER)])
    (one,) = [each.document() for each in found]
    assert (one["first"]["session"], one["second"]["session"]) == ("a", "b")
    assert "forty seconds" in one["first"]["quote"]
    assert "ninety seconds" in one["second"]["quote"]


def test_what_is_only_alike_is_not_compared() -> None:
    vague = session(("story", "Which project was the hardest?", "Startup latency was ninety seconds."))
    assert across([told(header("a"), FIRST), told(header("b"), vague)]) == ()
    assert across([told(header("a"), FIRST), told(header("b"), FIRST)]) == ()


def why(text: str) -> list[Event]:
    return session(("why-us", "Why this company, and why this team in it?", text))


PRICE = "Because you charge internally, and pricing is the product that I want to be good at."
SCALE = "I love open source communities; Ray contributors taught me distributed systems."


def test_reasons_for_this_company_are_read_side_by_side() -> None:
    first, last = told(header("a"), why(PRICE)), told(header("b", "gpu-final"), why(SCALE))
    (found,) = across([first, last])
    assert found.difference.kind == "reason"
    assert found.difference.confidence <= 0.5
    assert "side by side" in found.difference.why
    assert across([first, told(header("b", "gpu-final"), why(PRICE + " It still is."))]) == ()


def test_another_company_may_have_other_reasons() -> None:
    first = told(header("a"), why(PRICE))
    assert across([first, told(header("b", "anyscale-hm"), why(SCALE))]) == ()
    assert across([first, told(header("b", "gpu-final", language="zh"), why(SCALE))]) == ()
    run = told(header("a", loop_run="r"), why(PRICE)), told(header("b", "anyscale-hm", loop_run="r"), why(SCALE))
    assert len(across(run)) == 1


TWICE = session(
    ("project", "How long did it take?", "The migration took eight weeks."),
    ("project", "How long was the migration?", "The migration took twenty weeks."),
)

TOLD_TWICE, TOLD_ONCE = (Subject(header=HEADER, timeline=fold(events)) for events in (TWICE, FIRST))


def test_exports_show_it_and_only_if_there_is_any() -> None:
    page, document = markdown.render(TOLD_TWICE), json.loads(json_document.render(TOLD_TWICE))
    assert "## Said twice, differently" in page
    assert "The migration took twenty weeks." in page.split("## Said twice, differently")[1].split("##")[0]
    assert document["differences"][0]["second"]["quote"] == "The migration took twenty weeks."
    assert "Said twice" not in markdown.render(TOLD_ONCE)
    assert "differences" not in json.loads(json_document.render(TOLD_ONCE))


@pytest.fixture
def recordings(tmp_path: Path) -> Path:
    def keep(started: str, events: Sequence[Event]) -> None:
        folder = SessionFolder.create(tmp_path, replace(HEADER, started=started))
        folder.candidate.write(tone(16_000))
        for event in events:
            folder.log.append(event)
        folder.close("completed")

    keep("2026-11-29T09:00:00Z", FIRST)
    keep("2026-11-30T09:00:00Z", LATER)
    return tmp_path


def run(recordings: Path, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setenv("VOICEPREP_RECORDINGS", str(recordings))
    monkeypatch.setenv("VOICEPREP_HOME", str(recordings / "home"))
    monkeypatch.setattr(sys, "argv", ["voiceprep", "consistency", *arguments])
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    with pytest.raises(SystemExit) as end:
        main.run()
    assert isinstance(end.value.code, int)
    return end.value.code


def test_the_command_lists_both_quotes_with_times_and_sessions(
    recordings: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(recordings, monkeypatch) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[0] == "figure"
    assert "2026-11-29" in shown[1]
    assert shown[1].endswith("forty seconds.")
    assert "2026-11-30" in shown[2]
    assert run(recordings, monkeypatch, "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert [one["kind"] for one in document["differences"]] == ["figure"]
    assert run(recordings, monkeypatch, "latest", "--json") == 0
    assert json.loads(capsys.readouterr().out)["differences"] == []


def test_a_spoiled_session_is_left_out_unless_it_is_named(
    recordings: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    spoiled = SessionFolder.create(recordings, replace(HEADER, started="2026-11-28T09:00:00Z"))
    spoiled.close("completed")
    log = recordings / spoiled.header.id / "events.jsonl"
    log.write_bytes(log.read_bytes()[:40] + b"\n")
    assert run(recordings, monkeypatch, "--json") == 0
    shown = capsys.readouterr()
    document = json.loads(shown.out)
    assert [one["kind"] for one in document["differences"]] == ["figure"]
    assert len(document["sessions"]) == 2
    assert f"Left out {spoiled.header.id}" in shown.err
    assert run(recordings, monkeypatch, spoiled.header.id) == 4
    assert "Left out" not in capsys.readouterr().err


def test_an_unknown_session_is_told_as_such(
    recordings: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(recordings, monkeypatch, "nowhere") == 2
    assert "Traceback" not in capsys.readouterr().err
