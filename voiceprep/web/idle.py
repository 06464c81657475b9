"""When nobody waits for the server: what can wait is done then, and makes way for whoever asks."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from voiceprep.core.units import Seconds

QUIET: Seconds = 2.0
"""So long after the last answer the next request of a page is not about to come."""
LOOK: Seconds = 0.25


class StoppedError(Exception):
    """The server stops, and with it what could wait."""


class Idle:
    """Counts the requests that wait for an answer, from the event loop; asked from a thread whether it may go on."""

    def __init__(self, quiet: Seconds = QUIET) -> None:
        self._quiet = quiet
        self._asked = 0
        self._since = time.monotonic()
        self._stop = threading.Event()

    def around(self, app: ASGIApp) -> ASGIApp:
        """The application, with its requests counted. One is answered once its answer begins: sound may flow for minutes."""

        async def counted(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http":
                await app(scope, receive, send)
                return
            waiting = True

            def answered() -> None:
                nonlocal waiting
                if waiting:
                    waiting, self._asked, self._since = False, self._asked - 1, time.monotonic()

            async def sent(message: Message) -> None:
                if message["type"] == "http.response.start":
                    answered()
                await send(message)

            self._asked += 1
            try:
                await app(scope, receive, sent)
            finally:
                answered()

        return counted

    def wait(self, busy: Callable[[], bool] = lambda: False) -> None:
        """Until nobody has waited for a moment, nor is the server otherwise `busy`. Raises StoppedError. For a thread."""
        while self._asked or time.monotonic() - self._since < self._quiet or busy():
            if self._stop.wait(LOOK):
                raise StoppedError
        if self._stop.is_set():
            raise StoppedError

    def stop(self) -> None:
        """Nothing that could wait is done any more."""
        self._stop.set()
