"""Voices made of voices: the better one where its line is ready, and the next one where one fails."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from voiceprep.core.pack import Tongue
from voiceprep.errors import VoiceprepError
from voiceprep.speech.tts.base import Utterance, Voice, VoiceInfo, VoiceStyle
from voiceprep.speech.tts.cache import RenderCache

Report = Callable[[VoiceprepError], None]

CHANCES = 2
"""Lines a voice may fail before it is not asked again. One may be the line's fault."""


class LayeredVoice:
    """Lines that were rendered ahead by the better voice, all others by the live one.

    Whether a line counts as rendered ahead is decided when it is first asked for, and kept: asked again it sounds the same,
    even if the better rendering has arrived since.
    """

    def __init__(self, ahead: RenderCache, live: Voice) -> None:
        self.ahead = ahead
        self._live = live
        self._is_ahead: dict[tuple[str, Tongue, VoiceStyle], bool] = {}

    @property
    def info(self) -> VoiceInfo:
        live = self._live.info
        return VoiceInfo(f"{self.ahead.info.engine}+{live.engine}", live.languages, live.live)

    async def render(self, text: str, language: Tongue, style: VoiceStyle) -> Utterance:
        line = (text, language, style)
        if line not in self._is_ahead:
            self._is_ahead[line] = self.ahead.has(text, language, style)
        if self._is_ahead[line]:
            utterance = await self.ahead.recall(text, language, style)
            if utterance is not None:
                return utterance
            self._is_ahead[line] = False
        return await self._live.render(text, language, style)

    async def close(self) -> None:
        await self.ahead.close()
        await self._live.close()


class FallbackVoice:
    """The first voice that works. One that fails is reported once, and given up after `CHANCES` lines, or one timeout."""

    def __init__(self, voices: Sequence[Voice], report: Report) -> None:
        self._voices = list(voices)
        self._report = report
        self._failures = dict.fromkeys(map(id, voices), 0)

    @property
    def info(self) -> VoiceInfo:
        """The first that still works; languages of all."""
        first = self._working()[0].info
        return VoiceInfo(first.engine, frozenset().union(*(voice.info.languages for voice in self._voices)), first.live)

    async def render(self, text: str, language: Tongue, style: VoiceStyle) -> Utterance:
        """Raises what the last voice raised when none could."""
        last: VoiceprepError | None = None
        for voice in self._working():
            try:
                return await voice.render(text, language, style)
            except VoiceprepError as error:
                last = error
                if error.code != "voice-cannot-speak":
                    self._count(voice, error)
        assert last is not None
        raise last

    async def close(self) -> None:
        for voice in self._voices:
            await voice.close()

    def _working(self) -> list[Voice]:
        working = [voice for voice in self._voices if self._failures[id(voice)] < CHANCES]
        return working or self._voices[-1:]

    def _count(self, voice: Voice, error: VoiceprepError) -> None:
        if not self._failures[id(voice)]:
            self._report(error)
        self._failures[id(voice)] += CHANCES if error.code == "voice-timeout" else 1
