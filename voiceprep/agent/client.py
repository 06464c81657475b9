"""One request to an OpenAI-compatible server, streamed. What servers get wrong ends here, as one of our errors.

Messages of errors are our own: a server's may repeat the key or what the candidate said.
"""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import openai

from voiceprep.agent.instructions import Message
from voiceprep.agent.server import Server
from voiceprep.errors import MissingError, VoiceprepError

CONNECT_WITHIN = 3.0
"""Seconds."""
ANSWER_WITHIN = 30.0
"""Seconds for one request of the probe; while a candidate waits, the caller's patience is far shorter."""
COUNTED = 10**8
"""Tokens. No request takes so many: a count like that is none."""
MOST = 2**20
"""Bytes of an answer that are read: a line takes some ten thousand, one with much reasoning before it half of this."""
AS_IT_IS = "identity"
"""The only encoding of answers that is taken: what is packed can be a thousand times as long as what was sent."""
NO_KEY = "none"
"""The client wants some key, a server on this machine takes any."""


@dataclass(slots=True)
class Piece:
    """A bit of a streamed answer. `thought`: reasoning in a field of its own. Counts of tokens come once, or never."""

    text: str = ""
    thought: str = ""
    tokens_in: int = 0
    tokens_out: int = 0

    def add(self, more: Piece) -> None:
        self.text += more.text
        self.thought += more.thought
        self.tokens_in = max(self.tokens_in, more.tokens_in)
        self.tokens_out = max(self.tokens_out, more.tokens_out)


class ModelClient:
    """Keeps its connection open between requests. `options` are the request's fields besides model and messages."""

    def __init__(self, server: Server, key: str, *, http_client: Any = None, within: float = ANSWER_WITHIN) -> None:
        """`within`: seconds that it may be silent, at first and between two pieces."""
        self.server = server
        timeout = openai.Timeout(within, connect=CONNECT_WITHIN)
        if http_client is None:  # no redirection takes it elsewhere, nor does a proxy what is for this machine
            http_client = openai.DefaultAsyncHttpxClient(trust_env=not server.local, follow_redirects=False)
        http_client.event_hooks["response"].append(_measured)
        self._headers = {"accept-encoding": AS_IT_IS} | ({} if server.openai else _kept_from_strangers(key or NO_KEY))
        self._openai = openai.AsyncOpenAI(
            api_key=key or NO_KEY, base_url=server.url, timeout=timeout, max_retries=0, http_client=http_client
        )

    async def stream(
        self, messages: Sequence[Message], options: Mapping[str, Any], *, retries: int = 0
    ) -> AsyncGenerator[Piece, None]:
        """The answer as it comes. Raises VoiceprepError (`model-...`), MissingError where the server cannot be used at all."""
        begun = False
        try:
            async with _told(self.server):
                answer = await self._create(messages, {**options, "stream": True}, retries)
                async with answer as chunks:
                    async for chunk in chunks:
                        begun = True
                        yield _piece(chunk)
        except MissingError:
            if not begun:
                raise
            raise VoiceprepError(f"{self.server.host} broke off its answer", code="model-broke-off") from None

    async def whole(self, messages: Sequence[Message], options: Mapping[str, Any], *, retries: int = 0) -> Piece:
        """The answer in one piece, from a server that does not stream. Raises as `stream` does."""
        rest = {name: value for name, value in options.items() if name != "stream_options"}
        async with _told(self.server):
            answer = await self._create(messages, rest, retries)
            if getattr(answer, "choices", None) is None:
                raise ValueError("no answer")
            return _piece(answer)

    async def close(self) -> None:
        await self._openai.close()

    async def _create(self, messages: Sequence[Message], options: Mapping[str, Any], retries: int) -> Any:
        create: Any = self._openai.with_options(max_retries=retries).chat.completions.create
        return await create(model=self.server.model, messages=list(messages), extra_headers=self._headers, **options)


def _kept_from_strangers(key: str) -> dict[str, Any]:
    """Headers that undo what the client adds of itself, from the environment, for OpenAI and sends to any server."""
    own = os.environ.get("OPENAI_CUSTOM_HEADERS", "").split("\n")  # name: value, one a line, an Authorization among them or not
    names = ("OpenAI-Organization", "OpenAI-Project", *(line.partition(":")[0].strip() for line in own if ":" in line))
    return {name.lower(): openai.Omit() for name in names} | {"authorization": f"Bearer {key}"}


async def _measured(response: Any) -> None:
    """The transport's hook: no answer, and no error, is read without end. Raises OpenAIError, at once or while it is read."""
    if response.headers.get("content-encoding", AS_IT_IS).strip().lower() != AS_IT_IS:
        raise openai.OpenAIError("packed")
    read = response.aiter_raw

    async def measured(*how: Any, **named: Any) -> AsyncGenerator[bytes, None]:
        size = 0
        async with aclosing(read(*how, **named)) as blocks:
            async for block in blocks:
                size += len(block)
                if size > MOST:
                    raise openai.OpenAIError("endless")
                yield block

    response.aiter_raw = measured


class RefusedError(VoiceprepError):
    """The server takes this request for a bad one. `complaint` is its message in lower case: for the probe, never shown."""

    def __init__(self, server: Server, complaint: str) -> None:
        super().__init__(f"{server.name} does not take the request", code="model-refused", hint="voiceprep doctor")
        self.complaint = complaint


@asynccontextmanager
async def _told(server: Server) -> AsyncIterator[None]:
    """Whatever the client raises, as one of our errors."""
    try:
        yield
    except openai.APITimeoutError:
        raise VoiceprepError(f"{server.name} does not answer in time", code="model-timeout") from None
    except openai.APIConnectionError:
        raise MissingError(
            f"no language model answers at {server.url}", code="model-unreachable", hint="start it, or practise with --llm off"
        ) from None
    except (openai.AuthenticationError, openai.PermissionDeniedError):
        raise MissingError(
            f"{server.host} refuses the key", code="model-key", hint=f"put the right one into {server.key_variable}"
        ) from None
    except openai.NotFoundError:
        raise MissingError(
            f"{server.host} has no model {server.model!r} at this address",
            code="model-unknown",
            hint="check the model's name; most addresses end in /v1",
        ) from None
    except openai.RateLimitError:
        raise VoiceprepError(
            f"{server.host} takes no more requests now", code="model-busy", hint="wait, or check the account's balance"
        ) from None
    except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
        raise RefusedError(server, str(error).lower()) from None
    except openai.APIStatusError as error:
        if error.status_code in MOVED:
            raise MissingError(
                f"{server.host} sends requests on to another address, and voiceprep does not follow",
                code="model-moved",
                hint="if you trust the address it sends to, set llm_url to that",
            ) from None
        raise VoiceprepError(f"{server.host} fails with status {error.status_code}", code="model-failed") from None
    except (openai.OpenAIError, ValueError, TypeError, AttributeError, ArithmeticError, RecursionError):
        raise VoiceprepError(
            f"{server.host} does not answer as a language model does", code="model-answer", hint="most addresses end in /v1"
        ) from None
    except Exception as error:
        if type(error).__module__.partition(".")[0] not in TRANSPORTS:
            raise
        raise VoiceprepError(f"{server.host} broke off its answer", code="model-broke-off") from None


MOVED = range(300, 400)
"""Statuses of a redirection: what was said would go to a host that nobody has named."""
TRANSPORTS = frozenset({"httpx", "httpx2", "httpcore", "httpcore2", "anyio"})
"""Below the client; their errors come through while an answer is read."""


def _piece(chunk: Any) -> Piece:
    """A chunk or an answer, whatever is missing in it. Raises ValueError for an error in place of one."""
    if getattr(chunk, "error", None):
        raise ValueError("no answer")
    usage = getattr(chunk, "usage", None)
    choice = next(iter(getattr(chunk, "choices", None) or ()), None)
    said = getattr(choice, "delta", None) or getattr(choice, "message", None)
    thought = getattr(said, "reasoning_content", None) or getattr(said, "reasoning", None)
    text = getattr(said, "content", None)
    return Piece(
        text if isinstance(text, str) else "",
        thought if isinstance(thought, str) else "",
        _count(getattr(usage, "prompt_tokens", 0)),
        _count(getattr(usage, "completion_tokens", 0)),
    )


def _count(value: Any) -> int:
    return value if type(value) is int and 0 < value < COUNTED else 0


async def collected(pieces: AsyncGenerator[Piece, None]) -> Piece:
    """A streamed answer as a whole."""
    out = Piece()
    async with aclosing(pieces) as stream:
        async for piece in stream:
            out.add(piece)
    return out
