"""What the recogniser is given: the very samples of the recording, wherever they lie."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import pytest

from tests.review.test_analysis import Echo, Loudness
from voiceprep.audio.base import BLOCK, RATE, Samples
from voiceprep.audio.recent import Recent
from voiceprep.content import load_rubrics
from voiceprep.core.events import Event, Language, SessionStarted, Transcribe
from voiceprep.core.units import At, Media
from voiceprep.review.listening import Listener, listen
from voiceprep.speech.stt.base import Transcript


def ramp(samples: int) -> Samples:
    """Every sample tells its place, within what a float32 can tell."""
    return (np.arange(1, samples + 1) / RATE / 1000).astype(np.float32)


@pytest.mark.parametrize("blocks", [3, 500, 5000])
@pytest.mark.parametrize(("start", "end"), [(0.0, 0.05), (0.031, 0.0331), (0.064, 0.096), (0.01, 99.0)])
def test_recent_gives_the_samples_that_were_asked_for(blocks: int, start: float, end: float) -> None:
    recent, sound = Recent(), ramp(blocks * BLOCK)
    for at in range(0, len(sound), BLOCK):
        recent.append(sound[at : at + BLOCK])
    begin = max(0.0, blocks * BLOCK / RATE - 80.0)  # asked for near the end, where all of it is still kept
    low, high = round((begin + start) * RATE), min(round((begin + end) * RATE), len(sound))
    np.testing.assert_array_equal(recent.between(Media(begin + start), Media(begin + end)), sound[low:high])


@dataclass
class Remembers(Echo):
    """Keeps the samples it was given."""

    heard: list[Samples] = field(default_factory=list)

    async def transcribe(self, samples: Samples, language: Language) -> Transcript:
        self.heard.append(samples)
        return await super().transcribe(samples, language)


async def test_each_stretch_reaches_the_recogniser_from_its_own_place_up_to_the_last() -> None:
    """The last one is asked for at the very end, when the last block has been filled up with silence."""
    recogniser, events = Remembers(), list[Event]()
    quiet = np.zeros(4 * RATE, np.float32)
    sound = np.concatenate((quiet, ramp(60 * RATE), quiet, ramp(5 * RATE + 100)))
    sound = np.where(sound > 0, ramp(len(sound)), 0).astype(np.float32)
    listener = Listener(
        activity=Loudness(),
        recogniser=recogniser,
        pacing=load_rubrics().pacing,
        started=SessionStarted(at=At(0.0), round="", persona="", language="en"),
        on_event=events.append,
    )
    duration = await listen(iter(np.array_split(sound, 97)), listener)
    assert duration == len(sound) / RATE
    asked = [event for event in events if isinstance(event, Transcribe)]
    assert len(asked) == len(recogniser.heard) >= 4
    for command, samples in zip(asked, recogniser.heard, strict=True):
        low = round(command.start * RATE)
        expected = sound[low : low + len(samples)]
        np.testing.assert_array_equal(samples[: len(expected)], expected)
        assert len(samples) - len(expected) < BLOCK
    times = [event.at for event in events]
    assert all(before <= after for before, after in pairwise(times))
    assert times[-1] <= duration
