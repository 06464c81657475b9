"""How the user sounds, from the page's sound check, through the guard."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pytest
from starlette.testclient import TestClient

from tests.speech.test_speakers import CASES, MODEL, alternating, needs_cases, needs_model
from tests.web.studio import FakeHolds, pcm_of, services, tone
from voiceprep.audio import files
from voiceprep.audio.base import RATE, Samples
from voiceprep.core.units import Media, Span
from voiceprep.errors import MissingError
from voiceprep.speech.speakers.apart import Apart, Voice
from voiceprep.speech.speakers.encoder import SIZE, SpeakerEncoder
from voiceprep.store import own_voice
from voiceprep.web.app import create_app
from voiceprep.web.live import Patience
from voiceprep.web.security import TOKEN_HEADER
from voiceprep.web.services import Services

ORIGIN = "http://127.0.0.1:8765"
SOUND = {"content-type": "application/octet-stream"}
ALONE = Apart((Span(Media(0.0), Media(12.0)),), (), 0.05)
TWO = Apart((Span(Media(0.0), Media(6.0)),), (Span(Media(6.0), Media(12.0)),), 0.4)
MIDDLE = np.eye(SIZE, dtype=np.float32)[0]


def hears(monkeypatch: pytest.MonkeyPatch, voice: Voice) -> None:
    """Whatever is sent in sounds like this."""

    def voice_of(_sound: Iterable[Samples], *_: object) -> Voice:
        return voice

    monkeypatch.setattr("voiceprep.web.own_voice.speaker_encoder", lambda *_: None)
    monkeypatch.setattr("voiceprep.review.own_voice.voice_of", voice_of)


@pytest.fixture
def made(tmp_path: Path) -> Services:
    return services(tmp_path, 8765, FakeHolds(tmp_path / "recordings"), Patience())


@pytest.fixture
def client(made: Services) -> Iterator[TestClient]:
    with TestClient(create_app(made), base_url=ORIGIN, raise_server_exceptions=False) as client:
        client.headers.update({TOKEN_HEADER: made.gate.token, "origin": ORIGIN})
        yield client


def test_kept_told_and_forgotten(client: TestClient, made: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    hears(monkeypatch, Voice(MIDDLE, 12.0, ALONE))
    assert client.get("/api/own-voice").json() == {"kept": False}
    answer = client.post("/api/own-voice", content=pcm_of(tone(15.0)), headers=SOUND)
    assert answer.status_code == 200, answer.text
    assert answer.json() == {"kept": True, "reason": "", "seconds": 12.0}
    assert own_voice.load(made.places.home) == pytest.approx(tuple(map(float, MIDDLE)))
    assert client.get("/api/own-voice").json() == {"kept": True}
    assert client.delete("/api/own-voice").json() == {"forgotten": True}
    assert client.delete("/api/own-voice").json() == {"forgotten": False}
    assert own_voice.load(made.places.home) is None


@pytest.mark.parametrize(
    ("voice", "reason"), [(Voice(MIDDLE, 3.0, ALONE), "too-little"), (Voice(MIDDLE, 12.0, TWO), "several-voices")]
)
def test_what_is_nobody_s_voice_leaves_the_one_that_was_kept(
    client: TestClient, made: Services, monkeypatch: pytest.MonkeyPatch, voice: Voice, reason: str
) -> None:
    own_voice.keep(made.places.home, tuple(map(float, MIDDLE)))
    hears(monkeypatch, voice)
    told = client.post("/api/own-voice", content=pcm_of(tone(15.0)), headers=SOUND).json()
    assert (told["kept"], told["reason"]) == (False, reason)
    assert own_voice.load(made.places.home) is not None


def test_a_network_that_is_not_here_is_said_and_the_machine_is_free_again(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(*_: object) -> None:
        raise MissingError("the voice encoder is not here", code="model-missing", hint="run: voiceprep models get speaker")

    monkeypatch.setattr("voiceprep.web.own_voice.speaker_encoder", missing)
    for _ in range(2):
        answer = client.post("/api/own-voice", content=pcm_of(tone(15.0)), headers=SOUND)
        assert (answer.status_code, answer.json()["code"]) == (503, "model-missing")


@pytest.mark.parametrize("body", [b"", b"odd", bytes(2 * 16 * RATE)])
def test_what_is_no_such_sound_is_refused(client: TestClient, body: bytes) -> None:
    assert client.post("/api/own-voice", content=body, headers=SOUND).status_code == 400


def test_other_bodies_and_strangers_are_refused(client: TestClient) -> None:
    assert client.post("/api/own-voice", json={}).status_code == 415
    del client.headers[TOKEN_HEADER]
    assert client.post("/api/own-voice", content=pcm_of(tone(15.0)), headers=SOUND).status_code in {401, 403}
    assert client.delete("/api/own-voice").status_code in {401, 403}


@pytest.mark.models
@needs_model
@needs_cases
def test_a_real_voice_and_two_of_them(client: TestClient, made: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    assert MODEL is not None
    encoder = SpeakerEncoder(MODEL)
    monkeypatch.setattr("voiceprep.web.own_voice.speaker_encoder", lambda *_: encoder)
    man, woman = (files.read(CASES / name) for name in ("en_kolja_demo_52s.wav", "zh_autumn_53s.wav"))
    both = alternating(man, woman)[0][: 15 * RATE]
    told = client.post("/api/own-voice", content=pcm_of(both), headers=SOUND).json()
    assert told["reason"] == "several-voices"
    told = client.post("/api/own-voice", content=pcm_of(man[: 15 * RATE]), headers=SOUND).json()
    assert told["kept"]
    kept = own_voice.load(made.places.home)
    assert kept is not None
