"""The page's minute at one's own pace, through the guard."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.review.test_analysis import Echo, Loudness
from tests.web.studio import FakeHolds, pcm_of, services, tone
from voiceprep.audio.base import RATE
from voiceprep.store.baseline import baseline_of
from voiceprep.web.app import create_app
from voiceprep.web.live import Patience
from voiceprep.web.security import TOKEN_HEADER
from voiceprep.web.services import Services

ORIGIN = "http://127.0.0.1:8765"
SOUND = {"content-type": "application/octet-stream"}


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Services:
    async def open_recogniser(*_: object, live: bool) -> Echo:
        return Echo()

    monkeypatch.setattr("voiceprep.web.own_pace.open_recogniser", open_recogniser)
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
