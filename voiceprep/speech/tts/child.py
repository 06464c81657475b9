"""Engines that run in a process of their own: one process an utterance, or one that answers many.

A child is killed when its caller is cancelled or runs out of time, and when this process dies it reads the end of its input
and ends.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Mapping
from typing import Any

import numpy as np

from voiceprep.audio.base import Samples
from voiceprep.errors import MissingError, VoiceprepError


def time_allowed(text: str) -> float:
    """Seconds a rendering may take: generous, since a busy machine is no failure, but never endless."""
    return 20.0 + 0.2 * len(text)


def timed_out(engine: str, seconds: float) -> VoiceprepError:
    return VoiceprepError(
        f"the voice {engine} did not answer within {seconds:.0f} s",
        code="voice-timeout",
        hint="choose another with the setting voice, or voice = none",
    )


async def start(module: str, engine: str, environment: Mapping[str, str] | None = None) -> Process:
    """A Python child running `module`, with pipes. Raises MissingError (``voice-missing``) when it cannot be started."""
    try:
        # -P: a file named like a module in the folder we happen to be in must not be imported.
        return await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",
            "-m",
            module,
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            env={**os.environ, **(environment or {})},
        )
    except OSError as error:
        raise MissingError(f"the voice {engine} cannot be started: {error}", code="voice-missing") from error


async def end(process: Process) -> None:
    """Kill it if it still runs, and wait until it is gone."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
    await asyncio.shield(process.wait())


async def ask_once(
    module: str, engine: str, request: Mapping[str, Any], seconds: float, environment: Mapping[str, str] | None = None
) -> bytes:
    """What a child that lives for one request wrote. Raises VoiceprepError: ``voice-failed``, ``voice-timeout``."""
    process = await start(module, engine, environment)
    try:
        async with asyncio.timeout(seconds):
            output, _ = await process.communicate(json.dumps(request).encode())
    except TimeoutError:
        raise timed_out(engine, seconds) from None
    finally:
        await end(process)
    if process.returncode != 0 or not output:
        raise VoiceprepError(
            f"the voice {engine} failed (exit code {process.returncode})",
            code="voice-failed",
            hint="choose another with the setting voice, or voice = none",
        )
    return output


class Servant:
    """A child that loads a model once and answers one request at a time.

    A request is a line of JSON. An answer is a line of JSON, ``{"samples": n}`` followed by n float32, or ``{"error": text}``.
    """

    def __init__(self, module: str, engine: str, settings: Mapping[str, Any]) -> None:
        self._module = module
        self._engine = engine
        self._settings = settings
        self._process: Process | None = None
        self._one_at_a_time = asyncio.Lock()

    @property
    def pid(self) -> int | None:
        """The child's process id while it runs."""
        return self._process.pid if self._process and self._process.returncode is None else None

    async def ask(self, request: Mapping[str, Any], seconds: float) -> Samples:
        """Samples for a request. Raises VoiceprepError: ``voice-failed``, ``voice-timeout``, MissingError ``voice-missing``."""
        async with self._one_at_a_time:
            try:
                async with asyncio.timeout(seconds):
                    return await self._exchange(request)
            except TimeoutError:
                await self._drop()
                raise timed_out(self._engine, seconds) from None
            except (asyncio.IncompleteReadError, ConnectionError, json.JSONDecodeError, KeyError):
                await self._drop()
                raise VoiceprepError(f"the voice {self._engine} stopped while it spoke", code="voice-failed") from None
            except asyncio.CancelledError:
                # It is deep in a computation that nobody waits for any more, and cannot be told.
                await self._drop()
                raise

    async def close(self) -> None:
        await self._drop()

    async def _exchange(self, request: Mapping[str, Any]) -> Samples:
        if self._process is None or self._process.returncode is not None:
            self._process = await start(self._module, self._engine)
            await self._send(self._settings)
        process = self._process
        assert process.stdout is not None
        await self._send(request)
        answer = json.loads(await process.stdout.readuntil(b"\n"))
        if "error" in answer:
            raise VoiceprepError(f"the voice {self._engine} failed: {answer['error']}", code="voice-failed")
        return np.frombuffer(await process.stdout.readexactly(4 * int(answer["samples"])), dtype=np.float32)

    async def _send(self, message: Mapping[str, Any]) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        await self._process.stdin.drain()

    async def _drop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            if process.stdin is not None:
                process.stdin.close()
            await end(process)
