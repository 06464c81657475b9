"""The page's minute at one's own pace, through the guard."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from starlette.testclient import TestClient

from tests.review.test_analysis import Echo, Loudness
from tests.web.studio import SOON, FakeHolds, open_house, pcm_of, services, tone
from voiceprep.audio.base import RATE
from voiceprep.content import load_rubrics
from voiceprep.core.events import Language
from voiceprep.core.listening.baseline import Sample
from voiceprep.errors import MissingError
from voiceprep.store.baseline import baseline_of
from voiceprep.store.own_pace import Minute, keep
from voiceprep.web.app import create_app
from voiceprep.web.live import Patience
from voiceprep.web.security import TOKEN_HEADER
from voiceprep.web.services import Services

ORIGIN = "http://127.0.0.1:8765"
SOUND = {"content-type": "application/octet-stream"}


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Services:
    async def recogniser(_: object) -> Echo:
        return Echo()

    monkeypatch.setattr("tests.web.studio.recogniser", recogniser)
    monkeypatch.setattr("voiceprep.speech.vad.silero.SileroActivity", Loudness)
    return services(tmp_path, 8765, FakeHolds(tmp_path / "recordings"), Patience())


@pytest.fixture
def client(made: Services) -> Iterator[TestClient]:
    with TestClient(create_app(made), base_url=ORIGIN, raise_server_exceptions=False) as client:
        client.headers.update({TOKEN_HEADER: made.gate.token, "origin": ORIGIN})
        yield client


def test_kept_by_language_and_forgotten(client: TestClient, made: Services) -> None:
    answer = client.post("/api/own-pace?lang=zh", content=pcm_of(tone(55.0)), headers=SOUND)
    assert answer.status_code == 200, answer.text
    told = answer.json()
    assert (told["kept"], told["language"], told["unit"]) == (True, "zh", "cpm")
    own = baseline_of(made.places.recordings, "zh")
    assert own is not None
    assert round(own.rate, 1) == told["rate"]
    assert baseline_of(made.places.recordings, "en") is None
    assert client.delete("/api/own-pace").json() == {"forgotten": True}
    assert client.delete("/api/own-pace").json() == {"forgotten": False}
    assert baseline_of(made.places.recordings, "zh") is None


def test_one_language_is_forgotten_alone(client: TestClient, made: Services) -> None:
    spoken: tuple[Language, ...] = ("en", "zh")
    for language in spoken:
        keep(made.places.recordings, Minute("2026-12-01T09:00:00+00:00", Sample(language, 52.0, 150.0, 0.5, 2.0)))
    assert client.delete("/api/own-pace?lang=fr").status_code == 422
    assert client.delete("/api/own-pace?lang=en").json() == {"forgotten": True}
    assert client.delete("/api/own-pace?lang=en").json() == {"forgotten": False}
    assert baseline_of(made.places.recordings, "en") is None
    assert baseline_of(made.places.recordings, "zh") is not None
    assert client.delete("/api/own-pace").json() == {"forgotten": True}
    assert baseline_of(made.places.recordings, "zh") is None


class Gate:
    """In place of what has the recogniser: how often it was asked for, and a gate before it."""

    def __init__(self) -> None:
        self.asked, self.gate = asyncio.Event(), asyncio.Event()
        self.opened = 0
        self.fails = False

    async def __call__(self, _: object) -> Echo:
        self.opened += 1
        self.asked.set()
        await self.gate.wait()
        if self.fails:
            raise MissingError("the model is gone", code="model-missing", hint="run: make setup")
        return Echo()


async def test_one_minute_at_a_time_and_no_session_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opens = Gate()
    monkeypatch.setattr("tests.web.studio.recogniser", opens)
    monkeypatch.setattr("voiceprep.speech.vad.silero.SileroActivity", Loudness)
    async with open_house(tmp_path) as house:
        known = {TOKEN_HEADER: house.token, "origin": house.origin}
        async with httpx2.AsyncClient(base_url=house.origin, headers=known, timeout=SOON) as client:

            async def post() -> tuple[int, str]:
                answer = await client.post("/api/own-pace", content=pcm_of(tone(10.0)), headers=SOUND)
                return answer.status_code, answer.json().get("message", "")

            busy = (409, "a minute at your own pace is being measured")
            first = asyncio.create_task(post())
            await asyncio.wait_for(opens.asked.wait(), SOON)
            assert set(await asyncio.gather(post(), post(), post())) == {busy}
            async with house.page() as page:
                refused = await page.until("refused")
                assert (refused["code"], refused["message"], refused["session"]) == ("busy", busy[1], "")
            opens.fails = True
            opens.gate.set()
            assert (await first)[0] == 503
            opens.fails = False
            assert await post() == (200, "")
            assert opens.opened == 2
            async with house.page() as page:
                await page.welcomed()
                assert await post() == (409, "a session is running")
                await page.say("end")
                await page.until("saved")
            assert await post() == (200, "")


def test_nothing_is_loaded_where_pages_are_served(client: TestClient, made: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    beside: dict[str, bool] = {}

    def watched(name: str, load: Callable[[], Any]) -> Callable[[], Any]:
        def loading() -> Any:
            try:
                asyncio.get_running_loop()
            except RuntimeError:
                beside[name] = True
            else:
                beside[name] = False
            return load()

        return loading

    monkeypatch.setattr("voiceprep.speech.vad.silero.SileroActivity", watched("detector", Loudness))
    monkeypatch.setattr("voiceprep.live.own_pace.load_rubrics", watched("rubrics", load_rubrics))
    assert client.post("/api/own-pace", content=pcm_of(tone(10.0)), headers=SOUND).status_code == 200
    assert beside == {"detector": True, "rubrics": True}


def test_too_little_is_said_and_not_kept(client: TestClient, made: Services) -> None:
    told = client.post("/api/own-pace", content=pcm_of(tone(10.0)), headers=SOUND).json()
    assert (told["kept"], told["reason"]) == (False, "too-little")
    assert baseline_of(made.places.recordings, "en") is None


@pytest.mark.parametrize("body", [b"", b"odd", bytes(2 * 61 * RATE)])
def test_what_is_no_minute_of_sound_is_refused(client: TestClient, body: bytes) -> None:
    assert client.post("/api/own-pace", content=body, headers=SOUND).status_code == 400


def test_other_languages_and_other_bodies_are_refused(client: TestClient) -> None:
    assert client.post("/api/own-pace?lang=fr", content=bytes(2 * RATE), headers=SOUND).status_code in {400, 422}
    assert client.post("/api/own-pace", json={}).status_code == 415
