"""Spoken answers whose truth is known to the sample: where each sound begins and ends, and what every silence in it is.

An answer is written as text with marks (`bench/data/answers.*.toml`), its sounds are rendered one by one in the project's
own voices, and silences of chosen lengths are laid between them. A silence runs from the last audible sample before it to
the first one after it; the end of an answer is its last audible sample. Noise and rooms come later (`bench/conditions.py`)
and change nothing of that.
"""

from __future__ import annotations

import re
import tomllib
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import soxr  # type: ignore[import-untyped]  # ships no types

from voiceprep.audio.base import RATE, VOICE_RATE, Samples
from voiceprep.core.events import Language
from voiceprep.core.units import Seconds
from voiceprep.errors import BadInputError
from voiceprep.live.candidate import tongue_in
from voiceprep.live.interpreter import Voices
from voiceprep.speech.tts.base import VoiceStyle
from voiceprep.speech.tts.characters import CHARACTERS
from voiceprep.speech.tts.ear import for_ear

Part = Literal["dev", "held"]
PauseKind = Literal["hesitation", "sentence", "filler"]
"""At a place to think; between two sentences; around a filler inside a sentence."""

DATA = Path(__file__).parent / "data"
AUDIBLE = 0.01
"""Amplitude from which a sample can be heard."""
THINKING: tuple[Seconds, Seconds] = (1.0, 10.0)
LONG: tuple[Seconds, Seconds] = (10.0, 60.0)
LONG_SHARE = 0.125
"""One hesitation in eight is a long one."""
BREATH: tuple[Seconds, Seconds] = (0.2, 1.2)
LECTURE: tuple[Seconds, Seconds] = (0.5, 3.0)
AROUND_FILLER: tuple[Seconds, Seconds] = (0.12, 0.4)

_MARK = re.compile(r"\{(?P<filler>[^}]+)\}|(?P<hold>\|)|(?P<text>[^{|]+)")
_SENTENCE = re.compile(r"(?<=[.?!])\s+|(?<=[。？！])\s*")
_ENDS = re.compile(r"[.?!。？！]$")


@dataclass(frozen=True, slots=True)
class Sound:
    """Something said in one go."""

    text: str
    filler: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """A written answer: `sounds`, and the kind of silence after each but the last (`holds`)."""

    id: str
    language: Language
    questions: tuple[str, ...]
    """Ids of the pack's questions that it answers; ``your-questions`` where the candidate asks."""
    targets: tuple[str, ...]
    """What follow-ups it answers, as the director names what it goes after."""
    sounds: tuple[Sound, ...]
    holds: tuple[PauseKind, ...]


@dataclass(frozen=True, slots=True)
class Stretch:
    """Samples `start` up to, not including, `end`: a sound (``phrase``, ``filler``) or a silence (a `PauseKind`)."""

    start: int
    end: int
    kind: str

    @property
    def seconds(self) -> Seconds:
        return (self.end - self.start) / RATE


@dataclass(frozen=True, slots=True)
class Take:
    """An answer as it is spoken: mono samples at RATE, with its truth as places in them."""

    id: str
    language: Language
    questions: tuple[str, ...]
    targets: tuple[str, ...]
    samples: Samples
    sounds: tuple[Stretch, ...]
    pauses: tuple[Stretch, ...]
    condition: str = "clean"

    @property
    def start(self) -> int:
        """The first audible sample."""
        return self.sounds[0].start

    @property
    def end(self) -> int:
        """One beyond the last audible sample."""
        return self.sounds[-1].end


# --- texts --------------------------------------------------------------------------------------------------------------


def answers(language: Language, part: Part) -> list[Text]:
    """The written answers of a language; `part` takes every second one, so that no text is tuned on and reported."""
    return _read(DATA / f"answers.{language}.toml")[part == "held" :: 2]


def lectures(language: Language, part: Part) -> list[Text]:
    """Long talks without a place to think."""
    return [text for text in _read(DATA / "lectures.toml") if text.language == language][part == "held" :: 2]


def _read(path: Path) -> list[Text]:
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        return [_text(row, row.get("language") or data["language"]) for row in data["answers"]]
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise BadInputError(f"{path} is not a file of answers: {error!r}", code="bad-answers") from error


def _text(row: dict[str, Any], language: Language) -> Text:
    sounds, holds = parse(row["say"])
    return Text(row["id"], language, tuple(row.get("questions", ())), tuple(row.get("targets", ())), sounds, holds)


def parse(say: str) -> tuple[tuple[Sound, ...], tuple[PauseKind, ...]]:
    """Marked text as sounds and the silences between them. Raises ValueError where nothing is said."""
    sounds: list[Sound] = []
    holds: list[PauseKind] = []
    hesitates = False
    for mark in _MARK.finditer(" ".join(say.split())):
        if mark["hold"]:
            hesitates = True
            continue
        for piece in [mark["filler"]] if mark["filler"] else _SENTENCE.split(mark["text"]):
            if not any(letter.isalnum() for letter in piece):
                continue
            if sounds:
                sentence = _ENDS.search(sounds[-1].text) is not None
                holds.append("hesitation" if hesitates else "sentence" if sentence else "filler")
            sounds.append(Sound(piece.strip(), bool(mark["filler"])))
            hesitates = False
    if not sounds:
        raise ValueError("nothing is said")
    return tuple(sounds), tuple(holds)


# --- takes --------------------------------------------------------------------------------------------------------------


async def render(texts: Sequence[Text], voices: Voices, progress: Callable[[int, int], None]) -> dict[str, list[Samples]]:
    """The sounds of each text by its id, at RATE, each text in one of the characters. `progress(done, of)` after each."""
    total, done = sum(len(text.sounds) for text in texts), 0
    rendered: dict[str, list[Samples]] = {}
    characters = sorted(CHARACTERS)
    for text in texts:
        style = VoiceStyle(characters[zlib.crc32(text.id.encode()) % len(characters)])
        rendered[text.id] = []
        for sound in text.sounds:
            tongue = tongue_in(sound.text)
            spoken = await voices.render(for_ear(sound.text, tongue), tongue, style)
            rendered[text.id].append(soxr.resample(spoken.samples, VOICE_RATE, RATE).astype(np.float32))
            done += 1
            progress(done, total)
    return rendered


def lengths(text: Text, seed: int, *, lecture: bool = False) -> list[Seconds]:
    """How long each silence of this text is, drawn anew for each seed."""
    luck = np.random.default_rng([seed, zlib.crc32(text.id.encode())])

    def draw(kind: PauseKind) -> Seconds:
        if kind == "hesitation":  # felt in ratios, so drawn in ratios
            low, high = LONG if luck.random() < LONG_SHARE else THINKING
            return float(np.exp(luck.uniform(np.log(low), np.log(high))))
        if kind == "filler":
            return float(luck.uniform(*AROUND_FILLER))
        return float(luck.uniform(*LECTURE)) if lecture else float(np.clip(luck.lognormal(np.log(0.45), 0.45), *BREATH))

    return [draw(kind) for kind in text.holds]


def take(text: Text, sounds: Sequence[Samples], silences: Sequence[Seconds]) -> Take:
    """Lay the sounds out with exactly these silences, in seconds, between what is audible of them.

    Raises BadInputError (``silent-voice``) when nothing can be heard of a sound.
    """
    laid = _Layout()
    for number, (sound, samples) in enumerate(zip(text.sounds, sounds, strict=True)):
        loud = np.flatnonzero(np.abs(samples) >= AUDIBLE)
        if not len(loud):
            raise BadInputError(f"{text.id}: nothing is heard of {sound.text!r}", code="silent-voice")
        first, last = int(loud[0]), int(loud[-1]) + 1
        if laid.sounds:
            first -= laid.silence(round(silences[number - 1] * RATE), first, text.holds[number - 1])
        laid.sound(samples[int(loud[0]) - first :], first, last - int(loud[0]), "filler" if sound.filler else "phrase")
    samples = np.concatenate(laid.pieces)
    return Take(text.id, text.language, text.questions, text.targets, samples, tuple(laid.sounds), tuple(laid.pauses))


class _Layout:
    """Samples laid end to end, and what lies where."""

    def __init__(self) -> None:
        self.pieces: list[Samples] = []
        self.sounds: list[Stretch] = []
        self.pauses: list[Stretch] = []
        self._length = 0

    def silence(self, wanted: int, lead: int, kind: PauseKind) -> int:
        """`wanted` silent samples before a sound that has `lead` of its own. Returns how many of those must go."""
        end = self.sounds[-1].end
        spare = self._length - end + lead - wanted
        cut = min(max(spare, 0), lead)
        if spare < 0:
            self._add(np.zeros(-spare, np.float32))
        elif spare > cut:  # what fades out does not fit into this silence either
            self._length -= spare - cut
            self.pieces[-1] = self.pieces[-1][: len(self.pieces[-1]) - (spare - cut)]
        self.pauses.append(Stretch(end, end + wanted, kind))
        return cut

    def sound(self, samples: Samples, lead: int, audible_count: int, kind: str) -> None:
        start = self._length + lead
        self.sounds.append(Stretch(start, start + audible_count, kind))
        self._add(samples)

    def _add(self, samples: Samples) -> None:
        self.pieces.append(samples)
        self._length += len(samples)


def under(made: Take, samples: Samples, condition: str) -> Take:
    """The same answer, heard differently: the truth stays."""
    if len(samples) != len(made.samples):
        raise ValueError("a condition must not move samples")
    return replace(made, samples=samples, condition=condition)
