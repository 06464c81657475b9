"""How fast a voice is on this machine: measured once, kept with the versions it was measured with."""

from __future__ import annotations

import contextlib
import json
import os
import platform
import time
from datetime import date
from importlib import metadata
from math import inf
from pathlib import Path

from voiceprep.audio.base import VOICE_RATE
from voiceprep.core.pack import Tongue
from voiceprep.files import parse_json
from voiceprep.speech.tts.base import VoiceStyle
from voiceprep.speech.tts.characters import NEUTRAL
from voiceprep.speech.tts.ear import for_ear
from voiceprep.speech.tts.engine import Engine

LIVE_FACTOR = 0.3
"""Seconds of work for a second of speech. Lines are rendered sentence by sentence: one of 3.5 s is then ready within about a
second, which sounds like a person thinking."""


async def real_time_factor(voice: Engine, language: Tongue, store: Path) -> float:
    """Seconds of work for a second of speech, from `store` (a JSON file) or measured and put there.

    A voice that was too slow is given another chance on another day: the machine may have been busy. The best counts.
    Raises the voice's VoiceprepError when it cannot render.
    """
    key = "|".join((voice.version, metadata.version("onnxruntime"), platform.machine(), f"{os.cpu_count()} processors"))
    known, today = _load(store), float(date.today().toordinal())  # noqa: DTZ011 - any day line will do
    best = known.get(key, inf)
    if best > LIVE_FACTOR and known.get(f"{key}|day") != today:
        best = min(best, await _measure(voice, language))
        # Read again: another process may have measured another voice meanwhile.
        _save(store, _load(store) | {key: best, f"{key}|day": today})
    return best


async def _measure(voice: Engine, language: Tongue) -> float:
    style = VoiceStyle(NEUTRAL)
    # The first line loads the model, which says nothing about the speed of the next.
    await voice.render(for_ear("1", language), language, style)
    begun = time.perf_counter()
    spoken = await voice.render(for_ear("12345678", language), language, style)
    return round((time.perf_counter() - begun) / (spoken.samples.size / VOICE_RATE), 3)


def _load(store: Path) -> dict[str, float]:
    try:
        raw = parse_json(store.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(raw, dict):
        return {}
    return {str(key): float(value) for key, value in raw.items() if isinstance(value, int | float)}


def _save(store: Path, factors: dict[str, float]) -> None:
    # Not kept is only measured again.
    with contextlib.suppress(OSError):
        store.parent.mkdir(parents=True, exist_ok=True)
        half = store.with_name(f"{store.name}.{os.getpid()}.part")
        half.write_text(json.dumps(factors, indent=2), encoding="utf-8")
        half.replace(store)
