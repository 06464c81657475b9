"""Sound that was lost is part of nobody's floor: five minutes of it, told second by second, after twenty seconds of speech."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.fakes.content import PERSONA, content, line, rule
from tests.fakes.table import Table, of_kind
from voiceprep.core.events import (
    AudioGap,
    Event,
    FlagRaised,
    InterruptionDue,
    SessionClosing,
    Speak,
    SpeakingFinished,
    TurnStarted,
    VoiceStarted,
    VoiceStopped,
)
from voiceprep.core.pack import Content, Interjection
from voiceprep.core.units import At, Media, MediaClock
from voiceprep.flags.record import Answer, Record
from voiceprep.flags.talk_share import TalkShare
from voiceprep.flags.words import WordCrossing

FROM, TO = 30, 330


def gaps(start: int = FROM, end: int = TO) -> Iterator[AudioGap]:
    for second in range(start, end):
        yield AudioGap(at=At(second + 1.0), start=Media(second), end=Media(second + 1.0), reason="network")


def lost(made: Content, end: int = TO) -> Table:
    """Speech from 4 to 24 s, then nothing is known until `end`."""
    table = Table(made)
    table.start()
    table.say(4, 24, "the gpu queue was long and")
    for gap in gaps(end=end):
        table.put(gap.at, gap)
    return table


def monologues(table: Table) -> list[tuple[str, float]]:
    return [(flag.level, flag.end) for flag in of_kind(table.log, FlagRaised) if flag.rule == "monologue"]


def test_who_was_lost_has_not_talked_on() -> None:
    table = lost(content())
    table.run(until=TO + 20)
    assert monologues(table) == []


def test_who_is_back_has_the_time_that_was_left() -> None:
    table = lost(content())
    table.say(TO + 5, TO + 120, "and so on")
    table.run(until=TO + 120)
    assert monologues(table) == [("notice", 4 + 120 + (TO - FROM))]


def test_nobody_breaks_into_what_was_lost() -> None:
    made = content()
    cut = Interjection("cut", "curveball", "floor", 60.0, (), (), "rescope", line("cut"))
    table = lost(replace(made, round=replace(made.round, interjections=(cut,))))
    table.say(TO + 5, TO + 80, "and so on")
    table.run(until=TO + 80)
    (due,) = of_kind(table.log, InterruptionDue)
    assert due.at == pytest.approx(4 + 60 + (TO - FROM))


def test_nobody_is_encouraged_out_of_a_silence_that_was_lost() -> None:
    table = lost(content(replace(PERSONA, prompt_after=20.0, prompt=line("prompt"))), end=90)
    table.run(until=95)
    assert [speak.text for speak in of_kind(table.log, Speak) if speak.text.startswith("prompt")] == []
    table.run(until=115)
    assert [speak.text for speak in of_kind(table.log, Speak) if speak.text.startswith("prompt")]


def test_the_share_of_the_talk_is_of_what_is_known() -> None:
    clock = MediaClock()
    clock.update(At(0.0), Media(0.0))
    low = TalkShare(replace(rule("talk_share_low", 0.5, 0.4, 0.3), least=30.0), "en", clock, above=False)
    half: list[Event] = [
        SpeakingFinished(at=At(4.0), of="opening", media=Media(4.0), heard="", seconds=4.0, complete=True),
        VoiceStarted(at=At(4.0), speaker="candidate", media=Media(4.0)),
        VoiceStopped(at=At(30.0), speaker="candidate", media=Media(30.0)),
    ]
    told = [flag for event in (*half, *gaps()) for flag in low.handle(event)]
    assert [*told, *low.handle(SessionClosing(at=At(340.0), reason="user"))] == []


def test_a_clock_on_words_does_not_run_through_a_loss() -> None:
    class Ever(WordCrossing):
        def stretch(self, answer: Answer) -> tuple[Media, float] | None:
            return answer.start, float("inf")

    clock = MediaClock()
    clock.update(At(0.0), Media(0.0))
    record = Record(clock, "en")
    ever = Ever(rule("late_headline", 20.0, 300.0, 600.0), "en", clock, record)
    for event in (TurnStarted(at=At(4.0), speaker="candidate", turn=1, media=Media(4.0)), *gaps(10, 40)):
        record.handle(event)
    assert ever.wake(At(42.0)) == []
    (flag,) = ever.wake(At(60.0))
    assert isinstance(flag, FlagRaised)
    assert (flag.start, flag.end) == (4.0, 4.0 + 20.0 + 30.0)
