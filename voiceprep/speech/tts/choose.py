"""Which voice speaks: decided by the settings, by what is installed, and by how fast it is here."""

from __future__ import annotations

import logging
import math
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from voiceprep.config import Places, Settings, user_path
from voiceprep.core.pack import Tongue
from voiceprep.errors import MissingError, VoiceprepError
from voiceprep.speech.models import find_model
from voiceprep.speech.tts.base import Voice
from voiceprep.speech.tts.cache import Keeps, RenderCache
from voiceprep.speech.tts.engine import Engine
from voiceprep.speech.tts.espeak import EspeakVoice
from voiceprep.speech.tts.hibari import HibariVoice
from voiceprep.speech.tts.kokoro import KokoroVoice
from voiceprep.speech.tts.layered import FallbackVoice, LayeredVoice, Report
from voiceprep.speech.tts.probe import LIVE_FACTOR, real_time_factor
from voiceprep.speech.tts.pyttsx3_voice import Pyttsx3Voice
from voiceprep.speech.tts.silent import SilentVoice
from voiceprep.speech.tts.voice_set import NAMES, VoiceSet

log = logging.getLogger(__name__)

TONGUES: tuple[Tongue, ...] = ("en", "zh")
SYSTEM = ("pyttsx3", "espeak") if sys.platform in {"darwin", "win32"} else ("espeak", "pyttsx3")
"""The system's own voices are better than espeak-ng where there are any; on Linux they are espeak-ng."""
ORDER: Mapping[Tongue, tuple[str, ...]] = {"en": ("hibari", *SYSTEM), "zh": ("kokoro", *SYSTEM)}


@dataclass
class _Shelf:
    """The engines that are here, made once each, and why the others are not."""

    settings: Settings
    places: Places
    keeps: Keeps
    made: dict[str, Engine] = field(default_factory=dict)
    missing: dict[str, MissingError] = field(default_factory=dict)

    def take(self, name: str) -> Engine | None:
        """The engine, or None when it is not here (`missing` then says why)."""
        if name not in self.made and name not in self.missing:
            try:
                self.made[name] = self._make(name)
            except MissingError as error:
                self.missing[name] = error
        return self.made.get(name)

    def _make(self, name: str) -> Engine:
        if name == "kokoro":
            return KokoroVoice(self.kokoro_folder(), live=True)
        makers: dict[str, Callable[[], Engine]] = {"hibari": HibariVoice, "espeak": EspeakVoice, "pyttsx3": Pyttsx3Voice}
        return makers[name]()

    def remembering(self, engine: Engine) -> RenderCache:
        return RenderCache(self.places.cache / "lines", engine, keeps=self.keeps)

    def kokoro_folder(self) -> Path:
        given = self.settings["model_folder"]
        found = find_model("kokoro", models=self.places.models, folder=user_path(given) if given else None)
        if found is None:
            raise MissingError("Kokoro's model is not here", code="voice-missing", hint="run: make setup")
        return found


def _log_report(error: VoiceprepError) -> None:
    log.warning("a voice cannot be used: %s", error.code)


async def choose(
    settings: Settings,
    places: Places,
    *,
    languages: Iterable[Tongue] = TONGUES,
    live_only: bool = False,
    slowest: float = LIVE_FACTOR,
    keeps: Keeps = lambda _: True,
    report: Report = _log_report,
    made: dict[str, Engine] | None = None,
) -> VoiceSet:
    """The voices for a session.

    Args:
        settings: `voice` and `model_folder` count.
        places: where models lie, and where rendered lines and the speed of the voices are kept.
        languages: those that will be spoken; a voice for another language is neither looked for nor measured.
        live_only: never use lines that were rendered ahead, so that the same session sounds the same every time.
        slowest: seconds of work for a second of speech up to which a better voice is waited for.
        keeps: whether a rendered line may stay on the disk; by default all do.
        report: told once about each voice that fails while it is used.
        made: engines that are there already, by name; those that are made are added. Whoever gives it shares them between
            sessions, and closes them when the last one is over (each session then only its `VoiceSet.rest`).

    Raises MissingError (``voice-missing``) when the settings name an engine that is not here.
    """
    wanted = settings["voice"]
    if wanted == "none":
        return VoiceSet(dict.fromkeys(languages, SilentVoice()), "none: the setting voice says so")
    shelf = _Shelf(settings, places, keeps, {} if made is None else made)
    if wanted != "auto" and shelf.take(wanted) is None:
        raise shelf.missing[wanted]
    choice = _Choice(wanted, shelf, places, report, live_only=live_only, slowest=slowest)
    for tongue in languages:
        await choice.make(tongue)
    return choice.result()


class _Choice:
    """One language after another, since Kokoro is shared by those that use it."""

    def __init__(self, wanted: str, shelf: _Shelf, places: Places, report: Report, *, live_only: bool, slowest: float) -> None:
        self._wanted = wanted
        self._shelf = shelf
        self._places = places
        self._report = report
        self._live_only = live_only
        self._slowest = slowest
        self._voices: dict[Tongue, Voice] = {}
        self._reasons: list[str] = []
        self._background: RenderCache | None = None

    async def make(self, tongue: Tongue) -> None:
        """Decide on the voice of this language."""
        order, why = ORDER[tongue], list[str]()
        wanted = self._shelf.take(self._wanted) if self._wanted != "auto" else None
        if wanted is not None and tongue in wanted.info.languages:
            order = (self._wanted, *(name for name in order if name not in {self._wanted, "kokoro"}))
        elif wanted is not None:
            why.append(f"{self._wanted} cannot speak it")
        engines: dict[str, Voice] = {}
        for name in order:
            engine = self._shelf.take(name)
            if engine is not None and tongue in engine.info.languages:
                engines[name] = engine
        ahead = None
        if "kokoro" in engines:
            ahead, note = await self._place_kokoro(engines, tongue)
            why.append(note)
        elif order[0] in self._shelf.missing:
            why.append(str(self._shelf.missing[order[0]]))
        if not engines:
            why.append("no voice is installed, so lines are only shown")
        live: Voice = FallbackVoice(list(engines.values()), self._report) if engines else SilentVoice()
        self._voices[tongue] = LayeredVoice(ahead, live) if ahead else live
        self._reasons.append(f"{NAMES[tongue]}: {self._voices[tongue].info.engine}" + (f" ({'; '.join(why)})" if why else ""))

    def result(self) -> VoiceSet:
        return VoiceSet(self._voices, ", ".join(self._reasons), [self._background] if self._background else [])

    async def _place_kokoro(self, engines: dict[str, Voice], tongue: Tongue) -> tuple[RenderCache | None, str]:
        """Leave Kokoro among the live engines, with a cache, or take it out. Returns what renders ahead, and a note."""
        kokoro = self._shelf.made["kokoro"]
        try:
            factor = await real_time_factor(kokoro, tongue, self._places.cache / "voices.json")
            note = f"Kokoro takes {factor:.2f} s for a second of speech here"
        except VoiceprepError as error:
            factor, note = math.inf, f"Kokoro is not used: {error.message}"
        if factor <= self._slowest and math.isfinite(factor):
            engines["kokoro"] = self._shelf.remembering(kokoro)
            return None, note
        del engines["kokoro"]
        # The child that was measured has the session's priority; the one that renders ahead must give way to it.
        await kokoro.close()
        if math.isinf(factor) or self._live_only or not engines:
            return None, note
        if self._background is None:
            self._background = self._shelf.remembering(KokoroVoice(self._shelf.kokoro_folder()))
        return self._background, f"{note}, too long to wait: only for lines that were rendered ahead"
