"""The last defence against hearing oneself: text that is what the interviewer was just saying is nobody's answer.

It works on words alone, whatever the sound was, and only where a person would not say them: while the interviewer speaks and
for a moment after, many in a row, in the same order. Who repeats a few words of a question keeps them. An "mm-hm" is too
short for that: where the interviewer's sounded, and nothing else was said, any sign of listening is taken for it.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from voiceprep.core.events import Event, Speak, SpeakingFinished, SpeakingStarted, Word
from voiceprep.core.text import HANZI, is_hanzi
from voiceprep.core.turns.barge_in import sign_of_listening
from voiceprep.core.units import Media, Seconds

AFTER: Seconds = 1.0
"""An echo comes this much later than its sound, at most: Bluetooth, and a room."""

SHARE = 0.7
"""The part of the words that must match, in order; recognisers mishear some of an echo."""

LEAST_WORDS, LEAST_CHARACTERS = 4, 6
"""So many matches tell an echo from a candidate who takes up the question's words."""

ALIKE = 0.7
"""Two longer words that share so much of their letters are one, misheard."""

LATIN = 4
"""Letters from which a word may be misheard and still be told."""

REMEMBERED = 4
"""Utterances; an answer is decoded long after the last of them."""

_TOKEN = re.compile(rf"[{HANZI}]|[^\W_{HANZI}]+(?:'[^\W_{HANZI}]+)?")


def tokens(text: str) -> list[str]:
    """What can be compared: Latin words in lower case, Chinese characters one by one."""
    return _TOKEN.findall(text.casefold())


def is_echo(words: Sequence[Word], spoken: str) -> bool:
    """Whether these words are what `spoken` sounds like when it comes back: long enough, and most of it in order."""
    heard = [token for word in words for token in tokens(word.text)]
    matched = [heard[n] for n in _in_order(heard, tokens(spoken))]
    # A Latin word weighs as much as one and a half characters, so that mixed text has one measure.
    weight = sum(1.0 if is_hanzi(token) else LEAST_CHARACTERS / LEAST_WORDS for token in matched)
    return weight >= LEAST_CHARACTERS and len(matched) >= SHARE * len(heard)


def _echo_at_start(words: Sequence[Word], spoken: str) -> int:
    """How many of the first words are an echo: an answer may follow it without a pause."""
    heard = [(n, token) for n, word in enumerate(words) for token in tokens(word.text)]
    matched = _in_order([token for _, token in heard], tokens(spoken))
    ends = [heard[place][0] + 1 for place in matched]  # an echo ends with a word of it
    return next((end for end in reversed(ends) if is_echo(words[:end], spoken)), 0)


def _in_order(heard: Sequence[str], spoken: Sequence[str]) -> list[int]:
    """Places in `heard` of the longest sequence that both have in common, look-alikes counted as the same."""
    lengths = [[0] * (len(spoken) + 1) for _ in range(len(heard) + 1)]
    same = [[_alike(a, b) for b in spoken] for a in heard]
    for i in reversed(range(len(heard))):
        for j in reversed(range(len(spoken))):
            lengths[i][j] = lengths[i + 1][j + 1] + 1 if same[i][j] else max(lengths[i + 1][j], lengths[i][j + 1])
    found, i, j = [], 0, 0
    while i < len(heard) and j < len(spoken):
        if same[i][j]:
            found.append(i)
            i, j = i + 1, j + 1
        elif lengths[i + 1][j] >= lengths[i][j + 1]:
            i += 1
        else:
            j += 1
    return found


def _alike(heard: str, spoken: str) -> bool:
    if heard == spoken:
        return True
    return min(len(heard), len(spoken)) >= LATIN and SequenceMatcher(None, heard, spoken).ratio() >= ALIKE


@dataclass(slots=True)
class _Line:
    """Something the interviewer said, and where in the recording it sounded."""

    of: str
    text: str
    start: Media | None = None
    end: Media | None = None


class OwnVoice:
    """Remembers what the interviewer said where, and takes it out of what was heard there.

    `listening`: the words, in lower case, by which people show that they listen.
    """

    def __init__(self, listening: frozenset[str] = frozenset()) -> None:
        self._listening = listening
        self._lines: deque[_Line] = deque(maxlen=REMEMBERED)
        self._sounds: deque[_Line] = deque(maxlen=REMEMBERED)
        """The interviewer's sounds of listening. They come between lines, and must not push these out."""

    def handle(self, event: Event) -> None:
        match event:
            case Speak(move="backchannel"):
                self._sounds.append(_Line(event.id, event.text))
            case Speak():
                self._lines.append(_Line(event.id, event.text))
            case SpeakingStarted() | SpeakingFinished():
                for line in (*self._lines, *self._sounds):
                    if line.of == event.of and isinstance(event, SpeakingStarted):
                        line.start = event.media
                    elif line.of == event.of:
                        line.end = event.media
            case _:
                pass

    def left(self, words: Sequence[Word]) -> tuple[Word, ...]:
        """The words without those that are an echo: all of them, in the usual case."""
        kept = tuple(words)
        for line in self._lines:
            inside = [word for word in kept if _while_sounding(line, word)]
            echo = inside[: _echo_at_start(inside, line.text)]
            kept = tuple(word for word in kept if word not in echo)
        for sound in self._sounds:
            inside = [word for word in kept if _while_sounding(sound, word)]
            if inside and sign_of_listening(" ".join(word.text for word in inside), self._listening):
                kept = tuple(word for word in kept if word not in inside)
        return kept


def _while_sounding(line: _Line, word: Word) -> bool:
    if line.start is None:
        return False
    return line.start <= word.start and (line.end is None or word.start <= line.end + AFTER)
