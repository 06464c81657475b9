"""Where a request goes, and what goes with it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest

from voiceprep.agent.client import ModelClient
from voiceprep.agent.server import Server
from voiceprep.errors import VoiceprepError

WORDS = "we ran one cluster"


@contextlib.asynccontextmanager
async def listener(reply: bytes, heard: list[bytes]) -> AsyncIterator[str]:
    """A server on this machine that keeps what it is sent and always answers the same. Yields its address."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        heard.append(head)
        if b"content-length: " in head.lower():
            size = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
            heard.append(await reader.readexactly(size))
        writer.write(reply)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


BUSY = b"HTTP/1.1 503 Busy\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


async def ask(address: str) -> str:
    """What comes of one request: an error's code."""
    client = ModelClient(Server(f"{address}/v1", "m", "K"), "sk-secret")
    try:
        await client.whole([{"role": "user", "content": WORDS}], {})
    except VoiceprepError as error:
        return error.code
    finally:
        await client.close()
    return ""


async def test_a_server_on_this_machine_is_asked_directly_whatever_proxy_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[bytes] = []
    through: list[bytes] = []
    async with listener(BUSY, sent) as address, listener(BUSY, through) as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy)
        for name in ("NO_PROXY", "no_proxy"):
            monkeypatch.delenv(name, raising=False)
        assert await ask(address) == "model-failed"
    assert through == []
    assert WORDS.encode() in b"".join(sent)


async def test_a_server_on_this_machine_cannot_send_a_request_on() -> None:
    sent: list[bytes] = []
    elsewhere: list[bytes] = []
    async with listener(BUSY, elsewhere) as other:
        moved = f"HTTP/1.1 307 Moved\r\nlocation: {other}/v1\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".encode()
        async with listener(moved, sent) as address:
            assert await ask(address) == "model-failed"
    assert sent
    assert elsewhere == []
