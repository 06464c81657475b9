"""Public bug cases: what is heard in silence and noise, and what is made of a text that is not to be trusted."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.cases.conftest import Shared
from tests.fakes.audio import noise, silence
from tests.fakes.content import content
from tests.fakes.room import wav
from tests.fakes.speech import AUDIO, real_speech
from tests.fakes.table import Table, of_kind
from tests.review.test_analysis import Echo, Loudness, recording
from tests.store.samples import HEADER
from voiceprep.audio.base import RATE, Samples
from voiceprep.core.events import Event, FloorYielded, Language, Speak, VoiceStarted, WordsCommitted
from voiceprep.core.timeline import fold
from voiceprep.exporters import EXPORTERS, Subject
from voiceprep.review.analysis import Analysis, analyze
from voiceprep.review.analysis_document import document


def room_noise(seconds: float) -> Samples:
    """The noise of the case where its recording is here, else one of our own."""
    if not (AUDIO / "noise_33s.wav").is_file():
        return noise(seconds, level=0.05)
    return np.tile(real_speech("noise_33s.wav"), int(seconds / 33) + 1)[: round(seconds * RATE)]


QUIET: dict[str, Callable[[float], Samples]] = {
    "room": room_noise,
    "zeros": silence,
    "soft hiss": lambda seconds: noise(seconds, level=0.001),
}


# --- 001, 003: sentences that nobody said -------------------------------------------------------------------------------


@pytest.mark.models
@pytest.mark.parametrize(("sound", "seconds"), [("room", 10.0), ("zeros", 1.0), ("zeros", 10.0), ("soft hiss", 10.0)])
def test_case_001_silence_and_noise_are_no_answer(
    tmp_path: Path, analysed: Callable[[Path, Language], Analysis], sound: str, seconds: float
) -> None:
    analysis = analysed(wav(tmp_path / "answer.wav", QUIET[sound](seconds)), "en")
    assert (analysis.text, analysis.words, analysis.rates.words) == ("", (), 0)
    assert analysis.quality.reasons == ("no speech was heard",)
    assert analysis.fillers_per_minute is None
    rates = analysis.rates
    assert (rates.timeline, rates.narration, rates.phrase, rates.articulation) == (None, None, None, None)


@pytest.mark.models
def test_case_001_the_interviewer_does_not_reply_to_noise(held: Callable[..., list[Event]], whisper: Shared) -> None:
    events = held(room_noise(20.0), recogniser=whisper)
    assert of_kind(events, VoiceStarted) == []
    assert of_kind(events, WordsCommitted) == []
    assert of_kind(events, FloorYielded) == []
    assert len(of_kind(events, Speak)) == 1  # the opening


def test_case_001_a_sound_in_which_nobody_hears_a_word_gets_no_reply() -> None:
    t = Table(content())
    t.start()
    t.say(5, 6.2, "")
    t.run(until=60)
    assert of_kind(t.log, WordsCommitted) == []
    assert len(of_kind(t.log, Speak)) == 1


@pytest.mark.models
def test_case_003_nothing_is_added_after_the_last_thing_said(
    tmp_path: Path, analysed: Callable[[Path, Language], Analysis]
) -> None:
    """The demonstration ends with a genuine "Thanks for watching and I hope you enjoyed the demo"."""
    said = real_speech("en_kolja_demo_52s.wav")[-8 * RATE :]
    analysis = analysed(wav(tmp_path / "answer.wav", np.concatenate((said, noise(3.0, level=0.001)))), "en")
    text = analysis.text.lower().rstrip(".!")
    assert text.count("thank") == 1
    assert "thanks for watching" in text
    assert text.endswith("enjoyed the demo")
    assert analysis.words[-1].end <= len(said) / RATE + 0.1


# --- 029, 039: numbers from garbage, or from no words -------------------------------------------------------------------


@pytest.mark.models
def test_case_029_a_garbage_transcript_is_said_to_be_poor_and_gives_no_numbers(
    tmp_path: Path, analysed: Callable[[Path, Language], Analysis]
) -> None:
    backwards = real_speech("en_libri_1995.wav")[::-1]  # a voice, and no word of any language
    analysis = analysed(wav(tmp_path / "answer.wav", backwards), "en")
    assert analysis.speech
    assert not analysis.quality.trusted
    assert analysis.rates.narration is None
    assert analysis.fillers_per_minute is None
    shown = json.dumps(document(analysis, 1.0)).lower()
    assert not [word for word in ("body language", "attentive", "accent", "eye contact") if word in shown]


async def test_case_039_a_recording_without_a_segment_is_reported_and_exported(tmp_path: Path) -> None:
    events: list[Event] = []
    analysis = await analyze(
        recording(tmp_path, 3.0), recogniser=Echo(), language="en", activity=Loudness(), on_event=events.append
    )
    json.dumps(document(analysis, 0.0), allow_nan=False)  # a division by zero would be no JSON
    timeline = fold(events)
    assert (timeline.text, timeline.words, timeline.spoken) == ("", (), 0.0)
    assert all(exporter.render(Subject(header=HEADER, timeline=timeline)) is not None for exporter in EXPORTERS.values())
