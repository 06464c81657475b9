"""Sessions held the real way, from what a page asks for to what is kept of it; the models alone are fakes."""

from __future__ import annotations

from pathlib import Path

from tests.fakes.edges import CountingRecogniser
from tests.web.studio import BriefVoice
from voiceprep.config import Places
from voiceprep.live.drill import hold
from voiceprep.live.plan import Brought, Progress, Result
from voiceprep.live.practice import practise
from voiceprep.speech.tts.base import VoiceInfo
from voiceprep.speech.tts.engine import Engine
from voiceprep.web.practice import Watch, Wish


class BriefEngine(BriefVoice):
    """A tone for each sentence, in place of the voice of the settings."""

    info = VoiceInfo("tone", frozenset({"en"}), live=True)
    version = "tone-1"


class RealHolds:
    """Rounds, single questions and drills of the packs."""

    def __init__(self, home: Path) -> None:
        self.voice = BriefEngine()
        self._places = Places(home=home, recordings=home / "recordings")
        self._engines: dict[str, Engine] = {"hibari": self.voice}

    async def __call__(self, wish: Wish, watch: Watch, progress: Progress) -> Result:
        settings = wish.settings.with_arguments(voice="hibari")
        brought = Brought(wish.sink, CountingRecogniser(), self._engines, listens_to_signals=False)
        if wish.plan.take is not None:
            return (await hold(wish.plan, settings, self._places, watch, progress, wish.source, brought)).result
        return await practise(wish.plan, settings, self._places, watch, progress, wish.source, brought)
