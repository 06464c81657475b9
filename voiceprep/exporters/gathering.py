"""Gathers what is exported from a session's folder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from voiceprep.core.annotation import Annotation, WordIndex, corrected
from voiceprep.core.events import Word
from voiceprep.core.text import text_of
from voiceprep.core.timeline import Timeline, Turn, fold
from voiceprep.exporters.subject import Subject
from voiceprep.intake.backing import backings_of, flagged
from voiceprep.review.page import review_of
from voiceprep.store.archive import Archive


def subject_of(archive: Archive, session: str) -> Subject:
    """All of a session that a format may show.

    Raises UsageError (`unknown-session`), or BadInputError for a log or an intake that is bad.
    """
    folder = archive.find(session)
    header, events = archive.read(folder.name)
    claims = backings_of(folder, header, events)
    review = review_of(folder)
    return Subject(
        header=header,
        timeline=as_corrected(flagged(fold(events), claims), review.annotations),
        events=events,
        claims=claims,
        folder=folder,
        review=review,
    )


def as_corrected(timeline: Timeline, annotations: Sequence[Annotation]) -> Timeline:
    """The timeline with the words that the user corrected, in its turns as well. The log keeps what was recognised."""
    if all(each.kind != "correction" for each in annotations):
        return timeline
    words = corrected(timeline.words, annotations, WordIndex(timeline.words))
    now = {old: new for old, new in zip(timeline.words, words, strict=True) if old != new}
    return replace(timeline, words=_said(timeline.words, now), turns=tuple(_turn(turn, now) for turn in timeline.turns))


def _turn(turn: Turn, now: Mapping[Word, Word]) -> Turn:
    if now.keys().isdisjoint(turn.words):
        return turn
    words = _said(turn.words, now)
    return replace(turn, words=words, text=text_of(words))


def _said(words: Iterable[Word], now: Mapping[Word, Word]) -> tuple[Word, ...]:
    """The words as they should read, those that a correction took the place of left out."""
    return tuple(word for word in (now.get(word, word) for word in words) if word.text)
