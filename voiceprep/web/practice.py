"""Holds a page's session with the real edges. What is slow to load is loaded once, and stays from one session to the next."""

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
from voiceprep.errors import VoiceprepError
from voiceprep.live.drill import hold
from voiceprep.live.plan import Brought, Plan, Progress, Result
from voiceprep.live.practice import practise
from voiceprep.live.session import Session, Watcher
from voiceprep.speech.models import find_model
from voiceprep.speech.stt.base import Recogniser
from voiceprep.speech.stt.opening import open_recogniser
from voiceprep.speech.tts.base import VoiceStyle
from voiceprep.speech.tts.choose import choose
from voiceprep.speech.tts.engine import Engine
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
    """The recogniser and the voices, loaded, and the sessions that are held with them."""

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

    async def recogniser(self, settings: Settings) -> Recogniser | None:
        """The recogniser of these settings, loaded unless it is; it stays open. None: it is off. Raises VoiceprepError."""
        async with self._loading:
            if self._opened_as.get("stt") != _named(settings, *OF_RECOGNISER):
                self._loaded_for = None
            return await self._recognise(settings)

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
