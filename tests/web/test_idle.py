"""What can wait is done while nobody waits and nothing else runs, and no more once the server stops."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.types import Message, Receive, Scope, Send

from tests.web.studio import FakeHolds, pcm_of, services, tone
from tests.web.test_rest import DATA, ID
from voiceprep.errors import UsageError
from voiceprep.store import peaks, track
from voiceprep.store.folder import finish
from voiceprep.web import app, archive_view, catalogue
from voiceprep.web.idle import Idle, StoppedError
from voiceprep.web.live import Patience
from voiceprep.web.services import Services

HTTP: Scope = {"type": "http"}


class Looks:
    """In place of the event that says stop: each look is counted, and something happens at it."""

    def __init__(self, then: Callable[[], object]) -> None:
        self.count = 0
        self._then = then

    def wait(self, _: float) -> bool:
        self.count += 1
        self._then()
        return False

    def is_set(self) -> bool:
        return False


async def nothing() -> Message:
    raise AssertionError


async def test_a_request_is_waited_for_until_its_answer_begins() -> None:
    idle, go, begun = Idle(quiet=0.0), asyncio.Event(), asyncio.Event()

    async def answer(_: Scope, __: Receive, send: Send) -> None:
        begun.set()
        await go.wait()
        await send({"type": "http.response.start"})
        await asyncio.Event().wait()  # sound, for as long as somebody listens

    async def sent(_: Message) -> None:
        pass

    async def ask() -> None:
        await idle.around(answer)(HTTP, nothing, sent)

    flowing = asyncio.create_task(ask())
    await begun.wait()
    loop = asyncio.get_running_loop()
    looks = Looks(lambda: loop.call_soon_threadsafe(go.set))
    idle._stop = looks  # type: ignore[assignment]
    await asyncio.to_thread(idle.wait)
    assert looks.count > 0
    assert not flowing.done()
    flowing.cancel()


async def test_one_that_failed_is_waited_for_no_longer() -> None:
    idle = Idle(quiet=0.0)

    async def fail(*_: object) -> None:
        raise UsageError("no", code="no")

    with pytest.raises(UsageError):
        await idle.around(fail)(HTTP, nothing, fail)
    looks = Looks(lambda: pytest.fail("it waits for nobody"))
    idle._stop = looks  # type: ignore[assignment]
    await asyncio.to_thread(idle.wait)


def test_it_waits_for_whatever_else_runs_and_stops_with_the_server() -> None:
    idle, busy = Idle(quiet=0.0), [True, True]
    looks = Looks(busy.pop)
    idle._stop = looks  # type: ignore[assignment]
    idle.wait(lambda: bool(busy))
    assert looks.count == 2
    stopped = Idle(quiet=0.0)
    stopped.stop()
    with pytest.raises(StoppedError):
        stopped.wait()


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Services:
    """An archive with a session from before shapes were taken, a minute and a half long."""
    found = services(tmp_path, 8765, FakeHolds(tmp_path / "recordings"), Patience())
    monkeypatch.setattr(catalogue, "warm", lambda: None)
    folder = found.places.recordings / ID
    shutil.copytree(DATA, folder)
    for name, rate in track.RATES.items():
        raw = track.Track(folder, name, rate)
        raw.file.append(pcm_of(tone(90.0)))
        raw.file.close()
    finish(folder)
    for name in track.RATES:
        (folder / f".peaks-{name}").unlink()
    return found


def test_recordings_that_have_no_shape_yet_get_it(made: Services) -> None:
    app._ahead(made, Idle(quiet=0.0))
    for name in track.RATES:
        assert peaks.kept(made.places.recordings / ID, name) is not None


def test_the_newest_session_is_read_before_anybody_asks(made: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    archive_view.forget()
    app._ahead(made, Idle(quiet=0.0))
    monkeypatch.setattr(archive_view, "read_session", lambda _: pytest.fail("read when it was asked for"))
    assert archive_view.opened(made.archive, ID).header.id


def test_a_defect_in_it_is_logged_and_nobody_elses(
    made: Services, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails() -> None:
        raise EOFError

    monkeypatch.setattr(catalogue, "warm", fails)
    app._ahead(made, Idle(quiet=0.0))
    assert "made ready ahead" in caplog.text


def test_in_the_middle_of_one_it_makes_way(made: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    idle, looked = Idle(quiet=0.0), 0
    wait = Idle.wait

    def counted(self: Idle, busy: Callable[[], bool]) -> None:
        nonlocal looked
        looked += 1
        if looked > 1:  # a minute of the first track is through
            self.stop()
        wait(self, busy)

    monkeypatch.setattr(Idle, "wait", counted)
    app._ahead(made, idle)
    assert looked == 2
    assert peaks.kept(made.places.recordings / ID, "candidate") is None


def test_nothing_of_it_runs_beside_an_analysis(made: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    idle = Idle(quiet=0.0)
    monkeypatch.setattr(idle._stop, "wait", lambda _: True)
    with made.studio.given_to(UsageError("taken", code="taken")):
        app._ahead(made, idle)
    assert peaks.kept(made.places.recordings / ID, "candidate") is None
