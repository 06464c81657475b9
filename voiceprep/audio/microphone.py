"""The microphone: from the sound card's thread to blocks on the recording's clock."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from functools import partial

from voiceprep.audio import portaudio
from voiceprep.audio.awake import Awake
from voiceprep.audio.base import RATE, Block, Samples
from voiceprep.audio.blocks import QUEUE_LIMIT, BlockCutter, BlockQueue
from voiceprep.audio.drift import Drift, Leveller
from voiceprep.audio.mute import Zeros
from voiceprep.audio.portaudio import Device, Hear, Stream
from voiceprep.audio.resample import Resampler
from voiceprep.core.units import Seconds
from voiceprep.errors import VoiceprepError

Trouble = Callable[[str, str], None]
"""Told of what a user should know while the session goes on: a stable code and a sentence."""

STALE: Seconds = 2.5
"""Without a callback for so long a device counts as unplugged: PortAudio reports no error for that."""

AGAIN: Seconds = 3.0
"""Between the end of one attempt to get it back and the next: a device that was opened gets this long to deliver."""

RETURN: Seconds = 120.0
"""So long a session waits for a microphone."""

WATCH: Seconds = 0.5
"""How often a silent device is looked after."""

TELL: Seconds = 1.0
"""A loss that goes on is told as often, in seconds: before any of it could pass for a pause."""

PRE_ROLL: Seconds = 2.0
"""Sound kept from before anybody asked for it: whoever speaks at once, speaks before the session has got to listening."""

JUMP: Seconds = 0.5
"""The device's clock may jump so far without a report of loss; more is loss that nobody reported."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Arrival:
    """What a callback brought: `time` is the device's clock at the first sample, `at` ours when it arrived."""

    opening: int
    device: Device
    samples: Samples
    time: Seconds
    overflowed: bool
    at: Seconds
    naps: int

    @property
    def length(self) -> Seconds:
        return len(self.samples) / self.device.rate


@dataclass(slots=True)
class _Outage:
    """The device is away."""

    since: Seconds
    next_try: Seconds
    tries: int = 0


class MicrophoneSource:
    """A sound card's input at its own rate, resampled to `RATE`, as long as the wall clock says.

    The constructor opens and starts the device, so that a missing, busy or refused one fails before the session
    (MissingError); the last `PRE_ROLL` seconds before `blocks` is asked are its first blocks.

    Lost samples are told as `Block.lost`. ``overflow``: the machine was too slow, or something in the driver was. ``stalled``:
    the device fell silent for `STALE` seconds; its loss is told while it grows, and it is opened again, or else what the system
    prefers instead, for up to `RETURN` seconds. ``asleep``: the machine slept. ``muted``: nothing but zeros came (see `Zeros`).
    `on_trouble` hears ``microphone-lost``, ``microphone-silent`` and ``microphone-back``.
    """

    on_demand = False

    def __init__(
        self,
        device: Device,
        on_trouble: Trouble,
        *,
        open_stream: Callable[[Device, Hear], Stream] = portaudio.open_input,
        seek: Callable[[Device], Device] = portaudio.seek_input,
        read: Callable[[], Seconds] = time.monotonic,
        limit: int = QUEUE_LIMIT,
    ) -> None:
        self.name = device.name
        self._device = device
        self._on_trouble = on_trouble
        self._open_stream = open_stream
        self._seek = seek
        self._awake = Awake(read)
        self._queue = BlockQueue(limit)
        self._cutter = BlockCutter()
        self._resampler = Resampler(device.rate, RATE)
        self._drift = Drift()
        self._leveller = Leveller(self._drift)
        self._zeros = Zeros()
        self._opening = 0
        self._closed = False
        self._outage: _Outage | None = None
        self._reopening: asyncio.Task[None] | None = None
        self._begun = False
        self._accounted: Seconds = self._awake.now()
        """Our clock up to which everything is recorded or told as lost."""
        self._counted: Seconds = 0.0
        """How much that is, by the device's own count."""
        self._next_time: Seconds = 0.0
        self._naps = 0
        self._muted = 0
        """Samples at RATE of a mute that are not told yet."""
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._early: deque[_Arrival] = deque()
        self._stream = self._take(device)

    # --- the session's side ---------------------------------------------------------------------------------------------

    async def blocks(self) -> AsyncIterator[Block]:
        """Blocks as they are captured. Raises VoiceprepError, code ``microphone-lost``, when the device does not come back."""
        with self._lock:
            self._loop = asyncio.get_running_loop()
            early = list(self._early)
            self._early.clear()
        self._accounted = self._awake.now()
        for arrival in early:
            self._arrived(arrival)
        while True:
            try:
                async with asyncio.timeout(WATCH):
                    block = await self._queue.get()
            except TimeoutError:
                self._watch(self._awake.now())
                continue
            if block is None:
                return
            yield block

    def floor_opened(self) -> None:
        """A person hears it."""

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._queue.discard()
        _log.info("%s: clock %+.0f ppm, corrected by %+.3f s", self.name, self._drift.ppm, self._drift.correction)
        # The driver may take its time, and the session's other tasks must not wait for it.
        if self._reopening is not None:
            await asyncio.wait([self._reopening], timeout=STALE)
        await asyncio.to_thread(self._stream.close)

    # --- the sound ------------------------------------------------------------------------------------------------------

    def _hear(self, opening: int, device: Device, samples: Samples, time: Seconds, overflowed: bool) -> None:
        """Runs in PortAudio's thread. Our clock is read here: how busy the event loop is says nothing about the device's."""
        arrival = _Arrival(opening, device, samples, time, overflowed, self._awake.now(), self._awake.naps)
        with self._lock:
            if self._loop is None:
                self._early.append(arrival)
                while sum(each.length for each in self._early) > PRE_ROLL:
                    self._early.popleft()
                return
        try:
            self._loop.call_soon_threadsafe(self._arrived, arrival)
        except RuntimeError:
            _log.debug("the session is over, and %s still sends", self.name)

    def _arrived(self, arrival: _Arrival) -> None:
        if self._closed or arrival.opening != self._opening or not len(arrival.samples):
            return
        lost, reason = self._missing(arrival)
        before = self._use(arrival.device)
        if self._outage is not None:
            self._outage = None
            back = f"sound arrives from {self.name} again"
            self._on_trouble("microphone-back", back if before == self.name else f"{self.name} is used in place of {before}")
        if lost > 0:
            _log.warning("%s: %.3f s lost (%s)", self.name, lost, reason)
            self._lose(lost, reason)
        self._begun, self._naps = True, arrival.naps
        self._accounted = arrival.at
        self._next_time = arrival.time + arrival.length
        self._counted += arrival.length
        self._drift.note(arrival.at, self._counted)
        self._record(arrival)

    def _use(self, device: Device) -> str:
        """Another device may come back than went away, or the same at another rate: what it says of itself rules.

        Returns the name of the one before.
        """
        before = self.name
        if device.rate != self._device.rate:
            self._pass_on(self._cutter.feed(self._resampler.finish()))
            self._resampler = Resampler(device.rate, RATE)
        self.name, self._device = device.name, device
        return before

    def _missing(self, arrival: _Arrival) -> tuple[Seconds, str]:
        """Seconds that are missing before this, and why."""
        waited = max(0.0, arrival.at - arrival.length - self._accounted)
        if self._outage is not None:
            return waited, "stalled"
        if not self._begun:
            return 0.0, ""  # the recording begins here
        if arrival.naps != self._naps:
            return waited, "asleep"
        # What the device's clock claims cannot be more than has passed on ours, jitter apart.
        jump = min(arrival.time - self._next_time, waited + JUMP)
        if arrival.overflowed:
            # PortAudio says that samples were lost, not how many; where the driver has no clock, take one buffer. What has not
            # come in all that time can only be waiting in the device's own buffer.
            return max(jump, arrival.length, waited - portaudio.LATENCY), "overflow"
        return (jump if jump > JUMP else self._drift.unreported(arrival.at)), "overflow"

    def _record(self, arrival: _Arrival) -> None:
        sounding = bool(arrival.samples.any())
        match self._zeros.feed(arrival.length, sounding=sounding):
            case "silent":
                self._on_trouble(
                    "microphone-silent",
                    f"{self.name} delivers nothing but silence: is it muted, or not permitted for this program?",
                )
            case "back":
                self._on_trouble("microphone-back", f"sound arrives from {self.name} again")
            case _:
                pass
        sound = self._leveller.feed(self._resampler.feed(arrival.samples))
        if self._zeros.lost:
            self._muted += len(sound)
            if self._muted >= TELL * RATE:
                self._unmute()
            return
        self._unmute()
        self._pass_on(self._cutter.feed(sound))

    def _unmute(self) -> None:
        """Tell of the mute so far."""
        if self._muted:
            muted, self._muted = self._muted, 0
            self._pass_on(self._cutter.gap(muted, "muted"))
            self._pass_on(self._cutter.release())

    def _lose(self, seconds: Seconds, reason: str) -> None:
        """So much is missing here; the recording keeps its place."""
        self._unmute()
        self._pass_on(self._cutter.feed(self._resampler.finish()))
        self._resampler.clear()
        self._counted += seconds
        self._pass_on(self._cutter.gap(round(seconds * RATE), reason))

    def _pass_on(self, blocks: list[Block]) -> None:
        for block in blocks:
            self._queue.put(block)

    # --- a device that went away ----------------------------------------------------------------------------------------

    def _watch(self, now: Seconds) -> None:
        """Nothing arrived for a while. Raises VoiceprepError when that has lasted too long."""
        if self._closed or (self._outage is None and now - self._accounted < STALE):
            return
        if self._outage is None:
            self._outage = _Outage(since=self._accounted, next_try=now)
            self._on_trouble(
                "microphone-lost",
                f"no sound arrives from {self.name}: is it unplugged? It is looked for; what is said now is not recorded",
            )
        if now - self._accounted >= TELL:
            self._lose(now - self._accounted, "stalled")
            self._accounted = now
            self._pass_on(self._cutter.release())
        if self._reopening is not None and self._reopening.done():
            self._reopening.result()  # a defect in there is one of the session
            self._reopening, self._outage.next_try = None, now + AGAIN
        if now - self._outage.since > RETURN:
            raise self._lost()
        if self._reopening is None and now >= self._outage.next_try:
            self._outage.tries += 1
            self._reopening = asyncio.create_task(self._reopen(anew=self._outage.tries > 1))

    async def _reopen(self, *, anew: bool) -> None:
        """One attempt. The first takes the device as it was; later ones look for devices `anew`, which disturbs the speaker."""
        self._opening += 1
        try:
            stream = await asyncio.to_thread(self._again, anew=anew)
        except VoiceprepError as error:
            _log.info("%s cannot be opened again: %s", self.name, error.code)
            return
        self._stream = stream
        if self._closed:
            await asyncio.to_thread(stream.close)

    def _again(self, *, anew: bool) -> Stream:
        """Blocks as long as the driver does."""
        self._stream.close()
        return self._take(self._seek(self._device) if anew else self._device)

    def _take(self, device: Device) -> Stream:
        stream = self._open_stream(device, partial(self._hear, self._opening, device))
        try:
            stream.start()
        except BaseException:
            stream.close()
            raise
        return stream

    def _lost(self) -> VoiceprepError:
        return VoiceprepError(
            f"the microphone {self.name} did not come back",
            code="microphone-lost",
            hint="Plug it in again, or choose another microphone; what was said so far is kept",
        )
