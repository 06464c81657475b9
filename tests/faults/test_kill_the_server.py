"""kill -9 of the server while pages speak over its socket: all that it said it had, it has."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import soundfile  # type: ignore[import-untyped]
from websockets.exceptions import ConnectionClosed

from tests.web.studio import House, Page, pcm_of, tone
from voiceprep.audio.base import RATE
from voiceprep.core.events import AudioProgress, SessionEnded
from voiceprep.core.timeline import fold
from voiceprep.exporters import json_document
from voiceprep.store.archive import Archive
from voiceprep.store.recovery import recover
from voiceprep.web.serving import Address

REPO = Path(__file__).parents[2]
KILLS, SEED = 6, 21
SAID = np.concatenate([tone(1.5, hertz=200.0 + 40 * n) for n in range(4)])
SAID += np.random.default_rng(3).normal(0.0, 0.01, len(SAID)).astype(np.float32)
OUT = RATE
"""Samples that are on their way at most when the kill comes: a second."""


class Servers:
    """One at a time."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def told(self) -> dict[str, Any]:
        assert self._process.stdout
        return dict(json.loads(self._process.stdout.readline()))

    def start(self, home: Path) -> tuple[House, int]:
        assert self._process.stdin
        self._process.stdin.write(f"{home}\n")
        self._process.stdin.flush()
        told = self.told()
        services: Any = SimpleNamespace(gate=SimpleNamespace(token=told["token"]))
        return House(services, None, Address(port=told["port"])), told["pid"]


@pytest.fixture(scope="module")
def servers() -> Iterator[Servers]:
    command = [sys.executable, "-m", "tests.faults.mortal_server"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=REPO) as process:
        yield Servers(process)
        assert process.stdin
        process.stdin.close()


def acknowledged(page: Page) -> int:
    """Before which sample all is kept, by the server's own word."""
    return max((told["position"] for told in page.told if told["kind"] == "ack"), default=0)


async def speak_and_kill(house: House, pid: int, until: int, luck: random.Random) -> tuple[str, Page]:
    """Speak, never more than a second ahead of what the server has kept; kill it when it has been sent so many samples."""
    try:
        async with house.page() as page:
            session = str((await page.welcomed())["session"])
            while page.position < until:
                piece = luck.randint(160, 4_000)
                await page.speak(SAID[page.position : page.position + piece], frame=luck.choice((320, 1_600)))
                while acknowledged(page) < page.position - OUT:
                    await page.until("ack")
            os.kill(pid, signal.SIGKILL)
            with suppress(ConnectionClosed):
                while True:
                    await page.receive()
    finally:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return session, page


def test_what_it_acknowledged_is_there(servers: Servers, tmp_path: Path) -> None:
    luck, shown = random.Random(SEED), 0
    for number in range(KILLS):
        home = tmp_path / str(number)
        house, pid = servers.start(home)
        session, page = asyncio.run(speak_and_kill(house, pid, luck.randint(2_000, len(SAID)), luck))
        assert servers.told() == {"status": -signal.SIGKILL}
        shown += check(home / "recordings", session, page)
    assert shown > KILLS


def check(recordings: Path, session: str, page: Page) -> int:
    """Nothing that the page was told is lost. Returns how many events it had been shown."""
    assert [report.outcome for report in recover(recordings)] == ["recovered"]
    assert recover(recordings) == []
    (shown,) = Archive(recordings).list()
    assert (shown.id, shown.ended) == (session, "interrupted")
    header, events = Archive(recordings).read(session)
    assert isinstance(events[-1], SessionEnded)
    sound = recordings / session / "candidate.flac"
    kept = soundfile.read(sound, dtype="int16")[0] if sound.is_file() else np.zeros(0, np.int16)
    assert len(kept) >= acknowledged(page)
    assert len(kept) >= page.position - OUT  # a second at most
    heard = np.frombuffer(pcm_of(SAID), "<i2")
    assert np.array_equal(kept[: len(heard)], heard[: len(kept)])
    media = max((event.media for event in events if isinstance(event, AudioProgress)), default=0.0)
    assert len(kept) / RATE >= media - 1e-6  # the log speaks of nothing that is not in the recording
    shown_events = [told for told in page.told if told["kind"] in {"turn_started", "voice_started", "question_asked", "speak"}]
    kinds = {
        "turn_started": "TurnStarted",
        "voice_started": "VoiceStarted",
        "question_asked": "QuestionAsked",
        "speak": "Speak",
    }
    for kind, name in kinds.items():  # what the page was shown is in the log
        assert sum(type(event).__name__ == name for event in events) >= sum(told["kind"] == kind for told in shown_events)
    assert json_document.document(header, fold(events))["session"]
    return len(shown_events)


def test_the_next_server_takes_it_for_a_session_that_is_over(servers: Servers, tmp_path: Path) -> None:
    house, pid = servers.start(tmp_path)
    session, _ = asyncio.run(speak_and_kill(house, pid, 20_000, random.Random(1)))
    servers.told()
    recover(tmp_path / "recordings")
    house, pid = servers.start(tmp_path)
    again, _ = asyncio.run(speak_and_kill(house, pid, 8_000, random.Random(2)))
    servers.told()
    recover(tmp_path / "recordings")
    assert again != session
    assert {one.id: one.ended for one in Archive(tmp_path / "recordings").list()} == dict.fromkeys(
        (session, again), "interrupted"
    )
