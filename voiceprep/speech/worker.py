"""A child process that holds one model: requests one at a time, bounded, and killed and replaced when it hangs or dies.

A model that crashes (a missing CUDA library aborts the process) or never returns must not take the session with it. What is
asked of it waits in a short queue here, so that nothing is ever stuck in a pipe.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from voiceprep.errors import VoiceprepError
from voiceprep.speech.child import Child


@dataclass(slots=True, eq=False)
class _Call:
    method: str
    args: tuple[Any, ...]
    timeout: float
    droppable: bool
    answer: asyncio.Future[Any] = field(repr=False)


class Worker:
    """Calls the methods of an object that lives in its own process.

    Args:
        factory: picklable; builds the object in the child, e.g. ``partial(Decoder, folder)``.
        name: what errors are prefixed with: ``recogniser`` gives ``recogniser-crashed``, ``-timeout``, ``-busy``, ``-dropped``,
            ``-closed`` and ``-failed``.
        capacity: calls that may wait. The next one is refused (``-busy``).
        load_timeout: seconds that the factory may take.
        environment: added to the child's environment before it starts, e.g. the loader's path for CUDA libraries.
    """

    def __init__(
        self,
        factory: Callable[[], Any],
        *,
        name: str,
        capacity: int = 8,
        load_timeout: float = 120.0,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._factory = factory
        self._name = name
        self._capacity = capacity
        self._load_timeout = load_timeout
        self._environment = dict(environment or {})
        self._waiting: list[_Call] = []
        self._arrived = asyncio.Event()
        self._idle = asyncio.Event()
        self._child: Child | None = None
        self._pump: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()
        self._closed = False
        # one thread does all blocking work with the child, so the event loop never waits for a pipe
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=f"{name}-pipe")

    @property
    def pid(self) -> int | None:
        """The child's process id; None while there is none."""
        return self._child.pid if self._child else None

    async def start(self) -> None:
        """Start the child and wait until its object is built. Raises what the factory raised, or ``-crashed``, ``-timeout``."""
        async with self._starting:
            if self._closed:
                raise self._error("closed", "was closed")
            if self._pump is not None:
                return
            await self._ready()
            self._pump = asyncio.create_task(self._run(), name=f"{self._name}-worker")

    async def call(self, method: str, *args: Any, timeout: float = 60.0, droppable: bool = False, urgent: bool = False) -> Any:  # noqa: ASYNC109 - it bounds the child's work, not the wait in the queue
        """The result of ``object.method(*args)``.

        Cancel the awaiting task to lose interest: a waiting call is forgotten, one being worked on runs to its end unheard.

        Args:
            method: a public method of the object.
            args: picklable.
            timeout: seconds the child may work on it before it is killed and replaced.
            urgent: it goes before all that waits.
            droppable: a newer droppable call replaces it while it waits, and so does any call that is not droppable.

        Raises:
            VoiceprepError: what the object raised (any other exception as ``-failed``), or one of the codes of the class.
        """
        await self.start()
        call = _Call(method, args, timeout, droppable, asyncio.get_running_loop().create_future())
        self._enqueue(call, urgent=urgent)
        try:
            return await call.answer
        finally:
            if call in self._waiting:
                self._waiting.remove(call)

    async def finish(self) -> None:
        """End the child once all that was asked of it is answered. Nothing more may be asked."""
        if self._pump is not None:
            await self._idle.wait()
        await self.close()

    async def close(self) -> None:
        """End the child at once; calls that wait or run fail with ``-closed``. Idempotent."""
        self._closed = True
        if self._child is not None:
            self._child.kill()  # whatever blocks in the pipe returns now
        if self._pump is not None:
            self._pump.cancel()
            with suppress(asyncio.CancelledError):
                await self._pump
            self._pump = None
        for call in self._waiting:
            self._refuse(call, self._error("closed", "was closed"))
        self._waiting.clear()
        await self._discard()
        self._thread.shutdown()

    # --- the queue ------------------------------------------------------------------------------------------------------

    def _enqueue(self, call: _Call, *, urgent: bool) -> None:
        for old in [old for old in self._waiting if old.droppable]:
            self._waiting.remove(old)
            self._refuse(old, self._error("dropped", "had something newer to do"))
        if call.droppable and self._waiting:
            raise self._error("dropped", "has more important work waiting")
        if len(self._waiting) >= self._capacity:
            raise self._error("busy", f"has {self._capacity} calls waiting", "this machine is too slow: choose a smaller model")
        self._waiting.insert(0 if urgent else len(self._waiting), call)
        self._arrived.set()
        self._idle.clear()

    async def _next(self) -> _Call:
        while not self._waiting:
            self._idle.set()
            self._arrived.clear()
            await self._arrived.wait()
        return self._waiting.pop(0)

    @staticmethod
    def _refuse(call: _Call, error: BaseException) -> None:
        if not call.answer.done():
            call.answer.set_exception(error)

    # --- the child ------------------------------------------------------------------------------------------------------

    async def _run(self) -> None:
        while True:
            call = await self._next()
            try:
                child = await self._ready()
                result = await self._within(call.timeout, child.ask, call.method, call.args)
            except VoiceprepError as error:
                self._refuse(call, error)
                with suppress(VoiceprepError):  # the next call meets a loaded model, or gets this error itself
                    await self._ready()
            except asyncio.CancelledError:
                self._refuse(call, self._error("closed", "was closed"))
                raise
            else:
                if not call.answer.done():
                    call.answer.set_result(result)

    async def _ready(self) -> Child:
        if self._child is None:
            descriptor, path = tempfile.mkstemp(prefix=f"voiceprep-{self._name}-", suffix=".log")
            os.close(descriptor)
            said = Path(path)
            self._child = Child(self._factory, self._name, said, self._environment)
            await self._within(self._load_timeout, self._child.start)
        return self._child

    async def _within(self, seconds: float, work: Callable[..., Any], *args: Any) -> Any:
        """Work with the child, in the thread. The child is gone after a timeout or a crash, but not after an error it told."""
        assert self._child is not None
        running = asyncio.get_running_loop().run_in_executor(self._thread, work, *args)
        try:
            async with asyncio.timeout(seconds):
                return await asyncio.shield(running)
        except TimeoutError:
            await self._discard()
            with suppress(Exception):
                await running  # the thread comes back once the pipe is broken
            raise self._error("timeout", f"did not answer within {seconds:.0f} s", "It was restarted") from None
        except (EOFError, OSError):
            last = self._child.last_words() if self._child else ""
            await self._discard()
            raise self._error("crashed", "stopped unexpectedly" + (f" ({last})" if last else ""), "It was restarted") from None
        except asyncio.CancelledError:
            await self._discard()
            with suppress(Exception):
                await running
            raise
        finally:
            if self._child is not None and not self._child.ready:
                await self._discard()

    async def _discard(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            child.kill()
            await asyncio.to_thread(child.release)

    def _error(self, code: str, what: str, hint: str = "") -> VoiceprepError:
        return VoiceprepError(f"the {self._name} {what}", code=f"{self._name}-{code}", hint=hint)
