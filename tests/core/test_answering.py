"""What a turn answers, move by move."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.fakes.content import content
from tests.fakes.table import Table, of_kind
from voiceprep.core.answers.answering import NOTHING, Answering, Awaited
from voiceprep.core.events import (
    AskedAgain,
    Event,
    MoveChosen,
    MoveKind,
    MoveWithdrawn,
    QuestionAsked,
    Speak,
    SpeakingFinished,
    TurnStarted,
)
from voiceprep.core.units import At, Media


def move(kind: MoveKind, of: str, target: str = "") -> MoveChosen:
    return MoveChosen(at=At(0), move=kind, target=target, phrase="", reason="", of=of)


def asks(question: str, text: str, of: str) -> QuestionAsked:
    return QuestionAsked(at=At(0), question=question, text=text, of=of)


def turn(number: int) -> TurnStarted:
    return TurnStarted(at=At(0), speaker="candidate", turn=number, media=Media(number))


def fold(*events: Event) -> Answering:
    answering = Answering()
    for event in events:
        answering.handle(event)
    return answering


OPENS = (move("question", "s1"), asks("a", "Tell me of it.", "s1"))
DEEPER = (move("followup", "s2", "metric"), asks("a", "How was it measured?", "s2"))
FOLLOWED = Awaited("followup", "metric", "a", "How was it measured?", "s2")


def test_a_turn_answers_what_stood_open_when_it_began() -> None:
    found = fold(*OPENS, turn(2), *DEEPER, turn(4))
    assert found.of(2) == Awaited("question", "", "a", "Tell me of it.", "s1")
    assert found.of(4) == FOLLOWED
    assert found.of(6) == NOTHING


@pytest.mark.parametrize(("heard", "asked"), [("How", False), ("How was it", False), ("How was it measured", True)])
def test_a_followup_that_was_spoken_over_was_not_asked(heard: str, *, asked: bool) -> None:
    cut = SpeakingFinished(at=At(0), of="s2", media=Media(3), heard=heard, seconds=1.0, complete=False)
    found = fold(*OPENS, turn(2), *DEEPER, cut, turn(4))
    assert found.of(4) == (FOLLOWED if asked else found.of(2))


def test_an_opening_question_that_was_spoken_over_stands() -> None:
    cut = SpeakingFinished(at=At(0), of="s1", media=Media(3), heard="Tell", seconds=1.0, complete=False)
    assert fold(*OPENS, cut, turn(2)).of(2).question == "a"


def test_a_told_fact_leaves_the_question_open() -> None:
    assert fold(*OPENS, *DEEPER, move("answer", "s3")).now == replace(FOLLOWED, move="answer", target="", of="s3")


@pytest.mark.parametrize("kind", ["prompt", "backchannel", "yield"])
def test_what_takes_no_turn_changes_nothing(kind: MoveKind) -> None:
    assert fold(*OPENS, *DEEPER, move(kind, "s3")).now == FOLLOWED


@pytest.mark.parametrize("kind", ["move_on", "close"])
def test_nothing_is_open_once_the_candidate_may_ask_or_the_round_is_over(kind: MoveKind) -> None:
    over = fold(*OPENS, *DEEPER, move(kind, "s3"))
    assert over.now == Awaited(kind, of="s3")
    over.handle(move("answer", "s4"))
    assert (over.now.question, over.now.text) == ("", "")


@pytest.mark.parametrize("kind", ["move_on", "answer", "followup", "close"])
@pytest.mark.parametrize("names", [True, False], ids=["", "an older log"])
def test_a_move_that_was_taken_back_was_none(kind: MoveKind, names: bool) -> None:
    """With a question or without: the invitation to ask has none."""
    found = fold(*OPENS, *DEEPER, move(kind, "s3" if names else ""), MoveWithdrawn(at=At(0), of="s3"), turn(4))
    assert found.of(4) == FOLLOWED


def test_what_is_asked_again_is_known_until_the_next_move() -> None:
    again = AskedAgain(at=At(0), of="s2", claim="2.figure.0", quote="", start=Media(0), end=Media(1))
    found = fold(*OPENS, *DEEPER, again)
    assert found.now.again == "2.figure.0"
    found.handle(move("followup", "s3"))
    assert found.now.again == ""


def test_every_move_of_a_session_names_what_says_it() -> None:
    table = Table(content())
    table.start()
    table.say(5.0, 25.0, "our gpu cluster had a queue and i decided who goes first that's my answer")
    table.stop(60.0)
    log = table.run()
    moves, said = of_kind(log, MoveChosen), of_kind(log, Speak)
    assert len(moves) >= 2
    assert [(each.of, each.move) for each in moves] == [(each.id, each.move) for each in said]
