"""A session of the archive as the page looks at it: without its words at first, then its words in pieces."""

from __future__ import annotations

import threading
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from voiceprep.content.titles import titles_of
from voiceprep.core.annotation import Anchor, Annotation, History, WordIndex, anchored, corrected, noted
from voiceprep.core.events import AudioProgress, Event, Speaker, SpeakingStarted, Word
from voiceprep.core.pack import Tongue, tongue_of
from voiceprep.core.timeline import Timeline, fold
from voiceprep.errors import BadInputError, UsageError
from voiceprep.intake.backing import Backing, backings_of, flagged
from voiceprep.review.exchange import held
from voiceprep.store import log, track
from voiceprep.store.annotations import Annotations
from voiceprep.store.archive import Archive
from voiceprep.store.codec import rounded
from voiceprep.store.header import Header
from voiceprep.store.transcripts import newest, read_session
from voiceprep.web.advice import told_in

_reading = threading.Lock()
SAME = 0.05
"""Seconds by which a page may round the place of a word."""


class SpokenWord(BaseModel):
    """A word of record. `index` counts all words of the session; `was` is what the recogniser heard, where it was corrected."""

    index: int
    text: str
    start: float
    end: float
    confidence: float
    turn: int
    trusted: bool
    was: str | None = None


@dataclass(frozen=True, slots=True)
class Opened:
    """A session that was read. `turns[k]` is the turn of word k, or 0; `claims` what became of those of the CV."""

    folder: Path
    header: Header
    events: tuple[Event, ...]
    timeline: Timeline
    turns: tuple[int, ...]
    claims: tuple[Backing, ...]


def opened(archive: Archive, wanted: str) -> Opened:
    """Read a session; one that has not changed since is not read again. Raises UsageError or BadInputError."""
    folder = archive.find(wanted)
    try:
        stat = (folder / log.NAME).stat()
    except OSError as error:
        raise UsageError(f"there is no session {wanted!r} any more", code="unknown-session") from error
    with _reading:  # a page asks for a session and for its words at once
        return _opened(folder, stat.st_mtime_ns, stat.st_size, newest(folder))


@lru_cache(maxsize=4)
def _opened(folder: Path, _changed: int, _size: int, _transcript: Path | None) -> Opened:
    header, events = read_session(folder)
    claims = tuple(backings_of(folder, header, events))
    timeline = flagged(fold(events, compared=False), claims)  # the review tells what was told twice
    return Opened(folder, header, events, timeline, _turns(timeline), claims)


def forget() -> None:
    """Keep nothing in memory of what was read: a session is gone for good."""
    _opened.cache_clear()


def _turns(timeline: Timeline) -> tuple[int, ...]:
    """Which turn each word of record belongs to: a word is in the turn that has it."""
    of = {word: turn.number for turn in timeline.turns for word in turn.words}
    return tuple(of.get(word, 0) for word in timeline.words)


def notebook(session: Opened) -> Annotations:
    """The user's annotations: those of the log are there before any change."""
    return Annotations(session.folder, noted(session.timeline.notes))


def words(session: Opened, start: float, end: float) -> list[SpokenWord]:
    """The words of record that begin in the stretch, as the user has corrected them."""
    spoken = session.timeline.words
    starts = [round(word.start, 3) for word in spoken]  # as they are told: a piece may be asked for from a word on
    trusted = {turn.number: turn.trusted for turn in session.timeline.turns}
    changed = corrections(spoken, notebook(session).history())
    return [
        SpokenWord(
            index=index,
            text=changed.get(index, spoken[index].text),
            start=round(spoken[index].start, 3),
            end=round(spoken[index].end, 3),
            confidence=round(spoken[index].confidence, 3),
            turn=session.turns[index],
            trusted=trusted.get(session.turns[index], True),
            was=spoken[index].text if index in changed else None,
        )
        for index in range(bisect_left(starts, start), bisect_right(starts, end))
    ]


def corrections(spoken: Sequence[Word], history: History) -> dict[int, str]:
    """What words should read, by their index."""
    now = corrected(spoken, history.annotations, WordIndex(spoken))
    return {index: word.text for index, (old, word) in enumerate(zip(spoken, now, strict=True)) if old.text != word.text}


def correct(session: Opened, start: float, was: str, text: str) -> Annotation:
    """Have the word that begins at `start` and reads `was` (or was corrected to it) read `text`.

    Raises UsageError (`no-such-word`) where there is none.
    """
    spoken, kept = session.timeline.words, notebook(session)
    history = kept.history()
    before = corrections(spoken, history)
    near = [n for n, word in enumerate(spoken) if abs(word.start - start) <= SAME and was in {word.text, before.get(n)}]
    if not near:
        raise UsageError("there is no such word there", code="no-such-word", hint="Load the transcript again")
    word, now = spoken[near[0]], WordIndex(spoken)
    made = (each for each in history.annotations if each.kind == "correction")
    old = [each for each in made if anchored(each, now).anchor.first == near[0]]
    if old and text == word.text:
        return kept.remove(old[0].id)
    if old:
        return kept.edit(old[0].id, text=text)
    index = near[0]
    return kept.add("correction", Anchor(word.start, word.end, index, index, word.text), text)


def overview(session: Opened, tongue: Tongue | None = None) -> dict[str, Any]:
    """All but the words, times in media seconds: what the page draws at once, however long the session was."""
    timeline, header = session.timeline, session.header
    if tongue is not None and tongue != tongue_of(header.language):  # it is told in the session's already
        timeline = replace(timeline, flags=told_in(tongue, timeline.flags, header.round))
    began = {event.of: event.at for event in session.events if isinstance(event, SpeakingStarted)}
    speakers: tuple[Speaker, ...] = ("candidate", "interviewer")
    document = {
        "id": session.folder.name,
        "header": asdict(header),
        "titles": titles_of(header.round) if header.round else None,
        "ended": timeline.ended,
        "held": held(timeline),
        "duration": timeline.duration,
        "elapsed": timeline.elapsed,
        "spoken": timeline.spoken,
        "audio": {name: {"duration": track.seconds(session.folder, name)} for name in speakers},
        "word_count": len(timeline.words),
        "turns": [
            {
                "number": turn.number,
                "speaker": turn.speaker,
                "start": turn.start,
                "end": turn.end,
                "reason": turn.reason,
                "trusted": turn.trusted,
                "text": turn.text if turn.speaker == "interviewer" else "",
            }
            for turn in timeline.turns
        ],
        "utterances": [
            {
                "id": said.id,
                "text": said.text,
                "heard": said.heard,
                "move": said.move,
                "turn": said.turn,
                "media": said.media,
                "track": began.get(said.id),
                "seconds": said.seconds,
                "complete": said.complete,
            }
            for said in timeline.utterances
        ],
        "speech": [asdict(span) for span in timeline.speech],
        "clock": _clock(session.events),
        **{
            name: [asdict(each) for each in getattr(timeline, name)]
            for name in ("pauses", "flags", "sections", "questions", "gaps", "interruptions", "notes", "failures")
        },
        "claims": [asdict(each) for each in session.claims],
    }
    return dict(rounded(document))


def _clock(events: Sequence[Event]) -> list[list[float]]:
    """Where the interviewer's track (session time) stands against the recording: pairs (at, media) wherever that shifts."""
    pairs: list[list[float]] = []
    for event in events:
        if isinstance(event, AudioProgress):
            shift = event.at - event.media
            if not pairs or abs(shift - (pairs[-1][0] - pairs[-1][1])) > SAME:
                pairs.append([event.at, event.media])
    return pairs


def readable(archive: Archive, wanted: str) -> Opened | None:
    """The session, or None where its log is bad."""
    try:
        return opened(archive, wanted)
    except BadInputError:
        return None
