"""Where a request goes, and what goes with it."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
from collections.abc import AsyncIterator

import pytest

from tests.agent.fake_server import GOOD, FakeServer, Step, delta, spoken, whole
from voiceprep.agent.client import MOST, ModelClient, collected
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


@contextlib.asynccontextmanager
async def flood(head: bytes, block: bytes, sent: list[int]) -> AsyncIterator[Server]:
    """A server that sends one block after the other until nobody reads on, and counts their bytes."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        with contextlib.suppress(ConnectionError):
            writer.write(head + b"connection: close\r\n\r\n")
            while sent[0] < 64 * MOST:
                writer.write(block)
                await writer.drain()
                sent[0] += len(block)
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield Server(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1", "m", "K")


EVENTS = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"
JSON = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
ERROR = b"HTTP/1.1 500 Oops\r\ncontent-type: application/json\r\n"
NOTHING = b"data: " + json.dumps(delta("")).encode() + b"\n\n"


@pytest.mark.parametrize("streaming", [True, False])
@pytest.mark.parametrize(
    ("head", "block"),
    [
        (EVENTS, b"a" * 65_536),  # one line
        (EVENTS, b": " + b"a" * 65_536 + b"\n"),  # comments
        (EVENTS, NOTHING * 100),
        (JSON, b" " * 65_536),
        (ERROR, b" " * 65_536),
        (EVENTS + b"content-encoding: gzip\r\n", gzip.compress(b" " * 10**7)),
        (JSON + b"content-encoding: deflate\r\n", b"x" * 65_536),
    ],
)
async def test_an_answer_without_end_is_not_read_to_its_end(head: bytes, block: bytes, streaming: bool) -> None:
    sent = [0]
    async with flood(head, block, sent) as server:
        client = ModelClient(server, "")
        with pytest.raises(VoiceprepError) as error:
            await (collected(client.stream([], {})) if streaming else client.whole([], {}))
        await client.close()
    assert error.value.code == "model-answer"
    assert sent[0] < 32 * MOST  # what lies between the sockets included


async def test_an_answer_is_asked_for_as_it_is_and_a_long_one_is_read() -> None:
    thought: Step = delta(reasoning_content="hm " * 100)
    server = FakeServer(lambda _: [*[thought] * 1_000, *spoken(GOOD)])
    client = ModelClient(Server("https://api.openai.com/v1", "m", "K"), "", http_client=server.client())
    assert (await collected(client.stream([], {}))).text == GOOD
    await client.close()
    assert server.headers[0]["accept-encoding"] == "identity"
