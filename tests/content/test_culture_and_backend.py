"""What makes two interviewers who they are: one takes neutral answers away, the other breaks what is being designed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fakes.table import Table, of_kind
from voiceprep.content import load_content
from voiceprep.core.events import Interrupted, Language, MoveChosen
from voiceprep.core.interviewer.director import Choice, Director, Heard
from voiceprep.core.pack import RoundPack, Tongue

CODE = Path(__file__).parents[2] / "voiceprep"
NEUTRAL = ("fence_sitting", "joint_meeting", "need_more_data")


def director(pack: RoundPack, tongue: Tongue = "en") -> Director:
    made = Director(pack, load_content(pack.id).endings, tongue, seed=3)
    made.open()
    return made


def reply(interviewer: Director, *signals: str) -> Choice:
    return interviewer.reply(Heard("words", frozenset(signals)), elapsed=60.0)


@pytest.mark.parametrize("way_out", NEUTRAL)
@pytest.mark.parametrize("tongue", ["en", "zh"])
def test_each_neutral_way_out_is_taken_away(tongue: Tongue, way_out: str) -> None:
    choice = reply(director(load_content("anyscale-culture").round, tongue), way_out)
    assert (choice.move, choice.target, choice.question) == ("forced_choice", way_out, "two-chiefs")


@pytest.mark.parametrize("tongue", ["en", "zh"])
def test_the_way_out_is_taken_away_in_two_layers(tongue: Tongue) -> None:
    """A-R4b: who still does not choose has the choice itself put before them, and is challenged for the fault but once."""
    interviewer = director(load_content("anyscale-culture").round, tongue)
    layers = [reply(interviewer, "fence_sitting") for _ in range(3)]
    assert [(each.move, each.target) for each in layers[:2]] == [
        ("forced_choice", "fence_sitting"),
        ("forced_choice", "recommendation"),
    ]
    assert layers[2].target not in {"fence_sitting", "recommendation"}


def test_whoever_tries_all_of_them_is_still_asked_for_a_side() -> None:
    interviewer = director(load_content("anyscale-culture").round)
    targets = [reply(interviewer, way_out).target for way_out in ("joint_meeting", "need_more_data", "fence_sitting")]
    assert targets == ["joint_meeting", "need_more_data", "fence_sitting"]
    assert reply(interviewer, "stakeholders").target == "recommendation"


def test_whoever_chose_is_not_asked_to_choose_but_to_pay() -> None:
    interviewer = director(load_content("anyscale-culture").round)
    asked = [reply(interviewer, "recommendation").target for _ in range(4)]
    assert not {"recommendation", *NEUTRAL} & set(asked)


def _breaks_in(round_id: str, text: str, language: Language = "en") -> tuple[list[str], list[MoveChosen]]:
    """What breaks into one answer of 100 seconds, and what is then said."""
    table = Table(load_content(round_id), language=language, seed=3)
    table.start()
    table.run(until=20.0)
    table.say(25.0, 125.0, text)
    log = table.run(until=125.0)
    reasons = [event.reason for event in of_kind(log, Interrupted) if event.by == "interviewer"]
    return reasons, [move for move in of_kind(log, MoveChosen) if move.reason == "breaks in"]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "I would rather not take a side, both of them have valid points and I would stay neutral. " * 6),
        ("zh", " ".join("两边都有道理，让我站队的话，我选不出来。" * 8)),
    ],
)
def test_a_neutral_monologue_is_broken_by_a_forced_choice(language: Language, text: str) -> None:
    reasons, moves = _breaks_in("anyscale-culture", text, language)
    assert reasons == ["interjection.force-side"]
    assert [(move.move, move.target) for move in moves] == [("forced_choice", "fence_sitting")]


def test_a_design_gets_a_new_constraint_in_mid_answer() -> None:
    text = "I'd go with one table and a cache because it is plain. " + "The scanners write and the page reads it again. " * 12
    reasons, moves = _breaks_in("backend-system-design", text)
    assert reasons[:1] == ["interjection.slow-not-down"]
    assert moves[0].move == "curveball"


def test_another_profession_needs_no_python() -> None:
    names = ("backend-system-design", "staff-backend")
    assert [path for path in CODE.rglob("*.py") if any(name in path.read_text(encoding="utf-8") for name in names)] == []
