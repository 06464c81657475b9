"""Children that misbehave."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from voiceprep.errors import VoiceprepError
from voiceprep.speech.tts.child import Servant, ask_once


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A module for a child: it does what its first request says."""
    (tmp_path / "odd_child.py").write_text(
        "import json, os, sys, time\n"
        "for line in sys.stdin.buffer:\n"
        "    do = json.loads(line).get('do')\n"
        "    if do == 'die': os._exit(7)\n"
        "    if do == 'hang': time.sleep(600)\n"
        "    if do == 'babble': print('not json', flush=True)\n"
        "    if do == 'fail': print(json.dumps({'error': 'Oops'}), flush=True)\n"
        "    if do == 'speak': sys.stdout.buffer.write(b'{\"samples\": 2}\\n' + bytes(8)); sys.stdout.flush()\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return "odd_child"


@pytest.mark.parametrize(("do", "code"), [("die", "voice-failed"), ("babble", "voice-failed"), ("fail", "voice-failed")])
async def test_a_servant_that_fails_is_replaced(module: str, do: str, code: str) -> None:
    servant = Servant(module, "odd", {})
    with pytest.raises(VoiceprepError) as failed:
        await servant.ask({"do": do}, 60)
    assert failed.value.code == code
    assert (await servant.ask({"do": "speak"}, 60)).size == 2
    await servant.close()


async def test_case_093_a_servant_that_hangs_is_killed(module: str) -> None:
    servant = Servant(module, "odd", {})
    await servant.ask({"do": "speak"}, 60)
    pid = servant.pid
    assert pid is not None
    with pytest.raises(VoiceprepError) as late:
        await servant.ask({"do": "hang"}, 0.01)
    assert late.value.code == "voice-timeout"
    assert servant.pid is None
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    await servant.close()


async def test_a_cancelled_servant_is_killed(module: str) -> None:
    servant = Servant(module, "odd", {})
    await servant.ask({"do": "speak"}, 60)
    pid = servant.pid
    assert pid is not None
    work = asyncio.create_task(servant.ask({"do": "hang"}, 60))
    await asyncio.sleep(0)
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


async def test_one_request_and_no_answer(module: str) -> None:
    with pytest.raises(VoiceprepError) as failed:
        await ask_once(module, "odd", {"do": "die"}, 60)
    assert failed.value.code == "voice-failed"
    assert "7" in failed.value.message
    with pytest.raises(VoiceprepError) as late:
        await ask_once(module, "odd", {"do": "hang"}, 0.05)
    assert late.value.code == "voice-timeout"
