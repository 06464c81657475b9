"""The flags of a session once more, from its log alone: the same rules over the same events."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from voiceprep.core.events import AudioProgress, Event, Fact, FlagRaised
from voiceprep.core.machine import Machine
from voiceprep.core.units import At, MediaClock


def recompute(events: Iterable[Event], rules: Sequence[Machine], clock: MediaClock) -> tuple[FlagRaised, ...]:
    """The flags that `rules` (made with this `clock`) raise over a session's events, in order.

    Flags in the log are passed over, all else is taken as it was logged. Deadlines fire in the conductor's order: before a fact
    those up to its moment, before anything that was decided only those that lie before it.
    """
    raised: list[FlagRaised] = []

    def wake(until: At, *, included: bool) -> None:
        while True:
            due = [(moment, place) for place, rule in enumerate(rules) if (moment := rule.deadline) is not None]
            moment, place = min(due, default=(At(float("inf")), -1))
            moment = At(max(moment, now))
            if place < 0 or moment > until or (moment == until and not included):
                return
            _keep(rules[place].wake(moment))

    def _keep(found: list[Event]) -> None:
        raised.extend(event for event in found if isinstance(event, FlagRaised))

    now = At(0.0)
    for event in events:
        if isinstance(event, FlagRaised):
            continue
        wake(event.at, included=isinstance(event, Fact))
        now = event.at
        if isinstance(event, AudioProgress):
            clock.update(event.at, event.media)
        for rule in rules:
            _keep(rule.handle(event))
    return tuple(raised)
