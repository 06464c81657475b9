"""Both voices of a session as one sound to listen to, small enough to be carried inside a page."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import av
import numpy as np
import soundfile  # type: ignore[import-untyped]  # ships no types
from av.audio import AudioStream

from voiceprep.audio.base import RATE, VOICE_RATE, Samples
from voiceprep.audio.resample import Resampler
from voiceprep.audio.samples import to_pcm16
from voiceprep.core.events import AudioProgress, Event, SpeakingFinished, SpeakingStarted
from voiceprep.core.units import Seconds
from voiceprep.errors import BadInputError
from voiceprep.store import track

MIME = "audio/webm"
BITS = 24_000
"""A second: speech as Opus is clear at that, and an hour of it is 11 MB."""
QUICK = {"application": "voip", "compression_level": "4"}
"""Half the work of the default, and no difference that is heard in speech."""
LONGEST_LEAD: Seconds = 180.0
"""More than this before the recording began is no opening question."""
CHUNK = RATE
"""Samples of the candidate's that are mixed in one go."""


@dataclass(frozen=True, slots=True)
class Sound:
    """Opus in WebM. It begins `lead` seconds before the recording does: with the opening question, where that came first."""

    data: bytes
    lead: Seconds


@dataclass(frozen=True, slots=True)
class _Line:
    """A stretch of the interviewer's track, `count` samples from `source` on, that sounds at sample `place` of the mix."""

    source: int
    count: int
    place: int


def mixed(folder: Path, events: Sequence[Event]) -> Sound | None:
    """What was heard in the session in this folder; None where nothing of it is kept. Memory: that of the result.

    Raises BadInputError (`bad-track`) for a track that cannot be read.
    """
    candidate, interviewer = track.audio(folder, "candidate"), track.audio(folder, "interviewer")
    lead = _lead(events) if interviewer is not None else 0.0
    lines = _lines(events, lead) if interviewer is not None else []
    if candidate is None and not lines:
        return None
    try:
        return Sound(_encoded(_mix(candidate, interviewer, lines, round(lead * VOICE_RATE))), lead)
    except (soundfile.SoundFileError, av.FFmpegError, OSError) as error:
        raise BadInputError(f"the audio in {folder} cannot be read: {error}", code="bad-track") from error


def _lead(events: Sequence[Event]) -> Seconds:
    """Session time at the recording's first sample, where the interviewer sounded before that; else 0."""
    first = next((event for event in events if isinstance(event, AudioProgress) and event.media > 0), None)
    spoke = any(isinstance(event, SpeakingStarted) and event.media <= 0 for event in events)
    lead = first.at - first.media if first is not None and spoke else 0.0
    return lead if 0.0 < lead <= LONGEST_LEAD else 0.0


def _lines(events: Sequence[Event], lead: Seconds) -> list[_Line]:
    """Each utterance: its samples lie on the session's clock, and are wanted on the recording's."""
    lines: list[_Line] = []
    started: SpeakingStarted | None = None
    for event in events:
        if isinstance(event, SpeakingStarted):
            started = event
        elif isinstance(event, SpeakingFinished) and started is not None and started.of == event.of:
            place = started.at if started.media <= 0 and lead else started.media + lead
            source, count = (round(seconds * VOICE_RATE) for seconds in (started.at, event.at - started.at))
            lines.append(_Line(source, count, round(place * VOICE_RATE)))
            started = None
    return lines


def _mix(candidate: Path | None, interviewer: Path | None, lines: Sequence[_Line], lead: int) -> Iterator[Samples]:
    """The sum of both at VOICE_RATE, piece by piece, to the end of the longer one."""
    end = max((line.place + line.count for line in lines), default=0)
    voice = soundfile.SoundFile(interviewer) if interviewer is not None and lines else None
    at = 0
    try:
        for piece in _pieces(candidate, lead, end):
            mix = piece.copy()
            for line in lines:
                first, last = max(at, line.place), min(at + len(mix), line.place + line.count)
                if voice is not None and first < last:
                    voice.seek(min(line.source + first - line.place, voice.frames))
                    heard = voice.read(last - first, dtype="float32")
                    mix[first - at : first - at + len(heard)] += heard
            at += len(mix)
            yield mix
    finally:
        if voice is not None:
            voice.close()


def _pieces(candidate: Path | None, lead: int, end: int) -> Iterator[Samples]:
    """The candidate's voice at VOICE_RATE after `lead` samples of silence, and silence up to `end`."""
    done = 0
    for piece in _silence(lead):
        done += len(piece)
        yield piece
    if candidate is not None:
        with soundfile.SoundFile(candidate) as sound:
            resampler = Resampler(sound.samplerate, VOICE_RATE)
            for block in sound.blocks(CHUNK, dtype="float32"):
                piece = resampler.feed(block)
                done += len(piece)
                yield piece
            piece = resampler.finish()
            done += len(piece)
            yield piece
    yield from _silence(end - done)


def _silence(samples: int) -> Iterator[Samples]:
    for start in range(0, samples, VOICE_RATE):
        yield np.zeros(min(VOICE_RATE, samples - start), np.float32)


def _encoded(pieces: Iterator[Samples]) -> bytes:
    file = io.BytesIO()
    with av.open(file, "w", format="webm") as container:
        stream = container.add_stream("libopus", rate=VOICE_RATE, layout="mono", bit_rate=BITS, options=QUICK)
        assert isinstance(stream, AudioStream)
        fifo = av.AudioFifo()
        at = 0
        for piece in pieces:
            if len(piece):
                frame = av.AudioFrame.from_ndarray(to_pcm16(piece)[np.newaxis], format="s16", layout="mono")
                frame.sample_rate, frame.pts = VOICE_RATE, at
                at += len(piece)
                fifo.write(frame)
            for ready in fifo.read_many(stream.codec_context.frame_size or 480):
                container.mux(stream.encode(ready))
        rest = fifo.read()
        if rest is not None:
            container.mux(stream.encode(rest))
        container.mux(stream.encode(None))
    return file.getvalue()
