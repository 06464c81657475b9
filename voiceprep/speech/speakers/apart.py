"""Tells two voices of one recording apart: who speaks in which stretch, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from voiceprep.audio.base import BLOCK, RATE, Samples
from voiceprep.audio.blocks import BlockCutter
from voiceprep.core.units import Media, Seconds, Span
from voiceprep.speech.speakers.encoder import SIZE, WINDOW, SpeakerEncoder, stretch
from voiceprep.speech.vad.base import VoiceActivity

STEP = int(0.4 * RATE)
"""Samples between two stretches that become vectors: how finely a change of speaker is placed."""
LONGEST = 20 * RATE
"""Samples of unbroken speech that are held at a time."""
ROUNDS = 30
EVIDENCE = 25.0
"""Weight of a vector's likeness against the price of a change of speaker."""
CHANGE_INSIDE, CHANGE_BETWEEN = 4.0, 1.0
"""That price within unbroken speech, and at a pause, where most changes are."""

ENOUGH: Seconds = 4.0
"""Speech from which it is known how somebody sounds."""
TWO, SECOND = 0.18, 2.0
"""Contrast, and seconds of the one who speaks less, from which a short sample holds two voices: one voice split in two has
0.05 to 0.11, two people 0.19 to 0.51 (15 s each)."""

Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Stretch:
    """A piece of speech that one vector stands for."""

    start: Seconds
    end: Seconds
    opens: bool
    """It is the first after a pause."""


@dataclass(frozen=True, slots=True)
class Apart:
    """Two voices: `first` and `second` are their stretches in order of time.

    `contrast` is how much more a stretch is like its own voice than like the other, 0..1: under 0.1 it may be one voice.
    `centres` are the middles of both, shape ``(2, SIZE)``; None where there is one voice.
    """

    first: tuple[Span, ...]
    second: tuple[Span, ...]
    contrast: float
    centres: Vectors | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Voice:
    """How a sample sounds: `middle`, shape ``(SIZE,)``, of length 1; the seconds of speech in it; its voices told apart."""

    middle: Vectors
    seconds: Seconds
    apart: Apart

    @property
    def several(self) -> bool:
        """Whether more than one person speaks in it, so that its middle is nobody's voice."""
        least = min(sum(span.duration for span in spans) for spans in (self.apart.first, self.apart.second))
        return self.apart.contrast >= TWO and least >= SECOND


def tell_apart(sound: Iterable[Samples], activity: VoiceActivity, encoder: SpeakerEncoder) -> Apart:
    """Go through `sound` (pieces of any length at RATE) once, in bounded memory, and tell its two voices apart."""
    return _apart(*_heard(sound, activity, encoder))


def voice_of(sound: Iterable[Samples], activity: VoiceActivity, encoder: SpeakerEncoder) -> Voice:
    """The voice in `sound` (pieces at RATE), which should be one."""
    stretches, vectors = _heard(sound, activity, encoder)
    middle = vectors.mean(axis=0) if len(vectors) else np.zeros(SIZE, np.float32)
    middle = np.asarray(middle / max(float(np.linalg.norm(middle)), 1e-9), np.float32)
    return Voice(middle, sum(each.end - each.start for each in stretches), _apart(stretches, vectors))


def _heard(sound: Iterable[Samples], activity: VoiceActivity, encoder: SpeakerEncoder) -> tuple[list[Stretch], Vectors]:
    """All stretches of speech, and a vector for each, shape ``(n, SIZE)``."""
    stretches: list[Stretch] = []
    parts: list[Vectors] = [np.zeros((0, SIZE), np.float32)]
    for found, vectors in _encoded(_regions(sound, activity), encoder):
        stretches += found
        parts.append(vectors)
    return stretches, np.concatenate(parts)


def _apart(stretches: Sequence[Stretch], vectors: Vectors) -> Apart:
    if len(stretches) < 2:  # noqa: PLR2004  (one stretch is one voice)
        return Apart(tuple(Span(Media(s.start), Media(s.end)) for s in stretches), (), 0.0)
    centres = two_centres(vectors)
    likeness = vectors @ centres.T
    labels = followed(likeness, [each.opens for each in stretches])
    own = np.take_along_axis(likeness, labels[:, None], axis=1)[:, 0]
    other = np.take_along_axis(likeness, 1 - labels[:, None], axis=1)[:, 0]
    first, second = (tuple(_joined(stretches, labels == label)) for label in (0, 1))
    return Apart(first, second, float(np.mean(own - other)), centres)


def _regions(sound: Iterable[Samples], activity: VoiceActivity) -> Iterator[tuple[Seconds, Samples, bool]]:
    """Unbroken speech with its place; what is longer than LONGEST comes in pieces, of which only the first opens."""
    cutter = BlockCutter()
    kept: list[Samples] = []
    done = held = 0
    began: Seconds | None = None
    opens = True

    def cut(end: Seconds) -> Iterator[tuple[Seconds, Samples, bool]]:
        nonlocal began, opens
        assert began is not None
        whole = np.concatenate(kept)
        base = done - len(whole)
        piece = whole[max(0, round(began * RATE) - base) : max(0, round(end * RATE) - base)]
        if len(piece):
            yield began, piece, opens
        began, opens = end, False

    for samples in sound:
        for block in cutter.feed(samples):
            kept.append(block.samples)
            done += BLOCK
            held += BLOCK
            for found in activity.feed(block.samples):
                if found.kind == "started":
                    began, opens = found.media, True
                elif found.kind == "stopped" and began is not None:
                    yield from cut(found.media)
                    began = None
            if began is None or held >= LONGEST:
                if began is not None and held >= LONGEST:
                    yield from cut(done / RATE)
                # An onset is told a little after it was: so much stays.
                while held - len(kept[0]) >= RATE:
                    held -= len(kept.pop(0))
    if began is not None and kept:
        yield from cut(done / RATE)


def _encoded(
    regions: Iterable[tuple[Seconds, Samples, bool]], encoder: SpeakerEncoder
) -> Iterator[tuple[list[Stretch], Vectors]]:
    for start, samples, opens in regions:
        places = range(0, max(1, len(samples) - WINDOW // 2), STEP)
        windows = np.stack([stretch(samples[max(0, min(at, len(samples) - WINDOW)) :][:WINDOW]) for at in places])
        last = len(places) - 1
        found = [
            Stretch(
                start if n == 0 else start + (at + WINDOW / 2 - STEP / 2) / RATE,
                start + (len(samples) if n == last else at + WINDOW / 2 + STEP / 2) / RATE,
                opens and n == 0,
            )
            for n, at in enumerate(places)
        ]
        yield found, encoder.vectors(windows)


def two_centres(vectors: Vectors) -> Vectors:
    """The middles of two groups, shape ``(2, SIZE)``, each of length 1: k-means on the sphere.

    It begins along the direction in which the vectors differ most, so that the same sound always gives the same groups.
    """
    middle = vectors - vectors.mean(axis=0)
    direction = np.linalg.eigh(middle.T @ middle)[1][:, -1]
    labels = middle @ direction > 0
    centres = np.zeros((2, SIZE), np.float32)
    for _ in range(ROUNDS):
        for label in (0, 1):
            group = vectors[labels == label]
            centre = group.mean(axis=0) if len(group) else vectors[label - 1]
            centres[label] = centre / max(float(np.linalg.norm(centre)), 1e-9)
        likeness = vectors @ centres.T
        now = likeness[:, 1] > likeness[:, 0]
        if np.array_equal(now, labels):
            break
        labels = now
    return centres


def followed(likeness: npt.NDArray[np.float32], opens: Sequence[bool]) -> npt.NDArray[np.intp]:
    """The likeliest course of speakers (Viterbi), given the likeness of each stretch to both, shape ``(n, 2)``."""
    evidence = EVIDENCE * likeness.astype(np.float64)
    best = np.zeros_like(evidence)
    came = np.zeros(evidence.shape, np.intp)
    best[0] = evidence[0]
    for n in range(1, len(evidence)):
        price = CHANGE_BETWEEN if opens[n] else CHANGE_INSIDE
        for label in (0, 1):
            stay, change = best[n - 1, label], best[n - 1, 1 - label] - price
            came[n, label] = label if stay >= change else 1 - label
            best[n, label] = max(stay, change) + evidence[n, label]
    course = np.zeros(len(evidence), np.intp)
    course[-1] = int(np.argmax(best[-1]))
    for n in range(len(evidence) - 1, 0, -1):
        course[n - 1] = came[n, course[n]]
    return course


def _joined(stretches: Sequence[Stretch], ours: npt.NDArray[np.bool_]) -> Iterator[Span]:
    """Stretches of one voice that follow on each other, as spans; two voices never share a moment."""
    begun: Stretch | None = None
    until = 0.0
    for each, mine in zip(stretches, ours, strict=True):
        if begun is not None and (not mine or each.opens):
            yield Span(Media(begun.start), Media(max(begun.start, min(until, each.start))))
            begun = None
        if mine:
            begun, until = begun or each, each.end
    if begun is not None:
        yield Span(Media(begun.start), Media(until))
