"""A page as microphone and as speaker, behind the seams that devices use."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable

from voiceprep.audio.base import BLOCK, RATE, VOICE_RATE, Block, Samples
from voiceprep.audio.frames import FrameSource
from voiceprep.audio.samples import to_pcm16
from voiceprep.core.units import Seconds
from voiceprep.web.protocol import DOWN, Frame, VoiceStop, pack

NAME = "browser"
KEPT_WAITING = 90 * RATE // BLOCK
"""Blocks that a page may send at once: what it had to keep while its socket was lost."""
TOLD_AFTER = RATE // 2
"""Samples of a muted microphone that make one gap."""
GUESS: Seconds = 0.2
"""From `write` to the ear, while no page has said better."""
STALE: Seconds = 0.5
"""A page that has not said for so long how far its speaker is, is not thought to have gone on."""

LONGEST = VOICE_RATE // 4
"""Samples of one frame: a session that was woken late writes more at once."""

Outgoing = Callable[[bytes], None]


class PageSource:
    """The page's microphone: numbered frames in, blocks out.

    The page counts its samples, and its count has holes in it that are none of the recording's: it stops while the session is
    paused. So a frame's place is the page's count and a `base` that is found anew after each pause.
    """

    on_demand = False
    name = NAME

    def __init__(self) -> None:
        self._frames = FrameSource(NAME, limit=KEPT_WAITING)
        self._base = 0
        self._rebase = False
        self._open = True
        """Push-to-talk: the key is down, or there is no key."""
        self._muted = False
        self._unheard = 0
        self._then: Callable[[], None] = lambda: None

    @property
    def position(self) -> int:
        """The count of the next sample that is wanted."""
        return self._frames.position + self._unheard - self._base

    def counted(self, recorded: int) -> int:
        """So many samples of the recording, in the page's count."""
        return max(0, min(recorded, self._frames.position) - self._base)

    def push(self, frame: Frame) -> None:
        """Raises BadInputError (``bad-frame``)."""
        if self._rebase:
            self._rebase = False
            self._base = self._frames.position + self._unheard - frame.position
        place = frame.position + self._base
        if place < 0:
            return
        if self._muted:
            self._unheard += max(0, place + len(frame.pcm) // 2 - (self._frames.position + self._unheard))
            if self._unheard >= TOLD_AFTER:
                self._tell()
            return
        self._frames.push(frame.pcm if self._open else bytes(len(frame.pcm)), place)

    def paused(self) -> None:
        """What comes next goes on where this stopped, whatever its count."""
        self._rebase = True

    def mute(self, *, on: bool) -> None:
        """While it is on, what comes is not kept: the recording has a gap there."""
        self._tell()
        self._muted = on

    @property
    def muted(self) -> bool:
        return self._muted

    def talk(self, *, on: bool) -> None:
        """Push-to-talk: while it is off, the recording holds silence."""
        self._open = on

    def lose(self, samples: int) -> None:
        """No page was there for so long."""
        self._tell()
        self._frames.lose(samples, "network")

    def finish(self, then: Callable[[], None]) -> None:
        """Nothing more comes; `then` is called when all that came has been taken."""
        self._tell()
        self._then = then
        self._frames.end()

    async def blocks(self) -> AsyncIterator[Block]:
        async for block in self._frames.blocks():
            yield block
        self._then()

    def floor_opened(self) -> None:
        """The person at the page hears it."""

    async def close(self) -> None:
        await self._frames.close()

    def _tell(self) -> None:
        self._frames.lose(self._unheard, "muted")
        self._unheard = 0


class PageSink:
    """The page's speaker. What it has sounded of what it was sent, it says itself (`heard`)."""

    name = NAME

    def __init__(self, send: Outgoing, tell: Callable[[VoiceStop], None], read: Callable[[], Seconds] = time.monotonic) -> None:
        self.latency = GUESS
        self.number = 0
        """Of the utterance that sounds now."""
        self.sounding = False
        """Keep sending: a silence now is one inside an utterance."""
        self._send = send
        self._tell = tell
        self._read = read
        self._written = 0
        self._begun = 0
        """Where what may still be waiting at the page begins."""
        self._heard: tuple[int, Seconds] | None = None

    def write(self, samples: Samples) -> None:
        if self.sounding or samples.any():
            for at in range(0, len(samples), LONGEST):
                pcm = to_pcm16(samples[at : at + LONGEST]).tobytes()
                self._send(pack(Frame(self.number, self._written + at, pcm), DOWN))
        else:
            self._begun = self._written + len(samples)
        self._written += len(samples)

    def heard(self, position: int, latency: Seconds) -> None:
        """The page: everything before `position` has sounded, and a sample takes `latency` from it to the ear."""
        self._heard = (min(position, self._written), self._read())
        if self.sounding and position > self._begun:
            self.latency = min(1.0, max(latency, (self._written - position) / VOICE_RATE))

    def drop(self) -> int:
        count = max(0, min(self._written - self._sounded(), self._written - self._begun))
        self._begun = self._written
        self._tell(VoiceStop(position=self._written))
        return count

    async def close(self) -> None:
        pass

    def _sounded(self) -> int:
        """The position that sounds now, as far as can be told."""
        if self._heard is None or self._heard[0] < self._begun:
            return self._written - round(self.latency * VOICE_RATE)
        position, when = self._heard
        return position + round(min(STALE, self._read() - when) * VOICE_RATE)
