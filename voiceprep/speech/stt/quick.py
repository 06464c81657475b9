"""The recogniser's quick side: captions and drafts, from a smaller model where the machine cannot keep up with the first."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from voiceprep.audio.base import Samples
from voiceprep.core.events import Language
from voiceprep.errors import VoiceprepError
from voiceprep.speech.worker import Worker

logger = logging.getLogger(__name__)

TOO_SLOW = 1.0
"""Seconds that a decode takes on average from which on captions are no company any more."""
PATIENCE = 12
"""Decodes that the average is taken of: some seconds of speech, since a machine may be busy for a moment."""


@dataclass(slots=True)
class Candidate:
    """A model that quick decodes can come from."""

    name: str
    english_only: bool
    open: Callable[[], Awaitable[Worker]]
    """Starts a worker with it; the caller closes it."""


@dataclass(slots=True, eq=False)
class Quick:
    """Calls a worker, and takes the next of the smaller candidates while calls take too long.

    It never goes back: the reason is the machine, and a change of models is a change of spelling in mid-sentence.

    Args:
        name: the model that `worker` holds.
        worker: started; closed by `close`.
        smaller: the largest first.
        clock: seconds; for tests.
    """

    name: str
    worker: Worker
    smaller: Sequence[Candidate] = ()
    clock: Callable[[], float] = time.monotonic
    _times: list[float] = field(default_factory=list)
    _change: asyncio.Task[None] | None = None

    async def call(self, method: str, samples: Samples, language: Language, *more: str, **options: Any) -> Any:
        """`Worker.call`. The answer may come from another model than the last one did."""
        worker, began = self.worker, self.clock()
        answer = await worker.call(method, samples, language, *more, **options)
        if worker is not self.worker:
            return answer
        self._times = [*self._times, self.clock() - began][-PATIENCE:]
        if len(self._times) == PATIENCE and sum(self._times) / PATIENCE > TOO_SLOW and self._change is None:
            chosen = next((c for c in self.smaller if language == "en" or not c.english_only), None)
            if chosen is not None:
                self._change = asyncio.create_task(self._take(chosen))
        return answer

    async def close(self) -> None:
        """End the worker's process. Idempotent."""
        if self._change is not None:
            self._change.cancel()
            with suppress(asyncio.CancelledError):
                await self._change
        await self.worker.close()

    async def _take(self, chosen: Candidate) -> None:
        """The slow model answers until the other one is loaded, and what it was asked before that."""
        self.smaller = [c for c in self.smaller if c is not chosen]
        try:
            worker = await chosen.open()
        except VoiceprepError as error:
            logger.warning("the smaller model %s for captions cannot be used: %s", chosen.name, error.code)
        else:
            logger.warning("captions and drafts come from %s: this machine is too slow for %s", chosen.name, self.name)
            old, self.worker, self.name = self.worker, worker, chosen.name
            await old.finish()
        self._times = []
        self._change = None
