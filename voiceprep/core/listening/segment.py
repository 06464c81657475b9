"""A segment: speech that is decoded in one piece, the pieces that it was drafted in, and where its words were really said."""

from __future__ import annotations

from dataclasses import dataclass, field

from voiceprep.core.events import Word
from voiceprep.core.units import Media, Seconds, Span

SAME = 0.1
"""Seconds by which two reckonings of the same end of speech may differ."""


@dataclass
class Piece:
    """A stretch of a segment that is, or was, drafted at once."""

    draft: str
    start: Media
    end: Media
    before: tuple[Word, ...] = ()
    """What an earlier draft of the same stretch gave, until this one is here."""
    words: tuple[Word, ...] | None = None


@dataclass
class Segment:
    """Speech that is decoded in one piece."""

    start: Media
    regions: list[Span] = field(default_factory=list)
    voiced_from: Media | None = None
    """Where the region that is being spoken began."""
    quiet: list[tuple[Media, float]] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)
    transcript: str = ""
    """Id of the full decode, once no more speech will be added."""
    words: tuple[Word, ...] | None = None
    """The words of record, once here."""
    trusted: bool = True
    turn: int = 0
    aside: bool = False
    """A sound over the interviewer that was no answer: "mm-hm", a cough."""

    @property
    def end(self) -> Media:
        return self.regions[-1].end if self.regions else self.start

    @property
    def drafted(self) -> tuple[Word, ...]:
        return tuple(word for piece in self.pieces for word in (piece.before if piece.words is None else piece.words))

    def drafted_until(self, end: Media) -> bool:
        """Whether all speech up to `end` is, or is being, drafted."""
        return bool(self.pieces) and self.pieces[-1].end >= end - SAME

    def voiced_in(self, piece: Piece) -> list[Span]:
        """The voiced regions of a piece, the one that is still being spoken included."""
        regions = list(self.regions)
        if self.voiced_from is not None and self.voiced_from < piece.end:
            regions.append(Span(self.voiced_from, piece.end))
        cut = [(max(r.start, piece.start), min(r.end, piece.end)) for r in regions]
        return [Span(start, end) for start, end in cut if start < end]

    def voice_after(self, place: Media, pad: Seconds) -> Media:
        """Where speech goes on after a pause, with the padding that is free of what was said before."""
        later = [r.start for r in self.regions if r.end > place + SAME]
        begins = later[0] if later else self.voiced_from if self.voiced_from is not None else place
        return Media(max(place, begins - pad))

    def quietest(self, earliest: Media, latest: Media) -> Media:
        """The quietest place between these two, or `latest` where none is known."""
        places = [(level, media) for media, level in self.quiet if earliest <= media <= latest]
        return min(places)[1] if places else latest

    def cut(self, place: Media) -> Segment:
        """Take away what comes after `place`, while speech goes on: that is returned, and goes on in its turn."""
        assert self.voiced_from is not None
        rest = Segment(start=place, turn=self.turn, quiet=[q for q in self.quiet if q[0] > place])
        rest.regions = [Span(Media(max(r.start, place)), r.end) for r in self.regions if r.end > place]
        rest.voiced_from = Media(max(self.voiced_from, place))
        self.regions = [Span(r.start, Media(min(r.end, place))) for r in self.regions if r.start < place]
        if self.voiced_from < place:
            self.regions.append(Span(self.voiced_from, place))
        self.voiced_from = None
        return rest


def clamp(words: tuple[Word, ...], regions: list[Span]) -> tuple[Word, ...]:
    """Move word times into voiced regions, keeping their order: recognisers place words inside pauses."""
    if not regions:
        return ()
    placed: list[Word] = []
    floor = regions[0].start
    for word in words:
        span = Span(Media(max(floor, min(word.start, word.end))), Media(max(floor, word.start, word.end)))
        region = max(regions, key=lambda r: (r.overlap(span), -_distance(r, span)))
        start = Media(min(max(span.start, region.start, floor), max(region.end, floor)))
        end = Media(max(start, min(span.end, region.end)))
        placed.append(Word(word.text, start, end, word.confidence))
        floor = start
    return tuple(placed)


def _distance(region: Span, span: Span) -> float:
    return max(0.0, region.start - span.end, span.start - region.end)
