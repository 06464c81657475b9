"""Where sessions are held, one at a time. What is slow to load is loaded once."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

from voiceprep.audio.base import Sink, Source
from voiceprep.config import Places, Settings, user_path
from voiceprep.core.pack import Content, tongue_of
from voiceprep.errors import UsageError, VoiceprepError
from voiceprep.live.drill import hold
from voiceprep.live.practice import Brought, Plan, Progress, Result, practise
from voiceprep.live.session import Session, Watcher
from voiceprep.speech.models import find_model
from voiceprep.speech.stt.base import Recogniser
from voiceprep.speech.stt.opening import open_recogniser
from voiceprep.speech.tts.base import VoiceStyle
from voiceprep.speech.tts.choose import choose
from voiceprep.speech.tts.engine import Engine
from voiceprep.web.advice import advice_of
from voiceprep.web.line import Line
from voiceprep.web.live import Live, Patience, Terms, cancelled
from voiceprep.web.protocol import CLOSE_REFUSED, Hello, Preparing, Refused, Saved
from voiceprep.web.readiness import STEPS, Readiness

logger = logging.getLogger(__name__)

VOICE = "low-calm"
"""The character that a voice is loaded with: any will do."""
OF_RECOGNISER = ("stt", "device", "captions_model", "model_folder")
OF_VOICES = ("voice", "model_folder")
"""The settings that decide what is loaded."""
Watch = Callable[[Content, Session], Watcher]


@dataclass(frozen=True, slots=True)
class Wish:
    """What a page asks to be held."""

    plan: Plan
    settings: Settings
    source: Source | None
    sink: Sink | None


class Holds(Protocol):
    """Holds one session from beginning to end."""

    def __call__(self, wish: Wish, watch: Watch, progress: Progress) -> Awaitable[Result]: ...


class Practice:
    """Holds sessions with the real edges. The recogniser and the voices stay loaded from one to the next."""

    def __init__(self, places: Places) -> None:
        self.readiness = Readiness()
        self._places = places
        self._recogniser: Recogniser | None = None
        self._engines: dict[str, Engine] = {}
        self._opened_as: dict[str, tuple[Any, ...]] = {}
        self._loading = asyncio.Lock()
        self._loaded_for: tuple[Any, ...] | None = None
        """The settings that all is loaded for; None: something is not."""

    async def __call__(self, wish: Wish, watch: Watch, progress: Progress) -> Result:
        with self.readiness.heard_by(progress):
            async with self._loading:
                with self._failures_told():
                    recogniser = await self._load(wish.settings)
        brought = Brought(wish.sink, recogniser, self._engines, listens_to_signals=False)
        if wish.plan.take is not None:
            held = await hold(wish.plan, wish.settings, self._places, watch, progress, wish.source, brought)
            return held.result
        return await practise(wish.plan, wish.settings, self._places, watch, progress, wish.source, brought)

    async def warm(self, settings: Settings) -> None:
        """Load what these settings name, before anybody asks. Nothing is fetched for that, and nothing is raised."""
        async with self._loading:
            try:
                with self._failures_told():
                    if not await asyncio.to_thread(_is_here, settings, self._places):
                        self.readiness.tell("missing", "the first session fetches the recogniser")
                        return
                    await self._load(settings)
            except VoiceprepError:
                return  # the session that needs it says so with its hint
            except Exception:
                logger.exception("a defect while models were loaded ahead")

    async def close(self) -> None:
        """Let the models go."""
        await self._forget_voices()
        if self._recogniser is not None:
            await self._recogniser.close()
            self._recogniser = None

    async def _load(self, settings: Settings) -> Recogniser | None:
        """The recogniser, with the voices, of these settings: loaded unless they are. Pages are told how far that is.

        Raises VoiceprepError for what cannot be loaded.
        """
        wanted = _named(settings, *OF_RECOGNISER, *OF_VOICES, "language")
        if self._loaded_for == wanted:
            return self._recogniser
        self._loaded_for = None
        self.readiness.tell("loading", "loading the recogniser", 0)
        recogniser = await self._recognise(settings)
        self.readiness.tell("loading", "choosing the interviewer's voice", 1)
        await self._keep_voices(settings)
        await self._speak_once(settings)
        self._loaded_for = wanted
        self.readiness.tell("ready", done=STEPS)
        return recogniser

    @contextmanager
    def _failures_told(self) -> Iterator[None]:
        """Pages are told how loading broke off; what was raised goes on its way."""
        try:
            yield
        except asyncio.CancelledError:  # who asked for it has left: nobody loads any more
            self.readiness.tell("idle", done=0)
            raise
        except VoiceprepError as error:
            self.readiness.tell("failed", error.message)
            raise
        except Exception:
            self.readiness.tell("failed", "something went wrong inside voiceprep")
            raise

    async def _recognise(self, settings: Settings) -> Recogniser | None:
        wanted = _named(settings, *OF_RECOGNISER)
        if self._recogniser is None or self._opened_as.get("stt") != wanted:
            if self._recogniser is not None:
                await self._recogniser.close()
                self._recogniser = None
            self._recogniser = await open_recogniser(settings, self._places, lambda what, _: self._tell(what))
            self._opened_as["stt"] = wanted
        return self._recogniser

    async def _keep_voices(self, settings: Settings) -> None:
        """Engines of another setting go; those of this one stay."""
        wanted = _named(settings, *OF_VOICES)
        if self._opened_as.get("voice") != wanted:
            await self._forget_voices()
            self._opened_as["voice"] = wanted

    async def _forget_voices(self) -> None:
        for engine in self._engines.values():
            await engine.close()
        self._engines.clear()

    async def _speak_once(self, settings: Settings) -> None:
        """A voice loads with its first line. What a session may keep of its own lines is no business of this one."""
        languages = (tongue_of(settings["language"]),)
        voices = await choose(settings, self._places, languages=languages, keeps=lambda _: False, made=self._engines)
        await voices.warm(VoiceStyle(VOICE, 1.0))
        await voices.rest()

    def _tell(self, what: str) -> None:
        self.readiness.tell(self.readiness.standing.state, what)


def _named(settings: Settings, *names: str) -> tuple[Any, ...]:
    return tuple(settings[name] for name in names)


def _is_here(settings: Settings, places: Places) -> bool:
    """Whether the recogniser needs not be fetched. Raises UsageError: there is none of this name."""
    folder = settings["model_folder"]
    name = settings["stt"]
    return name == "off" or find_model(name, models=places.models, folder=user_path(folder) if folder else None) is not None


class Studio:
    """The one session that may run, and the doors to it."""

    def __init__(self, holds: Holds, settings: Callable[[], Settings], patience: Patience | None = None) -> None:
        self.live: Live | None = None
        self._holds = holds
        self._settings = settings
        self._patience = patience or Patience()
        self._task: asyncio.Task[None] | None = None
        self._after: list[Callable[[Result], Awaitable[None]]] = []
        self._other: UsageError | None = None
        """Why no session may begin: the machine is given to something else."""

    def after(self, then: Callable[[Result], Awaitable[None]]) -> None:
        """Have this done with each session that is on the disk."""
        self._after.append(then)

    def enter(self, line: Line, hello: Hello, planned: Callable[[], Plan]) -> Live:
        """The session for this page: a new one, or the one that runs. Raises UsageError: why there is none.

        `planned` says what is to be held; only asked for a new one.
        """
        running = self.live
        if hello.session is not None:
            if running is None or running.session is None or running.session.id != hello.session:
                raise UsageError("that session is over", code="session-over", hint="It is among your sessions")
            self._may_join(running, line, hello)
            running.joined(line, hello.acked, hello.page)
            return running
        if running is not None:
            raise UsageError("a session is running already", code="busy", hint="Go on with it, or end it first")
        self._is_free()
        plan, settings = planned(), self._as_wished(hello)
        drill = plan.take.drill if plan.take is not None else ""
        terms = Terms(plan.round, drill, settings["language"], settings["mode"], hello.audio)
        self.live = live = Live(terms, self._patience)
        live.joined(line, None, hello.page)
        wish = Wish(plan, settings, live.source, live.sink)
        self._task = asyncio.create_task(self._hold(live, wish))
        return live

    @contextmanager
    def given_to(self, other: UsageError) -> Iterator[None]:
        """The machine is given to something else: a session that would begin meanwhile is told `other`.

        Raises UsageError: it is given away already, or a session runs (``busy``).
        """
        if self.live is not None:
            raise UsageError("a session is running", code="busy", hint="Come back when it is over")
        self._is_free()
        self._other = other
        try:
            yield
        finally:
            self._other = None

    def left(self, live: Live, line: Line) -> None:
        """A page's socket is gone. A session that was not begun yet is not begun for nobody."""
        line.close(CLOSE_REFUSED)
        if live is self.live and live.line is line and live.session is None and self._task is not None:
            self._task.cancel()
        live.left(line)

    async def close(self) -> None:
        """The server stops: a running session ends as interrupted, and is kept."""
        if self.live is not None and self._task is not None:
            if self.live.session is None:
                await cancelled(self._task)
            else:
                self.live.end("interrupted")
                await asyncio.wait({self._task})

    def _is_free(self) -> None:
        if self._other is not None:
            raise self._other

    def _may_join(self, running: Live, line: Line, hello: Hello) -> None:
        there = running.line
        if there is not None and there.open and there.tab != line.tab and not hello.take_over:
            raise UsageError("another tab holds this session", code="other-tab", hint="Take it over, or go on there")

    def _as_wished(self, hello: Hello) -> Settings:
        settings = self._settings().with_arguments(
            language=hello.lang, mode=hello.mode, duplex="full" if hello.headphones else None
        )
        if hello.audio == "browser":  # a recording as microphone is a setting for the terminal
            settings = settings.with_arguments(microphone="", speaker="none")
        return settings

    async def _hold(self, live: Live, wish: Wish) -> None:
        """A session from beginning to end, and whatever becomes of it said to its page."""

        def watch(content: Content, session: Session) -> Watcher:
            live.begun(session, advice_of(content.pacing))
            return live

        try:
            result = await self._holds(wish, watch, lambda what: _tell(live, what))
        except asyncio.CancelledError:
            _refuse(live, "cancelled", "the session was not begun", "")
            raise
        except VoiceprepError as error:
            _refuse(live, error.code, error.message, error.hint)
        except Exception:
            logger.exception("a defect in a session for a page")
            _refuse(live, "defect", "something went wrong inside voiceprep", "The log file has the details")
        else:
            self._over(live)
            if live.line is not None:
                live.line.say(Saved(session=result.session, ended=result.ended))
                live.line.close(1000)
            for then in self._after:
                await then(result)
        finally:
            self._over(live)

    def _over(self, live: Live) -> None:
        """Another session may begin."""
        live.close()
        if self.live is live:
            self.live = None


def _tell(live: Live, what: str) -> None:
    if live.line is not None and live.session is None:
        live.line.say(Preparing(what=what))


def _refuse(live: Live, code: str, message: str, hint: str) -> None:
    if live.line is not None:
        live.line.say(Refused(code=code, message=message, hint=hint))
        live.line.close(CLOSE_REFUSED)
