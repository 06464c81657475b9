"""How many of the filled pauses are found, and how many finds are right: on answers rendered here, so the truth is known.

The characters and sentences are not those that the detector was fitted to. A filler is rendered by itself and put before a
sentence or into its quietest place, with short silences around it or none.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import soundfile  # type: ignore[import-untyped]  # ships no types
import soxr  # type: ignore[import-untyped]  # ships no types

from bench.stt import read_folder
from voiceprep.audio.base import RATE, VOICE_RATE, Samples
from voiceprep.config import load, places
from voiceprep.core.events import Language
from voiceprep.core.listening.fillers import Filler
from voiceprep.core.pack import Tongue
from voiceprep.core.units import Media, Seconds, Span
from voiceprep.errors import MissingError
from voiceprep.review.analysis import Analysis, analyze
from voiceprep.speech.models import find_model
from voiceprep.speech.stt.base import Recogniser
from voiceprep.speech.stt.opening import open_recogniser
from voiceprep.speech.tts.base import VoiceStyle
from voiceprep.speech.tts.engine import Engine
from voiceprep.speech.tts.espeak import EspeakVoice
from voiceprep.speech.tts.hibari import HibariVoice
from voiceprep.speech.tts.kokoro import KokoroVoice

CHARACTERS = ("bright-brisk", "mid-slow")
FILLERS: dict[Tongue, tuple[str, ...]] = {"en": ("Um...", "Uh...", "Er..."), "zh": ("嗯……", "呃……", "额……")}
PACES = (0.6, 0.8, 1.0)
"""Fillers are drawn out more often than not."""
SENTENCES: dict[Tongue, tuple[str, ...]] = {
    "en": (
        "Our biggest account threatened to leave in the spring.",
        "I called their platform lead and asked for one week.",
        "Two engineers thought that the cache was the problem.",
        "It turned out that we were retrying every request three times.",
        "We shipped the fix on Thursday, and the errors were gone.",
        "Support tickets went down by a third in the next month.",
        "I should have looked at the traffic before I made a promise.",
        "Today that check runs before every release.",
    ),
    "zh": (
        "去年春天我们最大的客户说要走。",
        "我给他们的负责人打了电话，请他再等一个星期。",
        "有两个工程师认为问题出在缓存上。",
        "后来发现每个请求都重试了三次。",
        "周四我们发布了修复，错误就没有了。",
        "下个月的工单少了三分之一。",
        "我应该先看流量，再去答应客户。",
        "现在每次发布之前都会做这个检查。",
    ),
}
NOISE = 18.0
"""dB by which the speech is above the noise, where there is some: a fan in the room."""
NEAR: Seconds = 0.3
"""A filler found in the words alone has the recogniser's times, which may be so far off."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A rendered answer, mono samples at RATE, and where its fillers are."""

    samples: Samples
    fillers: tuple[Span, ...]


def run(audio: Path | None = None, **_: Any) -> dict[str, Any]:
    """Render answers and look for their fillers, with the recogniser's words and by the sound alone.

    With a folder of recordings that hold no fillers (manifest.tsv: file, language, transcript), also how many are found there.

    Returns:
        ``{"rows": [{"voice", "lang", "noise", "words", "fillers", "found", "right", "seconds"}], "en": {...}, "zh": {...},
        "missing": {engine: why}}``, each language with `precision`, `recall` (both with the recogniser's words),
        `sound_precision`, `sound_recall` (without) and the number of `fillers`.
    """
    return asyncio.run(_run(audio))


async def _run(folder: Path | None) -> dict[str, Any]:
    recogniser = await open_recogniser(load(), places(), lambda _what, _share: None, live=False)
    rows: list[dict[str, Any]] = []
    missing: dict[str, str] = {}
    try:
        for name, make in ENGINES.items():
            try:
                engine = make()
            except MissingError as error:
                missing[name] = str(error)
                continue
            try:
                async for row in _rows(engine, recogniser):
                    rows.append(row)
                    sys.stderr.write(f"{row}\n")  # the whole takes minutes
            finally:
                await engine.close()
        result = {"rows": rows} | {language: _summary(rows, language) for language in ("en", "zh")} | {"missing": missing}
        return result if folder is None else result | {"fluent": [row async for row in _fluent(folder, recogniser)]}
    finally:
        if recogniser is not None:
            await recogniser.close()


async def _rows(engine: Engine, recogniser: Recogniser | None) -> AsyncIterator[dict[str, Any]]:
    for language in sorted(engine.info.languages):
        for number, character in enumerate(CHARACTERS):
            answer = await render(engine, language, character, np.random.default_rng(number))
            for noise in (None, NOISE):
                samples = answer.samples if noise is None else noisy(answer.samples, noise, np.random.default_rng(number))
                for ears in (recogniser, None):
                    found = (await _analysis(samples, ears, language)).fillers
                    yield {
                        "voice": f"{engine.info.engine} {character}",
                        "lang": language,
                        "noise": noise,
                        "words": ears is not None,
                        "fillers": len(answer.fillers),
                        "found": len(found),
                        "right": matches(found, answer.fillers),
                        "seconds": round(len(samples) / RATE, 1),
                    }


def _summary(rows: Sequence[dict[str, Any]], language: str) -> dict[str, float | int | None]:
    """Precision and recall over all rows of a language, with words and by the sound alone."""
    summary: dict[str, float | int | None] = {}
    for name, words in (("", True), ("sound_", False)):
        these = [row for row in rows if row["lang"] == language and row["words"] is words]
        there, found, right = (sum(row[key] for row in these) for key in ("fillers", "found", "right"))
        summary |= {
            f"{name}precision": round(right / found, 3) if found else None,
            f"{name}recall": round(right / there, 3) if there else None,
        }
        summary["fillers"] = there
    return summary


async def _fluent(folder: Path, recogniser: Recogniser | None) -> AsyncIterator[dict[str, Any]]:
    for item in read_folder(folder):
        analysis = await _analysis(item.samples, recogniser, item.language)
        minutes = len(item.samples) / RATE / 60
        yield {"file": item.name, "lang": item.language, "found": len(analysis.fillers), "minutes": round(minutes, 2)}


async def _analysis(samples: Samples, recogniser: Recogniser | None, language: Language) -> Analysis:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "answer.wav"
        soundfile.write(path, samples, RATE, subtype="FLOAT")
        return await analyze(path, recogniser=recogniser, language=language)


async def render(engine: Engine, language: Tongue, character: str, luck: np.random.Generator) -> Answer:
    """All sentences in the order of luck, three of four with a filler before them or inside."""
    pieces: list[Samples] = [_silence(0.5)]
    spans: list[Span] = []

    async def say(text: str, pace: float = 1.0) -> Samples:
        said = await engine.render(text, language, VoiceStyle(character, pace=pace))
        return _trimmed(soxr.resample(said.samples, VOICE_RATE, RATE).astype(np.float32))

    for number, place in enumerate(luck.permutation(len(SENTENCES[language]))):
        sentence = await say(SENTENCES[language][place])
        if number % 4 == 0:
            pieces += [sentence, _silence(luck.uniform(0.15, 0.9))]
            continue
        filler = await say(str(luck.choice(FILLERS[language])), float(luck.choice(PACES)))
        left, right = _cut(sentence) if number % 4 == 1 else (sentence[:0], sentence)
        pieces += [left, _silence(luck.uniform(0.0, 0.3))]
        start = sum(map(len, pieces)) / RATE
        spans.append(Span(Media(start), Media(start + len(filler) / RATE)))
        level = 10 ** (luck.uniform(-6, 0) / 20)
        pieces += [filler * np.float32(level), _silence(luck.uniform(0.02, 0.4)), right, _silence(luck.uniform(0.15, 0.9))]
    return Answer(np.concatenate(pieces).astype(np.float32), tuple(spans))


def matches(found: Sequence[Filler], truth: Sequence[Span]) -> int:
    """How many of the true fillers were found, each find counting for one of them only."""
    left = list(found)
    count = 0
    for span in truth:
        hit = next((filler for filler in left if _is(filler, span)), None)
        if hit is not None:
            left.remove(hit)
            count += 1
    return count


def _is(filler: Filler, span: Span) -> bool:
    heard = Span(filler.start, filler.end)
    if filler.source == "words":
        return heard.start < span.end + NEAR and heard.end > span.start - NEAR
    return heard.overlap(span) > 0.3 * min(heard.duration, span.duration)


def noisy(samples: Samples, above: float, luck: np.random.Generator) -> Samples:
    """The same with noise that falls with frequency, `above` dB under the speech."""
    spectrum = np.fft.rfft(luck.standard_normal(len(samples)))
    noise = np.fft.irfft(spectrum / np.sqrt(np.maximum(np.arange(len(spectrum)), 50)), len(samples))
    speech = np.sqrt(np.mean(samples[np.abs(samples) > 0.01] ** 2))
    mixed: Samples = (samples + noise / noise.std() * speech * 10 ** (-above / 20)).astype(np.float32)
    return mixed


def _silence(seconds: float) -> Samples:
    return np.zeros(round(seconds * RATE), np.float32)


def _trimmed(samples: Samples) -> Samples:
    """What is within 40 dB of the loudest 10 ms, faded at both ends."""
    places = np.flatnonzero((power := _power(samples, 160)) > power.max() * 1e-4)
    kept = samples[places[0] : places[-1] + 1].copy()
    ramp = np.linspace(0, 1, min(80, len(kept)), dtype=np.float32)
    kept[: len(ramp)] *= ramp
    kept[len(kept) - len(ramp) :] *= ramp[::-1]
    return kept


def _cut(samples: Samples) -> tuple[Samples, Samples]:
    """In two at the quietest 30 ms of the middle half."""
    quarter = len(samples) // 4
    place = quarter + int(np.argmin(_power(samples, 480)[quarter : 3 * quarter]))
    return samples[:place], samples[place:]


def _power(samples: Samples, width: int) -> Samples:
    return np.convolve(np.square(samples), np.full(width, 1 / width, np.float32), "same")


def _kokoro() -> KokoroVoice:
    given = load()["model_folder"]
    folder = find_model("kokoro", models=places().models, folder=Path(given) if given else None)
    if folder is None:
        raise MissingError("Kokoro's model is not here", code="voice-missing", hint="run: make setup")
    return KokoroVoice(folder, live=True)


ENGINES: dict[str, Callable[[], Engine]] = {"hibari": HibariVoice, "espeak": EspeakVoice, "kokoro": _kokoro}


if __name__ == "__main__":
    print(json.dumps(run(), indent=2, ensure_ascii=False))
