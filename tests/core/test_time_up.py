"""A round that is not let go of by the candidate: the interviewer breaks in for their questions, and then ends it."""

from __future__ import annotations

import pytest

from tests.fakes.content import content
from tests.fakes.table import Table, of_kind
from voiceprep.core.events import Interrupted, InterruptionDue, MoveChosen, SectionChanged, SessionClosing, TurnHandedOver
from voiceprep.core.policy import Policy
from voiceprep.core.units import At, Media

MINUTES = 4
QUESTIONS_AT = 200.0
"""When the minutes of the fake round that are the candidate's own begin, in seconds."""
GRACE = 30.0


def table(grace: float | None = GRACE) -> Table:
    t = Table(content(minutes=MINUTES), policy=Policy(captions=False, grace=grace))
    t.start()
    return t


def broken_into(t: Table) -> list[Interrupted]:
    return [e for e in of_kind(t.log, Interrupted) if e.by == "interviewer"]


def test_who_talks_on_is_stopped_for_their_questions_and_then_for_the_end() -> None:
    t = table()
    t.say(5, 600, "and so on " * 600)
    t.run(until=600)
    asked, ended = (e.at for e in broken_into(t))
    assert asked == pytest.approx(QUESTIONS_AT + GRACE + t.policy.cut_in_within)
    assert [e.section for e in of_kind(t.log, SectionChanged)] == ["first", "yours"]
    assert ended == pytest.approx(MINUTES * 60 + GRACE + t.policy.cut_in_within)
    assert [e.reason for e in of_kind(t.log, MoveChosen)][-2:] == ["the time is up", "the time is up"]
    assert of_kind(t.log, SessionClosing)[-1].reason == "completed"


def test_a_silence_that_is_never_broken_does_not_hold_a_round() -> None:
    t = table()
    t.say(205, 208, "well and then we um")
    t.run(until=600)
    assert broken_into(t)[0].at == pytest.approx(QUESTIONS_AT + GRACE)
    assert of_kind(t.log, InterruptionDue)[0].reason == "the time is up"


def test_who_has_just_begun_to_answer_is_heard_for_a_moment() -> None:
    t = table()
    t.put(222.0, TurnHandedOver(at=At(0), media=Media(222)))
    t.say(225, 300, "and so on " * 60)
    t.run(until=320)
    assert broken_into(t)[0].at == pytest.approx(225 + t.policy.cut_in_after + t.policy.cut_in_within)


def test_in_time_nobody_is_stopped() -> None:
    t = table()
    t.say(5, 100, "and so on " * 100)
    t.run(until=QUESTIONS_AT)
    assert broken_into(t) == []


def test_an_older_log_waits_for_its_turn() -> None:
    t = table(grace=None)
    t.say(5, 600, "and so on " * 600)
    t.run(until=599)
    assert broken_into(t) == []
