"""Where a request goes, and what goes with it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest

from tests.agent.fake_server import FakeServer, whole
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
    return await ask_of(Server(f"{address}/v1", "m", "K"))


async def ask_of(server: Server) -> str:
    client = ModelClient(server, "sk-secret")
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


class Elsewhere(Server):
    """A server on this machine, taken for one that is not: the sockets of a test reach no further."""

    @property
    def local(self) -> bool:
        return False


@pytest.mark.parametrize("kind", [Server, Elsewhere])
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_no_server_can_send_a_request_on(kind: type[Server], status: int) -> None:
    sent: list[bytes] = []
    elsewhere: list[bytes] = []
    async with listener(BUSY, elsewhere) as other:
        moved = f"HTTP/1.1 {status} Moved\r\nlocation: {other}/v1\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".encode()
        async with listener(moved, sent) as address:
            assert await ask_of(kind(f"{address}/v1", "m", "K")) == "model-moved"
    assert sent
    assert elsewhere == []


@pytest.mark.parametrize(
    ("url", "given"),
    [("https://api.openai.com/v1", True), ("https://api.deepseek.com", False), ("http://localhost:8080/v1", False)],
)
async def test_what_the_environment_holds_for_openai_goes_to_no_other(
    url: str, given: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, "of-openai")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Team: of-openai\nAuthorization: Bearer of-openai")
    server = FakeServer(lambda _: whole("yes"))
    client = ModelClient(Server(url, "m", "K"), "sk-own", http_client=server.client())
    await client.whole([{"role": "user", "content": WORDS}], {})
    await client.close()
    told = {name for name, value in server.headers[0].items() if "of-openai" in value}
    assert told == ({"openai-organization", "openai-project", "x-team", "authorization"} if given else set())
    assert (server.headers[0]["authorization"] == "Bearer sk-own") is not given
