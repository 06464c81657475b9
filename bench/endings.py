"""How well the sound alone tells an ending from a pause, on speech that the project renders itself, so that its truth is exact.

Every sentence of bench/data/prosody.toml is rendered as one, by each voice that is here. A lull inside it is a pause; the one
after it is an ending. Copies that break off in mid-sentence, some with their last vowel drawn out, end in pauses too.
Only the half that the weights of core/turns/prosody.py were not fitted on is measured.
"""

from __future__ import annotations

import asyncio
import math
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal

import numpy as np
import soxr  # type: ignore[import-untyped]  # it ships no types

from voiceprep.audio.base import BLOCK, RATE, VOICE_RATE, Samples
from voiceprep.config import load, places
from voiceprep.core.events import Ending
from voiceprep.core.pack import Tongue
from voiceprep.core.turns.prosody import finality
from voiceprep.errors import MissingError, VoiceprepError
from voiceprep.speech.endpoint.frames import HOP, analyse
from voiceprep.speech.endpoint.prosody import Prosody
from voiceprep.speech.models import find_model
from voiceprep.speech.tts.base import Voice, VoiceStyle
from voiceprep.speech.tts.cache import RenderCache
from voiceprep.speech.tts.ear import for_ear
from voiceprep.speech.tts.espeak import EspeakVoice
from voiceprep.speech.tts.hibari import HibariVoice
from voiceprep.speech.tts.kokoro import KokoroVoice
from voiceprep.speech.vad.silero import ActivityPolicy, SileroActivity

SENTENCES = Path(__file__).parent / "data" / "prosody.toml"
CHARACTERS = {"hibari": ("low-calm", "bright-warm"), "espeak": ("low-calm", "bright-warm"), "kokoro": ("low-calm",)}
"""Kokoro has one, as a line takes it seconds. Its lines are kept in the cache, so a second run is quick."""
LULL = 0.2
"""Seconds of silence after which the ending is asked for."""
NEAR = 0.3
"""Seconds from the end of a sound within which a lull belongs to that end."""
NOISE = 10 ** (-60 / 20)
DRAWN_OUT = (0.15, 0.4)
"""Seconds by which a last vowel is lengthened."""

Kind = Literal["end", "pause", "broken", "drawn"]


@dataclass(frozen=True, slots=True)
class Lull:
    """A silence of known meaning, and how the speech before it ended."""

    kind: Kind
    ending: Ending | None


def run(**_: Any) -> dict[str, Any]:
    """Returns ``{"rows": [{"voice", "lang", "ends", "holds", "auc", ..., "log_loss"}], "cues": [...], "cpu_ms", "missing"}``.

    `auc`: the chance that an ending gets a higher verdict than a pause; then the same against each kind of pause alone, and for
    each cue by itself. `log_loss` counts endings and pauses equally; 0.693 is what knowing nothing costs.
    """
    return asyncio.run(_run())


async def _run() -> dict[str, Any]:
    sentences = tomllib.loads(SENTENCES.read_text(encoding="utf-8"))
    result: dict[str, Any] = {"rows": [], "cues": [], "cpu_ms": 0.0, "missing": {}}
    makers: dict[str, Callable[[], Voice]] = {"hibari": HibariVoice, "espeak": EspeakVoice, "kokoro": _kokoro}
    spent: list[float] = []
    for name, make in makers.items():
        try:
            voice = make()
            for language in sorted(voice.info.languages):
                unseen = [text for kind in sentences[language].values() for text in kind[1::2]]
                lulls = [lull for who in CHARACTERS[name] for lull in heard(await _spoken(voice, unseen, language, who), spent)]
                result["rows"].append({"voice": name, "lang": language} | _figures(lulls, language))
                result["cues"].append({"voice": name, "lang": language} | _cues(lulls))
            await voice.close()
        except VoiceprepError as error:
            result["missing"][name] = str(error)
    result["cpu_ms"] = 1000 * float(np.median(spent)) if spent else 0.0
    return result


def _kokoro() -> Voice:
    given = load()["model_folder"]
    folder = find_model("kokoro", models=places().models, folder=Path(given) if given else None)
    if folder is None:
        raise MissingError("Kokoro's model is not here", code="voice-missing", hint="run: make setup")
    return RenderCache(places().cache / "lines", KokoroVoice(folder, live=True))


async def _spoken(voice: Voice, texts: Sequence[str], language: Tongue, who: str) -> list[Samples]:
    style = VoiceStyle(who)
    rendered = [(await voice.render(for_ear(text, language), language, style)).samples for text in texts]
    return [soxr.resample(samples, VOICE_RATE, RATE).astype(np.float32) for samples in rendered]


# --- lulls of known meaning -----------------------------------------------------------------------------------------------


def heard(sounds: Sequence[Samples], spent: list[float]) -> Iterator[Lull]:
    """What one speaker's sounds and their broken copies are heard as, in one session. Appends processor seconds to `spent`."""
    luck = np.random.default_rng(7)
    stream, ends = _stream(sounds, luck)
    activity, prosody = SileroActivity(ActivityPolicy(hangover=LULL)), Prosody()
    for block in stream.reshape(-1, BLOCK):
        prosody.feed(block)
        for found in activity.feed(block):
            if found.kind != "stopped":
                continue
            began = time.process_time()
            ending = prosody.ending()
            spent.append(time.process_time() - began)
            kinds = [kind for place, kind in ends if abs(place - found.media) < NEAR]
            yield Lull(kinds[0] if kinds else "pause", ending)


def _stream(sounds: Sequence[Samples], luck: np.random.Generator) -> tuple[Samples, list[tuple[float, Kind]]]:
    """All sounds in random order with silences between, whole blocks; and where each ends, in seconds."""
    pieces: list[tuple[Samples, Kind]] = []
    for sound in sounds:
        pieces += [
            (sound, "end"),
            (broken_off(sound, luck, drawn=False), "broken"),
            (broken_off(sound, luck, drawn=True), "drawn"),
        ]
    parts, ends, length = list[Samples](), list[tuple[float, Kind]](), 0
    for index in luck.permutation(len(pieces)):
        sound, kind = pieces[int(index)]
        silence = np.zeros(round(luck.uniform(0.8, 2.0) * RATE), np.float32)
        parts += [sound, silence]
        ends.append(((length + _last_sound(sound)) / RATE, kind))
        length += len(sound) + len(silence)
    stream = np.concatenate([*parts, np.zeros(-length % BLOCK, np.float32)])
    return (stream + NOISE * luck.standard_normal(len(stream))).astype(np.float32), ends


def _last_sound(sound: Samples) -> int:
    """Sample after which nothing within 35 dB of the peak comes."""
    return int(np.flatnonzero(np.abs(sound) > np.abs(sound).max() * 10 ** (-35 / 20))[-1])


def broken_off(sound: Samples, luck: np.random.Generator, *, drawn: bool) -> Samples:
    """The sound up to a syllable in its middle; `drawn`: whose vowel goes on for a while, period by period."""
    pitch = analyse(sound).pitch
    edges = np.flatnonzero(np.diff(np.isfinite(pitch).astype(int), prepend=0, append=0)).reshape(-1, 2)
    inside = [(a, b) for a, b in edges.tolist() if b - a >= 6 and 0.2 * len(pitch) < a and b < 0.85 * len(pitch)]
    first, after = inside[int(luck.integers(len(inside)))] if inside else (len(pitch) // 2 - 8, len(pitch) // 2)
    if not drawn or not inside:
        return _faded(sound[: after * HOP], 0.02)
    frame = first + 3 * (after - first) // 4
    period, cut = round(RATE / 2 ** (float(pitch[frame]) / 12)), frame * HOP
    window = np.hanning(2 * period).astype(np.float32)
    grain = sound[cut - period : cut + period] * window
    repeats = int(luck.uniform(*DRAWN_OUT) * RATE / period)
    longer = np.zeros(cut + (repeats + 3) * period, np.float32)
    longer[:cut] = sound[:cut]
    longer[cut - period : cut] *= window[period:]
    place = cut - period
    for _ in range(repeats):
        longer[place : place + 2 * period] += grain
        place += period + int(luck.integers(-1, 2))
    return _faded(longer[: place + period], 0.05)


def _faded(sound: Samples, seconds: float) -> Samples:
    faded = sound.copy()
    count = round(seconds * RATE)
    faded[-count:] *= np.linspace(1, 0, count, dtype=np.float32)
    return faded


# --- figures --------------------------------------------------------------------------------------------------------------


def area(ends: Sequence[float], holds: Sequence[float]) -> float | None:
    """The chance that an ending scores higher than a pause, ties counting half; None without one of either."""
    if not ends or not holds:
        return None
    above = np.subtract.outer(np.array(ends), np.array(holds))
    return round(float((above > 0).mean() + (above == 0).mean() / 2), 3)


def _figures(lulls: Sequence[Lull], language: Tongue) -> dict[str, Any]:
    verdicts: dict[Kind, list[float]] = {"end": [], "pause": [], "broken": [], "drawn": []}
    for lull in lulls:
        verdicts[lull.kind].append(finality(lull.ending, language))
    ends = verdicts.pop("end")
    holds = [verdict for some in verdicts.values() for verdict in some]
    losses = [np.mean([math.log1p(math.exp(sign * v)) for v in some]) for some, sign in ((ends, -1), (holds, 1)) if some]
    return {
        "ends": len(ends),
        "holds": len(holds),
        "auc": area(ends, holds),
        **{f"auc_{kind}": area(ends, some) for kind, some in verdicts.items()},
        "log_loss": round(float(np.mean(losses)), 3),
    }


def _cues(lulls: Sequence[Lull]) -> dict[str, Any]:
    table: dict[str, Any] = {}
    for cue in fields(Ending):
        known = [(lull.kind == "end", getattr(lull.ending, cue.name)) for lull in lulls if lull.ending is not None]
        values = [(is_end, value) for is_end, value in known if value is not None]
        table[cue.name] = area([v for is_end, v in values if is_end], [v for is_end, v in values if not is_end])
    return table
