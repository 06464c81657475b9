"""Filled pauses: those the recogniser wrote down, and those it left out or took for a word, which the sound shows.

Always an estimate. Recognisers drop most of them, and a sound alone is told from a drawn-out word in about nine of ten.
"""

from __future__ import annotations

from collections.abc import Sequence

from voiceprep.core.events import HeldSound, Language, Word
from voiceprep.core.listening.fillers import ALONE, Filler, Source, find_written
from voiceprep.core.units import Media, Seconds, Span

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
        sound = _sound_of(filler, left) if filler.text not in ALONE else None
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
