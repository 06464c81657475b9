"""What goes out to one page: queued, so that nothing in a session ever waits for a network."""

from __future__ import annotations

import asyncio
from typing import Protocol

from starlette.websockets import WebSocketDisconnect

from voiceprep.web.events import Wire
from voiceprep.web.protocol import CLOSE_TOO_MUCH

MOST_WAITING = 6_000
"""Messages: over a minute of sound and events. A page that takes none of it for so long is gone."""


class Sending(Protocol):
    """What a line needs of a socket."""

    async def send_text(self, data: str) -> None: ...
    async def send_bytes(self, data: bytes) -> None: ...
    async def close(self, code: int = 1000, reason: str | None = None) -> None: ...


class Line:
    """One page's socket, seen from the session. Everything returns at once; `run` does the sending."""

    def __init__(self, socket: Sending, tab: str) -> None:
        self.tab = tab
        self._socket = socket
        self._queue: asyncio.Queue[str | bytes | int] = asyncio.Queue()
        self._open = True

    @property
    def open(self) -> bool:
        """Whether anything can still be said."""
        return self._open

    def say(self, message: Wire) -> None:
        """Queue a message."""
        self._put(message.model_dump_json())

    def sound(self, data: bytes) -> None:
        """Queue a binary message."""
        self._put(data)

    def close(self, code: int) -> None:
        """Say no more; what is queued still goes out, then the socket closes with this code."""
        if self._open:
            self._open = False
            self._queue.put_nowait(code)

    async def run(self) -> None:
        """Send until the line is closed, or the page is gone: then nothing more can be said."""
        try:
            await self._send()
        except (WebSocketDisconnect, RuntimeError):  # the second: starlette's word for a socket that was closed already
            self._open = False

    async def _send(self) -> None:
        while True:
            item = await self._queue.get()
            match item:
                case str():
                    await self._socket.send_text(item)
                case bytes():
                    await self._socket.send_bytes(item)
                case int():
                    await self._socket.close(item)
                    return

    def _put(self, item: str | bytes) -> None:
        if not self._open:
            return
        if self._queue.qsize() >= MOST_WAITING:
            while not self._queue.empty():
                self._queue.get_nowait()
            self.close(CLOSE_TOO_MUCH)
            return
        self._queue.put_nowait(item)
