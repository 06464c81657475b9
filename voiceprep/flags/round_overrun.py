"""round_overrun: the round's time is nearly over, over, or well over. Thresholds are seconds past the planned end."""

from __future__ import annotations

from dataclasses import replace

from voiceprep.core.events import Event, SessionClosing, SessionStarted
from voiceprep.core.pack import PacingRule, Tongue
from voiceprep.core.units import At, MediaClock, Seconds
from voiceprep.flags.rule import SessionCrossing

ID = "round_overrun"


class RoundOverrun:
    """Measured on the session clock. `planned` is the round's length; thresholds may be negative ("5:00 left")."""

    def __init__(self, rule: PacingRule, tongue: Tongue, clock: MediaClock, planned: Seconds) -> None:
        in_seconds = tuple(replace(t, value=planned + t.value) for t in rule.thresholds if planned + t.value > 0)
        self._crossing = SessionCrossing(replace(rule, thresholds=in_seconds), tongue, clock)

    @property
    def deadline(self) -> At | None:
        return self._crossing.deadline

    def wake(self, at: At) -> list[Event]:
        return self._crossing.wake(at)

    def handle(self, event: Event) -> list[Event]:
        match event:
            case SessionStarted():
                self._crossing.begin_at(event.at)
            case SessionClosing():
                self._crossing.finish()
            case _:
                pass
        return []
