"""What an interviewer's face tells while somebody answers, and what it really means.

Nods and "interesting" mean that the candidate is off track and had better notice; silence and note-taking that all is well.
Most people read them the other way round. What was meant goes into the log, so that it can be asked afterwards.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from voiceprep.core.events import Meant, Sign
from voiceprep.core.interviewer.topic import faults_of
from voiceprep.core.pack import Point, Question, RoundPack
from voiceprep.core.units import Seconds

APART: Seconds = 20.0
"""At most one signal in this time: a face that moves all the time tells nothing."""
ON_TRACK = 2
"""So many of the things that were wanted, and no fault, are on track."""
LOST: Seconds = 2.0
"""So soon after sound was lost nobody is known to be there, and a face that nobody sees tells nothing."""


@dataclass(frozen=True, slots=True)
class MicroSignal:
    """One signal, what it stands for, and why it was given."""

    signal: Sign
    meant: Meant
    reason: str


class MicroSignals:
    """The signals that a round's persona gives while the candidate has the floor; never any where it gives none."""

    def __init__(self, pack: RoundPack) -> None:
        self._signals = frozenset(pack.persona.signals)
        self._faults = faults_of(pack)
        self._last: Seconds | None = None
        self._lost: Seconds | None = None

    def lost(self, at: Seconds) -> None:
        """Just now sound of the candidate's was lost."""
        self._lost = at

    def speaking(self, heard: Collection[str], question: Question | None, at: Seconds) -> MicroSignal | None:
        """What is shown to an answer that has this in it so far: a nod, or a pen that moves."""
        return self._given(heard, question, at, off="nod", on="notes")

    def pausing(self, heard: Collection[str], question: Question | None, at: Seconds) -> MicroSignal | None:
        """What a pause is answered with: a silence that is left standing."""
        return self._given(heard, question, at, off=None, on="silence")

    def _given(
        self, heard: Collection[str], question: Question | None, at: Seconds, *, off: Sign | None, on: Sign
    ) -> MicroSignal | None:
        if not self._signals or question is None or (self._last is not None and at - self._last < APART):
            return None
        if self._lost is not None and at - self._lost < LOST:
            return None
        read = self._read(heard, question)
        if read is None:
            return None
        meant, reason = read
        signal = on if meant == "on-track" else off
        if signal is None or signal not in self._signals:
            return None
        self._last = at
        return MicroSignal(signal, meant, reason)

    def _read(self, heard: Collection[str], question: Question) -> tuple[Meant, str] | None:
        if faults := sorted(self._faults.intersection(heard)):
            return "off-track", f"heard {', '.join(faults)}"
        wanted = {point.target for point in _rungs(question.points) if point.when == "missing"}
        found = sorted(wanted.intersection(heard))
        return ("on-track", f"heard {', '.join(found)}") if len(found) >= ON_TRACK else None


def _rungs(points: tuple[Point, ...]) -> Iterator[Point]:
    for point in points:
        yield point
        yield from _rungs(point.chain)
