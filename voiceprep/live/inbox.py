"""The one way in: every fact is stamped here, in order of arrival."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace

from voiceprep.audio.base import Block
from voiceprep.core.events import Fact
from voiceprep.core.units import At, Seconds
from voiceprep.errors import VoiceprepError
from voiceprep.live.clock import Clock

NOW = At(-1.0)
"""Placeholder in a fact that has not passed the inbox yet."""

LIMIT = 4096
"""More waiting items than this (over two minutes of audio) means that the session does not run any more."""


@dataclass(frozen=True, slots=True)
class Item:
    """Something that arrived at `at`."""

    at: At
    what: Fact | Block


class Inbox:
    """A queue of facts and audio blocks. Only the event loop's thread may call it."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._queue: asyncio.Queue[Item] = asyncio.Queue()

    def put(self, item: Fact | Block) -> None:
        """Queue an item, stamped with the session's time now.

        Raises VoiceprepError (``inbox-full``) for a block when too many wait. A fact always finds room: there are few, and the
        one that says why the session ends is among them.
        """
        at = self._clock.now()
        if isinstance(item, Fact):
            item = replace(item, at=at)
        elif self._queue.qsize() >= LIMIT:
            raise VoiceprepError("the session does not keep up with its input", code="inbox-full")
        self._queue.put_nowait(Item(at, item))

    def take(self) -> Item | None:
        """The next item, or None when nothing waits."""
        try:
            return self._queue.get_nowait()
        except asyncio.QueueEmpty:
            return None

    async def wait(self, at_most: Seconds) -> Item | None:
        """The next item, or None after `at_most` seconds."""
        try:
            return await asyncio.wait_for(self._queue.get(), max(0.0, at_most))
        except TimeoutError:
            return None
