"""A drill on paper: its clocks, its steps, and how it ends."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from tests.fakes.content import detector, line
from tests.fakes.drill import drill, drill_content, mark, part, prompt, step
from tests.fakes.table import Table, of_kind
from voiceprep.core.drills.pack import Drill, Shown
from voiceprep.core.events import (
    ClockStarted,
    CueGiven,
    Event,
    FlagRaised,
    Interrupted,
    InterruptionDue,
    MoveChosen,
    MoveWithdrawn,
    QuestionAsked,
    SectionChanged,
    SessionClosing,
    SessionEnded,
    SignalGiven,
    Speak,
    SpeakingFinished,
    TurnEnded,
    TurnHandedOver,
)
from voiceprep.core.pack import Answer
from voiceprep.core.policy import Policy
from voiceprep.core.units import At, Media

TALK = "so we had a cluster and the queue was long and every team wanted more of it and we looked at it"
DONE = "so I decided to measure it and we measured ten percent and that's my answer."


def table(made: Drill, **how: object) -> Table:
    at = Table(drill_content(made, brief=bool(how.pop("brief", False))), **how)  # type: ignore[arg-type]
    at.start()
    return at


def opened(made: Drill, **how: object) -> tuple[Table, float]:
    """A take whose prompt is over, and when that was."""
    at = table(made, **how)
    return at, until_it_is_our_turn(at)


def until_it_is_our_turn(at: Table) -> float:
    """Run until the interviewer's last line is over; the moment of that."""
    while True:
        lines = [line.id for line in of_kind(at.log, Speak) if line.move != "cue"]
        over = {done.of: done.at for done in of_kind(at.log, SpeakingFinished)}
        if lines and lines[-1] in over:
            return over[lines[-1]]
        at.now += 0.1
        at.run(until=at.now)


def ended(log: list[Event]) -> str:
    return of_kind(log, SessionEnded)[0].reason


def steps_of(log: list[Event]) -> list[str]:
    return [asked.question for asked in of_kind(log, QuestionAsked)]


def test_the_prompt_follows_what_the_drill_asks_for() -> None:
    made = drill(opening=line("opening"))
    first, second = table(made), table(made, brief=True)
    first.run(until=5.0)
    second.run(until=5.0)
    assert re.match(r"opening asked .* p1 asked", of_kind(first.log, Speak)[0].text)
    assert re.match(r"p1 asked", of_kind(second.log, Speak)[0].text)
    assert steps_of(first.log) == ["prompt"]


def test_the_clock_begins_with_the_first_speech_not_with_the_end_of_the_prompt() -> None:
    at, over = opened(drill())
    at.say(over + 7.0, over + 13.0, DONE)
    at.run()
    (started,) = of_kind(at.log, ClockStarted)
    assert (started.step, started.media, started.budget, started.limit) == ("prompt", over + 7.0, 60.0, 90.0)
    assert ended(at.log) == "completed"


def test_speech_over_the_prompt_is_kept_and_the_clock_begins_where_the_prompt_stops() -> None:
    at = table(drill(opening=line("opening")))
    at.say(2.0, 9.0, DONE)
    at.run()
    (over,) = of_kind(at.log, SpeakingFinished)
    assert not over.complete
    (started,) = of_kind(at.log, ClockStarted)
    assert started.media == over.media
    assert of_kind(at.log, TurnEnded)[-1].speaker == "candidate"
    assert ended(at.log) == "completed"


def test_a_cough_starts_no_clock_that_counts() -> None:
    at, over = opened(drill(marks=(mark("half", 5.0),)))
    at.say(over + 1.0, over + 1.4)
    at.say(over + 8.0, over + 16.0, DONE)
    at.run()
    assert [started.media for started in of_kind(at.log, ClockStarted)] == [over + 1.0, over + 8.0]
    assert [cue.media for cue in of_kind(at.log, CueGiven)] == [pytest.approx(over + 13.0)]


def test_cues_come_at_their_marks_spoken_or_silent_and_stop_with_the_drill() -> None:
    made = drill(marks=(mark("quiet", 10.0), mark("loud", 20.0, spoken=True), mark("late", 80.0)))
    at, over = opened(made)
    begin = over + 2.0
    at.say(begin, begin + 30.0, TALK)
    at.say(begin + 31.0, begin + 34.0, DONE)
    at.run()
    cues = of_kind(at.log, CueGiven)
    assert [(cue.cue, cue.mark, bool(cue.of)) for cue in cues] == [("quiet", 10.0, False), ("loud", 20.0, True)]
    for cue in cues:
        assert cue.media == pytest.approx(begin + cue.mark)
        assert cue.at == pytest.approx(begin + cue.mark)
    spoken = [line for line in of_kind(at.log, Speak) if line.move == "cue"]
    assert [(line.id, line.text) for line in spoken] == [(cues[1].of, "loud")]
    turns = [turn for turn in of_kind(at.log, TurnEnded) if turn.speaker == "candidate"]
    assert len(turns) == 1, "a cue takes no turn"


def test_a_drill_in_chinese_has_chinese_cues() -> None:
    at, over = opened(drill(marks=(mark("half", 3.0),)), language="zh")
    at.say(over + 1.0, over + 9.0, "我 们 测 了 一 下")
    at.run(until=over + 12.0)
    assert of_kind(at.log, CueGiven)[0].text == "中文half"
    assert of_kind(at.log, Speak)[0].language == "zh"


def test_steps_follow_each_reply_and_the_last_one_ends_the_drill() -> None:
    at, _ = opened(drill(prompt(step("one"), step("two")), closing=line("closing")))
    for _ in range(3):
        begin = at.now + 1.0
        at.say(begin, begin + 6.0, DONE)
        at.run(until=begin + 25.0)
    at.run()
    assert steps_of(at.log) == ["prompt", "one", "two"]
    assert [started.step for started in of_kind(at.log, ClockStarted)] == ["prompt", "one", "two"]
    assert of_kind(at.log, MoveChosen)[-1].move == "close"
    assert ended(at.log) == "completed"


def test_a_step_with_a_mark_breaks_in_at_it() -> None:
    made = drill(prompt(step("wrong-path", at=12.0)))
    at, over = opened(made)
    begin = over + 1.0
    at.say(begin, begin + 20.0, TALK)
    at.say(begin + 22.0, begin + 28.0, DONE)
    at.run()
    (due,) = of_kind(at.log, InterruptionDue)
    assert due.at == pytest.approx(begin + 12.0)
    assert [(i.who, i.by, i.reason) for i in of_kind(at.log, Interrupted)] == [("candidate", "interviewer", "wrong-path")]
    assert steps_of(at.log) == ["prompt", "wrong-path"]


def test_a_reply_that_is_over_before_the_mark_is_followed_at_once() -> None:
    at, over = opened(drill(prompt(step("early", at=40.0))))
    at.say(over + 1.0, over + 7.0, DONE)
    at.run(until=over + 20.0)
    assert steps_of(at.log) == ["prompt", "early"]
    assert not of_kind(at.log, InterruptionDue)


def test_who_talks_past_the_limit_is_ended_and_told() -> None:
    at, over = opened(drill(closing=line("closing"), limit=30.0, budget=20.0))
    begin = over + 1.0
    at.say(begin, begin + 60.0, TALK)
    at.run()
    (due,) = of_kind(at.log, InterruptionDue)
    assert due.interjection == "time-up"
    assert due.at == pytest.approx(begin + 30.0)
    assert of_kind(at.log, MoveChosen)[-1].move == "close"
    assert ended(at.log) == "time-up"


def test_a_reply_past_its_own_limit_is_broken_into_by_what_comes_next() -> None:
    at, over = opened(drill(prompt(step("one", limit=10.0), step("two"))))
    at.say(over + 1.0, over + 7.0, DONE)
    at.run(until=over + 16.0)
    begin = at.now + 1.0
    at.say(begin, begin + 25.0, TALK)
    at.run(until=begin + 40.0)
    assert [(i.reason) for i in of_kind(at.log, Interrupted)] == ["reply-up"]
    assert steps_of(at.log) == ["prompt", "one", "two"]


def test_the_drills_patience_holds_the_floor_through_a_finished_sentence() -> None:
    at, over = opened(drill(patience=15.0))
    at.say(over + 1.0, over + 7.0, DONE)
    at.say(over + 19.0, over + 24.0, DONE)
    at.run()
    turns = [turn for turn in of_kind(at.log, TurnEnded) if turn.speaker == "candidate"]
    assert len(turns) == 1
    closing = of_kind(at.log, SessionClosing)[0]
    assert closing.at == pytest.approx(over + 24.0 + 15.0, abs=0.5)


def test_without_a_recogniser_the_clock_and_the_cues_are_the_same() -> None:
    policy = Policy(captions=False, recogniser=False, unheard_patience=8.0)
    at, over = opened(drill(marks=(mark("half", 5.0),)), policy=policy)
    at.say(over + 1.0, over + 11.0)
    at.run()
    assert [cue.media for cue in of_kind(at.log, CueGiven)] == [pytest.approx(over + 6.0)]
    assert ended(at.log) == "completed"


def test_nobody_speaks() -> None:
    at, over = opened(drill())
    at.run()
    assert ended(at.log) == "no-answer"
    assert of_kind(at.log, SessionClosing)[0].at == pytest.approx(over + 120.0)
    assert not of_kind(at.log, ClockStarted)


def test_a_step_that_nobody_replies_to_is_passed() -> None:
    at, over = opened(drill(prompt(step("one"), step("two")), limit=600.0))
    at.say(over + 1.0, over + 7.0, DONE)
    at.run(until=over + 90.0)
    assert steps_of(at.log) == ["prompt", "one", "two"]


def test_the_key_hands_over_and_says_the_line_again_to_who_said_nothing() -> None:
    at, over = opened(drill())
    at.put(over + 3.0, TurnHandedOver(at=At(0), media=Media(over + 3.0)))
    at.say(over + 12.0, over + 30.0, TALK)
    at.put(over + 25.0, TurnHandedOver(at=At(0), media=Media(over + 25.0)))
    at.run()
    assert [move.move for move in of_kind(at.log, MoveChosen)] == ["question", "prompt"]
    assert [turn.reason for turn in of_kind(at.log, TurnEnded) if turn.speaker == "candidate"] == ["session-ended"]
    assert ended(at.log) == "completed"


def test_a_question_that_was_not_caught_is_said_again_and_starts_no_clock_that_counts() -> None:
    at, over = opened(drill())
    at.say(over + 1.0, over + 3.0, "sorry, could you say that again?")
    at.run(until=over + 15.0)
    begin = at.now + 1.0
    at.say(begin, begin + 6.0, DONE)
    at.run()
    assert [move.move for move in of_kind(at.log, MoveChosen)] == ["question", "answer"]
    assert of_kind(at.log, ClockStarted)[-1].media == begin
    assert ended(at.log) == "completed"


def test_a_reply_that_goes_on_takes_the_step_back() -> None:
    at, over = opened(drill(prompt(step("one"), step("two"))))
    at.say(over + 1.0, over + 7.0, DONE)
    at.run(until=over + 7.5)
    speak = None
    while speak is None:
        at.run(until=at.now + 0.05)
        at.now += 0.05
        speak = next((one for one in of_kind(at.log, Speak)[1:]), None)
    at.say(speak.at + 0.1, speak.at + 6.0, DONE)
    at.run(until=speak.at + 25.0)
    assert len(of_kind(at.log, MoveWithdrawn)) == 1
    assert steps_of(at.log) == ["prompt", "one", "one"]
    assert [started.step for started in of_kind(at.log, ClockStarted)][:1] == ["prompt"]


def test_parts_open_by_what_is_said_or_by_their_step() -> None:
    made = drill(
        prompt(step("one")),
        parts=(part("intro", 10.0), part("figures", 20.0, "metric"), part("after", 15.0, step="one")),
    )
    at, over = opened(made)
    at.say(over + 1.0, over + 6.0, "so there was a long queue and I tell you about it")
    at.say(over + 7.5, over + 14.0, "and then we measured it and that's my answer.")
    at.run(until=over + 25.0)
    begin = at.now + 1.0
    at.say(begin, begin + 6.0, DONE)
    at.run()
    assert [(s.section, s.budget) for s in of_kind(at.log, SectionChanged)] == [
        ("intro", 10.0),
        ("figures", 20.0),
        ("after", 15.0),
    ]


def test_facts_are_told_to_who_asks_and_the_answer_goes_on() -> None:
    fact = Answer("size", {"en": ("teams",), "zh": ("团队",)}, line("fact"))
    told = replace(prompt(step("one")), facts=(fact,), assume=line("assume"))
    content = drill_content(drill(told, dialogue="facts"))
    asks = detector("clarifying_question", "how many")
    content = replace(content, drill=replace(content.drill, detectors=(*content.drill.detectors, asks)))
    at = Table(content)
    at.start()
    until_it_is_our_turn(at)
    for text in ("how many teams are there in this, just so that I know?", "how many dogs are there?", DONE):
        begin = at.now + 1.0
        at.say(begin, begin + 5.0, text)
        at.run(until=begin + 6.0)
        at.now += 4.0
        at.run(until=at.now)
        until_it_is_our_turn(at)
    phrases = [move.phrase for move in of_kind(at.log, MoveChosen)]
    assert phrases[:4] == ["p1", "fact", "assume", "one"]
    assert [started.step for started in of_kind(at.log, ClockStarted)] == ["prompt"]


def test_micro_signals_are_shown_when_the_prompt_says_so() -> None:
    shown = replace(prompt(), shows=(Shown(at=4.0, sign="notes"),), meant="on-track")
    at, over = opened(drill(shown))
    at.say(over + 1.0, over + 12.0, DONE)
    at.run()
    (given,) = of_kind(at.log, SignalGiven)
    assert given.at == pytest.approx(over + 5.0)
    assert (given.signal, given.meant) == ("notes", "on-track")


def test_the_recordings_rules_watch_over_a_drill_too() -> None:
    at, over = opened(drill(patience=30.0))
    at.say(over + 1.0, over + 7.0, TALK)
    at.run()
    assert [(flag.rule, flag.level) for flag in of_kind(at.log, FlagRaised)] == [("long_pause", "notice")]
