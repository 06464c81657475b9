"""Filled pauses: those the recogniser wrote down, and those it left out or took for a word, which the sound shows.

Always an estimate. Recognisers drop most of them, and a sound alone is told from a drawn-out word in about nine of ten.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from voiceprep.core.events import Language, Word
from voiceprep.core.units import Media, Seconds, Span
from voiceprep.speech.fillers import HeldSound

_ENGLISH = re.compile(r"(?:u+[hm]+|e+r+m?|e+h?m+|h+m+|m{2,})", re.IGNORECASE)
_ALWAYS = frozenset("嗯呃")
_ALONE = ("那个", "就是", "额")
"""Words with a meaning of their own (那个项目, 就是说, 金额): fillers only where they stand alone, or are said twice."""
_MARKS = ",.;:!?…，。；：！？、— "
HESITATION: Seconds = 0.25
"""Silence around a word that makes it stand alone."""


LABELS: dict[Language, str] = {"en": "filled pause", "zh": "停顿声", "mixed": "filled pause"}
"""What a filler is called that was heard in the sound alone: whether it was um or uh, nobody knows."""

LIKELY = 0.0
"""Log-odds from which a sound is counted. With `WORD_AGAINST`, chosen so that fluent reading gives one a minute at most."""
WORD_AGAINST = 3.0
"""How much a word that covers the sound speaks against a filler, in log-odds, where the recogniser is sure of the word."""
WORDLESS = 1.0
"""The same as `LIKELY` where no recogniser ran, so that only the sound can tell."""
STRAY: Seconds = 0.3
"""A filler's written times may be so far from its sound."""
TOGETHER: Seconds = 0.15
"""Sounds that are no further apart are one filler."""

Source = Literal["words", "audio", "both"]


@dataclass(frozen=True, slots=True)
class Filler:
    """One filled pause, in media seconds; `text` is a label where only its sound was heard (`source` is ``audio``)."""

    text: str
    start: Media
    end: Media
    source: Source = "words"


def find_fillers(
    words: Sequence[Word],
    sounds: Sequence[HeldSound] = (),
    speech: Sequence[Span] = (),
    *,
    language: Language = "en",
    recognised: bool = True,
) -> tuple[Filler, ...]:
    """The filled pauses of a recording, in order, each counted once.

    Args:
        words: the words of record.
        sounds: the held sounds of the recording, in order.
        speech: its voiced regions; sounds outside of them are not of the speaker.
        language: chooses the label of those that only the sound shows.
        recognised: False where no recogniser ran, so that a place without a word means nothing.
    """
    written = find_written(words)
    left = [sound for sound in sounds if _voiced(sound, speech)]
    found: list[Filler] = []
    for filler in written:
        sound = _sound_of(filler, left) if filler.text not in _ALONE else None
        if sound is None:
            found.append(filler)
        else:
            left.remove(sound)
            found.append(Filler(filler.text, Media(sound.start), Media(sound.end), "both"))
    others = [word for word in words if not any(_overlap(filler, word) > 0 for filler in written)]
    for sound in left:
        odds = sound.odds - WORD_AGAINST * _support(sound, others)
        if odds >= (LIKELY if recognised else WORDLESS) and not any(_overlap(filler, sound) > 0 for filler in found):
            found.append(Filler(LABELS[language], Media(sound.start), Media(sound.end), "audio"))
    return _joined(sorted(found, key=lambda filler: filler.start))


def _voiced(sound: HeldSound, speech: Sequence[Span]) -> bool:
    inside = sum(_overlap(sound, region) for region in speech)
    return inside >= (sound.end - sound.start) / 2


def _sound_of(filler: Filler, sounds: Sequence[HeldSound]) -> HeldSound | None:
    """The sound that this written filler most likely is."""
    near = [sound for sound in sounds if sound.start < filler.end + STRAY and sound.end > filler.start - STRAY]
    return max(near, key=lambda sound: sound.odds, default=None)


def _support(sound: HeldSound, words: Sequence[Word]) -> float:
    """0..1: how much of the sound words explain, and how sure the recogniser is of the one that covers most of it."""
    near = [word for word in words if _overlap(sound, word) > 0]
    if not near:
        return 0.0
    covered = sum(_overlap(sound, word) for word in near) / (sound.end - sound.start)
    return min(1.0, covered) * max(near, key=lambda word: _overlap(sound, word)).confidence


def _overlap(one: HeldSound | Filler, other: HeldSound | Filler | Word | Span) -> Seconds:
    return max(0.0, min(one.end, other.end) - max(one.start, other.start))


def _joined(fillers: Sequence[Filler]) -> tuple[Filler, ...]:
    """One filler for a sound that wavered: what touches it and was not written down is part of it."""
    joint: list[Filler] = []
    for filler in fillers:
        last = joint[-1] if joint else None
        if last and filler.start - last.end <= TOGETHER and "audio" in {last.source, filler.source}:
            named = filler if last.source == "audio" else last
            source: Source = "audio" if filler.source == last.source else "both"
            joint[-1] = Filler(named.text, last.start, max(last.end, filler.end), source)
        else:
            joint.append(filler)
    return tuple(joint)


def find_written(words: Sequence[Word]) -> tuple[Filler, ...]:
    """The filled pauses among the words of record, in order."""
    found: list[Filler] = []
    position = 0
    while position < len(words):
        length = _filler_at(words, position)
        if length:
            said = words[position : position + length]
            text = "".join(_bare(word) for word in said)
            found.append(Filler(text, said[0].start, said[-1].end))
        position += max(1, length)
    return tuple(found)


def _bare(word: Word) -> str:
    return word.text.strip(_MARKS)


def _filler_at(words: Sequence[Word], position: int) -> int:
    """How many words the filler takes that begins here; 0 when none does."""
    bare = _bare(words[position])
    if _ENGLISH.fullmatch(bare) or (bare and set(bare) <= _ALWAYS):
        return 1
    for text in _ALONE:
        length = _matches(words, position, text)
        if length and (_said_twice(words, position, text, length) or _alone(words, position, length)):
            return length
    return 0


def _matches(words: Sequence[Word], position: int, text: str) -> int:
    """How many words (a character each, or the whole) spell `text` from here on without a mark between; 0 for none."""
    spelled = ""
    for length, word in enumerate(words[position : position + len(text)], start=1):
        if spelled + _bare(word) == text:
            return length
        spelled += word.text
        if not text.startswith(spelled):
            break
    return 0


def _said_twice(words: Sequence[Word], position: int, text: str, length: int) -> bool:
    after = position + length
    again = after < len(words) and _matches(words, after, text) > 0
    before = position - length
    return again or (before >= 0 and _matches(words, before, text) == length)


def _alone(words: Sequence[Word], position: int, length: int) -> bool:
    last = position + length - 1
    ends = words[last].text[-1:] in _MARKS or last + 1 == len(words) or words[last + 1].start - words[last].end >= HESITATION
    begins = (
        position == 0
        or words[position - 1].text[-1:] in _MARKS
        or words[position].start - words[position - 1].end >= HESITATION
    )
    return begins and ends
