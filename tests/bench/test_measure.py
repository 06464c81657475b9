"""Hand-made sessions with known right figures."""

from __future__ import annotations

import numpy as np
import pytest

from bench.candidate import Said
from bench.lines import lines_of
from bench.measure import Measured, figures, lecture_figures, quantiles
from bench.session import candidate_drift, interviewer_drift
from bench.truth import Take
from tests.bench.sounds import plain_take
from voiceprep.audio.base import RATE, VOICE_RATE, Samples
from voiceprep.core.events import (
    AudioProgress,
    Draft,
    DraftReady,
    Event,
    FloorYielded,
    Interrupted,
    MoveKind,
    Speak,
    SpeakingFinished,
    SpeakingStarted,
)
from voiceprep.core.units import At, Media

OFFSET = 0.25
"""Session time of the recording's first sample."""


class Played:
    """A log and the interviewer's track, written by hand. Times are session seconds."""

    def __init__(self, length: float = 60.0) -> None:
        self.events: list[Event] = [AudioProgress(at=At(1 + OFFSET + 0.5), media=Media(1.0))]  # late in a queue
        self.events += [AudioProgress(at=At(n + OFFSET), media=Media(float(n))) for n in (2, 3)]
        self.voice: Samples = np.zeros(round(length * VOICE_RATE), np.float32)
        self.said: list[Said] = []
        self.length = length

    def answer(self, made: Take, at: float, *, first: int = 0, stop: int | None = None, over: str = "") -> float:
        """A take whose sample `first` lies at media `at`. Returns when it truly ended, on the session clock."""
        now = Said(made, first, round(at * RATE), over, len(made.samples) if stop is None else stop)
        self.said.append(now)
        return now.media(min(now.stop, made.end)) + OFFSET

    def draft(self, asked: float, ready: float) -> None:
        name = f"d{len(self.events)}"
        self.events += [
            Draft(at=At(asked), id=name, start=Media(0.0), end=Media(1.0), turn=1),
            DraftReady(at=At(ready), of=name, words=()),
        ]

    def decide(self, at: float) -> None:
        self.events.append(FloorYielded(at=At(at), turn=1, media=Media(at), reason="yielded"))

    def line(
        self,
        of: str,
        asked: float,
        started: float,
        seconds: float = 2.0,
        *,
        move: MoveKind = "followup",
        lead: float = 0.0,
        complete: bool = True,
        late: float = 0.0,
    ) -> None:
        """A line of faint sound for `lead` seconds, then loud. It lies `late` earlier in the track than it sounded."""
        over = started + seconds
        self.events += [
            Speak(at=At(asked), id=of, text="x", language="en", move=move),
            SpeakingStarted(at=At(started), of=of, media=Media(started)),
            SpeakingFinished(at=At(over), of=of, media=Media(over), heard="x", seconds=seconds, complete=complete),
        ]
        begin = round((started - late) * VOICE_RATE)
        loud, end = begin + round(lead * VOICE_RATE), begin + round(seconds * VOICE_RATE)
        self.voice[begin:loud], self.voice[loud:end] = 0.001, 0.3

    def measured(self, latency: float = 0.0) -> Measured:
        self.events.sort(key=lambda event: event.at)
        self.events.append(AudioProgress(at=At(self.length), media=Media(self.length - OFFSET)))
        out = Measured()
        out.add(self.events, self.said, self.voice, latency)
        return out


PLAIN = plain_take(2.0)
THINKS = plain_take(1.0, ("hesitation", 6.0), 1.0, ("sentence", 0.5), 1.0, ("hesitation", 20.0), 1.0)
TO_THE_SAMPLE = 1e-4


def test_a_gap_runs_from_the_true_end_to_the_first_audible_sample() -> None:
    played = Played()
    end = played.answer(PLAIN, 5.0)
    assert end == pytest.approx(7.25)
    played.draft(end + 0.3, end + 0.5)
    played.decide(end + 0.5)
    played.line("s1", end + 0.6, end + 0.7, lead=0.02)
    (gap,) = played.measured(latency=0.1).gaps
    assert gap.total == pytest.approx(0.7 + 0.02 + 0.1, abs=TO_THE_SAMPLE)
    assert gap.stt == pytest.approx(0.2)
    assert gap.endpoint == pytest.approx(0.3)
    assert gap.interviewer == pytest.approx(0.1)
    assert gap.tts == pytest.approx(0.1)
    assert gap.leading_silence == pytest.approx(0.02, abs=TO_THE_SAMPLE)
    assert gap.device == pytest.approx(0.1)
    parts = gap.endpoint + gap.stt + gap.interviewer + gap.tts + gap.leading_silence + gap.device
    assert parts == pytest.approx(gap.total)


def test_a_draft_that_came_before_the_decision_was_not_waited_for() -> None:
    played = Played()
    end = played.answer(PLAIN, 5.0)
    played.draft(end + 0.2, end + 0.4)
    played.decide(end + 1.2)
    played.line("s1", end + 1.2, end + 1.3)
    (gap,) = played.measured().gaps
    assert [gap.stt, gap.endpoint] == pytest.approx([0.0, 1.2])


def test_a_draft_asked_before_the_end_counts_from_the_end() -> None:
    played = Played()
    end = played.answer(PLAIN, 5.0)
    played.draft(end - 0.5, end + 0.4)
    played.decide(end + 0.4)
    played.line("s1", end + 0.4, end + 0.4)
    (gap,) = played.measured().gaps
    assert [gap.stt, gap.endpoint] == pytest.approx([0.4, 0.0])


def test_an_encouragement_is_no_reply() -> None:
    played = Played()
    end = played.answer(PLAIN, 5.0)
    played.line("s1", end + 3.0, end + 3.0, move="prompt")
    played.decide(end + 8.0)
    played.line("s2", end + 8.0, end + 8.5)
    measured = played.measured()
    assert [gap.total for gap in measured.gaps] == [pytest.approx(8.5, abs=TO_THE_SAMPLE)]
    assert measured.prompts == 1


def test_an_answer_that_nobody_replied_to_is_told_and_the_last_one_is_not() -> None:
    played = Played()
    played.answer(PLAIN, 2.0)
    played.answer(PLAIN, 20.0)
    measured = played.measured()
    assert (measured.unanswered, measured.gaps) == (1, [])


def test_pauses_are_counted_by_kind_and_only_those_that_were_reached() -> None:
    played = Played()
    played.answer(THINKS, 1.0, stop=THINKS.pauses[1].start + 10)
    assert played.measured().pauses == {"thinking": 1, "long": 0, "sentence": 1, "filler": 0, "speech": 0}
    rest = Played()
    rest.answer(THINKS, 1.0, first=THINKS.sounds[2].start - 100)
    assert rest.measured().pauses == {"thinking": 0, "long": 1, "sentence": 0, "filler": 0, "speech": 0}


@pytest.mark.parametrize(
    ("into", "place", "pause"),
    [(3.0, "thinking", 6.0), (8.2, "sentence", 0.5), (12.0, "long", 20.0), (7.5, "speech", 0.0)],
)
def test_a_cut_in_is_known_by_where_it_fell(into: float, place: str, pause: float) -> None:
    played = Played()
    played.answer(THINKS, 1.0)
    moment = 1.0 + OFFSET + into
    played.decide(moment)
    played.line("s1", moment, moment + 0.1)
    (cut,) = played.measured().cut_ins
    assert cut.place == place
    assert cut.pause == pytest.approx(pause)


def test_a_voice_that_comes_just_after_the_pause_in_which_it_was_decided_counts_for_the_pause() -> None:
    played = Played()
    played.answer(THINKS, 1.0)
    back = 1.0 + OFFSET + 7.0
    played.decide(back - 0.1)
    played.line("s1", back - 0.1, back + 0.2)
    assert [cut.place for cut in played.measured().cut_ins] == ["thinking"]


@pytest.mark.parametrize("early", [0.0, 0.01])
def test_one_who_falls_silent_with_the_first_sample_was_cut_off(early: float) -> None:
    played = Played()
    stop = THINKS.pauses[0].start + 2 * RATE
    end = played.answer(THINKS, 1.0, stop=stop)
    played.decide(end - early)
    played.line("s1", end - early, end - early)
    measured = played.measured()
    assert [cut.place for cut in measured.cut_ins] == ["thinking"]
    assert measured.gaps == []
    assert figures(measured)["false_cut_ins"] == {"count": 1, "pauses": 1}


def test_an_interruption_that_was_decided_on_is_no_accident() -> None:
    played = Played()
    played.answer(THINKS, 1.0)
    moment = At(1.0 + OFFSET + 3.0)
    played.events.append(Interrupted(at=moment, who="candidate", by="interviewer", media=Media(4.0), reason="monologue"))
    played.line("s1", moment, moment + 0.1)
    measured = played.measured()
    assert (measured.cut_ins, measured.interruptions) == ([], 1)


def test_an_encouragement_in_a_pause_is_no_cut_in() -> None:
    played = Played()
    played.answer(THINKS, 1.0)
    played.line("s1", 4.0, 4.0, move="prompt")
    assert played.measured().cut_ins == []


def test_time_to_yield_runs_from_the_true_onset_to_the_last_audible_sample() -> None:
    played = Played()
    played.line("s1", 10.0, 10.0, 1.15, complete=False)
    late = plain_take(2.0)
    played.answer(late, 11.0 - OFFSET, over="s1")
    assert played.measured().yields == [pytest.approx(0.15, abs=TO_THE_SAMPLE)]
    with_device = Played()
    with_device.line("s1", 10.0, 10.0, 1.15, complete=False)
    with_device.answer(late, 11.0 - OFFSET, over="s1")
    assert with_device.measured(latency=0.05).yields == [pytest.approx(0.2, abs=TO_THE_SAMPLE)]


@pytest.mark.parametrize(("seconds", "counts"), [(1.3, False), (2.5, True), (0.9, False)])
def test_a_line_that_was_over_anyway_says_nothing_about_yielding(seconds: float, counts: bool) -> None:
    played = Played()
    played.line("s1", 10.0, 10.0, seconds)
    played.answer(PLAIN, 11.0 - OFFSET, over="s1")
    assert bool(played.measured().yields) is counts


def test_the_line_that_was_spoken_over_is_no_cut_in() -> None:
    played = Played()
    played.line("s1", 10.0, 10.0, 1.2, complete=False)
    played.answer(PLAIN, 11.0 - OFFSET, over="s1")
    assert played.measured().cut_ins == []


def test_a_track_that_is_behind_is_laid_right() -> None:
    played = Played()
    end = played.answer(PLAIN, 5.0)
    played.decide(end + 0.5)
    played.line("s1", end + 0.5, end + 0.6, lead=0.03, late=0.031)
    assert [gap.total for gap in played.measured().gaps] == [pytest.approx(0.63, abs=TO_THE_SAMPLE)]


def test_figures_have_the_contracts_fields() -> None:
    played = Played()
    end = played.answer(THINKS, 1.0)
    played.decide(end + 0.5)
    played.line("s1", end + 0.5, end + 0.6)
    told = figures(played.measured())
    assert told["response_gap"] == {"p50": 0.6, "p95": 0.6, "n": 1}
    assert set(told["breakdown"]) == {"endpoint", "stt", "interviewer", "tts", "leading_silence", "device"}
    assert told["false_cut_ins"] == {"count": 0, "pauses": 1}
    assert told["long_pauses"] == {"count": 0, "pauses": 1}
    assert told["conditions"]["clean"]["response_gap"]["n"] == 1


def test_nothing_measured_is_null_and_not_zero() -> None:
    told = figures(Measured())
    assert told["response_gap"] == told["time_to_yield"] == {"p50": None, "p95": None, "n": 0}
    assert set(told["breakdown"].values()) == {None}
    assert lecture_figures(Measured())["cut_ins_per_minute"] is None


def test_quantiles() -> None:
    assert quantiles([float(n) for n in range(101)]) == {"p50": 50.0, "p95": 95.0, "n": 101}


def test_a_lecture_counts_cut_ins_by_the_minute_of_talk() -> None:
    played = Played(length=200.0)
    talk = plain_take(*[piece for _ in range(30) for piece in (3.0, ("sentence", 1.0))][:-1], name="talk")
    played.answer(talk, 1.0)
    played.decide(40.0)
    played.line("s1", 40.0, 40.1)
    told = lecture_figures(played.measured())
    assert told["minutes"] == pytest.approx(len(talk.samples) / RATE / 60, abs=0.01)
    assert told["cut_ins_per_minute"] == pytest.approx(1 / (len(talk.samples) / RATE / 60), abs=0.01)


# --- drift --------------------------------------------------------------------------------------------------------------


def test_drift_of_the_recording_is_the_change_of_its_smallest_delays() -> None:
    luck = np.random.default_rng(1)
    waits = [0.0 if n % 10 == 0 else float(luck.uniform(0, 0.2)) for n in range(600)]
    events = [AudioProgress(at=At(n * 1.0001 + waits[n]), media=Media(float(n))) for n in range(1, 600)]
    assert candidate_drift(events) == pytest.approx(1000 * 0.0001 * 540, abs=2)
    assert candidate_drift([]) == 0.0


def test_drift_of_the_interviewers_track() -> None:
    played = Played(length=900.0)
    for n in range(30):
        played.line(f"s{n}", 10.0 + 25 * n, 10.0 + 25 * n, late=0.001 * n)
    lines = lines_of(played.events, played.voice)
    assert interviewer_drift(lines) == pytest.approx(20.0, abs=0.2)
    assert interviewer_drift(lines[:2]) == 0.0
