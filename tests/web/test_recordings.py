"""A recording that is sent in over REST: analysed, kept, cancelled, refused; and who is who in it, swapped."""

from __future__ import annotations

import asyncio
import os
import shutil
import stat
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.types import Message

from tests.review.test_analysis import Echo, Loudness, recording
from tests.review.test_recording import CANDIDATE, INTERVIEWER, interview
from tests.web.studio import SOON, FakeHolds, services
from voiceprep.core.annotation import Anchor
from voiceprep.core.units import Media
from voiceprep.errors import MissingError
from voiceprep.review import kept_recording
from voiceprep.review.recording import analyze_recording
from voiceprep.store import provisional
from voiceprep.store.annotations import Annotations
from voiceprep.store.recovery import recover
from voiceprep.web import recordings, security
from voiceprep.web.app import create_app
from voiceprep.web.live import Patience
from voiceprep.web.security import TOKEN_HEADER
from voiceprep.web.services import Services

ORIGIN = "http://127.0.0.1:8765"
SOUND = {"content-type": "application/octet-stream"}


class Slow:
    """In place of what opens recognisers: each waits until it may."""

    def __init__(self) -> None:
        self.asked, self.may = threading.Event(), threading.Event()
        self.may.set()

    async def __call__(self, *_: object, live: bool) -> Echo:
        self.asked.set()
        assert self.may.wait(SOON)
        return Echo()


@pytest.fixture
def opens(monkeypatch: pytest.MonkeyPatch) -> Slow:
    made = Slow()
    monkeypatch.setattr("voiceprep.speech.stt.opening.open_recogniser", made)
    monkeypatch.setattr("voiceprep.speech.vad.silero.SileroActivity", Loudness)
    return made


@pytest.fixture
def made(tmp_path: Path) -> Services:
    return services(tmp_path / "home", 8765, FakeHolds(tmp_path / "home" / "recordings"), Patience())


@pytest.fixture
def client(made: Services) -> Iterator[TestClient]:
    with TestClient(create_app(made), base_url=ORIGIN, raise_server_exceptions=False) as client:
        client.headers.update({TOKEN_HEADER: made.gate.token, "origin": ORIGIN})
        yield client


def send(client: TestClient, data: bytes, wishes: str = "") -> Any:
    return client.post(f"/api/recordings{wishes}", content=data, headers=SOUND)


def over(client: TestClient, made: Services) -> dict[str, Any]:
    """How it ended. Its task belongs to the server's loop, so it is waited for there."""
    task = made.analyses._task
    assert task is not None
    assert client.portal is not None

    async def wait() -> None:
        await task

    client.portal.call(wait)
    told: dict[str, Any] = client.get("/api/recordings").json()
    return told


def left(made: Services) -> list[Path]:
    """What of a recording still lies in the cache."""
    return list((made.places.cache / recordings.UPLOADS).glob("*"))


def test_becomes_a_session_of_its_round(client: TestClient, made: Services, opens: Slow, tmp_path: Path) -> None:
    assert client.get("/api/recordings").json()["state"] == "idle"
    data = recording(tmp_path, 1.0, 5.0, 46.0, 5.0, 2.0).read_bytes()
    answer = send(client, data, "?lang=zh&round=gpu-hm-screen&question=recent-project")
    assert (answer.status_code, answer.json()["state"]) == (202, "analysing"), answer.text
    told = over(client, made)
    assert (told["state"], told["share"]) == ("done", 1.0)
    session = client.get(f"/api/sessions/{told['session']}").json()
    assert (session["header"]["round"], session["header"]["language"]) == ("gpu-hm-screen", "zh")
    assert [flag["level"] for flag in session["flags"]] == ["notice", "warning"]
    assert client.get(f"/api/sessions/{told['session']}/review").json()["scores"]["question"] == "recent-project"
    assert left(made) == []


def test_is_private_while_it_waits_and_nothing_else_begins(
    client: TestClient, made: Services, opens: Slow, tmp_path: Path
) -> None:
    opens.may.clear()
    data = recording(tmp_path, 1.0, 5.0, 1.0).read_bytes()
    assert send(client, data).status_code == 202
    assert opens.asked.wait(SOON)
    (path,) = left(made)
    assert (path.read_bytes() == data, stat.S_IMODE(path.stat().st_mode)) == (True, 0o600)
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    again = send(client, data)
    assert (again.status_code, again.json()["code"]) == (409, "analysing")
    minute = client.post("/api/own-pace", content=bytes(32_000), headers=SOUND)
    assert (minute.status_code, minute.json()["code"]) == (409, "analysing")
    opens.may.set()
    assert over(client, made)["state"] == "done"


def test_cancelled_leaves_nothing_and_the_next_may_begin(
    client: TestClient, made: Services, opens: Slow, tmp_path: Path
) -> None:
    opens.may.clear()
    data = recording(tmp_path, 1.0, 5.0, 1.0).read_bytes()
    send(client, data)
    assert opens.asked.wait(SOON)
    assert client.delete("/api/recordings").json()["state"] == "cancelling"
    opens.may.set()
    assert over(client, made)["state"] == "cancelled"
    assert client.get("/api/sessions").json() == {"sessions": []}
    assert (list(made.places.recordings.iterdir()), left(made)) == ([], [])
    send(client, data)
    assert over(client, made)["state"] == "done"


def test_while_it_is_sent_it_is_seen_and_can_be_cancelled(client: TestClient, made: Services, opens: Slow) -> None:
    """The test client sends a body whole, so here is one that gets stuck."""
    pieces: list[Message] = [{"type": "http.request", "body": bytes(500), "more_body": True}]
    answers: list[Message] = []
    stuck = threading.Event()

    async def receive() -> Message:
        if pieces:
            return pieces.pop()
        stuck.set()
        await asyncio.Event().wait()
        raise AssertionError

    async def answer(message: Message) -> None:
        answers.append(message)

    told = SOUND | {
        "host": ORIGIN.removeprefix("http://"),
        TOKEN_HEADER: made.gate.token,
        "origin": ORIGIN,
        "content-length": "1000",
    }
    headers = [(name.lower().encode(), value.encode()) for name, value in told.items()]
    scope: dict[str, object] = {
        "type": "http",
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": "/api/recordings",
    }
    scope |= {
        "raw_path": b"/api/recordings",
        "query_string": b"",
        "headers": headers,
        "client": ("127.0.0.1", 5),
        "root_path": "",
    }
    assert client.portal is not None
    sending = client.portal.start_task_soon(client.app, scope, receive, answer)
    assert stuck.wait(SOON)
    seen = client.get("/api/recordings").json()
    assert (seen["state"], seen["share"]) == ("receiving", 0.5)
    client.delete("/api/recordings")
    sending.result(SOON)
    assert answers[0]["status"] == 400
    assert b'"cancelled"' in answers[1]["body"]
    assert client.get("/api/recordings").json()["state"] == "cancelled"
    assert left(made) == []
    assert send(client, b"sound").json()["code"] == "not-audio"  # the machine is free


def test_what_is_no_audio_is_said_without_the_name_it_has_here(client: TestClient, made: Services, opens: Slow) -> None:
    answer = send(client, b"no sound at all" * 100)
    assert (answer.status_code, answer.json()["code"]) == (400, "not-audio")
    assert answer.json()["message"] == "the recording is not an audio file that can be read"
    assert not opens.asked.is_set()
    assert send(client, b"").json()["code"] == "empty-file"
    assert client.get("/api/recordings").json()["state"] == "idle"
    assert left(made) == []


def test_too_long_is_refused_before_a_model_is_loaded(
    client: TestClient, made: Services, opens: Slow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recordings, "LONGEST", 6.0)
    assert send(client, recording(tmp_path, 1.0, 5.0, 1.0).read_bytes()).json()["code"] == "too-long"
    assert not opens.asked.is_set()


def test_a_full_disk_is_said_before_anything_is_sent(
    client: TestClient, made: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("voiceprep.store.reserve.LEAST", 10**18)
    answer = send(client, b"sound")
    assert (answer.status_code, answer.json()["code"]) == (503, "disk-full")
    assert left(made) == []


def test_more_than_a_recording_may_hold_is_refused(client: TestClient, made: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(security, "LARGEST_RECORDING", security.LARGEST_BODY + 10)
    assert send(client, bytes(security.LARGEST_BODY + 11)).status_code == 413

    def endless() -> Iterator[bytes]:
        for _ in range(20):
            yield bytes(security.LARGEST_BODY // 10)

    answer = client.post("/api/recordings", content=endless(), headers=SOUND)  # its header says no length
    assert (answer.status_code, answer.json()["code"]) == (400, "broken-off")
    assert left(made) == []


@pytest.mark.parametrize(
    ("wishes", "status"),
    [
        ("?round=no-such-round", 404),
        ("?round=gpu-hm-screen&question=none", 404),
        ("?question=recent-project", 404),
        ("?lang=fr", 422),
    ],
)
def test_what_there_is_not_cannot_be_chosen(client: TestClient, made: Services, wishes: str, status: int) -> None:
    assert send(client, b"sound", wishes).status_code == status
    assert left(made) == []


def test_another_page_may_not(client: TestClient) -> None:
    assert (
        client.post("/api/recordings", content=b"x", headers=SOUND | {"origin": "http://elsewhere.example"}).status_code == 403
    )
    assert client.post("/api/recordings", content=b"x", headers=SOUND | {TOKEN_HEADER: "other"}).status_code == 401
    assert client.post("/api/recordings", content=b"x", headers={"content-type": "text/plain"}).status_code == 415


def test_what_a_killed_server_left_goes_at_the_start(made: Services) -> None:
    folder = made.places.cache / recordings.UPLOADS
    folder.mkdir(parents=True)
    (folder / "left").write_bytes(b"sound")
    with TestClient(create_app(made), base_url=ORIGIN):
        assert left(made) == []


def test_a_server_that_is_killed_half_way_leaves_no_half_session(
    client: TestClient, made: Services, opens: Slow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed, analyze = tmp_path / "killed", analyze_recording

    async def copied(*args: Any, **how: Any) -> Any:
        shutil.copytree(made.places.recordings, killed)  # as the disk is then
        return await analyze(*args, **how)

    monkeypatch.setattr(kept_recording, "analyze_recording", copied)
    send(client, recording(tmp_path, 1.0, 5.0, 1.0).read_bytes())
    session = over(client, made)["session"]
    assert [path.name for path in killed.iterdir()] == [session]
    noted = tmp_path / "noted"
    shutil.copytree(killed, noted)
    Annotations(noted / session).add("note", Anchor(Media(0.0), Media(0.0)), "mine")
    os.utime(noted / session / provisional.NAME, (0, 0))
    assert (recover(killed), list(killed.iterdir())) == ([], [])
    assert [report.id for report in recover(noted)] == [session]  # the user wrote in it: that is nowhere else
    assert recover(made.places.recordings) == []
    assert client.get(f"/api/sessions/{session}").status_code == 200


def spoken(client: TestClient, session: str) -> list[float]:
    """Where the candidate's and the interviewer's first turn begin."""
    turns = client.get(f"/api/sessions/{session}").json()["turns"]
    return [next(turn["start"] for turn in turns if turn["speaker"] == who) for who in ("candidate", "interviewer")]


def test_who_is_who_is_swapped_and_swapped_back(client: TestClient, made: Services, opens: Slow, tmp_path: Path) -> None:
    send(client, interview(tmp_path).read_bytes(), "?round=gpu-hm-screen")
    first = over(client, made)["session"]
    note = {"do": "add", "kind": "note", "start": 6.0, "end": 7.0, "text": "a point"}
    assert client.post(f"/api/sessions/{first}/annotations", json=note).status_code == 200
    before = spoken(client, first)
    assert before == pytest.approx([CANDIDATE[0][0], INTERVIEWER[0][0]], abs=0.2)
    assert client.post(f"/api/sessions/{first}/swap").status_code == 202
    told = over(client, made)
    assert (told["state"], told["of"]) == ("done", first)
    second = told["session"]
    assert [each["id"] for each in client.get("/api/sessions").json()["sessions"]] == [second]
    assert spoken(client, second) == pytest.approx([INTERVIEWER[0][0], CANDIDATE[0][0]], abs=0.2)
    notes = client.get(f"/api/sessions/{second}/annotations").json()["annotations"]
    assert [each["text"] for each in notes] == ["a point"]
    assert client.post(f"/api/trash/{first}/restore").status_code == 200  # undo
    assert spoken(client, first) == before


def test_swapped_as_often_as_one_likes_and_deleted(client: TestClient, made: Services, opens: Slow, tmp_path: Path) -> None:
    """No session has the id of one that can still be brought back."""
    send(client, interview(tmp_path).read_bytes(), "?round=gpu-hm-screen&question=recent-project")
    ids = [over(client, made)["session"]]
    for _ in range(3):
        assert client.post("/api/sessions/latest/swap").status_code == 202
        told = over(client, made)
        assert (told["state"], told["of"]) == ("done", ids[-1])  # its name, by which it can be brought back
        ids.append(told["session"])
        scores = client.get(f"/api/sessions/{ids[-1]}/review").json()["scores"]
        assert scores["question"] == "recent-project"
    assert len(set(ids)) == len(ids)
    assert client.delete(f"/api/sessions/{ids[-1]}").status_code == 200
    for each in ids:
        assert client.post(f"/api/trash/{each}/restore").status_code == 200


def test_a_swap_that_fails_at_its_end_leaves_one_session(
    client: TestClient, made: Services, opens: Slow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise MissingError("the disk refuses", code="recordings-unwritable")

    send(client, interview(tmp_path).read_bytes())
    first = over(client, made)["session"]
    monkeypatch.setattr(made.trash, "throw", refused)
    client.post(f"/api/sessions/{first}/swap")
    assert over(client, made)["code"] == "recordings-unwritable"
    assert [each["id"] for each in client.get("/api/sessions").json()["sessions"]] == [first]


def test_a_recording_whose_scores_cannot_be_kept_leaves_no_session(
    client: TestClient, made: Services, opens: Slow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise MissingError("the disk refuses", code="recordings-unwritable")

    monkeypatch.setattr(recordings, "keep_scored", refused)
    send(client, recording(tmp_path, 1.0, 5.0, 1.0).read_bytes())
    assert over(client, made)["code"] == "recordings-unwritable"
    assert client.get("/api/sessions").json() == {"sessions": []}


def test_one_person_has_nobody_to_be_swapped_with(client: TestClient, made: Services, opens: Slow, tmp_path: Path) -> None:
    send(client, recording(tmp_path, 1.0, 5.0, 1.0).read_bytes())
    answer = client.post(f"/api/sessions/{over(client, made)['session']}/swap")
    assert (answer.status_code, answer.json()["code"]) == (400, "not-two-people")
    assert client.post("/api/sessions/none/swap").status_code == 404
