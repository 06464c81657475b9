"""How fast the voices are here: real-time factor, time to first audio and processor seconds, by engine and language."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from voiceprep.audio.base import VOICE_RATE
from voiceprep.config import load, places
from voiceprep.core.pack import Tongue
from voiceprep.errors import MissingError, VoiceprepError
from voiceprep.speech.models import find_model
from voiceprep.speech.tts.base import VoiceStyle
from voiceprep.speech.tts.ear import for_ear
from voiceprep.speech.tts.engine import Engine
from voiceprep.speech.tts.espeak import EspeakVoice
from voiceprep.speech.tts.hibari import HibariVoice
from voiceprep.speech.tts.kokoro import KokoroVoice
from voiceprep.speech.tts.pyttsx3_voice import Pyttsx3Voice

STYLE = VoiceStyle("mid-neutral")
SHORT: dict[Tongue, str] = {"en": "What did you decide?", "zh": "你是怎么决定的？"}
LONG: dict[Tongue, str] = {
    "en": "Your p99 went from 250ms to 100 ms on the same GPUs. What did you give up for it, and who disagreed with you?",
    "zh": "你的P99从250毫秒降到了100毫秒，GPU还是那些GPU。你为此放弃了什么，当时谁不同意你的做法？",
}


def run(as_json: bool = False, **_: Any) -> dict[str, Any]:
    """Returns ``{"rows": [{"engine", "lang", "rtf", "first_audio", "cpu_s", "audio_s", "leading_silence"}], "missing"}``.

    `rtf` is seconds of waiting for a second of speech, `first_audio` seconds until the first sample of a short question,
    `cpu_s` processor seconds for the long one, all after the model was loaded.
    """
    result = asyncio.run(_run())
    if not as_json:
        for row in result["rows"]:
            print("  ".join(f"{key} {value}" for key, value in row.items()))
        for name, why in result["missing"].items():
            print(f"{name}: {why}")
    return result


async def _run() -> dict[str, Any]:
    rows: list[dict[str, Any]] = []
    missing: dict[str, str] = {}
    makers: dict[str, Callable[[], Engine]] = {
        "espeak": EspeakVoice,
        "pyttsx3": Pyttsx3Voice,
        "hibari": HibariVoice,
        "kokoro": _kokoro,
    }
    for name, make in makers.items():
        try:
            engine = make()
            rows += [await _row(engine, language) for language in sorted(engine.info.languages)]
            await engine.close()
        except VoiceprepError as error:
            missing[name] = str(error)
    return {"rows": rows, "missing": missing, "machine": {"processors": os.cpu_count()}}


def _kokoro() -> KokoroVoice:
    given = load()["model_folder"]
    folder = find_model("kokoro", models=places().models, folder=Path(given) if given else None)
    if folder is None:
        raise MissingError("Kokoro's model is not here", code="voice-missing", hint="run: make setup")
    return KokoroVoice(folder, live=True)


async def _row(engine: Engine, language: Tongue) -> dict[str, Any]:
    short, long = for_ear(SHORT[language], language), for_ear(LONG[language], language)
    await engine.render(short, language, STYLE)
    begun = time.perf_counter()
    await engine.render(short, language, STYLE)
    first = time.perf_counter() - begun
    begun, used = time.perf_counter(), _processor(engine)
    samples = (await engine.render(long, language, STYLE)).samples
    waited, seconds = time.perf_counter() - begun, samples.size / VOICE_RATE
    return {
        "engine": engine.info.engine,
        "lang": language,
        "rtf": round(waited / seconds, 3),
        "first_audio": round(first, 3),
        "cpu_s": round(_processor(engine) - used, 3),
        "audio_s": round(seconds, 2),
        "leading_silence": round(int(np.argmax(np.abs(samples) > 0.01)) / VOICE_RATE, 3),
    }


def _processor(engine: Engine) -> float:
    """Processor seconds of this process, of children that ended, and of the engine's own child where Linux tells."""
    ours, ended = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    total = ours.ru_utime + ours.ru_stime + ended.ru_utime + ended.ru_stime
    pid = engine.servant.pid if isinstance(engine, KokoroVoice) else None
    status = Path(f"/proc/{pid}/stat")
    if pid is not None and status.exists():
        user, system = status.read_text(encoding="ascii").rpartition(")")[2].split()[11:13]
        total += (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
    return total


if __name__ == "__main__":
    print(json.dumps(run(as_json=True), indent=2))
