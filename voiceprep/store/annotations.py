"""The user's annotations of a session on the disk.

`annotations.jsonl` is the truth: one change a line, only ever appended, so nothing that was written is lost by an edit, an undo
or a crash. `annotations.json` is what the changes amount to, for other programs; it is written anew after each change and may
be deleted. A line that cannot be read, torn by a crash or from a newer version, is passed over and left where it is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path

from pydantic import ValidationError

from voiceprep.core.annotation import USER_KINDS, Anchor, Annotation, Change, History, Kind, history
from voiceprep.core.text import says_something
from voiceprep.core.units import Seconds
from voiceprep.errors import BadInputError, UsageError
from voiceprep.store import codec, disk
from voiceprep.store.locks import acquire, free, lock_in

NAME = "annotations.jsonl"
FOLD = "annotations.json"
LOCK = ".annotations.lock"
PATIENCE = 5.0
"""Seconds to wait for somebody else who writes one line."""
LONGEST_TEXT = 4_000
NEW_ID = "n"


def now() -> str:
    """The moment in UTC, ISO-8601."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def read(folder: Path) -> tuple[Change, ...]:
    """All changes of a session, in order; none where nothing was annotated. Raises BadInputError (`bad-annotations`)."""
    path = folder / NAME
    try:
        data = disk.read(path)
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise BadInputError(f"cannot read {path}: {error.strerror or error}", code="bad-annotations") from error
    return tuple(_changes(data))


def _changes(data: bytes) -> Iterator[Change]:
    check = codec.adapter(Change).validate_json
    for line in data.split(b"\n"):
        try:
            change = check(line, strict=True)
        except ValidationError:
            continue
        if change.annotation is None or math.inf > change.annotation.anchor.end >= change.annotation.anchor.start >= 0.0:
            yield change


class Annotations:
    """One session's annotations, to read and to change.

    Changes raise UsageError (`bad-annotation` for one without its words, `unknown-annotation`, `nothing-to-undo`,
    `nothing-to-redo`, `annotation-too-long`, `annotations-busy`, `unknown-session`) or MissingError where the disk refuses.
    """

    def __init__(self, folder: Path, given: Iterable[Annotation] = (), clock: Callable[[], str] = now) -> None:
        """`given`: what is there before any change, the notes of the log."""
        self._folder = folder
        self._given = tuple(given)
        self._clock = clock

    def history(self) -> History:
        """What is in force now."""
        return history(read(self._folder), self._given)

    def add(self, kind: Kind, anchor: Anchor, text: str = "", name: str = "") -> Annotation:
        """A new annotation of the user's; returns it with its id."""
        if kind not in USER_KINDS:
            raise ValueError(f"{kind} is not the user's to write")
        with self._writing() as changes:
            made = _telling(Annotation(_next_id(changes), "user", kind, anchor, _fit(text), name, self._clock()))
            self._append(changes, Change("set", made.at, made))
        return made

    def edit(self, wanted: str, *, text: str | None = None, anchor: Anchor | None = None) -> Annotation:
        """Another text, another place, or both, for an annotation that is there."""
        with self._writing() as changes:
            old = self._known(changes, wanted)
            made = replace(old, anchor=anchor or old.anchor, text=old.text if text is None else _fit(text), at=self._clock())
            if made.kind == "star" and says_something(made.text):
                made = replace(made, kind="note")
            self._append(changes, Change("set", made.at, _telling(made)))
        return made

    def remove(self, wanted: str) -> Annotation:
        """Take one away; `undo` brings it back."""
        with self._writing() as changes:
            old = self._known(changes, wanted)
            self._append(changes, Change("remove", self._clock(), id=wanted))
        return old

    def undo(self) -> Change:
        """Take the last change back; returns it."""
        with self._writing() as changes:
            undone = history(changes).undoes
            if undone is None:
                raise UsageError("there is nothing to undo", code="nothing-to-undo")
            self._append(changes, Change("undo", self._clock()))
        return undone

    def redo(self) -> Change:
        """Make the change again that was undone last; returns it."""
        with self._writing() as changes:
            redone = history(changes).redoes
            if redone is None:
                raise UsageError("there is nothing to redo", code="nothing-to-redo")
            self._append(changes, Change("redo", self._clock()))
        return redone

    def _known(self, changes: Iterable[Change], wanted: str) -> Annotation:
        found = {each.id: each for each in history(changes, self._given).annotations}
        if wanted not in found:
            ids = ", ".join(found) or "none"
            raise UsageError(f"there is no annotation {wanted!r} here", code="unknown-annotation", hint=f"There are: {ids}")
        return found[wanted]

    @contextmanager
    def _writing(self) -> Iterator[tuple[Change, ...]]:
        """The changes so far, with nobody else writing: the page and the terminal may be open at once."""
        with disk.writing(self._folder / LOCK):
            lock = lock_in(self._folder, LOCK)
            try:
                acquire(lock, PATIENCE)
            except FileNotFoundError as error:
                raise UsageError(f"there is no session {self._folder.name!r} any more", code="unknown-session") from error
            except TimeoutError as error:
                raise UsageError(
                    "somebody else is annotating this session", code="annotations-busy", hint="Try again"
                ) from error
        try:
            yield read(self._folder)
        finally:
            free(lock)

    def _append(self, changes: tuple[Change, ...], change: Change) -> None:
        path = self._folder / NAME
        with disk.writing(path):
            disk.append_line(path, codec.adapter(Change).dump_json(_storable(change)))
            found = history((*changes, change), self._given)
            disk.replace_json(self._folder / FOLD, [asdict(each) for each in found.annotations])


def _storable(change: Change) -> Change:
    """Half a surrogate pair can come in from a terminal or a page; UTF-8 has no bytes for it."""
    if change.annotation is None:
        return change
    whole = change.annotation.text.encode("utf-8", errors="replace").decode("utf-8")
    return replace(change, annotation=replace(change.annotation, text=whole))


def _next_id(changes: Iterable[Change]) -> str:
    """Ids are counted up and never used twice, not even after an undo: a `set` that was undone may come back."""
    used = [each.annotation.id for each in changes if each.annotation is not None]
    numbers = [int(one.removeprefix(NEW_ID)) for one in used if one.removeprefix(NEW_ID).isdecimal()]
    return f"{NEW_ID}{max(numbers, default=0) + 1}"


def check_place(start: Seconds, end: Seconds, duration: Seconds) -> None:
    """Raises UsageError (`outside-recording`) for a place that is not in a recording of this length."""
    if not (math.isfinite(start) and math.isfinite(end) and 0.0 <= start <= end <= duration):
        place = f"{start:g} s" if end == start else f"{start:g} to {end:g} s"
        raise UsageError(f"{place} is no place in a recording of {duration:.1f} s", code="outside-recording")


def _telling(made: Annotation) -> Annotation:
    if made.kind != "star" and not says_something(made.text):
        raise UsageError(f"an empty {made.kind} says nothing", code="bad-annotation", hint="A star marks a place without words")
    return made


def _fit(text: str) -> str:
    if len(text) > LONGEST_TEXT:
        raise UsageError(f"a note has at most {LONGEST_TEXT} characters; this one has {len(text)}", code="annotation-too-long")
    return text
