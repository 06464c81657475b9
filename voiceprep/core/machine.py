"""The one shape that every part of the core has: data in, data out, and the next moment it wants to be woken."""

from __future__ import annotations

from typing import Protocol

from voiceprep.core.events import Event
from voiceprep.core.units import At


class Machine(Protocol):
    """A pure state machine on the session clock. It starts no timer: whoever runs it wakes it at `deadline`."""

    @property
    def deadline(self) -> At | None:
        """The next moment at which `wake` has something to do, or None."""
        ...

    def handle(self, event: Event) -> list[Event]:
        """Take one event (a fact, or another machine's decision) and return what follows, in order, stamped `event.at`."""
        ...

    def wake(self, at: At) -> list[Event]:
        """Called when the session clock stands at `deadline`; returns what follows, stamped `at`."""
        ...
