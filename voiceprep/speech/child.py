"""The two ends of a worker's process: `Child` is the parent's blocking view of it, `_serve` is what runs inside.

Nothing here knows of asyncio; `worker.py` calls it from a thread.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from voiceprep.errors import VoiceprepError

_ENVIRONMENT = threading.Lock()
"""`os.environ` is the only way to give a spawned process its environment, and all threads share it."""


@dataclass(frozen=True, slots=True)
class _Failure:
    """An error on its way through the pipe (an exception with keyword-only arguments cannot be pickled)."""

    kind: type[VoiceprepError]
    message: str
    code: str
    hint: str

    def error(self) -> VoiceprepError:
        return self.kind(self.message, code=self.code, hint=self.hint)


class Child:
    """A process that builds an object and calls its methods on request. All methods but `kill` and `last_words` block.

    Args:
        factory: picklable, builds the object.
        name: for messages: ``recogniser``.
        said: what native libraries print goes to this file, never to the terminal; `release` deletes it.
        environment: added to the process's environment.
    """

    def __init__(self, factory: Callable[[], Any], name: str, said: Path, environment: Mapping[str, str]) -> None:
        self._said = said
        self._environment = environment
        self._killed = False
        self.ready = False
        context = multiprocessing.get_context("spawn")
        self._ours, self._theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(self._theirs, factory, name, said), daemon=True, name=name)

    @property
    def pid(self) -> int | None:
        return self._process.pid

    def start(self) -> None:
        """Start it and wait until the object is built. Raises the factory's VoiceprepError; EOFError when the process died."""
        with _ENVIRONMENT, _added(self._environment):
            self._process.start()
        self._theirs.close()  # so that the child's death is an end of file here
        if self._killed:
            self._process.kill()
        self._receive()
        self.ready = True

    def ask(self, method: str, args: tuple[Any, ...]) -> Any:
        """The result of the method. Raises its VoiceprepError; EOFError or OSError when the process died."""
        self._ours.send((method, args))
        return self._receive()

    def kill(self) -> None:
        """End it at once, whatever it does: a blocked `start` or `ask` then raises EOFError. Idempotent."""
        self._killed = True
        if self._process.pid is not None:
            with suppress(ValueError):  # released already
                self._process.kill()

    def release(self) -> None:
        """Wait for the killed process and free its pipe and file. Call it once, with no `start` or `ask` under way."""
        if self._process.pid is not None:
            self._process.join()
        self._process.close()
        self._ours.close()
        self._theirs.close()
        self._said.unlink(missing_ok=True)

    def last_words(self) -> str:
        """The last line a native library printed: it names the missing library, or nothing."""
        try:
            lines = self._said.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        except OSError:
            return ""
        return lines[-1].strip()[:200] if lines else ""

    def _receive(self) -> Any:
        answer = self._ours.recv()
        if isinstance(answer, _Failure):
            raise answer.error()
        return answer


@contextmanager
def _added(environment: Mapping[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in environment}
    os.environ.update(environment)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _serve(pipe: Connection, factory: Callable[[], Any], name: str, said: Path) -> None:
    """The child: builds the object, then answers requests until the pipe ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the session, and the session ends this process
    _redirect(said)
    threading.Thread(target=_end_with_parent, args=(said,), daemon=True).start()
    with suppress(EOFError, OSError):
        built = _attempt(factory, (), name)
        pipe.send(built if isinstance(built, _Failure) else None)
        while not isinstance(built, _Failure):
            method, args = pipe.recv()
            pipe.send(_attempt(getattr(built, method), args, name))


def _attempt(work: Callable[..., Any], args: tuple[Any, ...], name: str) -> Any:
    try:
        return work(*args)
    except VoiceprepError as error:
        return _Failure(type(error), error.message, error.code, error.hint)
    except Exception as error:  # noqa: BLE001 - whatever a model raises becomes one error with a code
        return _Failure(VoiceprepError, f"the {name} failed: {type(error).__name__}: {error}", f"{name}-failed", "")


def _redirect(said: Path) -> None:
    """Native code writes to the descriptors, past Python: stdout belongs to `--json`, stderr to the live screen."""
    descriptor = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os.dup2(descriptor, 1)
    os.dup2(descriptor, 2)
    os.close(descriptor)


def _end_with_parent(said: Path) -> None:
    """A killed parent cannot tell its children; a child in the middle of a decode would not notice the pipe for seconds."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    said.unlink(missing_ok=True)  # nobody else is left to do it
    os._exit(0)
