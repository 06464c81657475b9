"""An event loop whose clock jumps: hours of waiting pass at once, and every wait is exact."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import Executor
from typing import Any, TypeVar, TypeVarTuple

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class _JumpingSelector(selectors.DefaultSelector):
    """Instead of waiting for the next timer, moves `now` to it."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.threads = 0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:  # no timer at all: only a thread can go on
            return super().select(None)
        # A thread at work gets a moment of real time before each jump, so that it is not overtaken at once.
        events = super().select(0.001 if self.threads else 0)
        if not events:
            self.now += max(0.0, timeout)
        return events


class VirtualLoop(asyncio.SelectorEventLoop):
    """`time()` starts at 0 and moves only when everybody waits."""

    def __init__(self) -> None:
        self._jumping = _JumpingSelector()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.now

    def run_in_executor(self, executor: Executor | None, func: Callable[[*Ts], T], *args: *Ts) -> asyncio.Future[T]:
        self._jumping.threads += 1
        future = super().run_in_executor(executor, func, *args)
        future.add_done_callback(self._thread_done)
        return future

    def _thread_done(self, _future: asyncio.Future[Any]) -> None:
        self._jumping.threads -= 1

    async def shutdown_default_executor(self, *_args: Any, **_named: Any) -> None:
        await super().shutdown_default_executor()

    def call_exception_handler(self, context: Mapping[str, Any]) -> None:
        raise AssertionError(context.get("message")) from context.get("exception")


def run_virtually(main: Coroutine[Any, Any, T]) -> T:
    """`asyncio.run` in virtual time."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(main)
