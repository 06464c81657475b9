"""A whole recording, be there one person in it or two: the candidate's analysis, and what the interviewer said."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from voiceprep.audio.base import RATE, Samples
from voiceprep.audio.files import decode, probe
from voiceprep.core.events import Event, Language
from voiceprep.core.pack import Content, PacingRule
from voiceprep.core.units import Seconds
from voiceprep.errors import BadInputError
from voiceprep.review.analysis import Analysis, analyze
from voiceprep.review.exchange import lines_of
from voiceprep.review.separation import Separated, Side, own_channels, own_voices, sound_of
from voiceprep.speech.speakers.apart import Vectors, tell_apart
from voiceprep.speech.speakers.encoder import SpeakerEncoder
from voiceprep.speech.stt.base import Recogniser
from voiceprep.speech.vad.base import VoiceActivity

Progress = Callable[[float, str], None]
Speakers = Literal["auto", "1", "2"]
Voice = tuple[Path, Iterator[Samples], Callable[[Samples], None] | None]
"""The file that somebody is heard in, their sound in it at RATE, and who gets that as it is listened to."""

TELLING, THEIRS = 0.05, 0.35
"""Shares of the work that are done when the speakers are told apart, and when the interviewer has been listened to."""


@dataclass(frozen=True, slots=True)
class Who:
    """How many people there are and which of them is the candidate, as far as the user said.

    `speakers`: auto finds two where each has a channel of their own. `side`: the candidate's channel. `swap`: the other one of
    the two that was taken for the candidate.
    """

    speakers: Speakers = "auto"
    side: Side | None = None
    swap: bool = False


@dataclass(frozen=True, slots=True)
class Recording:
    """What was found. `interviewer` and `separated` are None where there is one person."""

    analysis: Analysis
    interviewer: Analysis | None = None
    separated: Separated | None = None


async def separate(
    path: Path,
    who: Who,
    encoder: Callable[[], SpeakerEncoder],
    own: Vectors | None = None,
    progress: Progress = lambda _share, _what: None,
) -> Separated | None:
    """Whose sound is whose in this file; None for one person. `own` is the candidate's voice, where it is known.

    All of it may last minutes: `progress` is called all along, and what it raises breaks it off.

    Raises BadInputError: `not-two-channels` where a side was named of a file that has none, `one-voice` where two people were
    said to be on one channel, or to be swapped, and only one is heard; and what `encoder` raises.
    """
    if who.speakers == "1":
        return None
    found = None
    audio = probe(path)

    def heard(media: Seconds, begin: float = 0.0) -> None:
        share = min(1.0, media / max(audio.duration, 1e-9))
        progress(begin + (TELLING / 2) * share, "looking for speakers")

    def told() -> Iterator[Samples]:
        done = 0
        for piece in decode(path):
            heard(done / RATE, TELLING / 2)
            done += len(piece)
            yield piece

    if audio.channels > 1:
        found = await asyncio.to_thread(own_channels, path, _activity, side=who.side, swap=who.swap, heard=heard)
    if found is None and who.side is not None:
        raise BadInputError(
            f"{path} does not have a person on each channel", code="not-two-channels", hint="Try --speakers 2 instead"
        )
    if found is None and who.speakers == "2":
        voices = await asyncio.to_thread(lambda: tell_apart(told(), _activity(), encoder()))
        if not voices.first or not voices.second:
            raise BadInputError(f"only one voice is heard in {path}", code="one-voice", hint="Leave --speakers away")
        found = own_voices(voices, own=own, swap=who.swap)
    if found is None and who.swap:
        raise BadInputError(
            f"only one voice is heard in {path}, so there is no other one to be",
            code="one-voice",
            hint="Leave --swap away; two people on one channel are told apart with --speakers 2",
        )
    return found


def _activity() -> VoiceActivity:
    from voiceprep.speech.vad.silero import SileroActivity

    return SileroActivity()


async def analyze_recording(
    path: Path,
    *,
    recogniser: Recogniser | None,
    language: Language,
    separated: Separated | None,
    content: Content | None = None,
    pacing: Mapping[str, PacingRule] | None = None,
    question: str = "",
    progress: Progress | None = None,
    on_event: Callable[[Event], None] | None = None,
    on_samples: Callable[[Samples], None] | None = None,
    on_interviewer: Callable[[Samples], None] | None = None,
) -> Recording:
    """Analyze a file of one or two people: see `analysis.analyze`. `on_interviewer` gets the interviewer's sound, at 16 kHz."""
    tell = progress or (lambda _share, _what: None)
    common: dict[str, Any] = {"recogniser": recogniser, "language": language}
    if separated is None:
        alone = common | {"content": content, "pacing": pacing, "question": question}
        return Recording(await analyze(path, progress=progress, on_event=on_event, on_samples=on_samples, **alone))
    return await _exchange(
        (path, sound_of(path, separated, "candidate"), on_samples),
        (path, sound_of(path, separated, "interviewer"), on_interviewer),
        separated,
        tell,
        common,
        {"content": content, "pacing": pacing, "question": question, "on_event": on_event},
    )


async def analyze_tracks(
    *,
    mine: Path,
    theirs: Path,
    recogniser: Recogniser | None,
    language: Language,
    content: Content | None = None,
    pacing: Mapping[str, PacingRule] | None = None,
    question: str = "",
    progress: Progress | None = None,
    on_event: Callable[[Event], None] | None = None,
    on_samples: Callable[[Samples], None] | None = None,
    on_interviewer: Callable[[Samples], None] | None = None,
) -> Recording:
    """Analyze two people who have a file each, of one clock: `mine` is the candidate's."""
    return await _exchange(
        (mine, decode(mine), on_samples),
        (theirs, decode(theirs), on_interviewer),
        None,
        progress or (lambda _share, _what: None),
        {"recogniser": recogniser, "language": language},
        {"content": content, "pacing": pacing, "question": question, "on_event": on_event},
    )


async def _exchange(
    candidate: Voice,
    interviewer: Voice,
    separated: Separated | None,
    tell: Progress,
    common: dict[str, Any],
    more: dict[str, Any],
) -> Recording:
    """The interviewer first, whose lines are known when the candidate is listened to."""
    path, sound, take = interviewer
    theirs = await analyze(
        path,
        progress=lambda share, _: tell(TELLING + (THEIRS - TELLING) * share, "listening to the interviewer"),
        on_samples=take,
        sound=sound,
        **common,
    )
    path, sound, take = candidate
    mine = await analyze(
        path,
        progress=lambda share, _: tell(THEIRS + (1.0 - THEIRS) * share, "listening to the candidate"),
        on_samples=take,
        sound=sound,
        lines=lines_of(theirs.speech, theirs.words),
        **common,
        **more,
    )
    return Recording(mine, theirs, separated)
