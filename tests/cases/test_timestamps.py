"""Public bug cases: times of words, of two who speak at once, and of tracks that begin apart."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import soundfile  # type: ignore[import-untyped]  # ships no types
import soxr  # type: ignore[import-untyped]  # ships no types

from tests.fakes.content import content
from tests.fakes.room import wav
from tests.fakes.speech import real_speech
from tests.fakes.table import Table, of_kind
from tests.live.test_real_world import Desk, hissing, opening, run
from tests.review.test_analysis import Echo, Loudness, recording
from voiceprep.audio.base import RATE, Samples
from voiceprep.core.events import (
    AudioProgress,
    FlagRaised,
    Interrupted,
    Language,
    SpeakingFinished,
    SpeakingStarted,
    VoiceStarted,
    Word,
    WordsCommitted,
)
from voiceprep.core.listening.rates import measure_rates
from voiceprep.core.timeline import Turn, fold
from voiceprep.core.units import Media
from voiceprep.review.analysis import Analysis, analyze
from voiceprep.speech.stt.base import Transcript
from voiceprep.speech.stt.words import tidy_times

ANSWER = "the gpu cluster had a long queue and i decided to change it and that's my answer"


class Misplacing(Echo):
    """A recogniser whose words end before they start, take no time, lie before the sound and after it."""

    async def transcribe(self, samples: Samples, language: Language) -> Transcript:
        times = [(2.0, 1.0), (1.0, 1.0), (-3.0, -1.0), (1e9, 2e9), (3.0, 2.5), (4.0, 4.0), (0.5, 0.1), (4.5, 1e9)]
        return Transcript(tuple(Word(f"w{n}", Media(a), Media(b), 0.9) for n, (a, b) in enumerate(times)))


async def test_case_008_impossible_word_times_are_put_right(tmp_path: Path) -> None:
    analysis = await analyze(recording(tmp_path, 1.0, 6.0, 2.0), recogniser=Misplacing(), language="en", activity=Loudness())
    assert [word.text for word in analysis.words] == [f"w{n}" for n in range(8)]
    starts = [word.start for word in analysis.words]
    assert starts == sorted(starts)
    assert all(0.0 <= word.start <= word.end <= analysis.audio.duration for word in analysis.words)
    assert analysis.rates.timeline is None  # most of the sound has no words: nothing is counted from such a text
    rates = measure_rates(analysis.words, analysis.speech, analysis.audio.duration, "en")
    for rate in (rates.timeline, rates.narration, rates.phrase, rates.articulation):
        assert rate is not None
        assert 0.0 < rate < math.inf
    assert all(pause.duration > 0.0 for pause in analysis.pauses)


@pytest.mark.parametrize("missing", ["both", "start", "end"])
def test_case_012_a_word_without_times_is_placed_between_its_neighbours(missing: str) -> None:
    """Aligners leave numbers out: "780 802"."""
    nothing = math.nan
    number = Word("780", Media(nothing if missing != "end" else 1.6), Media(nothing if missing != "start" else 2.4), 0.9)
    words = [Word("we", Media(0.5), Media(1.0), 0.9), number, Word("had", Media(3.0), Media(3.5), 0.9)]
    placed = tidy_times(words, 5.0)[1]
    assert 1.0 <= placed.start < placed.end <= 3.0


def test_case_012_when_no_word_has_a_time_the_line_is_placed_all_the_same() -> None:
    words = [Word(text, Media(math.nan), Media(math.nan), 0.9) for text in ("780", "802")]
    first, second = tidy_times(words, 4.0)
    assert 0.0 <= first.start < first.end <= second.start < second.end <= 4.0


# --- 010: two who speak at once -----------------------------------------------------------------------------------------


def of(turns: tuple[Turn, ...], speaker: str) -> list[Turn]:
    return [turn for turn in turns if turn.speaker == speaker]


def test_case_010_a_barge_in_keeps_both_speakers_times_and_every_line() -> None:
    t = Table(content())
    t.start()
    t.say(5, 30, ANSWER)
    t.run(until=31.6)  # the follow-up is spoken from 31.7 s on
    t.say(33.3, 45.0, "sorry one more thing i measured it")
    t.stop(120)
    timeline = fold(t.run())
    (broken,) = [event for event in timeline.interruptions if event.by == "candidate"]
    assert (broken.who, broken.media, broken.reason) == ("interviewer", 33.3, "barge-in")
    (asked,) = [said for said in timeline.utterances if said.heard and not said.complete]
    assert asked.media == pytest.approx(31.7)
    assert asked.seconds == pytest.approx(33.45 - 31.7)  # silent from when the voice was known
    interrupted = next(turn for turn in of(timeline.turns, "interviewer") if turn.reason == "interrupted")
    assert interrupted.text == asked.heard
    answer = next(turn for turn in of(timeline.turns, "candidate") if turn.start == Media(33.3))
    assert answer.text == "sorry one more thing i measured it"
    assert answer.words[0].start == pytest.approx(33.3)
    assert answer.words[-1].end == pytest.approx(45.0)
    assert interrupted.start < answer.start <= interrupted.end  # they overlap, and neither is moved for the other


def test_case_010_who_talks_through_the_interviewer_loses_no_word() -> None:
    """Speech that began before the line and goes on after it: two turns of it, each word once, where it was said."""
    t = Table(content())
    t.start()
    words = [f"w{n}" for n in range(60)]
    t.say(5, 30, ANSWER)
    t.say(31.75, 91.75, " ".join(words))  # 50 ms into the follow-up
    t.stop(100)
    t.run()
    said = [word for event in of_kind(t.log, WordsCommitted) for word in event.words][len(ANSWER.split()) :]
    assert [word.text for word in said] == words
    for n, word in enumerate(said):
        assert word.start == pytest.approx(31.75 + n, abs=0.01)
    assert len([event for event in of_kind(t.log, Interrupted) if event.who == "interviewer"]) == 1


@pytest.mark.models
def test_case_010_words_of_a_meeting_with_overlaps_are_not_bunched(
    tmp_path: Path, analysed: Callable[[Path, Language], Analysis]
) -> None:
    sound = real_speech("en_ami_meeting_float32_dev.wav")[: round(17.5 * RATE)]
    analysis = analysed(wav(tmp_path / "meeting.wav", sound), "en")
    assert len(analysis.words) >= 20
    for word in analysis.words:
        assert any(span.start - 0.01 <= word.start <= word.end <= span.end + 0.01 for span in analysis.speech)
    # nobody says six words in half a second, which is what bunched times look like
    assert all(after.start - before.start > 0.5 for before, after in zip(analysis.words, analysis.words[6:], strict=False))


# --- 051, 052: clocks ---------------------------------------------------------------------------------------------------


@pytest.mark.models
def test_case_051_a_place_in_the_text_is_the_same_place_in_the_sound_at_every_rate(tmp_path: Path) -> None:
    sound = real_speech("en_libri_1995.wav")
    found: list[list[float]] = []
    for rate in (8_000, 16_000, 24_000, 48_000):
        path = tmp_path / f"{rate}.wav"
        soundfile.write(path, soxr.resample(sound, RATE, rate), rate, subtype="PCM_16")
        analysis = asyncio.run(analyze(path, recogniser=None, language="en"))
        assert analysis.audio.duration == pytest.approx(len(sound) / RATE, abs=0.01)
        found.append([edge for span in analysis.speech for edge in (span.start, span.end)])
    for edges in found[1:]:
        assert edges == pytest.approx(found[0], abs=0.2)


def test_case_052_a_microphone_that_opens_late_shifts_nothing(tmp_path: Path) -> None:
    """The interviewer speaks from the start; the first sample comes 1.5 s later. Each stays where it was."""
    late = 1.5

    async def candidate(desk: Desk) -> None:
        await asyncio.sleep(late)
        await opening(desk)
        await desk.say(hissing((1.0, False), (5.0, True), (12.0, False)))

    events = run(tmp_path, candidate)
    first = of_kind(events, SpeakingStarted)[0]
    progress = of_kind(events, AudioProgress)[-1]
    assert first.at < 0.5
    assert first.media == 0.0
    # the interviewer's track counts from the session's start, the candidate's from its first sample: the log has the offset
    assert progress.at - progress.media == pytest.approx(late, abs=0.1)
    over = of_kind(events, SpeakingFinished)[0]
    assert over.at - over.media == pytest.approx(late, abs=0.15)
    voice = of_kind(events, VoiceStarted)[0]
    assert voice.at - voice.media == pytest.approx(late, abs=0.15)
    # what is decided by the recording's time is stamped with the session's
    flag = next(event for event in of_kind(events, FlagRaised) if event.rule == "long_pause")
    assert flag.at - flag.end == pytest.approx(late, abs=0.25)
    (session,) = [path for path in tmp_path.iterdir() if path.is_dir()]
    recorded, _ = soundfile.read(session / "candidate.flac")
    assert float(np.flatnonzero(np.abs(recorded) > 0.1)[0]) / RATE == pytest.approx(voice.media, abs=0.1)
