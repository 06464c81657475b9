"""All that a review is made from: a session's log, what it was held with, and what both together show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from voiceprep.content import load_rubrics
from voiceprep.content.committee import Committee, load_committee
from voiceprep.content.review import ReviewTexts, load_review
from voiceprep.core.annotation import WordIndex
from voiceprep.core.answers.answering import Answering, Awaited
from voiceprep.core.events import Event
from voiceprep.core.interviewer.loop import Findings, Verdict
from voiceprep.core.pack import Content, Tongue, tongue_of
from voiceprep.core.timeline import Timeline, fold
from voiceprep.core.units import Span
from voiceprep.errors import VoiceprepError
from voiceprep.intake.backing import Backing, backings_of, flagged
from voiceprep.intake.kept import content_of
from voiceprep.review.told import told_in
from voiceprep.review.verdict import verdict_of
from voiceprep.store.header import Header
from voiceprep.store.transcripts import read_session


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """A session as it lies before the reviewer.

    Attributes:
        content: None for a recording of no round, or of one whose files are gone: then nothing is judged.
        findings, verdict: None with it.
        awaited: by turn of the candidate, what it answered.
    """

    folder: Path
    header: Header
    events: Sequence[Event]
    timeline: Timeline
    index: WordIndex
    content: Content | None
    findings: Findings | None
    verdict: Verdict | None
    claims: tuple[Backing, ...]
    awaited: Mapping[int, Awaited]
    tongue: Tongue
    texts: ReviewTexts
    committee: Committee

    @property
    def readable(self) -> Findings | None:
        """The findings, where the transcript they rest on can be trusted."""
        return self.findings if self.findings is not None and self.findings.trusted else None

    def speech_in(self, spans: Iterable[Span]) -> list[Span]:
        """The candidate's voiced regions inside of these stretches, both in order of time."""
        found: list[Span] = []
        for span in spans:
            for region in self.timeline.speech:
                start, end = max(region.start, span.start), min(region.end, span.end)
                if start < end:
                    found.append(Span(start, end))
        return found


Load = Callable[[Path, Header], Content]
"""The content that a session was held with. Raises VoiceprepError where its files are gone."""


def gather(folder: Path, tongue: Tongue | None = None, load: Load = content_of) -> Material:
    """Read a session. `tongue`: of the review's texts; the session's own unless it is given.

    Raises BadInputError (`bad-log`) for a log that cannot be read. What only helps, a round's files or an intake, may be gone.
    """
    header, events = read_session(folder)
    return material_of(folder, header, events, tongue, load)


def material_of(
    folder: Path, header: Header, events: Sequence[Event], tongue: Tongue | None = None, load: Load = content_of
) -> Material:
    """The same for a log that has been read already."""
    content = _content(folder, header, load)
    claims = _claims(folder, header, events)
    tongue = tongue or tongue_of(header.language)
    timeline = flagged(fold(events), claims)
    timeline = replace(timeline, flags=told_in(tongue, timeline.flags, content.pacing if content else load_rubrics().pacing))
    judged = verdict_of(header, events, content, timeline, tongue) if content is not None else None
    answering = Answering()
    for event in events:
        answering.handle(event)
    return Material(
        folder=folder,
        header=header,
        events=events,
        timeline=timeline,
        index=WordIndex(timeline.words),
        content=content,
        findings=judged[0] if judged else None,
        verdict=judged[1] if judged else None,
        claims=claims,
        awaited={turn.number: answering.of(turn.number) for turn in timeline.turns if turn.speaker == "candidate"},
        tongue=tongue,
        texts=load_review(),
        committee=_committee(),
    )


@cache
def _committee() -> Committee:
    """Read once: it is the same for every session, and the page asks for many."""
    return load_committee()


def _content(folder: Path, header: Header, load: Load) -> Content | None:
    if not header.round:
        return None
    try:
        return load(folder, header)
    except VoiceprepError:
        return None


def _claims(folder: Path, header: Header, events: Sequence[Event]) -> tuple[Backing, ...]:
    try:
        return backings_of(folder, header, events)
    except VoiceprepError:  # a spoiled intake.json: all else of the session is still worth reading
        return ()
