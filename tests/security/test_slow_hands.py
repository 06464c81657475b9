"""Who sends a byte at a time holds nothing up for long."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from starlette.types import Message, Receive, Scope, Send

from tests.fakes.virtual_time import run_virtually
from voiceprep.web.security import BODY_WITHIN, PIECE_WITHIN, TOKEN_HEADER, Gate, Guard

ORIGIN = "http://127.0.0.1:8765"


def posted(gate: Gate, next_piece: Callable[[], Awaitable[Message]]) -> tuple[float, list[str]]:
    """How long a request of such pieces is listened to, and what kinds of messages the application was given."""
    kinds: list[str] = []

    async def application(_scope: Scope, receive: Receive, _send: Send) -> None:
        while True:
            message = await receive()
            kinds.append(message["type"])
            if message["type"] == "http.disconnect" or not message.get("more_body"):
                return

    async def send(_: Message) -> None:
        raise AssertionError("nothing is answered")

    async def ask() -> float:
        loop = asyncio.get_running_loop()
        began = loop.time()
        headers = {"host": "127.0.0.1:8765", "origin": ORIGIN, TOKEN_HEADER: gate.token, "content-type": "application/json"}
        raw = [(name.encode(), value.encode()) for name, value in (headers | {"transfer-encoding": "chunked"}).items()]
        scope = {"type": "http", "method": "POST", "path": "/api/progress/time", "headers": raw}
        await Guard(application, gate)(scope, next_piece, send)
        return loop.time() - began

    return run_virtually(ask()), kinds


async def dribble() -> Message:
    await asyncio.sleep(PIECE_WITHIN * 0.9)
    return {"type": "http.request", "body": b"x", "more_body": True}


async def nothing() -> Message:
    await asyncio.sleep(3_600)
    raise AssertionError("it was waited for")


def test_a_byte_now_and_then_is_cut_off_in_a_minute() -> None:
    took, kinds = posted(Gate(frozenset({ORIGIN})), dribble)
    assert kinds[-1] == "http.disconnect"
    assert took <= BODY_WITHIN + PIECE_WITHIN


def test_a_body_that_never_comes_is_not_waited_for() -> None:
    took, kinds = posted(Gate(frozenset({ORIGIN})), nothing)
    assert kinds == ["http.disconnect"]
    assert took <= PIECE_WITHIN + 0.1
