"""Annotations of a session: what a machine found, and what the user wrote beside it. Pure values, and a fold over changes.

An annotation hangs on a stretch of the recording, in media seconds, and on the words that were said there. When a session is
decoded again the words change and the recording does not, so the place comes first and the words are found anew (`anchored`).

Changes are only ever added: undo is a change too. What was written once can be brought back as long as the file exists.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Literal

from voiceprep.core.events import NoteAdded, Word
from voiceprep.core.text import text_of
from voiceprep.core.units import Media, Seconds

Layer = Literal["machine", "user"]
Kind = Literal[
    "note",
    "star",
    "label",
    "reading",
    "correction",
    "flag",
    "signal",
    "trap",
    "evidence",
    "filler",
    "interruption",
    "gap",
    "micro_signal",
]
"""The first five are the user's. A `correction` says what its words of record should read (`text`), a `reading` what the user
took the micro-signal `name` for: `text` is `on-track` or `off-track`."""
USER_KINDS: frozenset[Kind] = frozenset({"note", "star", "label", "reading", "correction"})
Op = Literal["set", "remove", "undo", "redo"]

NEAR: Seconds = 10.0
"""A quote that is no longer where it was is looked for this far around: word times of another model differ by less."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """Where an annotation hangs: `start` <= `end` in media seconds, both the same for a moment.

    `first` and `last` are indexes, both included, into the session's words of record as they are now; None where it hangs on
    the time alone. `quote` is what stood there when it was written.
    """

    start: Media
    end: Media
    first: int | None = None
    last: int | None = None
    quote: str = ""


@dataclass(frozen=True, slots=True)
class Annotation:
    """One remark. `text` is a note's text, a label's name, a flag's advice; `name` the rule, signal or trap of a machine's.

    `at` is when the user wrote it, UTC in ISO-8601, "" for a machine's: those are computed anew each time.
    """

    id: str
    layer: Layer
    kind: Kind
    anchor: Anchor
    text: str = ""
    name: str = ""
    at: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """One line of the file. `set` adds `annotation`, or puts it in the place of the one with its id; `remove` takes `id` away.

    `undo` takes back the last change that is in force, `redo` the last `undo` that no other change has followed.
    """

    op: Op
    at: str
    annotation: Annotation | None = None
    id: str = ""


@dataclass(frozen=True, slots=True)
class History:
    """What the changes amount to: the user's annotations in force, by place, and what undo and redo would change."""

    annotations: tuple[Annotation, ...] = ()
    undoes: Change | None = None
    redoes: Change | None = None


@dataclass(slots=True)
class _Stacks:
    done: list[Change] = field(default_factory=list)
    undone: list[Change] = field(default_factory=list)

    def take(self, change: Change) -> None:
        match change.op:
            case "undo":
                if self.done:
                    self.undone.append(self.done.pop())
            case "redo":
                if self.undone:
                    self.done.append(self.undone.pop())
            case _:
                self.done.append(change)
                self.undone.clear()


def history(changes: Iterable[Change], given: Iterable[Annotation] = ()) -> History:
    """Fold the changes, in the order in which they were written. `given`: annotations that are there before the first."""
    stacks = _Stacks()
    for change in changes:
        stacks.take(change)
    found = {annotation.id: annotation for annotation in given}
    for change in stacks.done:
        if change.op == "remove":
            found.pop(change.id, None)
        elif change.annotation is not None:
            found[change.annotation.id] = change.annotation
    return History(
        annotations=tuple(sorted(found.values(), key=_place)),
        undoes=stacks.done[-1] if stacks.done else None,
        redoes=stacks.undone[-1] if stacks.undone else None,
    )


def _place(annotation: Annotation) -> tuple[float, float, str]:
    return annotation.anchor.start, annotation.anchor.end, annotation.id


def noted(notes: Iterable[NoteAdded]) -> tuple[Annotation, ...]:
    """The notes that were left while the session ran, as the user's own; a mark without words is a star."""
    return tuple(
        Annotation(f"live-{number}", "user", "note" if note.text else "star", Anchor(note.media, note.media), note.text)
        for number, note in enumerate(notes, start=1)
    )


def by_place(annotations: Iterable[Annotation]) -> tuple[Annotation, ...]:
    """In the order of the recording."""
    return tuple(sorted(annotations, key=_place))


# --- places and words -----------------------------------------------------------------------------------------------------


class WordIndex:
    """The words of record of a session, in order of time, found by place and by text."""

    def __init__(self, words: Sequence[Word]) -> None:
        self.words = words
        self._starts = [word.start for word in words]
        self._ends = list(accumulate((word.end for word in words), max))  # words may overlap; what is searched must not fall

    def at(self, start: Seconds, end: Seconds) -> tuple[int, int] | None:
        """First and last of the words whose middle is in the stretch; for a moment, the word that sounds then."""
        near = range(bisect_left(self._ends, start), bisect_right(self._starts, end))
        if start == end:
            inside = [n for n in near if self.words[n].start <= start <= self.words[n].end][:1]
        else:
            inside = [n for n in near if start <= (self.words[n].start + self.words[n].end) / 2 <= end]
        return (inside[0], inside[-1]) if inside else None

    def anchor(self, start: Seconds, end: Seconds) -> Anchor:
        """An anchor of this stretch, with the words that are said in it."""
        found = self.at(start, end)
        if found is None or start == end:
            return Anchor(Media(start), Media(end))
        return Anchor(Media(start), Media(end), *found, self.quote(*found))

    def of_words(self, first: int, last: int) -> Anchor:
        """An anchor of the words `first` to `last`, both included. Raises IndexError where there are no such words."""
        if not 0 <= first <= last < len(self.words):
            raise IndexError(f"there are no words {first} to {last}")
        chosen = self.words[first : last + 1]
        end = Media(max(word.end for word in chosen))
        return Anchor(chosen[0].start, end, first, last, text_of(chosen))

    def quote(self, first: int, last: int) -> str:
        return text_of(self.words[first : last + 1])

    def find(self, quote: str, near: Seconds) -> tuple[int, int] | None:
        """The words that read like `quote`, those nearest to `near` seconds, at most `NEAR` away."""
        wanted = _plain(quote)
        low = bisect_left(self._ends, near - NEAR)
        starts = [n for n in range(low, len(self.words)) if abs(self._starts[n] - near) <= NEAR]
        best: tuple[int, int] | None = None
        for first in starts:
            last = self._reads(first, wanted)
            if last is not None and (best is None or self._distance(first, near) < self._distance(best[0], near)):
                best = first, last
        return best

    def _distance(self, first: int, near: Seconds) -> Seconds:
        return abs(self._starts[first] - near)

    def _reads(self, first: int, wanted: str) -> int | None:
        """Where the words that spell `wanted` from `first` on end."""
        rest = wanted
        for number in range(first, len(self.words)):
            piece = _plain(self.words[number].text)
            if not rest.startswith(piece):
                return None
            rest = rest[len(piece) :]
            if not rest:
                return number if piece else None
        return None


def anchored(annotation: Annotation, index: WordIndex) -> Annotation:
    """The same annotation on today's words: at its place if they read alike, else where its quote is said nearby, else by time.

    The place in the recording and the quote stay as they were written: a later transcript may be the better one.
    """
    anchor = annotation.anchor
    if not anchor.quote:
        return annotation
    found = index.at(anchor.start, anchor.end)
    if found is None or _plain(index.quote(*found)) != _plain(anchor.quote):
        found = index.find(anchor.quote, anchor.start) or found
    first, last = found or (None, None)
    return replace(annotation, anchor=replace(anchor, first=first, last=last))


def corrected(words: Sequence[Word], annotations: Iterable[Annotation], index: WordIndex) -> tuple[Word, ...]:
    """As many words, as the user says they should read: the first word of a correction has its text, the others of it none.

    `index` holds the words of record: a correction is looked for among them anew, since they may have been decoded again.
    `words` are those words, or a copy of them as long.
    """
    found = list(words)
    for each in annotations:
        if each.kind != "correction":
            continue
        anchor = anchored(each, index).anchor
        if anchor.first is not None and anchor.last is not None:
            until = max(word.end for word in found[anchor.first : anchor.last + 1])
            found[anchor.first] = replace(found[anchor.first], text=each.text, end=until)
            for number in range(anchor.first + 1, anchor.last + 1):
                found[number] = replace(found[number], text="")
    return tuple(found)


def _plain(text: str) -> str:
    """Letters and digits alone, in one case: punctuation and blanks differ from one transcript to the next."""
    return re.sub(r"[\W_]", "", text).casefold()
