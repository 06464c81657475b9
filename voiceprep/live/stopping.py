"""Ctrl-C and a polite kill end a session, and do not tear it."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Iterator

from voiceprep.live.session import Session


@contextlib.contextmanager
def stopping(session: Session) -> Iterator[None]:
    """Ctrl-C and a polite kill end the session in good order; a second Ctrl-C ends the program."""
    loop = asyncio.get_running_loop()

    def stop() -> None:
        loop.remove_signal_handler(signal.SIGINT)
        session.stop("user")

    signals = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    with contextlib.suppress(NotImplementedError):  # Windows: KeyboardInterrupt does it
        for each in signals:
            loop.add_signal_handler(each, stop)
    try:
        yield
    finally:
        with contextlib.suppress(NotImplementedError):
            for each in signals:
                loop.remove_signal_handler(each)
