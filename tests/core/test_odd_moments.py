"""Moments at which several things happen at once: found by random playbooks, kept as the smallest of each."""

from dataclasses import replace
from itertools import pairwise

import pytest

from tests.fakes.content import PERSONA, content, line
from tests.fakes.table import Table, of_kind
from voiceprep.core.events import (
    Draft,
    DraftReady,
    Event,
    Fact,
    FloorYielded,
    MoveWithdrawn,
    QuietPoint,
    SectionChanged,
    Speak,
    SpeakingFinished,
    StopSpeaking,
    Transcribe,
    TurnEnded,
    TurnHandedOver,
    TurnStarted,
    VoiceLulled,
    VoiceStarted,
    VoiceStopped,
    Word,
)
from voiceprep.core.units import At, Media


def started(at: float, media: float) -> VoiceStarted:
    return VoiceStarted(at=At(at), speaker="candidate", media=Media(media))


def lulled(at: float, media: float) -> VoiceLulled:
    return VoiceLulled(at=At(at), speaker="candidate", media=Media(media))


def stopped(at: float, media: float) -> VoiceStopped:
    return VoiceStopped(at=At(at), speaker="candidate", media=Media(media))


def table(**persona: object) -> Table:
    made = Table(content(replace(PERSONA, **persona)))  # type: ignore[arg-type]  # fields by name
    made.start()
    return made


@pytest.mark.parametrize("late", [0.25, 0.35, 0.5])
def test_the_key_right_after_the_last_word(late: float) -> None:
    """The detector's news of the end comes after the key, and the end lies before it."""
    t = table()
    t.put(5.15, started(0, 5))
    t.put(20 + late, TurnHandedOver(at=At(0), media=Media(20 + late)))
    t.put(20 + late + 0.05, lulled(0, 20))
    t.put(20 + late + 0.2, stopped(0, 20))
    t.run(until=60)
    assert len(of_kind(t.log, Speak)) == 2
    assert all(e.start < e.end for e in of_kind(t.log, Draft))


def test_a_split_right_after_the_last_word() -> None:
    t = table()
    t.put(5.15, started(0, 5))
    t.put(28.78, QuietPoint(at=At(0), media=Media(28.7), level=-70.0))
    t.put(28.95, lulled(0, 28.4))
    t.put(29.1, stopped(0, 28.4))
    t.run(until=60)
    assert all(e.start < e.end for e in of_kind(t.log, Draft))


@pytest.mark.parametrize("second", [20.0, 20.05, 20.3])
def test_the_key_twice_within_an_answer(second: float) -> None:
    t = table()
    t.put(5.15, started(0, 5))
    t.put(20.0, TurnHandedOver(at=At(0), media=Media(20)))
    t.put(second, TurnHandedOver(at=At(0), media=Media(second)))
    t.run(until=60)
    decoded = of_kind(t.log, Transcribe)
    assert decoded
    assert all(e.end - e.start > t.policy.pad for e in decoded)


@pytest.mark.parametrize("presses", [1, 6])
def test_the_key_pressed_over_and_over_puts_nothing_off(presses: int) -> None:
    t = Table(content(PERSONA), decode=60.0)
    t.start()
    t.put(5.15, started(0, 5))
    for n in range(presses):
        t.put(20.0 + n, TurnHandedOver(at=At(0), media=Media(20.0 + n)))
    t.run(until=60)
    yielded = of_kind(t.log, FloorYielded)[0]
    assert yielded.at == pytest.approx(20.0 + t.policy.transcript_wait)


def test_the_session_ends_right_after_the_key() -> None:
    t = table()
    t.put(5.15, started(0, 5))
    t.put(20.0, TurnHandedOver(at=At(0), media=Media(20)))
    t.stop(20.05)
    t.run()
    assert t.conductor.ended
    assert [(e.start, e.end) for e in of_kind(t.log, Transcribe)] == [(4.8, 20.0)]


def test_the_key_a_second_time_for_the_rest_of_the_answer() -> None:
    """The answer went on after the key: then there is something to hand over again."""
    t = table()
    t.put(5.15, started(0, 5))
    t.put(20.0, TurnHandedOver(at=At(0), media=Media(20)))
    t.put(20.02, stopped(0, 19.9))
    t.put(20.1, started(0, 20.05))
    t.put(30.0, TurnHandedOver(at=At(0), media=Media(30)))
    t.run(until=30.0)
    assert [e.end for e in of_kind(t.log, Transcribe)] == [20.0, 30.0]


def test_the_key_twice_while_nothing_was_said() -> None:
    t = table(prompt_after=18.0, prompt=line("prompt"))
    t.run(until=15.0)
    for at in (15.0, 15.3):
        t.put(at, TurnHandedOver(at=At(0), media=Media(at)))
    t.run(until=60)
    said = of_kind(t.log, Speak)
    over = {e.of: e.at for e in of_kind(t.log, SpeakingFinished)}
    assert [e.move for e in said] == ["question", "prompt", "prompt"]  # once for the key, and once into the silence after that
    assert all(over[first.id] <= second.at for first, second in pairwise(said))
    assert said[2].at == pytest.approx(over[said[1].id] + 18.0)


def test_the_key_again_after_the_question_could_not_be_spoken() -> None:
    t = table()
    t.run(until=20.0)
    t.fail.add("Speak")
    t.put(20.0, TurnHandedOver(at=At(0), media=Media(20)))
    t.run(until=25.0)
    t.fail.clear()
    t.put(25.0, TurnHandedOver(at=At(0), media=Media(25)))
    t.run(until=60)
    assert [e.at for e in of_kind(t.log, Speak) if e.move == "prompt"] == [20.0, 25.0]


def interrupted_and_going_on(t: Table, of: str, base: float) -> list[Event]:
    """ "wait" takes the floor, and the next word is heard before the interviewer's line is known to have stopped."""
    facts: list[Fact] = [started(base + 0.15, base), lulled(base + 0.4, base + 0.25), stopped(base + 0.5, base + 0.25)]
    log = [event for fact in facts for event in t.conductor.handle(fact)]
    draft = of_kind(log, Draft)[-1].id
    word = Word("wait", Media(base), Media(base + 0.25), 0.9)
    finished = SpeakingFinished(at=At(base + 0.602), of=of, media=Media(base + 0.6), heard="So", seconds=1.0, complete=False)
    for fact in (DraftReady(at=At(base + 0.6), of=draft, words=(word,)), started(base + 0.601, base + 0.45), finished):
        log += t.conductor.handle(fact)
    assert of_kind(log, StopSpeaking)
    return log


def test_going_on_while_the_line_is_being_stopped() -> None:
    t = table()
    t.say(4.0, 12.0, "we decided to move the gpu cluster and measured it and that's my answer")
    t.run(until=15.6)
    assert of_kind(t.log, TurnStarted)[-1].speaker == "interviewer"
    log = interrupted_and_going_on(t, of_kind(t.log, Speak)[-1].id, t.now + 0.01)
    assert of_kind(log, MoveWithdrawn) == []  # it was heard, and it was a turn
    turns = [(type(e), e.speaker) for e in log if isinstance(e, TurnStarted | TurnEnded)]
    assert turns == [(TurnEnded, "interviewer"), (TurnStarted, "candidate")]


def test_going_on_while_the_opening_is_being_stopped() -> None:
    t = table()
    t.run(until=1.0)
    log = interrupted_and_going_on(t, of_kind(t.log, Speak)[0].id, 1.01)
    assert of_kind(log, MoveWithdrawn) == []


def test_an_encouragement_in_an_answer_gives_way() -> None:
    t = table(prompt_after=5.0, prompt=line("prompt"))
    t.say(6.0, 9.0, "so we began and then we um")
    t.run(until=14.6)
    (prompt,) = [e for e in of_kind(t.log, Speak) if e.move == "prompt"]
    t.say(t.now + 0.3, t.now + 6, "we decided to share")
    t.run(until=t.now + 2)
    assert [e.of for e in of_kind(t.log, StopSpeaking)] == [prompt.id]


def test_nothing_is_said_over_the_interviewer_s_own_line() -> None:
    t = table(prompt_after=4.0, prompt=line("prompt"))
    t.say(1.0, 2.0, "")  # a laugh over the opening, which is then said again
    t.run(until=60)
    over = {e.of: e.at for e in of_kind(t.log, SpeakingFinished)}
    assert all(over[first.id] <= second.at for first, second in pairwise(of_kind(t.log, Speak)))


def test_a_line_said_again_enters_no_section_again() -> None:
    t = table()
    t.say(1.0, 2.0, "")
    t.run(until=100)
    assert len(of_kind(t.log, SectionChanged)) == 1
