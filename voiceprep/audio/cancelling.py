"""Takes the interviewer's voice out of what the microphone hears, and judges how far that can be relied on."""

from __future__ import annotations

import numpy as np

from voiceprep.audio.base import BLOCK, RATE, Samples
from voiceprep.audio.echo import WATCHED, HalfDuplex, Heard, Mode, decibels
from voiceprep.audio.webrtc import FRAME, INSIDE, EchoRemover

AHEAD = 128
"""Samples that wait so that a block can be given for each block: 512 and frames of 160 meet only every 32."""

MOST_LAG = 0.35
"""Seconds from reference to echo within which the canceller works well; it loses its way at half a second."""

MOVED = 0.1
"""Seconds by which the reference may be set right without the canceller having to learn anew."""

JUMP = 0.02
"""... and by which the sink's promise may change."""

FAR = -50.0
"""dBFS of the reference from which the interviewer counts as speaking."""

QUIETEST, ROOM_RISE = -75.0, 0.03
"""dBFS that no room is quieter than, and the decibels a block by which the room's own noise is thought louder again."""

SOUND = 9.0
"""Decibels over the room's noise from which a block holds a sound."""

FAST, SLOW = 0.1, 0.01
"""How much one block says about the usual: much where the canceller does better, little where it may be the candidate."""

GOOD, WEAK, BEST = 14.0, 8.0, 30.0
"""Decibels of echo removed from which the canceller is relied on, below which it is not any more, and the most that is expected
of it: the last of a room's echo is removed less well."""

DOUBT = 10.0
"""Decibels less than usual that are removed from two blocks in a row in which somebody else speaks as well; from one block
alone, twice as many."""

HOLD = 8
"""Blocks, a quarter of a second, for which a voice once found goes on: words have soft ends."""

PROOF, LONG_ENOUGH, STRAYS = 30, 60, 0.1
"""Blocks of echo in a row that must have been removed before the canceller is relied on; blocks of speech that must have left
the microphone quiet, but for that share, to conclude that there is no echo."""

IDLE = 3.0
"""Seconds after the interviewer's last sound from which the microphone is passed on as it is."""


class Cancelling:
    """Takes the interviewer's voice out of the microphone, so that the candidate can be heard over it.

    Until the canceller has shown on real speech that it removes the echo, or that there is none, and whenever it does not any
    more, this is half duplex. What is left of an echo is told from a voice by how much was removed: of an echo nearly all.
    """

    mode: Mode = "cancelled"
    delay = (AHEAD + INSIDE) / RATE

    def __init__(self, remover: EchoRemover) -> None:
        self._remover = remover
        self.half = HalfDuplex()
        """Decides while the canceller is not relied on, and keeps the reference."""
        self._judge = Judge()
        self._pending = np.zeros((2, 0), np.float32)
        self._ready: Samples = np.zeros(AHEAD, np.float32)
        self._raw: Samples = np.zeros(AHEAD + INSIDE, np.float32)
        self._latency = 0.0
        self._idle = 0
        self._rested = True

    @property
    def converged(self) -> bool:
        """Whether the candidate is heard over the interviewer."""
        return self._judge.sure

    @property
    def removed(self) -> float:
        """Decibels of echo that are taken out, as measured of late; 0 while nothing is known."""
        return self._judge.usual

    def render(self, samples: Samples, latency: float) -> None:
        if abs(latency - self._latency) > JUMP:  # the sink's buffer ran empty: the echo is later from now on
            self._latency = latency
            self._judge.forget()
        self.half.render(samples, latency)

    def dropped(self, count: int) -> None:
        self.half.dropped(count)

    def lost(self, count: int) -> None:
        self.half.lost(count)
        self._judge.forget()

    def capture(self, samples: Samples) -> Heard:
        half = self.half.capture(samples)
        reachable = self._align()
        clean, raw = self._remove(samples)
        if self.half.since_sound >= WATCHED:
            return Heard(clean, clean)
        if self._judge.without_echo:
            if self.half.path.lag is None:
                return Heard(raw, raw)  # with nothing to remove, the canceller would take the candidate for it
            self._judge.forget()
        other = self._judge.other_voice(self.half.path.recent(), decibels(raw), decibels(clean))
        may = other if reachable and self._judge.sure else bool(half.voice.any())
        return Heard(clean, clean if may else np.zeros_like(clean))

    def _align(self) -> bool:
        """Whether the echo is within the canceller's reach; if not, the reference is brought nearer in the next silence."""
        if abs(self.half.moved) > MOVED:
            self._judge.forget()
        lag = self.half.path.lag
        if lag is None or lag <= MOST_LAG:
            return True
        self.half.later = self.half.reference_age + lag
        return False

    def _remove(self, samples: Samples) -> tuple[Samples, Samples]:
        """BLOCK samples without echo, and the microphone's of the same moment."""
        self._pending = np.concatenate((self._pending, np.stack((self.half.reference, samples))), axis=1)
        self._raw = np.concatenate((self._raw, samples))
        out = [self._ready]
        at = len(self._ready)
        while self._pending.shape[1] >= FRAME:
            reference, heard = self._pending[:, :FRAME]
            out.append(self._frame(reference, heard, self._raw[at : at + FRAME]))
            self._pending = self._pending[:, FRAME:]
            at += FRAME
        done = np.concatenate(out)
        raw, self._raw = self._raw[:BLOCK], self._raw[BLOCK:]
        self._ready = done[BLOCK:]
        return done[:BLOCK], raw

    def _frame(self, reference: Samples, heard: Samples, raw: Samples) -> Samples:
        """`raw` is the microphone's frame of the moment that the canceller's output is of."""
        self._idle = 0 if reference.any() else self._idle + FRAME
        if self._idle > IDLE * RATE:
            self._rested = True
            return raw
        clean = self._remover.process(reference, heard)
        stale, self._rested = self._rested, False  # what comes out first went in before the rest
        return raw if stale else clean


class Judge:
    """Is it the candidate, or what is left of the interviewer?"""

    def __init__(self) -> None:
        self.usual = 0.0
        """Decibels that are removed from a block that is all echo."""
        self.without_echo = False
        """The interviewer spoke, and the microphone stayed quiet: headphones, most likely."""
        self._room = -60.0
        self.forget()

    @property
    def sure(self) -> bool:
        """Whether `other_voice` can be believed."""
        return self.without_echo or self._calm >= PROOF

    def forget(self) -> None:
        """The canceller begins to learn anew."""
        self.without_echo, self._doubted = False, False
        self._played, self._echoes, self._calm, self._hold = 0, 0, 0, 0

    def other_voice(self, played: float, raw: float, clean: float) -> bool:
        """Of one block while the interviewer may be in the room, by its levels in dBFS.

        `played` is what sounded of late, `raw` the microphone, `clean` what the canceller left of it.
        """
        self._room = min(self._room + ROOM_RISE, max(raw, QUIETEST))
        self._hold -= 1
        if played < FAR:
            return True
        self._played += 1
        removed, most = raw - clean, raw - self._room
        if most < SOUND:  # neither an echo nor a voice
            self.without_echo |= self._played >= LONG_ENOUGH and self._echoes < self._played * STRAYS
            return True
        self._echoes += 1
        self.usual += (FAST if removed > self.usual else SLOW) * (removed - self.usual)
        lacking = min(max(self.usual, GOOD), BEST, most) - removed
        if lacking > 2 * DOUBT or (lacking > DOUBT and (self._doubted or self._hold > 0)):
            self._hold = HOLD
        self._doubted = lacking > DOUBT
        self._follow()
        return self._hold > 0

    def _follow(self) -> None:
        """Believed once a second of echo left no trace; not any more when echoes begin to pass."""
        if self._calm >= PROOF:
            if self.usual < WEAK:
                self.forget()
        elif self._hold > 0 or self.usual < GOOD:
            self._calm = 0
        else:
            self._calm += 1
