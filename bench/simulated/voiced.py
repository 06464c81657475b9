"""A simulated candidate that is heard: in the product's voices and `practice`'s own shell, by the real recogniser."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Mapping
from math import inf
from pathlib import Path

import numpy as np
import soxr  # type: ignore[import-untyped]  # ships no types

from bench.candidate import BenchCandidate
from bench.choosing import Chooser as AnyChooser
from bench.simulated.characters import ASKS, Asked, Character, Chooser, load_character, texts_of
from bench.simulated.hearing import Interview, interview
from bench.simulated.meeting import FILLER, SENTENCE
from bench.truth import Take, Text, take
from bench.voice_to_voice import tell
from voiceprep import config
from voiceprep.audio.base import RATE, VOICE_RATE, Samples
from voiceprep.content import load_content
from voiceprep.core.events import Language, MoveKind
from voiceprep.core.pack import RoundPack, Tongue
from voiceprep.core.units import Seconds
from voiceprep.live.candidate import tongue_in
from voiceprep.live.plan import Plan
from voiceprep.live.practice import practise
from voiceprep.speech.tts.base import VoiceStyle
from voiceprep.speech.tts.choose import choose
from voiceprep.speech.tts.ear import for_ear
from voiceprep.store.archive import Archive

VOICE = VoiceStyle("low-calm")
DEFAULT_MINUTES = 6.0


class SpokenChooser(AnyChooser):
    """What the written character would say, as sound."""

    def __init__(self, chooser: Chooser, character: Character, pack: RoundPack, sounds: Mapping[str, list[Samples]]) -> None:
        super().__init__({})
        self._chooser, self._character, self._sounds = chooser, character, sounds
        self._kinds = {question.id: question.kind for question in pack.questions}
        self._question = ""

    def next(self, question: str, move: MoveKind, target: str) -> Take:
        if question or move == "move_on":
            self._question = question
        # A fact that was asked for leaves the question open.
        asking: MoveKind = "question" if move == "answer" and self._question else move
        kind = self._kinds.get(self._question, ASKS)
        text = self._chooser.next(Asked("", asking, target, self._question, kind))
        sounds = [samples for part in text.id.split("+") for samples in self._sounds[part]]
        return take(text, sounds, [self._silence(hold) for hold in text.holds])

    def more(self) -> Take:
        return self.next(self._question, "followup", "")

    def _silence(self, hold: str) -> Seconds:
        spans = {"hesitation": self._character.thinking, "filler": FILLER}
        return self._chooser.between(*spans.get(hold, SENTENCE))


class SpokenCandidate(BenchCandidate):
    """Answers after the silence that is this character's own."""

    def __init__(self, chooser: SpokenChooser, before: tuple[Seconds, Seconds], seconds: Seconds, seed: int) -> None:
        super().__init__(chooser, "fast", seconds, seed=seed, barges=False, tell=tell)
        self._before = before

    def floor_opened(self) -> None:
        super().floor_opened()
        if self._begin is not None:
            self._begin = self._sent + round(self._luck.uniform(*self._before) * RATE)


def hold_voiced(
    round_id: str, candidate: str, language: Language, seed: int = 1, minutes: float = DEFAULT_MINUTES
) -> Interview:
    """One spoken session of about so many minutes, on the audio clock. Needs the models of a practice session."""
    return asyncio.run(_hold(round_id, load_character(candidate), language, seed, minutes))


async def _hold(round_id: str, character: Character, language: Language, seed: int, minutes: float) -> Interview:
    pack = load_content(round_id).round
    sounds = await rendered(texts_for(character, pack, language), language)
    chooser = SpokenChooser(Chooser(character, language, seed), character, pack, sounds)
    source = SpokenCandidate(chooser, character.before, minutes * 60, seed)
    with tempfile.TemporaryDirectory() as folder:
        own = config.Places(home=config.places().home, recordings=Path(folder))
        settings = config.load().with_arguments(speaker="none", language=language, duplex="full")
        done = await practise(Plan(round_id, "fast"), settings, own, lambda _content, _session: source, tell, source)
        _, log = Archive(own.recordings).read(done.session)
        return interview(log, pack, language, character=character.id, whole=done.ended == "completed")


def texts_for(character: Character, pack: RoundPack, language: Language) -> list[Text]:
    """All that the character may say in this round."""
    tongues: tuple[Tongue, ...] = ("en", "zh") if language == "mixed" else (language,)
    questions, kinds = {one.id for one in pack.questions}, {one.kind for one in pack.questions} | {ASKS}
    return [
        text
        for answer in character.answers
        if (not answer.questions or answer.questions & questions) and (not answer.kinds or answer.kinds & kinds)
        for tongue in tongues
        for text in texts_of(answer, tongue)
    ]


async def rendered(texts: list[Text], language: Language) -> dict[str, list[Samples]]:
    """The sounds of each text, by its id, at RATE, all in one voice; kept by the voices' own cache."""
    tongues: tuple[Tongue, ...] = ("en", "zh") if language == "mixed" else (language,)
    voices = await choose(config.load().with_arguments(language=language), config.places(), languages=tongues, slowest=inf)
    made: dict[str, list[Samples]] = {}
    try:
        for number, text in enumerate(texts, 1):
            made[text.id] = []
            for sound in text.sounds:
                tongue = tongue_in(sound.text)
                spoken = await voices.render(for_ear(sound.text, tongue), tongue, VOICE)
                made[text.id].append(soxr.resample(spoken.samples, VOICE_RATE, RATE).astype(np.float32))
            tell(f"rendering {text.id}, {number} of {len(texts)}")
    finally:
        await voices.close()
    return made
