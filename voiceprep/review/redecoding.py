"""Decodes a session's recording again, with another recogniser."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from difflib import SequenceMatcher
from pathlib import Path

import numpy as np
import soundfile  # type: ignore[import-untyped]  # ships no types

from voiceprep.audio.base import RATE, Samples
from voiceprep.audio.resample import Resampler
from voiceprep.core.events import Event, Language, Word
from voiceprep.core.listening.echo import tokens
from voiceprep.core.redecoded import Decoded, Passage, passages
from voiceprep.core.timeline import fold
from voiceprep.core.units import Media, Seconds
from voiceprep.errors import BadInputError
from voiceprep.speech.stt.base import Recogniser
from voiceprep.store import track
from voiceprep.store.transcripts import Transcript

PAD: Seconds = 0.2
"""Sound around speech that nobody had decoded, so that its first and last sounds are there."""


@dataclass(frozen=True, slots=True)
class Change:
    """How much two transcripts differ: words of each, and the share that is not in both, in order."""

    before: int
    after: int
    share: float


async def decode_again(
    folder: Path,
    events: Sequence[Event],
    recogniser: Recogniser,
    language: Language,
    progress: Callable[[float, str], None] | None = None,
) -> Transcript:
    """A new transcript of the session in this folder; nothing is written. Memory: that of one passage.

    Raises BadInputError (`no-recording`), or VoiceprepError where the recogniser gives up: half a transcript is none.
    """
    audio = track.audio(folder, "candidate")
    if audio is None:
        raise BadInputError(f"session {folder.name} has no recording to decode", code="no-recording")
    wanted = passages(events)
    decoded: list[Decoded] = []
    with soundfile.SoundFile(audio) as sound:
        for number, passage in enumerate(wanted):
            if progress is not None:
                progress(number / len(wanted), "decoding again")
            decoded.append(await _decode(passage, sound, recogniser, language))
    info = recogniser.info
    made = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return Transcript(model=f"{info.model} {info.device} {info.compute_type}", made=made, decoded=tuple(decoded))


async def _decode(passage: Passage, sound: soundfile.SoundFile, recogniser: Recogniser, language: Language) -> Decoded:
    pad = 0.0 if passage.of else PAD
    start = max(0.0, passage.start - pad)
    samples = _between(sound, start, passage.end + pad)
    if not len(samples):
        return Decoded(passage, ())
    heard = await recogniser.transcribe(samples, language)
    words = tuple(Word(w.text, Media(w.start + start), Media(w.end + start), w.confidence) for w in heard.words)
    return Decoded(passage, words, heard.trusted, heard.reasons)


def _between(sound: soundfile.SoundFile, start: Seconds, end: Seconds) -> Samples:
    rate: int = sound.samplerate
    first = min(round(start * rate), sound.frames)
    sound.seek(first)
    read: Samples = sound.read(max(0, round(end * rate) - first), dtype="float32")
    if rate == RATE:
        return read
    resampler = Resampler(rate, RATE)
    return np.concatenate((resampler.feed(read), resampler.finish()))


def change(before: Sequence[Event], after: Sequence[Event]) -> Change:
    """How two views of one session differ in their words, case and punctuation left aside."""
    first, second = ([token for word in fold(events).words for token in tokens(word.text)] for events in (before, after))
    same = sum(block.size for block in SequenceMatcher(None, first, second, autojunk=False).get_matching_blocks())
    longer = max(len(first), len(second))
    return Change(len(first), len(second), 1.0 - same / longer if longer else 0.0)
