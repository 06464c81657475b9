"""What was said, in pieces that fit a line or two on the screen, each with its place in the recording."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from voiceprep.core.events import Speaker, Word
from voiceprep.core.text import has_hanzi, text_of
from voiceprep.core.timeline import Timeline, Utterance
from voiceprep.core.units import Seconds
from voiceprep.exporters.writing import plain, width, wrapped

LATIN, CHINESE = 42, 32
"""Columns of a subtitle's line; a Chinese character takes two of them, and more to read."""
LINES = 2
ROOM = 16
"""Columns that are left free for who speaks, and where a line cannot be filled to its end."""
LONGEST: Seconds = 7.0
SHORTEST: Seconds = 0.7
"""A cue stays this long to be read, unless the next of the same speaker begins."""
PAUSE: Seconds = 0.8
"""A silence that ends a cue."""

_SENTENCE = re.compile(r"[.?!。？！…][\"'”’)）]*$")
_SENTENCES = re.compile(r"(?<=[.?!])\s+|(?<=[。？！])\s*")


@dataclass(frozen=True, slots=True)
class Cue:
    """A piece of one speaker's talk, one line of text, from `start` to `end` in media seconds, start < end.

    `words` are those of record; none for the interviewer, of whom only whole lines are known.
    """

    start: Seconds
    end: Seconds
    speaker: Speaker
    text: str
    words: tuple[Word, ...] = ()


def cues(timeline: Timeline) -> tuple[Cue, ...]:
    """All that was heard of both speakers, by its beginning. Cues of two speakers may overlap, those of one never do."""
    said = [*_candidate(timeline.words), *(cue for each in timeline.utterances for cue in _interviewer(each, timeline))]
    ours: list[Cue] = []
    for speaker in ("candidate", "interviewer"):
        ours += _apart(sorted((cue for cue in said if cue.speaker == speaker and cue.text), key=lambda cue: cue.start))
    return tuple(sorted(ours, key=lambda cue: (cue.start, cue.end, cue.speaker)))


def _candidate(words: Sequence[Word]) -> Iterator[Cue]:
    part: list[Word] = []
    for word in words:
        if part and _ends(part, word):
            yield _cue(part)
            part = []
        part.append(word)
    if part:
        yield _cue(part)


def _ends(part: Sequence[Word], word: Word) -> bool:
    """Whether a cue of these words is over before this one."""
    text = text_of(part)
    return (
        word.start - part[-1].end >= PAUSE
        or word.end - part[0].start > LONGEST
        or len(lines_of(f"You: {text_of([*part, word])}")) > LINES
        or (_SENTENCE.search(text) is not None and width(text) > LATIN // 2)
    )


def _cue(words: Sequence[Word]) -> Cue:
    return Cue(words[0].start, max(word.end for word in words), "candidate", plain(text_of(words)), tuple(words))


def _interviewer(said: Utterance, timeline: Timeline) -> Iterator[Cue]:
    """What was heard of an utterance. Only its beginning and its length are known: each sentence gets its share by its width.

    A recording may begin after the opening question: what takes none of its time is no subtitle of it.
    """
    if said.media is None or not said.heard.strip():
        return
    end = sounds_until(said, timeline)
    if end == said.media:
        return
    parts = [part for sentence in _SENTENCES.split(said.heard) for part in wrapped(sentence, LINES * _columns(sentence) - ROOM)]
    total = max(1, sum(width(part) for part in parts))
    start: Seconds = said.media
    for part in parts:
        until = start + (end - said.media) * width(part) / total
        yield Cue(start, until, "interviewer", part)
        start = until


def sounds_until(said: Utterance, timeline: Timeline) -> Seconds:
    """Where in the recording an utterance ends: where it began, if all of it sounded before the recording did."""
    start = said.media or 0.0
    turn = next((turn for turn in timeline.turns if said.turn and turn.number == said.turn), None)
    return start + said.seconds if turn is None else max(start, min(start + said.seconds, turn.end))


def lines_of(text: str) -> list[str]:
    """The text in a subtitle's lines."""
    return wrapped(text, _columns(text))


def _columns(text: str) -> int:
    return CHINESE if has_hanzi(text) else LATIN


def _apart(found: Sequence[Cue]) -> Iterator[Cue]:
    """The cues of one speaker, in order, each long enough to be read where there is room, none past the next."""
    latest: Seconds = 0.0
    for number, cue in enumerate(found):
        start = max(cue.start, latest)
        following = found[number + 1].start if number + 1 < len(found) else float("inf")
        end = max(cue.end, min(start + SHORTEST, following))
        end = max(min(end, following) if following > start else end, start + 0.001)
        latest = end
        yield replace(cue, start=round(start, 3), end=max(round(end, 3), round(start, 3) + 0.001))
