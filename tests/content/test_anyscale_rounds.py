"""The manager's and the cross-functional round of Anyscale, played on paper: what makes these two interviewers themselves."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.fakes.table import Table, of_kind
from voiceprep.content import load_content
from voiceprep.core.events import Event, Interrupted, Language, MoveChosen, QuestionAsked, SectionChanged, SpeakingFinished

MEETING = "I would set up a joint meeting with sales and the customer, get everyone in a room and align them on the network. "
MEETING_ZH = "我会先协调三方开会，把销售和客户拉到一起对齐一下。"
QUESTIONS = (
    "How many replicas do they run? Which region is it? What is their contract? Who is the buyer? Which version is that? "
    "How large is the model? Are they on spot? "
)
BUILDING = "I would build a warm pool and deploy a cache on every node, then the weights are streamed into the card. "
ON_IT = "The router knows the readiness of each replica and the loader keeps the layers on the node. "


class Played:
    """A session in which each answer takes as many seconds as it is told to."""

    def __init__(self, round_id: str, language: Language = "en") -> None:
        self.table = Table(load_content(round_id), language=language)
        self.table.start()
        self._line_over()

    def answer(self, text: str, seconds: float, *, chinese: bool = False) -> list[Event]:
        """What the interviewer's side does from here to the end of its next line (or of the answer, if it says nothing)."""
        before = len(self.table.log)
        start = self.table.now + 1.0
        self.table.say(start, start + seconds, " ".join(text) if chinese else text)
        self._line_over(start + seconds)
        return self.table.log[before:]

    def _line_over(self, at_least: float = 0.0) -> None:
        for until in self._moments():
            before = len(self.table.log)
            self.table.run(until)
            if until >= at_least and of_kind(self.table.log[before:], SpeakingFinished):
                return

    def _moments(self) -> Iterator[float]:
        end = self.table.now + 900.0
        while self.table.now < end and not self.table.conductor.ended:
            yield self.table.now + 0.25
            self.table.now += 0.25


def moves(events: list[Event]) -> list[tuple[str, str]]:
    return [(event.move, event.target) for event in of_kind(events, MoveChosen)]


@pytest.mark.parametrize(("language", "text"), [("en", MEETING), ("zh", MEETING_ZH)])
def test_a_meeting_is_broken_into_while_it_is_being_proposed(language: Language, text: str) -> None:
    played = Played("anyscale-cross-functional", language)
    said = played.answer(text * 3, 75.0, chinese=language == "zh")
    assert [event.reason for event in of_kind(said, Interrupted)] == ["interjection.no-meeting"]
    assert ("pushback", "joint_meeting") in moves(said)


def test_questions_without_a_call_are_cut_short_with_a_forced_choice() -> None:
    played = Played("anyscale-hm")
    said = played.answer(QUESTIONS * 3, 120.0)
    assert [event.reason for event in of_kind(said, Interrupted)] == ["interjection.enough-questions"]
    assert ("forced_choice", "over_clarify") in moves(said)


def test_a_design_for_a_complaint_nobody_looked_at_is_stopped() -> None:
    played = Played("anyscale-hm")
    said = played.answer(BUILDING + ON_IT * 8, 120.0)
    assert [event.reason for event in of_kind(said, Interrupted)] == ["interjection.before-building"]


def test_the_switch_to_the_case_is_said_aloud_when_the_background_is_over() -> None:
    """A question begun in time may be followed up for a quarter over the budget, plus the answer under way: then it is over."""
    played = Played("anyscale-hm")
    for _ in range(12):
        played.answer("I decided to cut the queue and we lost some users over it, from ninety to thirty minutes.", 80.0)
    log = played.table.log
    (switch,) = [event for event in of_kind(log, SectionChanged) if event.section == "mini-case"]
    assert 15 * 60 <= switch.at < 15 * 60 * 1.25 + 90
    asked = next(event for event in of_kind(log, QuestionAsked) if event.at >= switch.at)
    assert asked.question == "cold-start"
    assert any(word in asked.text for word in ("the case", "mini-case"))


def test_every_case_of_the_manager_and_every_scene_of_the_account_has_its_own_trap() -> None:
    def targets(round_id: str, section: str) -> dict[str, set[str]]:
        questions = load_content(round_id).round.questions
        return {q.id: {point.target for point in q.points} for q in questions if q.section == section}

    jumped = {"solution_jump", "order_taker", "feature_parity", "fence_sitting", "instant_yes"}
    assert all(found & jumped for found in targets("anyscale-hm", "mini-case").values())
    scenes = targets("anyscale-cross-functional", "renewal")
    assert all(found & {"joint_meeting", "instant_yes"} for found in scenes.values())
