"""The laws: order, one answer a command, the same decisions whenever one is woken, the same log on replay."""

import random
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fakes.content import content
from tests.fakes.table import Table, of_kind
from voiceprep.core.conductor import ABOUT_SPEECH
from voiceprep.core.events import (
    AudioProgress,
    Command,
    Event,
    Fact,
    FlagRaised,
    MoveChosen,
    SectionChanged,
    SessionEnded,
    Speak,
    TranscriptReady,
    TurnEnded,
)
from voiceprep.core.policy import Policy
from voiceprep.core.units import At, Media
from voiceprep.live.assembly import assemble, replay

ANSWERS = (
    "our gpu cluster had a queue and i decided who goes first that's my answer",
    "we measured it and that's my answer",
    "it went down by ten percent and we traded some money that's my answer",
    "it became significantly better that's my answer",
    "no more questions",
)


def interview(seed: int = 1, minutes: float = 20.0, *, captions: bool = False) -> Table:
    """A candidate who answers at random lengths, with thinking pauses, until the time is over."""
    t = Table(content(minutes=45), policy=Policy(captions=captions), seed=seed)
    t.start()
    luck = random.Random(seed)
    now = 4.0
    while now < minutes * 60:
        for _ in range(luck.randint(1, 3)):
            length = luck.uniform(2, 30)
            t.say(now, now + length, luck.choice(ANSWERS))
            now += length + luck.uniform(0.4, 12)
        now += luck.uniform(2, 20)
    t.stop(now)
    t.run()
    return t


def test_at_never_decreases_and_nothing_follows_the_end() -> None:
    log = interview().log
    assert all(a.at <= b.at for a, b in pairwise(log))
    assert [e for e in log if isinstance(e, SessionEnded)] == log[-1:]


def test_every_command_is_answered_exactly_once() -> None:
    log = interview(captions=True).log
    asked = [e.id for e in log if isinstance(e, Command) and not isinstance(e, ABOUT_SPEECH)]
    answered = [getattr(e, "of", "") for e in log if isinstance(e, Fact) and type(e).__name__ != "SpeakingStarted"]
    answered = [of for of in answered if of]
    assert len(asked) == len(set(asked)) > 20
    assert sorted(asked) == sorted(answered)


@pytest.mark.parametrize("seed", range(5))
def test_replaying_a_log_gives_the_same_log(seed: int) -> None:
    t = interview(seed, captions=True)
    again = replay(t.log, assemble(content(minutes=45), t.policy, "en", seed))
    assert again == t.log


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 1000), st.lists(st.floats(0, 2000), max_size=200))
def test_jittered_wake_ups_change_nothing(seed: int, wakes: list[float]) -> None:
    t = interview(seed % 7, minutes=8)
    conductor = assemble(content(minutes=45), t.policy, "en", seed % 7)
    out: list[Event] = []
    rest = sorted(wakes)
    for fact in (e for e in t.log if isinstance(e, Fact)):
        while rest and rest[0] <= fact.at:
            out += conductor.advance(At(rest.pop(0)))
        out += conductor.handle(fact)
    assert out == t.log


def test_a_late_answer_is_dropped() -> None:
    conductor = assemble(content(), Policy(captions=False), "en", 1)
    assert conductor.handle(TranscriptReady(at=At(3), of="t99", words=())) == []


def test_a_fact_from_the_past_is_handled_now() -> None:
    conductor = assemble(content(), Policy(captions=False), "en", 1)
    conductor.handle(AudioProgress(at=At(5), media=Media(5)))
    (late,) = conductor.handle(AudioProgress(at=At(4), media=Media(5.5)))
    assert late.at == At(5)


def test_the_end_waits_for_the_last_words_but_not_for_ever() -> None:
    t = Table(content(), decode=10.0)
    t.start()
    t.say(5, 20, "we had a gpu cluster")
    t.stop(18)
    t.run()
    assert t.log[-1] == SessionEnded(at=At(28.0), reason="audio-ended")
    hung = Table(content(), decode=1e6)
    hung.start()
    hung.say(5, 20, "we had a gpu cluster")
    hung.stop(18)
    hung.run()
    assert hung.log[-1].at == pytest.approx(18 + hung.policy.farewell_wait)


class TestAWholeRound:
    """75 minutes on the simulated clock."""

    @pytest.fixture(scope="class")
    @classmethod
    def log(cls) -> list[Event]:
        t = Table(content(minutes=75, questions=30), seed=3)
        t.start()
        luck = random.Random(3)
        now = 4.0
        while now < 80 * 60:
            length = luck.uniform(20, 60)
            t.say(now, now + length, luck.choice(ANSWERS[:4]))
            now += length + luck.uniform(6, 12)
        t.stop(now)
        t.run()
        return t.log

    def test_it_ends_by_itself_and_in_time(self, log: list[Event]) -> None:
        end = log[-1]
        assert isinstance(end, SessionEnded)
        assert end.reason == "completed"
        assert end.at < 75 * 60 + 120

    def test_sections_come_in_order_and_leave_time_for_the_candidate(self, log: list[Event]) -> None:
        sections = of_kind(log, SectionChanged)
        assert [e.section for e in sections] == ["first", "second", "yours"]
        assert sections[-1].at <= 75 * 60 - 10 * 75 + 120

    def test_nothing_is_asked_twice(self, log: list[Event]) -> None:
        asked = [e for e in of_kind(log, Speak) if e.move not in {"answer", "close"}]
        assert len({e.text for e in asked}) == len(asked) > 30

    def test_at_least_three_follow_ups_to_a_question(self, log: list[Event]) -> None:
        moves = of_kind(log, MoveChosen)
        counts, count = [], 0
        for move in moves[1:]:
            if move.move in {"followup", "pushback"}:
                count += 1
            else:
                counts.append(count)
                count = 0
        assert min(counts[:5]) >= 3

    def test_flags_are_raised_on_the_way(self, log: list[Event]) -> None:
        assert {e.rule for e in of_kind(log, FlagRaised)} >= {"section_overrun"}

    def test_turns_alternate(self, log: list[Event]) -> None:
        speakers = [e.speaker for e in of_kind(log, TurnEnded)]
        assert all(a != b for a, b in pairwise(speakers))


def test_the_media_clock_follows_progress() -> None:
    t = Table(content(), offset=10.0)
    t.start()
    t.say(2, 8, "so")
    t.run(until=70)
    assert len(of_kind(t.log, FlagRaised)) == 2
    flag = of_kind(t.log, FlagRaised)[-1]
    assert (flag.rule, flag.level, flag.start, flag.end) == ("long_pause", "warning", Media(8), Media(53))
    assert flag.at == pytest.approx(63.2)


def test_events_are_values() -> None:
    event = AudioProgress(at=At(1), media=Media(1))
    with pytest.raises(AttributeError):
        event.at = At(2)  # type: ignore[misc]
    assert replace(event, at=At(2)) != event
