"""Who speaks when: playbooks on paper."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fakes.content import PERSONA, content
from tests.fakes.table import Table, of_kind
from voiceprep.core.events import (
    Interrupted,
    SilenceChanged,
    Speak,
    SpeakingFinished,
    StopSpeaking,
    TurnEnded,
    TurnHandedOver,
    TurnStarted,
    WordsCommitted,
)
from voiceprep.core.floor import patience
from voiceprep.core.policy import Policy
from voiceprep.core.units import At, Media

ANSWER = "the gpu cluster had a long queue and i decided to change it"


def table(**how: object) -> Table:
    made = Table(content(), **how)  # type: ignore[arg-type]
    made.start()
    return made


def candidate_turns(t: Table) -> list[TurnEnded]:
    return [e for e in of_kind(t.log, TurnEnded) if e.speaker == "candidate"]


def test_pauses_inside_an_answer_keep_the_floor() -> None:
    t = table()
    t.say(5, 12, "we had a gpu cluster and")
    t.say(18, 30, "a long queue so")
    t.say(45, 60, "i decided to change it")
    t.run(until=60)
    assert candidate_turns(t) == []
    assert [e.state for e in of_kind(t.log, SilenceChanged)] == ["thinking", "thinking"]


def test_a_closing_phrase_hands_the_floor_over_within_the_short_patience() -> None:
    t = table()
    t.say(5, 30, ANSWER + " and that's my answer")
    t.run(until=40)
    (ended,) = candidate_turns(t)
    assert ended.reason == "yielded"
    assert ended.media == Media(30)
    assert ended.at == pytest.approx(30 + PERSONA.patience_short, abs=0.01)


def test_an_answer_that_has_hardly_begun_is_waited_for_more_than_46_seconds() -> None:
    t = table()
    t.say(5, 9, "it was the first great sorrow of his life")
    t.say(55, 60, "it was not so much the loss")
    t.run(until=60)
    assert candidate_turns(t) == []


def test_a_late_transcript_is_waited_for() -> None:
    t = table(decode=12.0)
    t.say(5, 30, ANSWER + " and that's my answer")
    t.run(until=60)
    (ended,) = candidate_turns(t)
    assert ended.at == pytest.approx(30 + 0.6 + 4.0, abs=0.01)


def test_a_recogniser_that_never_answers_does_not_stop_the_interview() -> None:
    t = table(decode=1e6)
    t.say(5, 30, ANSWER)
    t.run(until=200)
    assert len(candidate_turns(t)) == 1
    assert len(of_kind(t.log, Speak)) == 2


def test_without_a_recogniser_the_floor_passes_by_silence_and_by_key() -> None:
    t = table(policy=Policy(recogniser=False))
    t.say(5, 30)
    t.run(until=80)
    assert candidate_turns(t) == []
    t.run(until=91)
    (ended,) = candidate_turns(t)
    assert ended.at == pytest.approx(30 + t.policy.unheard_patience)
    t.say(100, 110)
    t.put(112, TurnHandedOver(at=At(0), media=Media(112)))
    t.run(until=113)
    assert [e.reason for e in candidate_turns(t)] == ["yielded", "handed-over"]


def test_handing_over_while_still_speaking_waits_for_the_words_and_is_no_interruption() -> None:
    t = table()
    t.say(5, 30, ANSWER)
    t.put(25, TurnHandedOver(at=At(0), media=Media(25)))
    t.run(until=29)
    (ended,) = candidate_turns(t)
    assert ended.reason == "handed-over"
    assert of_kind(t.log, WordsCommitted)[0].turn == ended.turn
    assert of_kind(t.log, Interrupted) == []


def test_a_cough_is_no_answer_and_the_question_stands() -> None:
    t = table()
    t.say(5, 5.4, "")
    t.run(until=200)
    assert [e.reason for e in candidate_turns(t)] == ["no-words"]
    assert len(of_kind(t.log, Speak)) == 1


class TestBargeIn:
    """The opening sounds from 0.2 to about 1.9 s; the follow-up after the first answer is spoken from 31.7 s on."""

    def until_follow_up(self) -> Table:
        t = table()
        t.say(5, 30, ANSWER + " and that's my answer")
        t.run(until=31.6)
        return t

    def test_speech_over_the_interviewer_stops_it_after_half_a_second(self) -> None:
        t = self.until_follow_up()
        t.say(32.0, 45.0, "sorry one more thing i measured it")
        t.run(until=46)
        (stop,) = of_kind(t.log, StopSpeaking)
        assert stop.at == pytest.approx(32.5)
        (broken,) = of_kind(t.log, Interrupted)
        assert (broken.who, broken.by, broken.media) == ("interviewer", "candidate", 32.0)
        cut = of_kind(t.log, SpeakingFinished)[-1]
        said = of_kind(t.log, Speak)[-1].text
        assert not cut.complete
        assert said.startswith(cut.heard)
        assert cut.heard != said
        mine = [e for e in of_kind(t.log, TurnStarted) if e.speaker == "candidate"][-1]
        assert mine.media == 32.0

    def test_a_short_sound_does_not_stop_the_interviewer(self) -> None:
        t = self.until_follow_up()
        t.say(32.0, 32.15, "")
        t.run(until=40)
        assert of_kind(t.log, StopSpeaking) == []
        assert of_kind(t.log, SpeakingFinished)[-1].complete


@given(st.floats(0, 1), st.floats(0, 1))
def test_patience_is_graded_and_falls_with_completeness(a: float, b: float) -> None:
    low, high = min(a, b), max(a, b)
    assert PERSONA.patience_short <= patience(high, PERSONA) <= patience(low, PERSONA) <= PERSONA.patience_long * 1.000001


def test_patience_has_no_cliff() -> None:
    steps = [patience(n / 100, PERSONA) for n in range(101)]
    assert max(a / b for a, b in pairwise(steps)) < 1.06


@given(
    st.lists(
        st.tuples(st.floats(0.1, 20), st.floats(0.1, 30), st.sampled_from([ANSWER, "so", "", "that's my answer"])), max_size=25
    ),
    st.floats(0.05, 6.0),
)
def test_one_speaker_holds_the_floor_and_turns_are_numbered(script: list[tuple[float, float, str]], decode: float) -> None:
    t = table(decode=decode)
    now = 3.0
    for gap, length, text in script:
        now += gap
        t.say(now, now + length, text)
        now += length + 0.3
    t.stop(now + 100)
    log = t.run()
    holder, number = "", 0
    for event in log:
        if isinstance(event, TurnStarted):
            assert not holder, event
            assert event.turn == number + 1
            holder, number = event.speaker, event.turn
        elif isinstance(event, TurnEnded):
            assert holder == event.speaker
            assert event.turn == number
            holder = ""
    assert not holder
