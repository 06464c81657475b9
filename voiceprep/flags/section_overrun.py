"""section_overrun: a section of the round takes longer than its budget. Thresholds are shares of the budget."""

from __future__ import annotations

from dataclasses import replace

from voiceprep.core.events import Event, SectionChanged, SessionClosing
from voiceprep.core.pack import PacingRule, Tongue
from voiceprep.core.units import At, MediaClock, Seconds
from voiceprep.flags.rule import SessionCrossing

ID = "section_overrun"


class SectionOverrun:
    """Measured on the session clock, from the moment the section began.

    A round that returns to a section, because the line that left it was taken back, has never left it. Of the first section
    `spent` seconds were used in the session before, and what they crossed was told there.
    """

    def __init__(self, rule: PacingRule, tongue: Tongue, clock: MediaClock, spent: Seconds = 0.0) -> None:
        self._rule = rule
        self._tongue: Tongue = tongue
        self._clock = clock
        self._spent = spent
        self._begun: dict[str, SessionCrossing] = {}
        self._crossing: SessionCrossing | None = None

    @property
    def deadline(self) -> At | None:
        return self._crossing.deadline if self._crossing is not None else None

    def wake(self, at: At) -> list[Event]:
        assert self._crossing is not None
        return self._crossing.wake(at)

    def handle(self, event: Event) -> list[Event]:
        match event:
            case SectionChanged() if event.budget > 0:
                self._crossing = self._begun.get(event.section) or self._begin(event)
            case SessionClosing():
                self._crossing = None
            case _:
                pass
        return []

    def _begin(self, event: SectionChanged) -> SessionCrossing:
        spent, self._spent = self._spent, 0.0
        in_seconds = (replace(t, value=t.value * event.budget) for t in self._rule.thresholds)
        to_come = tuple(t for t in in_seconds if t.value > spent)
        crossing = SessionCrossing(replace(self._rule, thresholds=to_come), self._tongue, self._clock)
        crossing.begin_at(At(event.at - spent))
        self._begun[event.section] = crossing
        return crossing
