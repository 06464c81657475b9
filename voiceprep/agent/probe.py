"""What a server can do, asked once and remembered: servers that speak the same protocol differ in what they refuse."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal

from pydantic import TypeAdapter

from voiceprep.agent.client import ModelClient, Piece, RefusedError, collected
from voiceprep.agent.instructions import Message
from voiceprep.agent.server import Server
from voiceprep.errors import VoiceprepError
from voiceprep.files import parse_json

Limit = Literal["max_tokens", "max_completion_tokens", ""]
Switch = Literal["", "reasoning_effort", "chat_template_kwargs", "enable_thinking", "thinking"]

SWITCHES: Mapping[Switch, Mapping[str, Any]] = {
    "": {},
    "reasoning_effort": {"reasoning_effort": "none"},
    "chat_template_kwargs": {"extra_body": {"chat_template_kwargs": {"enable_thinking": False}}},
    "enable_thinking": {"extra_body": {"enable_thinking": False}},
    "thinking": {"extra_body": {"thinking": {"type": "disabled"}}},
}
"""How servers are told not to reason first."""
REQUESTS = 12
"""The probe gives up after so many."""
SHORT = 160
"""Tokens for a line, with room for what the guard takes off."""
LONG = 1_500
"""... and for a model that cannot help reasoning first."""
TEMPERATURE = 0.7


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What the server takes, and how it answers."""

    streaming: bool = True
    limit: Limit = "max_tokens"
    temperature: bool = True
    usage: bool = True
    """It counts tokens, at the end of a stream too."""
    off: Switch = ""
    """The switch that keeps it from reasoning; "" where none is needed, or none works."""
    reasons: bool = False
    """It reasons first, and cannot be kept from it."""
    tagless: bool = False
    """... and its answer begins inside the reasoning, with an end tag alone."""

    def options(self, most: int | None = None) -> dict[str, Any]:
        """The fields of a request, for an answer of at most `most` tokens."""
        out: dict[str, Any] = dict(SWITCHES[self.off])
        if self.limit:
            out[self.limit] = most or (LONG if self.reasons else SHORT)
        if self.temperature:
            out["temperature"] = TEMPERATURE
        if self.streaming and self.usage:
            out["stream_options"] = {"include_usage": True}
        return out


async def probe(client: ModelClient) -> Capabilities:
    """Ask the server. Raises VoiceprepError (`model-...`) where no way leads to an answer."""
    found, answer = await _accepted(client, Capabilities())
    if not answer.text.strip() and not _reasoned(answer):  # some answer a stream with a whole document
        found, answer = await _accepted(client, replace(found, streaming=False))
    if _reasoned(answer):
        found, answer = await _quiet(client, found, answer)
    if not answer.text.strip() and not _reasoned(answer):
        raise VoiceprepError(f"{client.server.name} answers with nothing", code="model-answer", hint="try another model")
    tagless = found.reasons and "</think>" in answer.text and "<think>" not in answer.text
    return replace(found, usage=answer.tokens_out > 0, tagless=tagless)


async def _quiet(client: ModelClient, found: Capabilities, answer: Piece) -> tuple[Capabilities, Piece]:
    """Find the switch that turns reasoning off."""
    for switch in SWITCHES:
        if not switch:
            continue
        try:
            tried = replace(found, off=switch)
            said = await _ask(client, tried)
        except RefusedError:
            continue
        if said.text.strip() and not _reasoned(said):
            return tried, said
    return replace(found, reasons=True), answer


async def _accepted(client: ModelClient, wanted: Capabilities) -> tuple[Capabilities, Piece]:
    """Leave out, one by one, what the server refuses."""
    for _ in range(REQUESTS):
        try:
            return wanted, await _ask(client, wanted)
        except RefusedError as error:
            less = _less(wanted, error.complaint)
            if less is None:
                raise
            wanted = less
    raise VoiceprepError(f"{client.server.name} refuses every request", code="model-refused")


def _less(wanted: Capabilities, complaint: str) -> Capabilities | None:
    """What to ask for next, by what the server complains of; by turns where it does not say."""
    ways: list[tuple[bool, tuple[str, ...], Capabilities]] = [
        (wanted.limit == "max_tokens", ("max_tokens",), replace(wanted, limit="max_completion_tokens")),
        (wanted.limit == "max_completion_tokens", ("max_completion_tokens",), replace(wanted, limit="")),
        (wanted.temperature, ("temperature",), replace(wanted, temperature=False)),
        (wanted.usage and wanted.streaming, ("stream_options", "include_usage"), replace(wanted, usage=False)),
        (wanted.streaming, ("stream",), replace(wanted, streaming=False)),
    ]
    open_ways = [(names, less) for usable, names, less in ways if usable]
    named = (less for names, less in open_ways if any(name in complaint for name in names))
    return next(named, open_ways[0][1] if open_ways else None)


async def _ask(client: ModelClient, how: Capabilities) -> Piece:
    """A question that a model which can reason would reason about, and any can answer in a word."""
    messages: list[Message] = [{"role": "user", "content": "17 + 25 = ?"}]
    options = how.options(LONG // 2)
    if how.streaming:
        return await collected(client.stream(messages, options, retries=1))
    return await client.whole(messages, options, retries=1)


def _reasoned(answer: Piece) -> bool:
    return bool(answer.thought) or "<think" in answer.text or "</think>" in answer.text


# --- remembered ---------------------------------------------------------------------------------------------------------

KEPT: float = 7 * 86_400.0
"""Seconds after which a server is asked again: it may have been updated."""
_KNOWN = TypeAdapter(Capabilities)


def remembered(cache: Path, server: Server, now: Callable[[], float] = time.time) -> Capabilities | None:
    """What is known of this server and model, or None."""
    try:
        stored = parse_json(_file(cache, server).read_text(encoding="utf-8"))
        if not 0 <= now() - stored.pop("when") < KEPT or set(stored) != {f.name for f in fields(Capabilities)}:
            return None
        return _KNOWN.validate_python(stored)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def remember(cache: Path, server: Server, found: Capabilities, now: Callable[[], float] = time.time) -> None:
    """Keep it; where that is not possible, the server is asked again the next time."""
    path = _file(cache, server)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(asdict(found) | {"when": now()}), encoding="utf-8")
    except OSError:
        return


def _file(cache: Path, server: Server) -> Path:
    name = hashlib.sha256(f"{server.url}#{server.model}".encode()).hexdigest()[:24]
    return cache / "servers" / f"{name}.json"
