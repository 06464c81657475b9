"""The voices of a session, one for each language."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping

from voiceprep.core.pack import Tongue
from voiceprep.core.text import has_hanzi
from voiceprep.errors import VoiceprepError
from voiceprep.speech.tts.base import Utterance, Voice, VoiceInfo, VoiceStyle
from voiceprep.speech.tts.cache import RenderCache, RenderRequest, render_ahead
from voiceprep.speech.tts.ear import for_ear
from voiceprep.speech.tts.layered import LayeredVoice

NAMES: Mapping[Tongue, str] = {"en": "English", "zh": "Chinese"}


class VoiceSet:
    """A voice for each language. `reason` says which and why, for the header and the doctor."""

    def __init__(self, voices: Mapping[Tongue, Voice], reason: str, ahead: Iterable[RenderCache] = ()) -> None:
        self.voices = dict(voices)
        self.reason = reason
        self.ahead = tuple(ahead)
        """Voices that are too slow to wait for, and are used for lines that were rendered ahead."""

    @property
    def info(self) -> VoiceInfo:
        infos = [voice.info for voice in self.voices.values()]
        engines = "/".join(dict.fromkeys(info.engine for info in infos))
        return VoiceInfo(engines, frozenset(self.voices), all(info.live for info in infos))

    async def render(self, text: str, language: Tongue, style: VoiceStyle) -> Utterance:
        """Text with hanzi goes to the Chinese voice whatever its language is said to be."""
        return await self._voice(text, language).render(text, language, style)

    async def warm(self, style: VoiceStyle) -> None:
        """Load what speaks, so that the first line does not wait for it. A voice that fails will say so when it is asked."""
        for language, voice in self.voices.items():
            with contextlib.suppress(VoiceprepError):
                await voice.render(for_ear("1", language), language, style)

    async def render_ahead(self, requests: Iterable[RenderRequest], progress: Callable[[int, int], None] | None = None) -> int:
        """Render known lines with the better but slow voices; see `cache.render_ahead`. Nothing to do without such a voice."""
        wanted = list(requests)
        there = 0
        for cache in self.ahead:
            fitting = [line for line in wanted if ("zh" if has_hanzi(line.text) else line.language) in self._led_by(cache)]
            there += await render_ahead(cache, fitting, progress)
        return there

    async def close(self) -> None:
        for voice in self.voices.values():
            await voice.close()

    async def rest(self) -> None:
        """The session is over, and others will use the engines: only what rendered ahead for this one is closed."""
        for cache in self.ahead:
            await cache.close()

    def _voice(self, text: str, language: Tongue) -> Voice:
        tongue: Tongue = "zh" if has_hanzi(text) else language
        if tongue not in self.voices:
            raise VoiceprepError(f"no voice speaks {NAMES[tongue]} here", code="voice-cannot-speak", hint="run: make setup")
        return self.voices[tongue]

    def _led_by(self, cache: RenderCache) -> set[Tongue]:
        """The languages whose lines this cache is asked for."""
        return {tongue for tongue, voice in self.voices.items() if isinstance(voice, LayeredVoice) and voice.ahead is cache}
