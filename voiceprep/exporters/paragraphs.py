"""What was said as paragraphs, in order of time: how every format that is read, not played, shows the transcript."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from voiceprep.core.events import Speaker, Word
from voiceprep.core.text import paragraphs, text_of
from voiceprep.core.timeline import Timeline, Turn
from voiceprep.core.units import Media


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """A stretch of one speaker's talk without a long silence.

    Attributes:
        words: of the candidate; none of the interviewer, or where nothing was written down.
        text: what was said; "" where somebody spoke and no words are known.
        cut: the interviewer was interrupted here.
        trusted: False where the recogniser doubted the words.
    """

    start: Media
    end: Media
    speaker: Speaker
    text: str
    words: tuple[Word, ...] = ()
    cut: bool = False
    trusted: bool = True


def spoken(timeline: Timeline) -> list[Paragraph]:
    """All paragraphs, encouragements between the turns too, by their beginning."""
    aside = [
        Paragraph(start=said.media, end=Media(said.media + said.seconds), speaker="interviewer", text=said.heard)
        for said in timeline.utterances
        if said.media is not None and said.heard and not said.turn
    ]
    turns = [paragraph for turn in timeline.turns for paragraph in _turn(turn)]
    return sorted([*turns, *aside], key=lambda paragraph: paragraph.start)


def _turn(turn: Turn) -> Iterator[Paragraph]:
    if turn.speaker == "interviewer" or not turn.words:
        cut = turn.speaker == "interviewer" and turn.reason == "interrupted"
        yield Paragraph(start=turn.start, end=turn.end, speaker=turn.speaker, text=turn.text, cut=cut)
        return
    for words in paragraphs(turn.words):
        yield Paragraph(
            start=words[0].start,
            end=Media(max(word.end for word in words)),
            speaker=turn.speaker,
            text=text_of(words),
            words=words,
            trusted=turn.trusted,
        )
