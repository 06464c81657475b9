"""Servers differ in what they refuse; each of these is one kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.agent.fake_server import FakeServer, Reply, complaint, delta, spoken, usage, whole
from tests.fakes.virtual_time import run_virtually
from voiceprep.agent.client import ModelClient
from voiceprep.agent.probe import Capabilities, probe, remember, remembered
from voiceprep.agent.server import Server
from voiceprep.errors import MissingError, VoiceprepError

SERVER = Server("http://model.test/v1", "m", "K")


def asked(reply: Callable[[dict[str, Any]], Reply]) -> tuple[Capabilities, FakeServer]:
    server = FakeServer(reply)

    async def look() -> Capabilities:
        client = ModelClient(SERVER, "", http_client=server.client())
        try:
            return await probe(client)
        finally:
            await client.close()

    return run_virtually(look()), server


def test_an_obliging_server_is_asked_once() -> None:
    found, server = asked(lambda _: spoken("42"))
    assert found == Capabilities()
    assert len(server.requests) == 1


def test_a_newer_openai_model() -> None:
    def reply(request: dict[str, Any]) -> Reply:
        if "max_tokens" in request:
            return complaint("Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead.")
        if "temperature" in request:
            return complaint("Unsupported value: 'temperature' does not support 0.7 with this model.")
        return spoken("42")

    found, server = asked(reply)
    assert found == Capabilities(limit="max_completion_tokens", temperature=False)
    assert "max_completion_tokens" in server.requests[-1]
    assert found.options()["max_completion_tokens"] > 0


def test_a_server_that_knows_no_stream_options_and_one_that_does_not_say_what_is_wrong() -> None:
    found, _ = asked(lambda r: complaint("extra field: stream_options") if "stream_options" in r else [delta("42")])
    assert found == Capabilities(usage=False)
    plain = {"model", "messages", "stream"}
    found, _ = asked(lambda r: complaint("bad request", 422) if set(r) - plain else [delta("42")])
    assert found == Capabilities(limit="", temperature=False, usage=False)


def test_a_server_that_answers_a_stream_with_a_document() -> None:
    found, _ = asked(lambda _: whole("42"))
    assert found == Capabilities(streaming=False)


SWITCHED: dict[str, Callable[[dict[str, Any]], bool]] = {
    "reasoning_effort": lambda r: r.get("reasoning_effort") == "none",
    "chat_template_kwargs": lambda r: r.get("chat_template_kwargs") == {"enable_thinking": False},
    "enable_thinking": lambda r: r.get("enable_thinking") is False,
    "thinking": lambda r: r.get("thinking") == {"type": "disabled"},
}


@pytest.mark.parametrize("switch", SWITCHED)
@pytest.mark.parametrize("strict", [False, True])
def test_reasoning_is_switched_off_by_the_switch_that_works_here(switch: str, strict: bool) -> None:
    known = {"model", "messages", "stream", "stream_options", "max_tokens", "temperature", switch}

    def reply(request: dict[str, Any]) -> Reply:
        if strict and set(request) - known:
            return complaint("unknown field")
        if SWITCHED[switch](request):
            return spoken("42")
        return [delta(reasoning_content="17 and 25, hm"), delta("42"), usage(10, 200)]

    found, _ = asked(reply)
    assert found == Capabilities(off=switch)  # type: ignore[arg-type]


@pytest.mark.parametrize("thought", [delta(reasoning="hm"), delta(reasoning_content="hm"), delta("<think>hm</think>")])
def test_a_model_that_cannot_help_reasoning_is_given_room(thought: dict[str, Any]) -> None:
    found, _ = asked(lambda _: [thought, delta("42"), usage(10, 200)])
    assert found == Capabilities(reasons=True)
    assert found.options()["max_tokens"] > Capabilities().options()["max_tokens"]


def test_a_model_that_begins_in_the_middle_of_its_reasoning() -> None:
    found, _ = asked(lambda _: [delta("hm, 17 and 25"), delta("</think>42"), usage(10, 200)])
    assert found == Capabilities(reasons=True, tagless=True)


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        ((401, {"error": {"message": "Incorrect API key provided: sk-secret"}}), "model-key"),
        ((404, {"error": {"message": "model not found"}}), "model-unknown"),
        ((429, {"error": {"message": "quota"}}), "model-busy"),
        ((500, "<html>oops sk-secret</html>"), "model-failed"),
        ((200, "<html>Welcome to nginx sk-secret</html>"), "model-answer"),
        ((200, {"error": "Unexpected endpoint. sk-secret"}), "model-answer"),
        ((200, {"choices": []}), "model-answer"),
        ([usage(10, 0)], "model-answer"),
        ([b"data: {not json\n\n"], "model-answer"),
        ([b"data: " + b"[" * 200_000 + b"\n\n"], "model-answer"),
        ((200, "[" * 200_000), "model-answer"),
        ([b'data: {"error": {"message": "overloaded sk-secret"}}\n\n'], "model-answer"),
        (complaint("no such thing as chat, sk-secret"), "model-refused"),
    ],
)
def test_what_is_no_model_is_told_in_a_clean_line(reply: Reply, code: str) -> None:
    with pytest.raises(VoiceprepError) as error:
        asked(lambda _: reply)
    assert error.value.code == code
    assert "secret" not in str(error.value)
    assert error.value.__cause__ is None


async def test_nobody_answers_at_the_address() -> None:
    client = ModelClient(Server("http://127.0.0.1:9/v1", "m", "K"), "")
    with pytest.raises(MissingError) as error:
        await probe(client)
    assert error.value.code == "model-unreachable"
    await client.close()


def test_what_was_found_is_remembered_for_a_week(tmp_path: Path) -> None:
    found = Capabilities(limit="max_completion_tokens", off="thinking")
    remember(tmp_path, SERVER, found, now=lambda: 1000.0)
    assert remembered(tmp_path, SERVER, now=lambda: 2000.0) == found
    assert remembered(tmp_path, SERVER, now=lambda: 1000.0 + 8 * 86_400) is None
    assert remembered(tmp_path, replace(SERVER, model="other"), now=lambda: 2000.0) is None
    (path,) = (tmp_path / "servers").iterdir()
    good = path.read_text()
    for bad in (
        "[]",
        good.replace("1000.0", "9" * 400),
        good.replace('"max_completion_tokens"', "[]"),
        good.replace("false", '""'),
    ):
        assert bad != good
        path.write_text(bad)
        assert remembered(tmp_path, SERVER, now=lambda: 2000.0) is None


def test_a_cache_that_cannot_be_written_costs_nothing(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    remember(blocked, SERVER, Capabilities())
    assert remembered(blocked, SERVER) is None
