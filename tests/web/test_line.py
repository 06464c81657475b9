"""One page's line when the page is gone: it ends, and nobody hears of it but whoever asks."""

from __future__ import annotations

import asyncio
import logging

import pytest
from starlette.websockets import WebSocketDisconnect

from tests.web.studio import SOON, open_house
from voiceprep.web.line import Line
from voiceprep.web.protocol import Warned

GONE = [WebSocketDisconnect(1006), RuntimeError('Cannot call "send" once a close message has been sent.')]


class Dropped:
    """A socket that takes one message, and whose page is then gone."""

    def __init__(self, error: Exception) -> None:
        self.error = error
        self.taken: list[str | bytes | int] = []

    def _take(self, item: str | bytes | int) -> None:
        if self.taken:
            raise self.error
        self.taken.append(item)

    async def send_text(self, data: str) -> None:
        self._take(data)

    async def send_bytes(self, data: bytes) -> None:
        self._take(data)

    async def close(self, code: int = 1000, reason: str | None = None) -> None:
        self._take(code)


@pytest.mark.parametrize("error", GONE)
@pytest.mark.parametrize("last", ["text", "sound", "close"])
async def test_a_page_that_is_gone_ends_its_line(error: Exception, last: str) -> None:
    socket = Dropped(error)
    line = Line(socket, "tab")
    line.sound(b"one")
    match last:
        case "text":
            line.say(Warned(code="a", message="b"))
        case "sound":
            line.sound(b"two")
        case _:
            line.close(1000)
    async with asyncio.timeout(SOON):
        await line.run()
    assert socket.taken == [b"one"]
    assert not line.open
    line.sound(b"three")  # goes nowhere, and fails nobody


async def test_another_failure_is_not_hidden() -> None:
    line = Line(Dropped(ValueError("a defect")), "tab")
    line.sound(b"one")
    line.sound(b"two")
    with pytest.raises(ValueError, match="a defect"):
        await line.run()


async def test_pages_that_drop_leave_no_traceback(tmp_path: object, caplog: pytest.LogCaptureFixture) -> None:
    """Many that say hello or take over and are gone at once: the server has nothing to say of it."""
    from pathlib import Path

    assert isinstance(tmp_path, Path)
    with caplog.at_level(logging.WARNING):
        async with open_house(tmp_path) as house, house.page() as first:
            session = (await first.welcomed())["session"]
            for number in range(20):
                async with house.page(tab=f"tab-{number}", session=session, acked=0, take_over=True) as page:
                    page.connection.transport.abort()
    assert [record.getMessage() for record in caplog.records if record.exc_info] == []
