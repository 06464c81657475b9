"""What is exported: a session as it lies in the archive."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from voiceprep.content import interviewer
from voiceprep.core.events import Event, Speaker
from voiceprep.core.pack import tongue_of
from voiceprep.core.timeline import Timeline
from voiceprep.intake.backing import Backing
from voiceprep.review.document import Review
from voiceprep.store.header import Header

NAMES: dict[Speaker, str] = {"candidate": "You", "interviewer": "Interviewer"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """All that a format may show of a session.

    Attributes:
        events: the log, for what a timeline leaves out; () where only a timeline is known.
        claims: what became of the claims of the CV.
        folder: where its audio lies; None: there is none, and none is shown.
        review: what is made of it; None where only the log is at hand.
        redacted: names were taken out, as far as they were recognised.
    """

    header: Header
    timeline: Timeline
    events: tuple[Event, ...] = ()
    claims: tuple[Backing, ...] = ()
    folder: Path | None = None
    review: Review | None = None
    redacted: bool = False

    def name(self, speaker: Speaker) -> str:
        """Who spoke, by a name that a listener to the session would use: "You", "Noor", or "Interviewer"."""
        person = interviewer(self.header.persona) if speaker == "interviewer" else None
        return person.name[tongue_of(self.header.language)] if person else NAMES[speaker]
