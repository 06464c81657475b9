"""A language model's server that misbehaves on request: each reply is a script on the loop's clock, which may jump."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx2

GOOD = "Which part of that did you decide, and which part was decided for you?"


@dataclass(frozen=True, slots=True)
class Wait:
    seconds: float


class Die:
    """The connection is lost here."""


Step = dict[str, Any] | bytes | Wait | Die


def delta(text: str | None = None, **fields: Any) -> dict[str, Any]:
    said = {"role": "assistant"} | ({"content": text} if text is not None else {}) | fields
    return {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [{"index": 0, "delta": said}]}


def usage(sent: int, received: int) -> dict[str, Any]:
    counted = {"prompt_tokens": sent, "completion_tokens": received, "total_tokens": sent + received}
    return {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [], "usage": counted}


def spoken(text: str) -> list[Step]:
    """The text as a model streams it, a few letters at a time, with the count of tokens at the end."""
    pieces: list[Step] = [delta(text[n : n + 4]) for n in range(0, len(text), 4)]
    return [*pieces, usage(900, len(pieces)), b"data: [DONE]\n\n"]


class Stream(httpx2.AsyncByteStream):
    def __init__(self, steps: Sequence[Step]) -> None:
        self._steps = steps

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for step in self._steps:
            match step:
                case Wait():
                    await asyncio.sleep(step.seconds)
                case Die():
                    raise httpx2.RemoteProtocolError("peer closed connection")
                case bytes():
                    yield step
                case _:
                    yield b"data: " + json.dumps(step).encode() + b"\n\n"


Reply = list[Step] | tuple[int, Any]
"""A stream, or a status with a body: JSON, or text as it is."""


@dataclass
class FakeServer:
    """Answers each request by `reply`; keeps what it was asked."""

    reply: Callable[[dict[str, Any]], Reply]
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)

    def client(self) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(transport=httpx2.MockTransport(self._handle))

    async def _handle(self, request: httpx2.Request) -> httpx2.Response:
        asked = json.loads(request.content)
        self.requests.append(asked)
        self.headers.append(dict(request.headers))
        reply = self.reply(asked)
        if isinstance(reply, list):
            return httpx2.Response(200, headers={"content-type": "text/event-stream"}, stream=Stream(reply))
        status, body = reply
        if isinstance(body, str):
            return httpx2.Response(status, headers={"content-type": "text/html"}, text=body)
        return httpx2.Response(status, json=body)


def complaint(message: str, status: int = 400) -> tuple[int, Any]:
    return status, {"error": {"message": message, "type": "invalid_request_error"}}


def whole(text: str) -> tuple[int, Any]:
    """An answer in one piece."""
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
    counted = {"prompt_tokens": 900, "completion_tokens": 20, "total_tokens": 920}
    return 200, {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": counted}
