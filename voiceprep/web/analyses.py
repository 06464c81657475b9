"""The one analysis that runs for a page: how far it is, how it ended, and the way to stop it."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from voiceprep.errors import UsageError, VoiceprepError
from voiceprep.review.recording import Progress

logger = logging.getLogger(__name__)

Work = Callable[[Progress], str]
"""An analysis from beginning to end, in a thread; returns the id of the session that it made."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How far it is.

    Attributes:
        state: `cancelling` until the work has noticed; `failed` has `code`, `message`, `hint`; `done` has the `session`.
        share: of the work, 0..1.
        what: is being done.
        of: the session that is analysed once more, or "": a recording that was sent in.
    """

    state: Literal["idle", "analysing", "cancelling", "done", "failed", "cancelled"] = "idle"
    share: float = 0.0
    what: str = ""
    of: str = ""
    session: str = ""
    code: str = ""
    message: str = ""
    hint: str = ""


class Analyses:
    """Begun, asked and cancelled from the server's event loop and its threads; told by the work's own thread."""

    def __init__(self) -> None:
        self._standing = Standing()
        self._stop = threading.Event()
        self._task: asyncio.Task[None] | None = None

    def begin(self, work: Work, given: ExitStack, of: str = "") -> None:
        """Begin, from the event loop. `given` is closed when all is over; who holds it has made sure that nothing else runs."""
        self._stop = threading.Event()
        self._standing = Standing("analysing", of=of)
        self._task = asyncio.create_task(self._run(work, given))

    def document(self) -> dict[str, Any]:
        return asdict(self._standing)

    def cancel(self) -> None:
        """Stop at the next step; nothing where nothing runs."""
        if self._standing.state == "analysing":
            self._stop.set()
            self._standing = replace(self._standing, state="cancelling")

    async def close(self) -> None:
        """The server stops, and with it the analysis."""
        self.cancel()
        if self._task is not None:
            await self._task

    async def _run(self, work: Work, given: ExitStack) -> None:
        of = self._standing.of
        try:
            session = await asyncio.to_thread(work, self._advance)
            over = Standing("done", 1.0, of=of, session=session)
        except VoiceprepError as error:
            over = Standing("failed", of=of, code=error.code, message=error.message, hint=error.hint)
            if self._stop.is_set():
                over = Standing("cancelled", of=of)
        except Exception:
            logger.exception("a defect in an analysis for a page")
            message = "something went wrong inside voiceprep"
            over = Standing("failed", of=of, code="defect", message=message, hint="The log file has the details")
        finally:
            given.close()
        self._standing = over

    def _advance(self, share: float, what: str) -> None:
        """From the work's thread. Raises UsageError (`cancelled`): it is to stop."""
        if self._stop.is_set():
            raise UsageError("the analysis was cancelled", code="cancelled")
        self._standing = replace(self._standing, share=round(min(1.0, max(0.0, share)), 4), what=what)
