"""What every session needs is loaded with the server, once, and told to pages meanwhile."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.edges import CountingRecogniser
from tests.web.real_holds import BriefEngine
from tests.web.studio import SOON, House, open_house
from voiceprep import config
from voiceprep.config import Places, Settings
from voiceprep.errors import VoiceprepError
from voiceprep.web.practice import Practice
from voiceprep.web.readiness import Readiness, State


class Models:
    """In place of what loads models: how often each was loaded, and a gate before the recogniser."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, here: bool = True) -> None:
        self.loaded: list[str] = []
        self.gate = asyncio.Event()
        self.gate.set()
        self.fails = False
        monkeypatch.setattr("voiceprep.web.practice.open_recogniser", self.recogniser)
        monkeypatch.setattr("voiceprep.web.practice.find_model", lambda *_, **__: Path("base") if here else None)
        monkeypatch.setattr("voiceprep.speech.tts.choose.HibariVoice", self.voice)

    async def recogniser(self, _settings: Settings, _places: Places, progress: Any) -> CountingRecogniser:
        progress("loading the fake recogniser", None)
        await self.gate.wait()
        if self.fails:
            raise VoiceprepError("the recogniser broke", code="broken", hint="mend it")
        self.loaded.append("recogniser")
        return CountingRecogniser()

    def voice(self) -> BriefEngine:
        self.loaded.append("voice")
        return BriefEngine()


def practice_in(home: Path) -> tuple[Practice, Settings]:
    settings = config.load({"VOICEPREP_HOME": str(home)}).with_arguments(language="en")
    return Practice(Places(home=home, recordings=home / "recordings")), settings


async def test_sessions_share_what_was_loaded_with_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    models = Models(monkeypatch)
    practice, settings = practice_in(tmp_path)
    await practice.warm(settings)
    assert practice.readiness.document() == {"state": "ready", "what": "", "done": 2, "of": 2}
    for _ in range(2):
        async with open_house(tmp_path, holds=practice) as house, house.page(round="gpu-hm-screen", lang="en") as page:
            await page.welcomed()
            await page.until("speaking_started")
            await page.say("end")
            await page.until("saved")
    chinese = settings.with_arguments(language="zh")  # a minute at one's own pace is heard with the same
    assert await practice.recogniser(chinese) is await practice.recogniser(settings)
    assert models.loaded == ["recogniser", "voice"]
    await practice.recogniser(settings.with_arguments(stt="tiny"))
    await practice.warm(settings)  # what was loaded for the minute is not what these settings name
    assert models.loaded == ["recogniser", "voice", "recogniser", "recogniser"]
    await practice.close()


async def test_whoever_comes_early_waits_for_the_same_loading_and_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    models = Models(monkeypatch)
    models.gate.clear()
    practice, settings = practice_in(tmp_path)
    warming = asyncio.create_task(practice.warm(settings))
    async with open_house(tmp_path, holds=practice) as house, house.page(round="gpu-hm-screen", lang="en") as page:
        assert (await page.until("preparing"))["what"] in {"loading the recogniser", "loading the fake recogniser"}
        assert practice.readiness.standing.state == "loading"
        models.gate.set()
        await page.welcomed()
        await page.say("end")
        await page.until("saved")
    await warming
    assert models.loaded == ["recogniser", "voice"]
    await practice.close()


async def test_what_fails_ahead_is_said_and_stops_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    models = Models(monkeypatch)
    practice, settings = practice_in(tmp_path)
    states = []
    for fails in (True, False):
        models.fails = fails
        await practice.warm(settings)
        states.append((practice.readiness.standing.state, practice.readiness.standing.what))
    assert states[0] == ("failed", "the recogniser broke")
    assert states[1][0] == "ready"
    await practice.close()


async def test_nothing_is_fetched_before_anybody_asks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    models = Models(monkeypatch, here=False)
    practice, settings = practice_in(tmp_path)
    await practice.warm(settings)
    assert practice.readiness.standing.state == "missing"
    assert models.loaded == []


async def held(house: House) -> dict[str, Any]:
    """One session from beginning to end: its welcome, or why there is none."""
    async with house.page(round="gpu-hm-screen", lang="en") as page:
        while (said := await page.receive()) is None or said["kind"] not in {"welcome", "refused"}:
            pass
        if said["kind"] == "welcome":
            await page.say("end")
            await page.until("saved")
        return said


@pytest.mark.parametrize("trouble", ["missing", "failed"])
async def test_a_session_that_loads_after_all_makes_it_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trouble: str
) -> None:
    """What was not loaded ahead is loaded by the first session, and pages are told so from then on."""
    models = Models(monkeypatch, here=trouble != "missing")
    models.fails = trouble == "failed"
    practice, settings = practice_in(tmp_path)
    await practice.warm(settings)
    assert practice.readiness.standing.state == trouble
    async with open_house(tmp_path, holds=practice) as house:
        if models.fails:
            assert (await held(house))["code"] == "broken"
            assert (practice.readiness.standing.state, practice.readiness.standing.what) == ("failed", "the recogniser broke")
            models.fails = False
        states, tell = list[str](), practice.readiness.tell

        def noting(state: State, what: str = "", done: int | None = None) -> None:
            states.append(state)
            tell(state, what, done)

        monkeypatch.setattr(practice.readiness, "tell", noting)
        for _ in range(2):
            assert (await held(house))["kind"] == "welcome"
            assert practice.readiness.document() == {"state": "ready", "what": "", "done": 2, "of": 2}
    assert states == ["loading", "loading", "loading", "ready"], "the recogniser, what it says itself, the voice; then no more"
    assert models.loaded == ["recogniser", "voice"]
    await practice.close()


async def test_a_page_that_leaves_while_it_loads_leaves_nothing_loading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    models = Models(monkeypatch)
    models.gate.clear()
    practice, _ = practice_in(tmp_path)
    async with open_house(tmp_path, holds=practice) as house:
        async with house.page(round="gpu-hm-screen", lang="en") as page:
            await page.until("preparing")
            assert practice.readiness.document()["state"] == "loading"
        task = house.services.studio._task
        assert task is not None
        await asyncio.wait({task}, timeout=SOON)
        assert practice.readiness.document()["state"] == "idle"
        models.gate.set()
        assert (await held(house))["kind"] == "welcome"
        assert practice.readiness.document()["state"] == "ready"
    await practice.close()


def test_steps_are_told_to_whoever_waits() -> None:
    readiness, heard = Readiness(), list[str]()
    readiness.tell("loading", "first", 0)
    with readiness.heard_by(heard.append):
        readiness.tell("loading", "second", 1)
    readiness.tell("ready", "third", 2)
    assert heard == ["first", "second"]
    assert readiness.standing.done == 2
