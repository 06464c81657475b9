"""Public bug cases: who is cut short, who cannot be stopped, and a noise that nobody speaks in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from tests.cases.conftest import Shared, media_of
from tests.fakes.audio import CollectingSink, noise, silence
from tests.fakes.content import PERSONA, content, line
from tests.fakes.edges import ToneVoice
from tests.fakes.speech import ScriptedRecogniser, real_speech
from tests.fakes.table import Table, of_kind
from voiceprep.audio.base import RATE, VOICE_RATE, Samples
from voiceprep.content import load_content
from voiceprep.core.events import (
    Event,
    FlagRaised,
    FloorYielded,
    Interrupted,
    Language,
    PauseSpeaking,
    ResumeSpeaking,
    SilenceChanged,
    Speak,
    SpeakingFinished,
    SpeakingStarted,
    StopSpeaking,
    TurnEnded,
    TurnHandedOver,
    TurnStarted,
    VoiceStarted,
    Word,
    WordsCommitted,
)
from voiceprep.core.text import text_of
from voiceprep.core.timeline import fold
from voiceprep.core.units import At, Media
from voiceprep.speech.tts.base import Utterance, VoiceStyle

ANSWER = "the gpu cluster had a long queue and i decided to change it"
SPOKEN = (
    "We had one cluster of four hundred GPUs and the queue was nine hours long. "
    "I decided that every team gets a guaranteed quota. That is my answer."
)


class SlowVoice(ToneVoice):
    """Eight letters a second: there is time to break in."""

    async def render(self, text: str, language: str, style: VoiceStyle) -> Utterance:
        self.said.append(text)
        return Utterance(np.full(len(text) * VOICE_RATE // 8, 0.3, dtype=np.float32), "tone")


def candidate_turns(events: list[Event]) -> list[TurnEnded]:
    return [event for event in of_kind(events, TurnEnded) if event.speaker == "candidate"]


def said_in(events: list[Event]) -> list[str]:
    """What the candidate said, turn by turn."""
    return [turn.text for turn in fold(events).turns if turn.speaker == "candidate"]


def trimmed(sound: Samples) -> Samples:
    """Without the silence around it."""
    loud = np.flatnonzero(np.abs(sound) > 0.02)
    return sound[loud[0] : loud[-1] + 1]


def hiss(sound: Samples) -> Samples:
    return sound + noise(len(sound) / RATE, level=0.0005)[: len(sound)]


# --- 065: a noise that never stops --------------------------------------------------------------------------------------


def fan(seconds: float) -> Samples:
    """Hum, its harmonics, and rushing air that swells a little: a desk fan, with power 1."""
    luck, count = np.random.default_rng(1), round(seconds * RATE)
    spectrum = np.fft.rfft(luck.standard_normal(count))
    spectrum /= np.maximum(np.fft.rfftfreq(count, 1 / RATE), 80.0)
    air = np.fft.irfft(spectrum, count)
    time = np.arange(count) / RATE
    hum = sum(a * np.sin(2 * np.pi * f * time) for f, a in ((50, 0.5), (100, 0.6), (150, 0.3), (237, 0.5), (474, 0.3)))
    sound = air / air.std() + hum * (1 + 0.2 * np.sin(2 * np.pi * 0.3 * time))
    return np.asarray(sound / sound.std(), np.float32)


def recorded_noise(seconds: float) -> Samples:
    """The recording of the case, looped, with power 1."""
    looped = np.tile(real_speech("noise_33s.wav"), int(seconds / 33) + 1)[: round(seconds * RATE)]
    return np.asarray(looped / looped.std(), np.float32)


@pytest.mark.models
@pytest.mark.parametrize(("make", "decibels", "after"), [(fan, -15.0, 15.0), (recorded_noise, -15.0, 125.0)])
def test_case_065_under_a_fan_the_turn_ends_and_the_fan_is_no_monologue(
    held: Callable[..., list[Event]],
    whisper: Shared,
    spoken: Callable[[str], Samples],
    make: Callable[[float], Samples],
    decibels: float,
    after: float,
) -> None:
    """The whole session is under the noise, `decibels` to the speech; alone it goes on for longer than the first notice."""
    answer = trimmed(spoken(SPOKEN))
    sound = np.concatenate((silence(2.0), answer, silence(after)))
    level = float(answer.std()) * 10 ** (decibels / 20)
    events = held(sound + level * make(len(sound) / RATE)[: len(sound)], recogniser=whisper)
    (ended,) = candidate_turns(events)
    assert ended.reason == "yielded"
    over = 2.0 + len(answer) / RATE
    assert ended.media == pytest.approx(over, abs=0.4)
    assert media_of(events, of_kind(events, FloorYielded)[0].at) <= over + 3.0
    assert "quota" in said_in(events)[0]
    flags = {event.rule for event in of_kind(events, FlagRaised)}
    assert "monologue" not in flags
    assert "long_pause" in flags  # what the fan is: nobody answers


def stuck(until: float, text: str = ANSWER, end: float = 30.0) -> Table:
    """A detector that takes the noise for the candidate who goes on speaking, although the last word is over at `end`."""
    t = Table(content())
    t.start()
    t.put(5.15, VoiceStarted(at=At(0), speaker="candidate", media=Media(5)))
    pieces = text.split()
    step = (end - 5) / len(pieces)
    t._words += [Word(piece, Media(5 + n * step), Media(5 + (n + 1) * step), 0.9) for n, piece in enumerate(pieces)]
    t.run(until=until)
    return t


def test_case_065_the_key_works_where_the_detector_is_stuck() -> None:
    t = stuck(until=39.0)
    t.put(40, TurnHandedOver(at=At(0), media=Media(40)))
    t.run(until=45)
    assert [event.reason for event in candidate_turns(t.log)] == ["handed-over"]
    assert [event.move for event in of_kind(t.log, Speak)][1:] == ["followup"]
    committed = [word.text for event in of_kind(t.log, WordsCommitted) for word in event.words]
    assert committed == ANSWER.split()


# --- 066: an answer that is not over ------------------------------------------------------------------------------------

TRAILING: dict[Language, tuple[str, ...]] = {
    "en": ("we had a gpu cluster and the queue was long so um", "then i looked at who was waiting and", "so uh", "i decided"),
    "zh": ("我 们 有 一 个 集 群 然 后", "嗯 就 是", "排 队 很 长 所 以", "我 决 定"),
}


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("pause", [1.5, 2.0, 2.5, 3.0])
def test_case_066_thinking_pauses_and_trailing_words_do_not_end_an_answer(language: Language, pause: float) -> None:
    t = Table(content(), language=language)
    t.start()
    now = 5.0
    for text in TRAILING[language]:
        t.say(now, now + 4.0, text)
        now += 4.0 + pause
    t.run(until=now - pause)
    assert of_kind(t.log, FloorYielded) == []
    assert candidate_turns(t.log) == []
    assert len(of_kind(t.log, Speak)) == 1
    assert [e.state for e in of_kind(t.log, SilenceChanged)] == ["breath", "thinking"] * 3


@pytest.mark.models
def test_case_066_a_real_answer_with_pauses_is_heard_to_its_end(
    held: Callable[..., list[Event]], whisper: Shared, spoken: Callable[[str], Samples]
) -> None:
    parts = [
        trimmed(spoken(text))
        for text in (
            "We had one cluster of four hundred GPUs, and the queue was nine hours long, so, um,",
            "then I looked at who was waiting, and",
            "I decided that every team gets a guaranteed quota. That is my answer.",
        )
    ]
    pauses = (silence(1.7), silence(3.0), silence(4.0))
    sound = hiss(np.concatenate([piece for pair in zip(parts, pauses, strict=True) for piece in pair]))
    events = held(sound, recogniser=whisper)
    (ended, *_) = candidate_turns(events)
    over = len(sound) / RATE - 4.0
    assert ended.reason == "yielded"
    assert ended.media == pytest.approx(over, abs=0.3)
    replied = of_kind(events, SpeakingStarted)[1]
    assert over < replied.media <= over + 2.5
    text = said_in(events)[0].lower()
    assert all(word in text for word in ("cluster", "waiting", "quota", "answer"))


@pytest.mark.models
def test_case_066_the_pause_in_a_real_recording_is_inside_the_answer(held: Callable[..., list[Event]], whisper: Shared) -> None:
    events = held(real_speech("en_speech_with_pause.wav"), recogniser=whisper)
    assert of_kind(events, FloorYielded) == []
    assert len([event for event in of_kind(events, TurnStarted) if event.speaker == "candidate"]) == 1
    assert len(of_kind(events, VoiceStarted)) == 2
    assert said_in(events)[0].lower().strip(".") == "isolated tornadoes and heavy rain"


def test_case_066_a_long_silence_gets_one_hint_that_takes_no_turn() -> None:
    t = Table(content(replace(PERSONA, prompt_after=10.0, prompt=line("take your time"))))
    t.start()
    t.say(5, 12, "we had a gpu cluster and the queue was long so um")
    t.say(40, 50, "i decided to change it and")
    t.run(until=50)
    (hint,) = [event for event in of_kind(t.log, Speak) if event.move == "prompt"]
    assert hint.text.startswith("take your time")
    assert 9.0 <= hint.at - 12.0 <= 10.5  # a trace of a whole sentence is in "so um", and costs a trace of the ten seconds
    assert candidate_turns(t.log) == []


def test_case_066_patience_is_a_setting_of_the_persona() -> None:
    """The same words before the same silence: who is in no hurry waits longer."""
    waits = []
    for reluctance in (0.5, 3.0, 12.0):
        t = Table(content(replace(PERSONA, reluctance=reluctance)))
        t.start()
        t.say(5, 30, ANSWER)
        t.run(until=130)
        waits.append(of_kind(t.log, FloorYielded)[0].at - 30)
    assert waits == sorted(waits)
    assert waits[2] > waits[0] + 1.0
    assert load_content("gpu-hm-screen").round.persona.reluctance > 0


# --- 063, 069, 071: sounds and words over the interviewer ---------------------------------------------------------------


@pytest.mark.parametrize("length", [0.1, 0.15, 0.3])
def test_case_063_a_cough_does_not_interrupt_and_the_line_goes_on(length: float) -> None:
    t = Table(content())
    t.start()
    t.say(5, 30, ANSWER + " and that's my answer")
    t.run(until=31.6)
    for at in (33.25, 34.15):
        t.say(at, at + length, "")
    t.run(until=45)
    assert of_kind(t.log, Interrupted) == []
    assert of_kind(t.log, StopSpeaking) == []
    assert len(of_kind(t.log, PauseSpeaking)) == len(of_kind(t.log, ResumeSpeaking)) == 2
    asked = of_kind(t.log, Speak)[-1]
    over = of_kind(t.log, SpeakingFinished)[-1]
    assert (over.complete, over.heard) == (True, asked.text)


@pytest.mark.models
def test_case_063_bursts_of_noise_over_the_interviewer_are_no_voice(
    held: Callable[..., list[Event]], spoken: Callable[[str], Samples]
) -> None:
    """150 ms of noise twice a second while the follow-up sounds, through the real detector."""
    answer = trimmed(spoken(SPOKEN))
    rest = silence(10.0)
    burst = noise(0.15, level=0.3)
    for at in np.arange(2.0, 8.0, 0.5):
        rest[round(at * RATE) : round(at * RATE) + len(burst)] += burst
    events = held(
        hiss(np.concatenate((answer, rest))), recogniser=ScriptedRecogniser("and that's my answer"), voice=SlowVoice()
    )
    assert of_kind(events, Interrupted) == []
    assert of_kind(events, SpeakingFinished)[1].complete


@pytest.mark.models
def test_case_069_071_and_010_who_breaks_in_is_heard_from_the_first_word_and_the_interviewer_stops(
    held: Callable[..., list[Event]], whisper: Shared, spoken: Callable[[str], Samples]
) -> None:
    """A real voice breaks into a long line two seconds after it began, and talks for nine."""
    answer, more = trimmed(spoken(SPOKEN)), trimmed(real_speech("en_libri_1995.wav"))
    pause = 1.5 + 2.5  # the follow-up sounds from 1.5 s after the answer on
    sound = hiss(np.concatenate((answer, silence(pause), more, silence(3.0))))
    sink = CollectingSink()
    events = held(sound, recogniser=whisper, voice=SlowVoice(), sink=sink)
    true = (len(answer)) / RATE + pause
    # 069: silent within 0.3 s of the true onset, nothing left in the queue, and the log has what was heard
    paused = of_kind(events, PauseSpeaking)[0]
    assert media_of(events, paused.at) <= true + 0.3
    cut = of_kind(events, SpeakingFinished)[1]
    asked = of_kind(events, Speak)[1]
    assert not cut.complete
    assert asked.text.startswith(cut.heard)
    assert len(cut.heard) < len(asked.text)
    started = of_kind(events, SpeakingStarted)[1]
    assert cut.seconds == pytest.approx(paused.at - started.at, abs=0.1)
    sounded = np.flatnonzero(np.abs(sink.samples) > 0.1) / VOICE_RATE
    assert sounded[sounded < paused.at + 2.0][-1] <= paused.at + 0.1
    # 071: all that was said, from its first word on
    last = said_in(events)[-1].lower()
    assert last.startswith("it was the first great sorrow of his life")
    assert last.rstrip(".").endswith("built around it")
    # 010: both keep their times, and the interruption is shown
    (broken,) = [event for event in of_kind(events, Interrupted) if event.by == "candidate"]
    assert broken.media == pytest.approx(true, abs=0.15)
    timeline = fold(events)
    mine = [turn for turn in timeline.turns if turn.speaker == "candidate"][-1]
    theirs = [turn for turn in timeline.turns if turn.reason == "interrupted"][-1]
    assert theirs.start < mine.start <= theirs.end
    assert mine.words[0].start == pytest.approx(true, abs=0.3)
    assert mine.words[-1].end == pytest.approx(true + len(more) / RATE, abs=0.4)
    assert "quota" in text_of(timeline.words)
    assert theirs.text == cut.heard


def test_case_071_ten_seconds_after_a_barge_in_are_all_written_down() -> None:
    t = Table(content())
    t.start()
    t.say(5, 30, ANSWER + " and that's my answer")
    t.run(until=31.6)
    words = [f"w{n}" for n in range(20)]
    t.say(33.3, 43.3, " ".join(words))
    t.stop(60)
    turn = [turn for turn in fold(t.run()).turns if turn.speaker == "candidate"][1]
    assert [word.text for word in turn.words] == words
