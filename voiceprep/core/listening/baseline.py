"""How this speaker usually speaks: a speaker is first of all compared with themselves.

Measured on what is on record of earlier sessions, and on a minute at one's own pace in the sound check. Pure: the shell keeps
the result (store/baseline.py), and may make it anew from the sessions at any time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from voiceprep.core.events import Language, Word
from voiceprep.core.listening.fillers import find_written
from voiceprep.core.listening.pauses import SHORTEST_PAUSE, merged, time_without_pauses
from voiceprep.core.listening.rates import LONG_PAUSE, measure_rates
from voiceprep.core.units import Seconds, Span

ENOUGH: Seconds = 40.0
"""Speaking from which somebody's own pace is known: what is left of the sound check's minute without its long pauses."""
MOST: Seconds = 3600.0
"""The latest hour of speaking counts: people get better."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What one session, or one minute of the sound check, showed of a speaker.

    Attributes:
        language: of the session. Rates of different languages count different things and are never mixed.
        seconds: of speaking, pauses of 2 s and more left out.
        rate: narration rate: words, characters or syllables a minute by language (see core/listening/rates).
        pause: the median pause inside speech, in seconds; 0 without any.
        fillers: filled pauses a minute that were written down.
    """

    language: Language
    seconds: Seconds
    rate: float
    pause: Seconds
    fillers: float


@dataclass(frozen=True, slots=True)
class Baseline:
    """A speaker's own figures in one language; as `Sample`, over `seconds` of speaking."""

    language: Language
    seconds: Seconds
    rate: float
    pause: Seconds
    fillers: float


def measure(words: Sequence[Word], speech: Sequence[Span], language: Language) -> Sample | None:
    """What trusted words, said in the voiced regions `speech`, show; None where it is too little to tell."""
    regions = merged(speech)
    seconds = time_without_pauses(regions, LONG_PAUSE)
    rate = measure_rates(words, regions, seconds, language).narration
    if rate is None:
        return None
    gaps = [after.start - before.end for before, after in pairwise(regions)]
    pauses = [gap for gap in gaps if SHORTEST_PAUSE <= gap < LONG_PAUSE]
    return Sample(
        language,
        seconds,
        rate,
        median(pauses) if pauses else 0.0,
        len(find_written(words)) * 60.0 / seconds if seconds else 0.0,
    )


def combine(samples: Iterable[Sample], language: Language) -> Baseline | None:
    """The baseline from samples, the latest first: weighted by speaking time; None while less than `ENOUGH` is known."""
    taken: list[tuple[Sample, Seconds]] = []
    total = 0.0
    for sample in samples:
        if sample.language != language or total >= MOST:
            continue
        weight = min(sample.seconds, MOST - total)
        taken.append((sample, weight))
        total += weight
    if total < ENOUGH:
        return None

    def mean(values: Iterable[float]) -> float:
        return sum(value * weight for value, (_, weight) in zip(values, taken, strict=True)) / total

    return Baseline(
        language,
        total,
        mean(sample.rate for sample, _ in taken),
        mean(sample.pause for sample, _ in taken),
        mean(sample.fillers for sample, _ in taken),
    )
