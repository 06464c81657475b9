"""Where sessions are held, one at a time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

from voiceprep.config import Settings
from voiceprep.core.pack import Content
from voiceprep.errors import UsageError, VoiceprepError
from voiceprep.live.plan import Plan, Result
from voiceprep.live.session import Session, Watcher
from voiceprep.web.advice import advice_of
from voiceprep.web.line import Line
from voiceprep.web.live import Live, Patience, Terms, cancelled
from voiceprep.web.practice import Holds, Wish
from voiceprep.web.protocol import CLOSE_REFUSED, Hello, Preparing, Refused, Saved

logger = logging.getLogger(__name__)


class Studio:
    """The one session that may run, and the doors to it."""

    def __init__(self, holds: Holds, settings: Callable[[], Settings], patience: Patience | None = None) -> None:
        self.live: Live | None = None
        self._holds = holds
        self._settings = settings
        self._patience = patience or Patience()
        self._task: asyncio.Task[None] | None = None
        self._after: list[Callable[[Result], Awaitable[None]]] = []
        self._other: UsageError | None = None
        """Why no session may begin: the machine is given to something else."""

    @property
    def taken(self) -> bool:
        """Whether a session runs, or the machine is given to something else."""
        return self.live is not None or self._other is not None

    def after(self, then: Callable[[Result], Awaitable[None]]) -> None:
        """Have this done with each session that is on the disk."""
        self._after.append(then)

    def enter(self, line: Line, hello: Hello, planned: Callable[[], Plan]) -> Live:
        """The session for this page: a new one, or the one that runs. Raises UsageError: why there is none.

        `planned` says what is to be held; only asked for a new one.
        """
        running = self.live
        if hello.session is not None:
            if running is None or running.session is None or running.session.id != hello.session:
                raise UsageError("that session is over", code="session-over", hint="It is among your sessions")
            self._may_join(running, line, hello)
            running.joined(line, hello.acked, hello.page)
            return running
        if running is not None:
            raise UsageError("a session is running already", code="busy", hint="Go on with it, or end it first")
        self._is_free()
        plan, settings = planned(), self._as_wished(hello)
        drill = plan.take.drill if plan.take is not None else ""
        terms = Terms(plan.round, drill, settings["language"], settings["mode"], hello.audio)
        self.live = live = Live(terms, self._patience)
        live.joined(line, None, hello.page)
        wish = Wish(plan, settings, live.source, live.sink)
        self._task = asyncio.create_task(self._hold(live, wish))
        return live

    @contextmanager
    def given_to(self, other: UsageError) -> Iterator[None]:
        """The machine is given to something else: a session that would begin meanwhile is told `other`.

        Raises UsageError: it is given away already, or a session runs (``busy``).
        """
        if self.live is not None:
            raise UsageError("a session is running", code="busy", hint="Come back when it is over")
        self._is_free()
        self._other = other
        try:
            yield
        finally:
            self._other = None

    def left(self, live: Live, line: Line) -> None:
        """A page's socket is gone. A session that was not begun yet is not begun for nobody."""
        line.close(CLOSE_REFUSED)
        if live is self.live and live.line is line and live.session is None and self._task is not None:
            self._task.cancel()
        live.left(line)

    async def close(self) -> None:
        """The server stops: a running session ends as interrupted, and is kept."""
        if self.live is not None and self._task is not None:
            if self.live.session is None:
                await cancelled(self._task)
            else:
                self.live.end("interrupted")
                await asyncio.wait({self._task})

    def _is_free(self) -> None:
        if self._other is not None:
            raise self._other

    def _may_join(self, running: Live, line: Line, hello: Hello) -> None:
        there = running.line
        if there is not None and there.open and there.tab != line.tab and not hello.take_over:
            raise UsageError("another tab holds this session", code="other-tab", hint="Take it over, or go on there")

    def _as_wished(self, hello: Hello) -> Settings:
        settings = self._settings().with_arguments(
            language=hello.lang, mode=hello.mode, duplex="full" if hello.headphones else None
        )
        if hello.audio == "browser":  # a recording as microphone is a setting for the terminal
            settings = settings.with_arguments(microphone="", speaker="none")
        return settings

    async def _hold(self, live: Live, wish: Wish) -> None:
        """A session from beginning to end, and whatever becomes of it said to its page."""

        def watch(content: Content, session: Session) -> Watcher:
            stopped = content.round.stopped
            live.begun(session, advice_of(content.pacing), stopped.spent if stopped is not None else {})
            return live

        try:
            result = await self._holds(wish, watch, lambda what: _tell(live, what))
        except asyncio.CancelledError:
            _refuse(live, "cancelled", "the session was not begun", "")
            raise
        except VoiceprepError as error:
            _refuse(live, error.code, error.message, error.hint)
        except Exception:
            logger.exception("a defect in a session for a page")
            _refuse(live, "defect", "something went wrong inside voiceprep", "The log file has the details")
        else:
            self._over(live)
            if live.line is not None:
                live.line.say(Saved(session=result.session, ended=result.ended))
                live.line.close(1000)
            for then in self._after:
                await then(result)
        finally:
            self._over(live)

    def _over(self, live: Live) -> None:
        """Another session may begin."""
        live.close()
        if self.live is live:
            self.live = None


def _tell(live: Live, what: str) -> None:
    if live.line is not None and live.session is None:
        live.line.say(Preparing(what=what))


def _refuse(live: Live, code: str, message: str, hint: str) -> None:
    if live.line is not None:
        live.line.say(Refused(code=code, message=message, hint=hint))
        live.line.close(CLOSE_REFUSED)
