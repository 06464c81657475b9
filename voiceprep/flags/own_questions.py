"""own_questions: the round is nearly over, and the candidate's own questions have not begun. Session clock alone."""

from __future__ import annotations

from collections.abc import Collection

from voiceprep.core.events import Event, SectionChanged
from voiceprep.core.pack import PacingRule, Tongue
from voiceprep.core.units import At, MediaClock, Seconds
from voiceprep.flags.round_overrun import RoundOverrun

ID = "own_questions"


class OwnQuestions(RoundOverrun):
    """As `RoundOverrun`, while the round is in none of the sections that are the candidate's (`theirs`)."""

    def __init__(
        self, rule: PacingRule, tongue: Tongue, clock: MediaClock, planned: Seconds, *, theirs: Collection[str]
    ) -> None:
        super().__init__(rule, tongue, clock, planned)
        self._theirs = theirs
        self._asking = not theirs

    @property
    def deadline(self) -> At | None:
        return None if self._asking else super().deadline

    def handle(self, event: Event) -> list[Event]:
        if isinstance(event, SectionChanged):
            self._asking = event.section in self._theirs  # the line that opened it may be taken back
        return super().handle(event)
