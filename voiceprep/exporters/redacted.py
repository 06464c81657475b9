"""A session without the names of people and companies, to be shown to somebody: the same formats, other texts, no sound.

An estimate, and every format says so: what nothing in the texts introduces as a name is not found (`core/claims/redaction`).
A voice tells who somebody is, so a redacted session has none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from voiceprep.content import interviewer
from voiceprep.core.annotation import Annotation
from voiceprep.core.claims.redaction import Redactor, find_names
from voiceprep.core.events import Word
from voiceprep.exporters.subject import Subject

KEPT = frozenset(
    {"id", "of", "kind", "rule", "level", "name", "signal", "target", "question", "section", "move", "reason", "code"}
)
"""Fields that hold names of ours, never the candidate's words."""


def redacted(subject: Subject, also: Iterable[str] = (), *, figures: bool = False) -> Subject:
    """The session as others may see it. `also`: names that the user knows; `figures`: numbers go, too."""
    persona = interviewer(subject.header.persona)
    public = {part for name in (persona.name.values() if persona else ()) for part in (name, *name.split())}
    names = find_names(_texts(subject), public) | frozenset(also)
    without = Redactor(names, figures=figures)
    return replace(
        subject,
        header=replace(subject.header, intake=""),
        timeline=_mapped(subject.timeline, without),
        events=(),
        claims=_mapped(subject.claims, without),
        folder=None,
        review=_mapped(subject.review, without),
        redacted=True,
    )


def _texts(subject: Subject) -> Iterator[str]:
    """Where names may be introduced: what was said, the claims of the CV, what the user has written."""
    yield from (turn.text for turn in subject.timeline.turns)
    yield from (backing.claim.text for backing in subject.claims)
    yield from (note.text for note in subject.timeline.notes)
    if subject.review is not None:
        yield from (remark.text for remark in subject.review.annotations)
        yield from (remark.name for remark in subject.review.annotations if remark.layer == "user")


def _mapped(value: Any, without: Redactor) -> Any:
    """The value with every text in it redacted; words by their run, for a name may take several."""
    if isinstance(value, str):
        return without.text(value)
    if isinstance(value, tuple | list):
        words = [item for item in value if isinstance(item, Word)]
        if words:
            return without.words(words)
        return type(value)(_mapped(item, without) for item in value)
    if isinstance(value, Mapping):
        return {key: _mapped(item, without) for key, item in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        theirs = isinstance(value, Annotation) and value.layer == "user"  # its name is a label of the user's own words
        changed = {
            field.name: _mapped(getattr(value, field.name), without)
            for field in fields(value)
            if field.init and (field.name not in KEPT or (theirs and field.name == "name"))
        }
        return replace(value, **changed)
    return value
