"""No log line at INFO or above holds what was said, whatever door it came in by and whatever breaks on its way.

`test_real_session.py` holds a real session to it; here is what that does not come by: pages, texts, documents, language models,
and defects whose own text quotes the candidate.
"""

from __future__ import annotations

import ast
import asyncio
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from tests.agent.fake_server import FakeServer, delta, spoken
from tests.fakes.edges import CountingRecogniser, ToneVoice
from tests.fakes.room import speech
from tests.fuzz.test_cli import run
from tests.fuzz.test_model import COMMAND, SERVER, TOLD
from tests.live.test_session import hold
from tests.web.studio import open_house, tone
from voiceprep.agent.budget import Budget
from voiceprep.agent.client import ModelClient
from voiceprep.agent.interviewer import ModelInterviewer
from voiceprep.agent.probe import Capabilities
from voiceprep.cli.logs import JsonLines
from voiceprep.core.events import EdgeFailed
from voiceprep.errors import VoiceprepError

PACKAGE = Path(__file__).parents[2] / "voiceprep"
CANARY = "my manager Quentinzibar froze the hundred hires"
NEEDLE = "quentinzibar"
LOGS = {"debug", "info", "warning", "error", "exception", "critical", "log"}
LOGGERS = {"logger", "logging", "log", "self._logger"}
NAMED = {
    *("error.code", "error.strerror", "type(error).__name__", "reason", "of"),
    *("self.name", "chosen.name", "name", "', '.join(CHARACTERS)", "self._folder", "path.name"),
}
"""What may stand in a log line: codes of ours, the system's word for an error, names of models, types, folders, commands."""


class Kept(logging.Handler):
    """Every line as it would be written: ours by our own formatter, a library's with all it says."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.lines: list[str] = []
        self._ours, self._theirs = JsonLines(), logging.Formatter()

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append((self._ours if record.name.startswith("voiceprep") else self._theirs).format(record))


@pytest.fixture
def logged(monkeypatch: pytest.MonkeyPatch) -> Iterator[Kept]:
    kept, root = Kept(), logging.getLogger()
    ours = logging.getLogger("voiceprep")
    monkeypatch.setattr(ours, "propagate", True)
    monkeypatch.setattr(root, "level", logging.INFO)
    monkeypatch.setattr(ours, "level", logging.INFO)
    root.addHandler(kept)
    yield kept
    root.removeHandler(kept)


def silent(logged: Kept, home: Path) -> None:
    files = [path.read_text("utf-8") for path in home.rglob("logs/*.log")]
    for line in (*logged.lines, *files):
        assert NEEDLE not in line.lower()


def calls() -> dict[str, ast.Call]:
    """Every call of a logger, by its place."""
    found: dict[str, ast.Call] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in LOGS:
                place = f"{path.relative_to(PACKAGE)}:{node.lineno}"
                found |= {place: node} if ast.unparse(node.func.value) in LOGGERS else {}
    return found


def test_log_lines_are_fixed_but_for_codes_and_names() -> None:
    found = calls()
    assert len(found) >= 8
    for place, call in found.items():
        message, *values = call.args
        assert isinstance(message, ast.Constant), place
        for value in values:
            assert ast.unparse(value) in NAMED, place
        assert all(named.arg == "exc_info" for named in call.keywords), place


class Quoting(CountingRecogniser):
    """Breaks with what it heard in its mouth: a defect, or an error of ours."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self._error = error

    async def transcribe(self, *_: Any) -> Any:
        raise self._error


class QuotingVoice(ToneVoice):
    async def render(self, *_: Any) -> Any:
        raise ValueError(f"cannot say {CANARY!r}")


@pytest.mark.parametrize(
    "error", [ValueError(CANARY), KeyError(CANARY), VoiceprepError("the recogniser failed", code="recogniser-failed")]
)
async def test_a_defect_that_quotes_what_was_said(tmp_path: Path, logged: Kept, error: Exception) -> None:
    said = speech((3.0, True), (2.0, False))
    events = await hold(tmp_path, said, recogniser=Quoting(error), voice=QuotingVoice())
    assert [event for event in events if isinstance(event, EdgeFailed)]
    assert any('"error": "ValueError"' in line for line in logged.lines)  # the voice's defect is on record
    silent(logged, tmp_path)


async def test_a_page(tmp_path: Path, logged: Kept) -> None:
    async with open_house(tmp_path) as house, house.page() as page:
        await page.welcomed()
        await page.say("note", text=CANARY)
        await page.speak(tone(2.0))
        await page.say("end")
        session = (await page.until("saved"))["session"]
        assert CANARY in (house.archive.find(session) / "events.jsonl").read_text("utf-8")
    async with open_house(tmp_path) as house, house.socket() as socket:
        await socket.send(json.dumps({"kind": CANARY, "token": CANARY}))
        with pytest.raises(ConnectionClosed):
            await socket.recv()
    silent(logged, tmp_path)


def test_a_page_s_requests(tmp_path: Path, logged: Kept) -> None:
    from starlette.testclient import TestClient

    from tests.web.studio import FakeHolds, services
    from voiceprep.web.app import create_app
    from voiceprep.web.live import Patience
    from voiceprep.web.security import TOKEN_HEADER

    made = services(tmp_path, 8765, FakeHolds(tmp_path / "recordings"), Patience())
    with TestClient(create_app(made), base_url="http://127.0.0.1:8765", raise_server_exceptions=False) as client:
        client.headers.update({TOKEN_HEADER: made.gate.token, "origin": "http://127.0.0.1:8765"})
        assert client.post("/api/progress/time", json={"minutes": 5, "what": CANARY, "round": ""}).status_code < 300
        assert client.post("/api/progress/time", json={"minutes": CANARY, "what": CANARY}).status_code >= 400
    silent(logged, tmp_path)


@pytest.mark.parametrize(
    "arguments",
    [
        ("score", "--round", "gpu-hm-screen", "said.txt"),
        ("followup", "--round", "gpu-hm-screen", "said.txt"),
        ("score", "--batch", "said.jsonl"),
        ("followup", "--batch", "torn.jsonl"),
        ("analyze", "said.txt"),
        ("intake", "--cv", "said.txt", "--jd", "said.txt"),
    ],
    ids=" ".join,
)
def test_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, logged: Kept, arguments: tuple[str, ...]) -> None:
    monkeypatch.setenv("VOICEPREP_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("VOICEPREP_RECORDINGS", raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "said.txt").write_text(f"{CANARY}. I decided that speech gets the nights.")
    (tmp_path / "said.jsonl").write_text(json.dumps({"id": "1", "round": "gpu-hm-screen", "text": CANARY}))
    (tmp_path / "torn.jsonl").write_text(json.dumps({"id": "1", "round": CANARY, "text": CANARY})[:-9])
    try:
        run(list(arguments))
    except VoiceprepError as error:
        logged.lines.append(error.message if arguments[0] != "analyze" else "")
    silent(logged, tmp_path / "home")


@pytest.mark.parametrize(
    "reply",
    [
        spoken(f"{CANARY}, which part of that was yours?"),
        [b"data: " + CANARY.encode() + b"\n\n"],
        (500, json.dumps({"error": {"message": CANARY}})),
        (200, CANARY),
        [b"data: " + json.dumps(delta(CANARY)).encode() + b"\n\n"],
    ],
    ids=["a line", "no JSON", "an error", "no stream", "torn"],
)
def test_a_language_model(tmp_path: Path, logged: Kept, reply: Any) -> None:
    async def ask() -> None:
        client = ModelClient(SERVER, "sk-secret", http_client=FakeServer(lambda _: reply).client())
        model = ModelInterviewer(client, Capabilities(), TOLD, Budget())
        try:
            await model.reword(COMMAND)
        except VoiceprepError as error:
            logged.lines.append(error.message)
        finally:
            await model.close()

    asyncio.run(ask())
    silent(logged, tmp_path)


def test_the_test_can_fail(logged: Kept, tmp_path: Path) -> None:
    for logger in ("voiceprep.live", "somebody.else"):
        logged.lines.clear()
        logging.getLogger(logger).info("heard: %s", CANARY)
        with pytest.raises(AssertionError):
            silent(logged, tmp_path)
