"""Voice characters: the names personas use, and what each engine makes of them."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from voiceprep.core.pack import Tongue

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Character:
    """How one character sounds.

    `pitch` and `speed` are factors of the engine's own voice, for the engines that have one voice only. `kokoro` names a
    voice per language, which brings its own pitch. `espeak` is a variant of espeak-ng's voices.
    """

    pitch: float
    speed: float
    kokoro: Mapping[Tongue, str]
    espeak: str


CHARACTERS: Mapping[str, Character] = {
    "low-calm": Character(0.84, 0.96, {"en": "am_michael", "zh": "zm_yunyang"}, "m3"),
    "low-dry": Character(0.80, 1.06, {"en": "bm_george", "zh": "zm_yunjian"}, "m7"),
    "mid-neutral": Character(1.0, 1.0, {"en": "af_heart", "zh": "zf_xiaoxiao"}, "f2"),
    "mid-slow": Character(0.93, 0.88, {"en": "af_kore", "zh": "zf_xiaobei"}, "f4"),
    "bright-warm": Character(1.07, 0.98, {"en": "af_bella", "zh": "zf_xiaoyi"}, "f3"),
    "bright-brisk": Character(1.12, 1.12, {"en": "af_nova", "zh": "zm_yunxi"}, "f5"),
}
"""Pitch stays within 0.8..1.12: beyond it, a shifted voice sounds like a machine."""

NEUTRAL = "mid-neutral"


@cache
def character(name: str) -> Character:
    """The character of this name. An unknown one sounds neutral, which is better than a session that does not start."""
    if name not in CHARACTERS:
        log.warning("no voice character is named %r; known: %s", name, ", ".join(CHARACTERS))
    return CHARACTERS.get(name, CHARACTERS[NEUTRAL])
