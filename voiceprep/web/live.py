"""One live session and whichever page is connected to it: nobody, one, or another one after that."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Literal

from voiceprep.audio.base import RATE, VOICE_RATE
from voiceprep.core.events import (
    Event,
    Language,
    PauseSpeaking,
    ResumeSpeaking,
    SessionClosing,
    Speak,
    SpeakingFinished,
    SpeakingStarted,
    StopSpeaking,
)
from voiceprep.core.pack import Tongue
from voiceprep.core.units import Seconds
from voiceprep.live.session import Session
from voiceprep.web.advice import Advice
from voiceprep.web.events import (
    CaptionChanged,
    CaptionsBehind,
    FlagRaised,
    VoiceStarted,
    VoiceStopped,
    Wire,
    WireEvent,
    to_wire,
)
from voiceprep.web.line import Line
from voiceprep.web.protocol import (
    CLOSE_TAKEN_OVER,
    Ack,
    Clock,
    Frame,
    History,
    MicrophoneLevel,
    Muted,
    Number,
    TakenOver,
    VoiceStop,
    Warned,
    Welcome,
)
from voiceprep.web.sound import PageSink, PageSource

PASSING = (CaptionChanged, CaptionsBehind, VoiceStarted, VoiceStopped)
"""What a page that comes later need not know."""
NO_PAUSE = Warned(code="no-pause", message="a session that listens to a recording cannot pause")
NO_MUTE = Warned(code="no-mute", message="the microphone is the server's own: pause the session to say something aside")
LEVEL_EVERY, CLOCK_EVERY, ACK_EVERY = 3, 8, 8
"""Blocks of 32 ms between two messages."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a session waits for its page.

    Attributes:
        leave: it stands still for so long, since nothing is to be decided on what nobody could hear; then it ends and is kept.
        gap: of what was spoken to a page that is gone for good, the recording holds at most so much silence.
    """

    gap: Seconds = 15.0
    leave: Seconds = 300.0


@dataclass(frozen=True, slots=True)
class Terms:
    """What a session was begun with, as pages are told."""

    round: str
    drill: str
    language: Language
    mode: Literal["coach", "exam"]
    audio: Literal["browser", "device"]


class Live:
    """Looks on for the pages (a session's Watcher), and carries what they say to the session. Belongs to the event loop."""

    def __init__(self, terms: Terms, patience: Patience) -> None:
        self.terms = terms
        page = terms.audio == "browser"
        self.source = PageSource() if page else None
        self.sink = PageSink(self._sound, self._stop_voice) if page else None
        self.session: Session | None = None
        self.line: Line | None = None
        self._patience = patience
        self._away: asyncio.Task[None] | None = None
        self._lost_at: Seconds | None = None
        """When the page was lost, while its loss is not in the recording yet."""
        self._asked_to_pause = False
        self._over = False
        """It is ending: nobody is waited for any more."""
        self._history: list[WireEvent] = []
        self._advice: Advice = {}
        self._spent: Mapping[str, Seconds] = {}
        self._tongue: Tongue | None = None
        self._numbers = 0
        self._blocks = 0
        self._at = 0.0

    # --- pages come and go ----------------------------------------------------------------------------------------------

    def begun(self, session: Session, advice: Advice, spent: Mapping[str, Seconds]) -> None:
        """The session is about to run. A page that has left meanwhile is waited for as at any other time.

        `advice`: what its flags may say, in both languages. `spent`: see Welcome.
        """
        self.session, self._advice, self._spent = session, advice, spent
        if self.line is not None and self.line.open:
            self.line.say(self._welcome(resumed=False))
        else:
            self.left(self.line)

    def joined(self, line: Line, acked: int | None, tongue: Tongue | None = None) -> None:
        """A page (again, or another one) holds the session from now on; advice is told in its `tongue`."""
        before, self.line = self.line, line
        self._tongue = tongue
        if before is not None and before is not line and before.open:
            if before.tab != line.tab:
                before.say(TakenOver())
            before.close(CLOSE_TAKEN_OVER)
        if self.session is None:  # it is still being prepared
            return
        self._back(acked, handed=before is not None and before.open)
        line.say(self._welcome(resumed=True))
        line.say(History(events=tuple(map(self._advised, self._history))))

    def left(self, line: Line | None) -> None:
        """This page's socket is gone. Nothing to do where another page has the session already."""
        if line is not self.line or self.session is None:
            return
        self.line = None
        if self._over or (self.source is None and not self._asked_to_pause):
            return  # the devices are here: the session goes on whether anybody looks or not, unless it was told to stand still
        self._lost_at = asyncio.get_running_loop().time()
        self.session.hold("away")
        self._away = asyncio.create_task(self._wait())

    async def _wait(self) -> None:
        """Nobody is there: no time passes, nothing is recorded, nothing is logged. At last end."""
        await asyncio.sleep(self._patience.leave)
        self.end("interrupted")

    def _back(self, acked: int | None, *, handed: bool) -> None:
        """A page is there again. One that was loaded anew has nothing of what was said meanwhile."""
        assert self.session is not None
        if self._away is not None:
            self._away.cancel()
            self._away = None
        if self.source is not None and self._lost_at is not None and acked is None and not (handed or self._asked_to_pause):
            away = asyncio.get_running_loop().time() - self._lost_at
            self.source.lose(round(min(away, self._patience.gap) * RATE))
        self._lost_at = None
        if not self._asked_to_pause:
            self.session.go_on()

    def _welcome(self, *, resumed: bool) -> Welcome:
        assert self.session is not None
        terms, source = self.terms, self.source
        return Welcome(
            session=self.session.id,
            position=source.position if source else 0,
            resumed=resumed,
            round=terms.round,
            drill=terms.drill,
            language=terms.language,
            mode=terms.mode,
            audio=terms.audio,
            rate=RATE,
            voice_rate=VOICE_RATE,
            paused=self._asked_to_pause,
            pausable=self.session.pausable,
            muted=source.muted if source else False,
            spent={section: round(seconds, 3) for section, seconds in self._spent.items()},
        )

    def close(self) -> None:
        """The session is over."""
        self._over = True
        if self._away is not None:
            self._away.cancel()

    # --- the page says --------------------------------------------------------------------------------------------------

    def hear(self, frame: Frame) -> None:
        """Sound from the page. Raises BadInputError (``bad-frame``)."""
        if self.source is not None and self.session is not None and not self._asked_to_pause:
            self.source.push(frame)

    def mute(self, *, on: bool) -> None:
        if self.source is not None:
            self.source.mute(on=on)
            self._say(Muted(on=on))
        else:
            self._say(NO_MUTE)

    def talk(self, *, on: bool) -> None:
        if self.source is not None:
            self.source.talk(on=on)
        else:
            self._say(NO_MUTE)

    def pause(self) -> None:
        if self.session is None or self._asked_to_pause:
            return
        if not self.session.pausable:
            self._say(NO_PAUSE)
            return
        self._asked_to_pause = True
        if self.source is not None:
            self.source.paused()
            self.session.hold("asked")  # what the page has sent up to here is still heard
        else:
            self.session.pause()  # a microphone here goes on bringing sound

    def resume(self) -> None:
        if self.session is not None and self._asked_to_pause:
            self._asked_to_pause = False
            self.session.go_on()

    def end(self, reason: str) -> None:
        """Ask for the end, in good order; a session that stands still goes on for that."""
        if self.session is not None:
            self._asked_to_pause, self._over = False, True
            if self.source is not None:
                self.source.finish(partial(self.session.stop, reason))  # after the last sample that the page has sent
            else:
                self.session.stop(reason)
            self.session.go_on()

    # --- the session says (Watcher) -------------------------------------------------------------------------------------

    def show(self, event: Event) -> None:
        wire = to_wire(event, exam=self.terms.mode == "exam")
        if wire is not None:
            if not isinstance(wire, PASSING):
                self._history.append(wire)
            self._say(self._advised(wire))
        match event:
            case Speak():
                self._numbers += 1
                self._say(Number(of=event.id, number=self._numbers))
                self._sounds(on=False)
            case SpeakingStarted() | ResumeSpeaking():
                self._sounds(on=True)
            case PauseSpeaking() | StopSpeaking() | SpeakingFinished():
                self._sounds(on=False)
            case SessionClosing():
                self._over = True

    def level(self, dbfs: float) -> None:
        self._blocks += 1
        if self._blocks % LEVEL_EVERY == 0:
            self._say(MicrophoneLevel(dbfs=round(max(dbfs, -120.0), 1)))
        if self._blocks % ACK_EVERY == 0 and self.source is not None and self.session is not None:
            self._say(Ack(position=self.source.counted(round(self.session.media * RATE))))

    def clock(self, at: float) -> None:
        if at - self._at >= CLOCK_EVERY * 0.032 and self.session is not None:
            self._at = at
            self._say(Clock(at=round(at, 3), media=round(self.session.media, 3)))

    def _sounds(self, *, on: bool) -> None:
        if self.sink is not None:
            self.sink.number = self._numbers
            self.sink.sounding = on

    def _advised(self, wire: WireEvent) -> WireEvent:
        """A flag's advice in the language of the page that looks on."""
        if not isinstance(wire, FlagRaised) or self._tongue is None:
            return wire
        return wire.model_copy(update={"advice": self._advice.get(wire.advice, {}).get(self._tongue, wire.advice)})

    def _say(self, message: Wire) -> None:
        if self.line is not None:
            self.line.say(message)

    def _sound(self, data: bytes) -> None:
        if self.line is not None:
            self.line.sound(data)

    def _stop_voice(self, stop: VoiceStop) -> None:
        self._say(stop)


async def cancelled(task: asyncio.Task[None]) -> None:
    """Cancel a task and wait until it is over."""
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
