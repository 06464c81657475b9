"""What a device or a server complains of: told while the session is prepared, a fact of the session once it runs."""

from __future__ import annotations

from collections.abc import Callable

from voiceprep.core.events import EdgeFailed
from voiceprep.live.inbox import NOW, Inbox


class Trouble:
    """Called by whoever has something to complain of: with a stable code, and what it means for the user."""

    def __init__(self, progress: Callable[[str], None]) -> None:
        self._progress = progress
        self._inbox: Inbox | None = None
        self._missing: list[EdgeFailed] = []

    def __call__(self, code: str, message: str) -> None:
        if self._inbox is None:
            self._progress(message)
        else:
            self._inbox.put(EdgeFailed(at=NOW, code=code, message=message))

    def missing(self, code: str, message: str) -> None:
        """Something that was wanted for the session is not there: shown now, and a fact of the session as well."""
        self._progress(message)
        self._missing.append(EdgeFailed(at=NOW, code=code, message=message))

    def opened(self, inbox: Inbox) -> None:
        """The session is there to be told."""
        self._inbox = inbox
        for fact in self._missing:
            inbox.put(fact)
