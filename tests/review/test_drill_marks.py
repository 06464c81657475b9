"""Every drill that is shipped, held to its end on the simulated clock, in both languages: its cues, and a verdict."""

from __future__ import annotations

from dataclasses import asdict

import pytest

from tests.fakes.interview import header
from tests.fakes.table import Table, of_kind
from tests.fakes.takes import our_turn
from voiceprep.content.drill_content import TakePlan, drill_content
from voiceprep.content.drills import drill_ids, load_drill
from voiceprep.core.drills.drill import DrillContent
from voiceprep.core.drills.judge import judge
from voiceprep.core.drills.pack import PROMPT
from voiceprep.core.events import (
    ClockStarted,
    CueGiven,
    Language,
    QuestionAsked,
    SessionEnded,
    SpeakingFinished,
    TurnHandedOver,
)
from voiceprep.core.policy import Policy
from voiceprep.core.units import At, Media
from voiceprep.review.take import take_of

TALK = {
    "en": "we went over there on that day and then they came back again with the other people and",
    "zh": "那天我们过去了一趟然后他们又跟那边的人一起回来了然后呢",
}
PHRASE, BREATH = 20.0, 0.4
PAST = 3.0
"""Seconds that an answer goes on after its last mark."""
SHORT = 8.0
"""Seconds of an answer in which nothing is due."""
LONG = ("difficult-conversation", "project-walk", "split-15-30")


def held(name: str, language: Language) -> tuple[DrillContent, Table]:
    """A candidate who talks in each reply until its last mark is past, and then hands over by key."""
    content = drill_content(TakePlan(name))
    patience = content.drill.patience or Policy().unheard_patience
    table = Table(content, language=language, policy=Policy(captions=False, unheard_patience=patience, all_rules=True))
    table.start()
    for _ in range(40):
        over = our_turn(table)
        if over is None:
            return content, table
        begin = over + 1.0
        end = begin + length_of(content, table)
        talk(table, begin, end, language)
        table.put(end + 1.5, TurnHandedOver(at=At(0), media=Media(end)))
        table.run(until=end + 2.0)
        table.now = At(max(table.now, end + 2.0))
    raise AssertionError("it does not come to an end")


def talk(table: Table, begin: float, end: float, language: Language) -> None:
    text = " ".join(TALK["zh"]) if language == "zh" else TALK["en"]
    while begin < end:
        upto = min(end, begin + PHRASE)
        table.say(begin, upto, text)
        begin = upto + BREATH


def length_of(content: DrillContent, table: Table) -> float:
    """How long the reply to the last line is to be: no longer than the interviewer lets it."""
    step = of_kind(table.log, QuestionAsked)[-1].question
    limit = content.drill.limit
    steps = content.prompt.steps
    if step != PROMPT:
        place = next(number for number, one in enumerate(steps) if one.id == step)
        limit, following = steps[place].limit or limit, steps[place + 1 :]
    else:
        following = steps
    if following and following[0].at is not None:
        limit = min(limit, following[0].at + PAST)
    marks = [mark.at for mark in content.drill.marks if mark.step == step]
    given = {cue.cue for cue in of_kind(table.log, CueGiven)}
    if not following and step != PROMPT:  # the last chance of those that run on from the prompt
        clock = next(one.media for one in of_kind(table.log, ClockStarted) if one.step == PROMPT)
        begin = table.now + 1.0
        marks += [clock + mark.at - begin for mark in content.drill.marks if mark.step == PROMPT and mark.id not in given]
    return max(SHORT, min(limit - 1.0, max(marks, default=0.0) + PAST))


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", drill_ids())
def test_each_cue_comes_at_its_mark_and_the_verdict_after_it(name: str, language: Language) -> None:
    content, table = held(name, language)
    log, drill = table.log, content.drill
    clocks: dict[str, Media] = {one.step: one.media for one in of_kind(log, ClockStarted)}
    cues = {cue.cue: cue for cue in of_kind(log, CueGiven)}
    assert len(cues) == len(of_kind(log, CueGiven)), "no cue comes twice"
    assert set(cues) == {mark.id for mark in drill.marks}
    said = {done.of: done for done in of_kind(log, SpeakingFinished)}
    for mark in drill.marks:
        cue = cues[mark.id]
        assert cue.mark == mark.at
        assert cue.media == pytest.approx(clocks[mark.step] + mark.at, abs=1e-6)
        assert cue.at == pytest.approx(cue.media, abs=1e-6)  # at this table the two clocks are one
        assert cue.text == mark.text["zh" if language == "zh" else "en"]
        assert bool(cue.of) == mark.spoken
        if mark.spoken:
            assert said[cue.of].heard == cue.text, "said over the answer, to its end"
    ended = log[-1]
    assert isinstance(ended, SessionEnded)
    assert ended.reason in {"completed", "time-up"}

    head = header("", "paper", "2026-12-01T09:00:00Z", language=language, drill=name, policy=asdict(table.policy))
    take = take_of(head, log, content.prompt.id)
    assert dict(take.cues) == {mark: cue.media for mark, cue in cues.items()}
    result = judge(drill, take)
    assert [one.id for one in result.criteria] == [one.id for one in drill.criteria]
    assert result.passed is False, "so much talk about nothing is judged, and does not pass"
    unmeasured = {one.why for one in result.criteria if one.required and one.outcome == "not_measured"}
    assert unmeasured <= {"earlier-take"}, "there is none before the first"


def test_the_long_marks_are_among_them() -> None:
    """Twelve, fifteen and thirty minutes: nobody waits for those by hand."""
    latest = {name: max(mark.at for mark in load_drill(name).marks) for name in LONG}
    assert min(latest.values()) >= 12 * 60
    assert max(load_drill(name).limit for name in LONG) >= 30 * 60
