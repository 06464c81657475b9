"""A minute at one's own pace, in the sound check: what a speaker is compared with until there are sessions to compare with."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from voiceprep.audio.base import RATE, Samples
from voiceprep.content import load_rubrics
from voiceprep.core.events import Event, Language, SessionStarted
from voiceprep.core.listening.baseline import ENOUGH, Sample, measure
from voiceprep.core.listening.trust import LEAST_CONFIDENCE, mean_confidence
from voiceprep.core.timeline import fold
from voiceprep.core.units import At, Seconds
from voiceprep.review.listening import Listener, listen
from voiceprep.speech.stt.base import Recogniser
from voiceprep.speech.vad.base import VoiceActivity

MINUTE: Seconds = 60.0
"""How long the candidate is listened to."""

Reason = Literal["", "too-little", "not-trusted"]


@dataclass(frozen=True, slots=True)
class OwnPace:
    """What the minute showed. `sample` is None where it cannot be used, and `reason` says why.

    `seconds` of speaking were heard, pauses of 2 s and more left out.
    """

    sample: Sample | None
    reason: Reason
    seconds: Seconds


async def own_pace(
    sound: Samples, language: Language, recogniser: Recogniser, activity: VoiceActivity | None = None
) -> OwnPace:
    """Measure `sound`, shape (n,) at `RATE`, with a started recogniser. Raises what loading the voice detector raises."""
    if activity is None:
        activity = await asyncio.to_thread(_detector)
    pacing = (await asyncio.to_thread(load_rubrics)).pacing
    events: list[Event] = []
    started = SessionStarted(at=At(0.0), round="", persona="", language=language)
    await listen(_pieces(sound), Listener(activity, recogniser, pacing, started, events.append))
    timeline = fold(events)
    words = [word for turn in timeline.turns if turn.trusted for word in turn.words]
    sample = measure(words, timeline.speech, language)
    seconds = sample.seconds if sample is not None else 0.0
    if any(not turn.trusted for turn in timeline.turns) or (words and mean_confidence(words) < LEAST_CONFIDENCE):
        return OwnPace(None, "not-trusted", seconds)
    if sample is None or seconds < ENOUGH:
        return OwnPace(None, "too-little", seconds)
    return OwnPace(sample, "", seconds)


def _detector() -> VoiceActivity:
    """A new one. Its library alone takes a second or two to import."""
    from voiceprep.speech.vad.silero import SileroActivity

    return SileroActivity()


def _pieces(sound: Samples) -> Iterator[Samples]:
    """A second at a time, as from a file."""
    yield from (sound[at : at + RATE] for at in range(0, len(sound), RATE))
