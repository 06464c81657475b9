"""An analysis as the JSON document of `voiceprep analyze --json`."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from voiceprep.core.listening.pauses import SHORTEST_PAUSE
from voiceprep.core.units import Seconds
from voiceprep.review.analysis import Analysis

SCHEMA = 1


def document(analysis: Analysis, wall: Seconds) -> dict[str, Any]:
    """The analysis as `analyze --json` prints it; `wall` is how long it took."""
    audio, info = analysis.audio, analysis.model
    return {
        "schema": SCHEMA,
        "audio": {"duration": _s(audio.duration), "sample_rate": audio.sample_rate, "channels": audio.channels},
        "language": analysis.language,
        "model": {"stt": info.model, "device": info.device, "compute_type": info.compute_type} if info else {"stt": "off"},
        "text": analysis.text,
        "words": [
            {"text": w.text, "start": _s(w.start), "end": _s(w.end), "confidence": round(w.confidence, 3)}
            for w in analysis.words
        ],
        "speech": [{"start": _s(span.start), "end": _s(span.end)} for span in analysis.speech],
        "pauses": [
            {"start": _s(p.start), "end": _s(p.end), "duration": _s(p.duration), "kind": p.kind} for p in analysis.pauses
        ],
        "minimum_pause": SHORTEST_PAUSE,
        "fillers": {
            "count": len(analysis.fillers),
            "per_minute": _rate(analysis.fillers_per_minute),
            "estimated": True,
            "items": [{"text": f.text, "start": _s(f.start), "end": _s(f.end), "source": f.source} for f in analysis.fillers],
        },
        "rates": {key: _rate(value) if isinstance(value, float) else value for key, value in asdict(analysis.rates).items()},
        "flags": [
            {
                "rule": f.rule,
                "level": f.level,
                "start": _s(f.start),
                "end": _s(f.end),
                "at": _s(f.at),
                "advice": f.advice,
                "evidence": f.evidence,
            }
            for f in analysis.flags
        ],
        "scores": None,
        "quality": {"trusted": analysis.quality.trusted, "reasons": list(analysis.quality.reasons)},
        "timing": {"wall": _s(wall), "rtf": round(wall / analysis.audio.duration, 4) if analysis.audio.duration else None},
    }


def _s(seconds: float) -> float:
    return round(seconds, 3)


def _rate(value: float | None) -> float | None:
    return None if value is None else round(value, 1)
