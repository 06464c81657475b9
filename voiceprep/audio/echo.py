"""What of the microphone may be taken for the candidate, while the interviewer's voice is in the room.

Three ways, from the best to the plainest: headphones, where there is no echo; cancellation, where the interviewer's own voice
is taken out of what the microphone hears; half duplex, where it is not listened to until the interviewer's voice has gone.
Whatever is chosen, the recording keeps the microphone as it was.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from voiceprep.audio.base import BLOCK, RATE, Samples, Sink
from voiceprep.audio.echo_path import EchoPath
from voiceprep.audio.reference import AUDIBLE, Reference

Mode = Literal["cancelled", "half duplex"]

TAIL = 0.3
"""Seconds after the interviewer's last sound has left the speaker that a room needs to fall silent."""

WATCHED = 1.5
"""Seconds after the last sound was written during which a sound may still be an echo of it."""

MARGIN = 6.0
"""Decibels above the expected echo that only somebody else can be."""


@dataclass(frozen=True, slots=True)
class Heard:
    """One block, shape (BLOCK,) each."""

    clean: Samples
    """For the recogniser: the microphone, without the interviewer where that can be done."""
    voice: Samples
    """For voice activity: the same, but silence where it may be nothing but the interviewer."""


class EchoControl(Protocol):
    """Stands between the microphone and whatever looks for the candidate's voice. Deterministic: it counts samples."""

    mode: Mode
    delay: float
    """Seconds by which what comes out trails what went in; constant."""

    def render(self, samples: Samples, latency: float) -> None:
        """The sink took these samples at VOICE_RATE, silence included, and says how long they take to the ear."""
        ...

    def dropped(self, count: int) -> None:
        """The last `count` samples at VOICE_RATE will not sound after all."""
        ...

    def capture(self, samples: Samples) -> Heard:
        """The next BLOCK samples of the microphone at RATE."""
        ...

    def lost(self, count: int) -> None:
        """So many samples of the microphone are missing here."""
        ...


class EchoedSink:
    """A sink whose sound comes back at the microphone: what it is given, the echo control is told."""

    def __init__(self, sink: Sink, control: EchoControl) -> None:
        self.name, self.latency = sink.name, sink.latency
        self._sink = sink
        self._control = control

    def write(self, samples: Samples) -> None:
        self._sink.write(samples)
        self.latency = self._sink.latency
        self._control.render(samples, self.latency)

    def drop(self) -> int:
        count = self._sink.drop()
        self._control.dropped(count)
        return count

    async def close(self) -> None:
        await self._sink.close()


class HalfDuplex:
    """Hears nothing while the interviewer sounds. Afterwards only what is louder than an echo of it would be.

    As long as the echo's delay and level have not been learned, that is nothing at all for the time a room needs. It counts
    from the last sound that was really written: a voice that fails half-way leaves the microphone open.
    """

    mode: Mode = "half duplex"
    delay = 0.0

    def __init__(self) -> None:
        self.path = EchoPath()
        self.since_sound = WATCHED
        self.moved = 0.0
        """Seconds by which the latest block's reference was set back."""
        self.later = 0.0
        """Seconds after its writing at which sound comes back, where that is known to be later than the sink promises."""
        self._reference = Reference()
        self._latency = 0.0
        self.reference: Samples = np.zeros(BLOCK, np.float32)
        """What the speaker was given for the latest block."""

    def render(self, samples: Samples, latency: float) -> None:
        self._latency = latency
        self._reference.expect(max(latency, self.later))
        self._reference.put(samples)
        if np.abs(samples).max(initial=0.0) > AUDIBLE:
            self.since_sound = 0.0

    @property
    def reference_age(self) -> float:
        """Seconds from the writing of a sound to its block."""
        return self._reference.age

    def dropped(self, count: int) -> None:
        self._reference.unsay(count)

    def capture(self, samples: Samples) -> Heard:
        self.reference = self._reference.take()
        self.moved = self._reference.moved
        if self.moved:
            self.path.moved(self.moved)
        self.path.feed(self.reference, samples)
        may = self._may_hear(samples)
        self.since_sound += BLOCK / RATE
        return Heard(samples, samples if may else np.zeros_like(samples))

    def lost(self, count: int) -> None:
        self._reference.take(count)
        self.since_sound += count / RATE

    def _may_hear(self, samples: Samples) -> bool:
        if self.since_sound >= WATCHED:
            return True
        if self.path.lag is None:
            return self.since_sound >= self._latency + TAIL
        if self.since_sound < self._latency:
            return False
        return decibels(samples) > self.path.expected() + MARGIN


def decibels(samples: Samples) -> float:
    """Level in dBFS, -100 at the least."""
    return 10 * float(np.log10(max(1e-10, float(np.square(samples, dtype=np.float64).mean()))))
