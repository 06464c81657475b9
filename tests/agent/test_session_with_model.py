"""A whole session through the shell, its model being a fake server: what is said, kept, told and replayed."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from tests.agent.fake_server import GOOD, FakeServer, Reply, Stream, spoken
from tests.agent.room import ANSWER, contents, hold
from tests.agent.test_hostile import COMMAND
from tests.fakes.content import content
from tests.fakes.edges import Notebook
from tests.fakes.table import of_kind
from voiceprep.agent.budget import Budget, use_of
from voiceprep.agent.client import ModelClient
from voiceprep.agent.interviewer import Worded
from voiceprep.agent.server import Server
from voiceprep.core.events import EdgeFailed, Event, Fact, Reword, Reworded, SessionEnded, Speak
from voiceprep.core.policy import Policy
from voiceprep.live.assembly import assemble, replay
from voiceprep.live.inbox import NOW
from voiceprep.live.interpreter import Edges, Interpreter
from voiceprep.store.codec import as_logged

LINE = "You say you decided: which metric of q1 would have moved without you?"
SERVER = Server("http://model.test/v1", "m", "K")


def with_reply(reply: Reply) -> tuple[ModelClient, FakeServer]:
    server = FakeServer(lambda _: reply)
    return ModelClient(SERVER, "sk-secret", http_client=server.client()), server


def followups(log: list[Event]) -> list[str]:
    return [one.text for one in of_kind(log, Speak) if one.move == "followup"]


async def test_the_followup_is_said_in_the_models_words(tmp_path: Path) -> None:
    client, server = with_reply(spoken(LINE))
    log = await hold(tmp_path, client)
    assert followups(log) == [LINE]
    (asked,) = of_kind(log, Reword)
    assert asked.text in server.requests[0]["messages"][1]["content"]
    assert ANSWER in server.requests[0]["messages"][1]["content"]
    use = use_of(log)
    assert use is not None
    assert (use.asked, use.worded, use.tokens) == (1, 1, 900 + len(spoken(LINE)) - 2)
    assert log[-1] == SessionEnded(at=log[-1].at, reason="audio-ended")


async def test_the_log_replays_without_a_model_and_holds_no_key(tmp_path: Path) -> None:
    client, _ = with_reply(spoken(LINE))
    log = await hold(tmp_path, client)
    again = replay(log, assemble(content(), Policy(captions=False, reword=True), "en", 1))
    assert [as_logged(event) for event in again] == log
    kept = contents(tmp_path)
    assert not any(b"sk-secret" in content for content in kept)


@pytest.mark.parametrize("reply", [spoken("Great answer! What else?"), spoken(""), spoken(f"<think>{GOOD}")])
async def test_case_079_what_does_not_pass_the_guard_leaves_the_banks_line(tmp_path: Path, reply: Reply) -> None:
    client, _ = with_reply(reply)
    log = await hold(tmp_path, client)
    assert followups(log) == [of_kind(log, Reword)[0].text]
    assert of_kind(log, Reworded)[0].refused
    assert of_kind(log, EdgeFailed) == []


@pytest.mark.parametrize("reply", [(429, {}), (200, {"error": "x"}), (401, {"error": "sk-secret"}), (500, "<html>")])
async def test_case_076_and_078_a_failing_server_is_told_once_and_leaves_the_banks_line(tmp_path: Path, reply: Reply) -> None:
    client, _ = with_reply(reply)
    log = await hold(tmp_path, client)
    assert followups(log) == [of_kind(log, Reword)[0].text]
    assert len(of_kind(log, EdgeFailed)) + sum(bool(one.refused) for one in of_kind(log, Reworded)) == 1
    assert "secret" not in str(log)
    assert log[-1] == SessionEnded(at=log[-1].at, reason="audio-ended")


async def test_a_spent_budget_leaves_the_banks_line(tmp_path: Path) -> None:
    client, server = with_reply(spoken(LINE))
    log = await hold(tmp_path, client, budget=Budget(tokens=1, used_tokens=1))
    assert [one.refused for one in of_kind(log, Reworded)] == ["budget"]
    assert server.requests == []


async def test_without_a_model_the_log_is_what_it_was(tmp_path: Path) -> None:
    for name in ("with", "without"):
        (tmp_path / name).mkdir()
    client, _ = with_reply((500, {}))
    without = await hold(tmp_path / "without", None)
    with_one = await hold(tmp_path / "with", client)
    assert not of_kind(without, Reword)
    assert not of_kind(without, Reworded)
    assert followups(without) == followups(with_one)
    trouble = (Reword, Reworded, EdgeFailed)
    assert [type(e) for e in without] == [type(e) for e in with_one if not isinstance(e, trouble)]


async def test_a_screen_that_fails_does_not_make_the_model_deaf(tmp_path: Path) -> None:
    class Closed(Notebook):
        def show(self, event: Event) -> None:
            raise BrokenPipeError

    client, server = with_reply(spoken(LINE))
    log = await hold(tmp_path, client, watcher=Closed())
    assert ANSWER in server.requests[0]["messages"][1]["content"]
    assert followups(log) == [LINE]


async def test_a_line_that_is_asked_for_again_takes_the_place_of_the_first(tmp_path: Path) -> None:
    class Slow:
        async def reword(self, command: Reword) -> Any:
            await asyncio.Event().wait()

        def overtaken(self, of: str) -> Worded:
            return Worded(refused="overtaken", tokens_in=900, tokens_out=len(of))

    posted: list[Fact] = []
    nothing: Any = None
    edges = Edges(nothing, nothing, nothing, nothing, nothing, "en", nothing, Slow())
    interpreter = Interpreter(edges, posted.append)
    interpreter.execute(COMMAND)
    await asyncio.sleep(0)
    interpreter.execute(replace(COMMAND, id="r2"))
    await asyncio.sleep(0)
    assert posted == [Reworded(at=NOW, of="r1", text="", refused="overtaken", tokens_in=900, tokens_out=2)]
    await interpreter.close()


class TestOverARealSocket:
    """The same over HTTP, for what only a socket can do."""

    @pytest.fixture
    def address(self) -> Iterator[str]:
        async def app(scope: Any, receive: Any, send: Any) -> None:
            assert scope["type"] == "http"
            kind = scope["path"].split("/")[1]
            status, media = (200, b"text/html") if kind == "html" else (200, b"text/event-stream")
            await send({"type": "http.response.start", "status": status, "headers": [(b"content-type", media)]})
            if kind == "html":
                await send({"type": "http.response.body", "body": b"<html>Welcome</html>"})
                return
            async for piece in Stream(spoken(LINE)[:3]):
                await send({"type": "http.response.body", "body": piece, "more_body": True})
            raise ConnectionResetError  # uvicorn drops the connection in the middle of the stream

        config = uvicorn.Config(app, host="127.0.0.1", port=0, log_level="critical", lifespan="off")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        while not server.started:
            thread.join(0.01)
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
        server.should_exit = True
        thread.join()

    @pytest.mark.parametrize(("kind", "code"), [("dead", "model-broke-off"), ("html", "")])
    async def test_it_ends_in_the_banks_line(self, tmp_path: Path, address: str, kind: str, code: str) -> None:
        log = await hold(tmp_path, ModelClient(Server(f"{address}/{kind}", "m", "K"), ""))
        assert [one.code for one in of_kind(log, EdgeFailed)] == ([code] if code else [])
        assert followups(log) == [of_kind(log, Reword)[0].text]
