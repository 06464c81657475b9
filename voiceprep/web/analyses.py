"""The one analysis that runs for a page: how far it is, how it ended, and the way to stop it."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, TypeVar

from voiceprep.errors import UsageError, VoiceprepError
from voiceprep.review.recording import Progress

logger = logging.getLogger(__name__)

Piece = TypeVar("Piece")
Work = Callable[[Progress], str]
"""An analysis from beginning to end, in a thread; returns the id of the session that it made."""
STEPS = ("looking for speakers", "listening to the interviewer", "listening to the candidate", "listening")
"""What a page is told by name. All else gets things ready, and may name folders, which are of the terminal only."""
READY = "getting ready"

RUNNING = ("receiving", "analysing")


@dataclass(frozen=True, slots=True)
class Standing:
    """How far it is.

    Attributes:
        state: `receiving` while the recording is on its way; `cancelling` until the work has noticed that it is to stop;
            `failed` has `code`, `message`, `hint`; `done` has the `session`.
        share: of the work, 0..1.
        what: is being done: one of STEPS, or READY.
        of: the session that is analysed once more, or "": a recording that was sent in.
    """

    state: Literal["idle", "receiving", "analysing", "cancelling", "done", "failed", "cancelled"] = "idle"
    share: float = 0.0
    what: str = ""
    of: str = ""
    session: str = ""
    code: str = ""
    message: str = ""
    hint: str = ""


class Analyses:
    """Begun and cancelled from the server's event loop, asked from anywhere; told by the work's own thread.

    Whether it is cancelled is kept apart from how far it is: each has one writer at a time, and none undoes the other.
    """

    def __init__(self) -> None:
        self._standing = Standing()
        self._stop = threading.Event()
        self._task: asyncio.Task[None] | None = None
        self._waits: asyncio.Timeout | None = None

    @contextmanager
    def receiving(self) -> Iterator[None]:
        """A recording is on its way. Nothing has been analysed where it does not arrive."""
        self._stop = threading.Event()
        self._standing = Standing("receiving")
        try:
            yield
        except BaseException:
            self._standing = Standing("cancelled" if self._stop.is_set() else "idle")
            raise

    async def arriving(self, piece: Awaitable[Piece]) -> Piece:
        """The next piece of it, however long it takes. Raises UsageError (`cancelled`)."""
        try:
            async with asyncio.timeout(None) as self._waits:
                found = await piece
        except TimeoutError:
            if not self._stop.is_set():
                raise
        finally:
            self._waits = None
        self._go_on()
        return found

    def arrived(self, share: float) -> None:
        self._standing = replace(self._standing, share=round(share, 4))

    def begin(self, work: Work, given: ExitStack, of: str = "") -> None:
        """Begin, from the event loop. `given` is closed when all is over; who holds it has made sure that nothing else runs."""
        self._stop = threading.Event()
        self._standing = Standing("analysing", of=of)
        self._task = asyncio.create_task(self._run(work, given))

    def document(self) -> dict[str, Any]:
        now = self._standing
        stopping = now.state in RUNNING and self._stop.is_set()
        return asdict(replace(now, state="cancelling") if stopping else now)

    def cancel(self) -> None:
        """Stop at the next step, or at once where a recording is waited for; nothing where nothing runs."""
        if self._standing.state in RUNNING:
            self._stop.set()
            if self._waits is not None:
                self._waits.reschedule(asyncio.get_running_loop().time())

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
        try:
            given.close()
        except Exception:  # how the analysis ended is true all the same
            logger.exception("something that an analysis for a page was given could not be put back")
        self._standing = over

    def _advance(self, share: float, what: str) -> None:
        """From the work's thread. Raises UsageError (`cancelled`): it is to stop."""
        self._go_on()
        told = what if what in STEPS else READY
        self._standing = replace(self._standing, share=round(min(1.0, max(0.0, share)), 4), what=told)

    def _go_on(self) -> None:
        if self._stop.is_set():
            raise UsageError("the analysis was cancelled", code="cancelled")
