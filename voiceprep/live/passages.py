"""Passages through a loop, read from the archive with the content that each round was held with."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from functools import lru_cache, partial
from pathlib import Path

from voiceprep.content import load_content, round_ids
from voiceprep.content.lenses import held_as
from voiceprep.content.loops import load_loop
from voiceprep.core.interviewer.loop import Loop
from voiceprep.core.pack import Content, RoundPack
from voiceprep.errors import BadInputError
from voiceprep.intake.kept import content_of
from voiceprep.review.debrief import Standing, standings
from voiceprep.store import loops
from voiceprep.store.archive import Archive
from voiceprep.store.header import Header


def passage_of(recordings: Path, wanted: str = "") -> tuple[loops.Run, Loop, tuple[Standing, ...]]:
    """The passage of this id, or of this loop, or the one last worked on; its loop; and where it stands.

    Raises UsageError (`unknown-run`).
    """
    passage = loops.find(recordings, wanted)
    found = load_loop(passage.loop)
    return passage, found, standings(found, passage, Archive(recordings).read, partial(held_content, recordings))


def held_content(recordings: Path, header: Header) -> Content:
    """The content by which a session was held; without the claims that were probed in it where those are gone or damaged."""
    if header.intake:
        with contextlib.suppress(BadInputError):
            return content_of(recordings / header.id, header)
    return _held(header.round, header.severity, header.lens)


def packs_of(places_of: tuple[Standing, ...]) -> Mapping[str, RoundPack]:
    """The rounds as they are now, by id; one whose file is gone is left out."""
    there = set(round_ids())
    return {one.round: _held(one.round, 0, "").round for one in places_of if one.round in there}


@lru_cache(maxsize=16)
def _held(round_id: str, severity: int, lens: str) -> Content:
    return held_as(load_content(round_id), severity, lens)
