"""Two people in one recording: whose sound is whose.

Where each has a channel of their own, the channels are taken one by one. On one channel the voices are told apart by how they
sound. The candidate is who sounds as the user did in the sound check, where they had that kept; else nobody can hear who it is,
and it is the one who speaks more. In both cases the user may say otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from voiceprep.audio.base import BLOCK, RATE, Samples
from voiceprep.audio.blocks import BlockCutter
from voiceprep.audio.files import decode
from voiceprep.core.units import Seconds, Span
from voiceprep.speech.speakers.apart import Apart, Vectors
from voiceprep.speech.vad.base import VoiceActivity

Side = Literal["left", "right"]
SIDES: tuple[Side, Side] = ("left", "right")

LOUDER = 4.0
"""Ratio of levels (12 dB) from which a sound is the neighbour's, heard through the other microphone."""
FAINT = 10 ** (-55 / 20)
"""Level under which nobody speaks, full scale being 1."""
SMOOTH = 6
"""Blocks (0.2 s) over which levels are compared: a plosive is no change of speaker."""
LEAST: Seconds = 2.0
"""Sound that is one channel's alone, from which somebody has it for themselves."""
LEAST_SHARE = 0.03
SURE, DOUBTFUL = 0.25, 0.12
"""Contrast of two voices from which they are told apart well, and under which it may be one voice."""
ALIKE, MORE = 0.65, 0.1
"""Likeness to the user's own voice from which one of two may be theirs, and by how much the other must be less like it."""


@dataclass(frozen=True, slots=True)
class Separated:
    """Who is where. `candidate` is the side, or the voice (0 or 1), that was taken for the candidate's.

    Attributes:
        how: by channels, or by the sound of the voices.
        seconds: what each side, or voice, speaks.
        sure: how well they were told apart, 0..1; channels always are.
        known: the candidate was known by their own voice.
    """

    how: Literal["channels", "voices"]
    candidate: int
    seconds: tuple[Seconds, Seconds]
    sure: float
    voices: Apart | None = None
    known: bool = False

    @property
    def note(self) -> str:
        """What was done, in plain words, and how far it can be trusted."""
        mine, theirs = (self.seconds[n] for n in (self.candidate, 1 - self.candidate))
        more = f"with {mine:.0f} s of speech against {theirs:.0f} s"
        if self.how == "channels":
            return f"two people, a channel each: the {SIDES[self.candidate]} one is taken for the candidate, {more}"
        told = f"two people on one channel, told apart by their voices ({self._certainty})"
        if self.known:
            return f"{told}; the candidate is known by the voice of your sound check, {more}"
        return f"{told}; the candidate is taken to be the one {more}"

    @property
    def _certainty(self) -> str:
        if self.sure >= SURE:
            return "they differ clearly"
        return "they are alike: expect mistakes" if self.sure >= DOUBTFUL else "this may well be one voice: do not trust it"

    def document(self) -> dict[str, object]:
        """As `analyze --json` shows it."""
        side = SIDES[self.candidate] if self.how == "channels" else None
        speech = {
            "candidate": round(self.seconds[self.candidate], 1),
            "interviewer": round(self.seconds[1 - self.candidate], 1),
        }
        return {
            "by": self.how,
            "candidate_channel": side,
            "known_voice": self.known,
            "speech": speech,
            "sure": round(self.sure, 3),
            "note": self.note,
        }


def own_channels(
    path: Path,
    activity: Callable[[], VoiceActivity],
    *,
    side: Side | None = None,
    swap: bool = False,
    heard: Callable[[Seconds], None] = lambda _: None,
) -> Separated | None:
    """Whether two people have a channel each. None for anything else: one voice on both, or on one.

    `activity` makes a detector of speech, since a fan on one side is nobody. `side`: where the candidate is; None takes the
    one who speaks more, `swap` the other one then. `heard`: how far it is; what that raises breaks it off.
    """
    alone = [0, 0]
    detectors = (_Speaking(activity()), _Speaking(activity()))
    recent = np.zeros((SMOOTH, 2))
    for number, pair in enumerate(_both(path)):
        heard(number * BLOCK / RATE)
        recent[number % SMOOTH] = [np.mean(np.square(channel)) for channel in pair]
        level = np.sqrt(recent.mean(axis=0))
        for own in (0, 1):
            speaks = detectors[own].during(pair[own])
            alone[own] += bool(speaks and level[own] > FAINT and level[own] > LOUDER * level[1 - own])
    seconds = (alone[0] * BLOCK / RATE, alone[1] * BLOCK / RATE)
    if min(seconds) < max(LEAST, LEAST_SHARE * sum(seconds)):
        return None
    most = SIDES.index(side) if side is not None else int(seconds[1] > seconds[0])
    return Separated("channels", 1 - most if swap else most, seconds, 1.0)


class _Speaking:
    """Whether somebody speaks, block by block."""

    def __init__(self, activity: VoiceActivity) -> None:
        self._activity = activity
        self._now = False

    def during(self, block: Samples) -> bool:
        if len(block) == BLOCK:
            for found in self._activity.feed(block):
                self._now = found.kind == "started" or (self._now and found.kind != "stopped")
        return self._now


def own_voices(voices: Apart, *, own: Vectors | None = None, swap: bool = False) -> Separated:
    """The candidate is the voice like `own`, shape ``(SIZE,)``, else the one that speaks more; `swap` takes the other."""
    seconds = tuple(sum(span.duration for span in spans) for spans in (voices.first, voices.second))
    alike = voices.centres @ own if voices.centres is not None and own is not None else np.zeros(2, np.float32)
    known = bool(alike.max() >= ALIKE and alike.max() - alike.min() >= MORE)
    mine = int(np.argmax(alike if known else seconds))
    return Separated(
        "voices", 1 - mine if swap else mine, (seconds[0], seconds[1]), voices.contrast, voices, known and not swap
    )


def sound_of(path: Path, separated: Separated, speaker: Literal["candidate", "interviewer"]) -> Iterator[Samples]:
    """One speaker's sound at RATE, as long as the file; where the other speaks it is silence."""
    mine = separated.candidate if speaker == "candidate" else 1 - separated.candidate
    if separated.voices is None:
        return _channel(path, mine)
    return _silenced(path, (separated.voices.first, separated.voices.second)[1 - mine])


def _both(path: Path) -> Iterator[tuple[Samples, Samples]]:
    """Blocks of the first two channels; the last may be shorter than the others."""
    cutters = (BlockCutter(), BlockCutter())
    samples = 0
    for pair in zip(decode(path, channel=0), decode(path, channel=1), strict=True):
        samples += len(pair[0])
        found = [cutter.feed(piece) for cutter, piece in zip(cutters, pair, strict=True)]
        yield from ((left.samples, right.samples) for left, right in zip(*found, strict=True))
    rest = [cutter.flush() for cutter in cutters]
    yield from ((left.samples[: samples % BLOCK], right.samples[: samples % BLOCK]) for left, right in zip(*rest, strict=True))


def _channel(path: Path, mine: int) -> Iterator[Samples]:
    """A channel, silent where it only holds what came over from the other one."""
    waiting: list[Samples] = []
    recent = np.zeros((2 * SMOOTH, 2))
    for number, pair in enumerate(_both(path)):
        recent[number % len(recent)] = [np.mean(np.square(side)) for side in pair]
        waiting.append(pair[mine])
        if len(waiting) > SMOOTH:  # judged by what comes after it, too
            yield _judged(waiting.pop(0), recent, mine)
    for block in waiting:
        yield _judged(block, recent, mine)


def _judged(block: Samples, recent: np.ndarray[tuple[int, int], np.dtype[np.float64]], mine: int) -> Samples:
    level = np.sqrt(recent.mean(axis=0))
    foreign = level[1 - mine] > FAINT and level[1 - mine] > LOUDER * level[mine]
    return np.zeros_like(block) if foreign else block


def _silenced(path: Path, others: Sequence[Span]) -> Iterator[Samples]:
    """The file's sound with these spans, in order, silent."""
    at = 0
    spans = [(round(span.start * RATE), round(span.end * RATE)) for span in others]
    first = 0
    for piece in decode(path):
        end = at + len(piece)
        quiet = piece.copy()
        while first < len(spans) and spans[first][1] <= at:
            first += 1
        for start, stop in spans[first:]:
            if start >= end:
                break
            quiet[max(0, start - at) : max(0, stop - at)] = 0.0
        at = end
        yield quiet
