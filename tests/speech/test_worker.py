"""The worker: order, bounds, cancellation, and what becomes of a child that fails, dies or hangs.

The children here answer when a file appears or never, so no test waits by the clock.
"""

from __future__ import annotations

import asyncio
import os
import select
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest
import pytest_asyncio

from voiceprep.errors import MissingError, VoiceprepError
from voiceprep.speech.worker import Worker

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="named pipes hold the children here")


class Model:
    """What lives in the child. `hold` blocks until the test opens the gate: a named pipe."""

    def __init__(self, gate: Path | None = None) -> None:
        self._gate = gate
        self._heard: list[str] = []
        print("loading", flush=True)  # noqa: T201 - what a native library would do
        os.write(2, b"libmodel.so.9: loaded\n")

    def echo(self, value: object) -> object:
        self._heard.append(str(value))
        return value

    def heard(self) -> list[str]:
        return self._heard

    def hold(self) -> str:
        assert self._gate is not None
        with self._gate.open(encoding="utf-8") as pipe:
            return pipe.read()

    def complain(self) -> None:
        raise MissingError("no weights", code="model-missing", hint="run: make setup")

    def stumble(self) -> None:
        raise ValueError("a defect in a library")

    def die(self) -> None:
        os.abort()

    def hang(self) -> None:
        signal.pause()

    def ignores_interrupt(self) -> bool:
        return signal.getsignal(signal.SIGINT) is signal.SIG_IGN

    def environment(self, name: str) -> str | None:
        return os.environ.get(name)


def refuse() -> Model:
    raise MissingError("no such model", code="model-missing", hint="run: make setup")


def abort() -> Model:
    os.abort()


@pytest.fixture
def gate(tmp_path: Path) -> Path:
    path = tmp_path / "gate"
    os.mkfifo(path)
    return path


@pytest_asyncio.fixture
async def worker(gate: Path) -> AsyncIterator[Worker]:
    worker = Worker(partial(Model, gate), name="model", capacity=3)
    await worker.start()
    yield worker
    await worker.close()


async def open_gate(gate: Path, text: str = "") -> None:
    """Returns once the child waits at the gate, and lets it go."""
    await asyncio.to_thread(gate.write_text, text, encoding="utf-8")


async def settled(task: asyncio.Task[object]) -> None:
    """Let a just-started call reach the queue."""
    for _ in range(5):
        await asyncio.sleep(0)
    assert not task.done()


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def test_calls_are_answered(worker: Worker) -> None:
    assert await worker.call("echo", {"a": [1, 2]}) == {"a": [1, 2]}
    assert await asyncio.gather(*(worker.call("echo", n) for n in range(3))) == [0, 1, 2]


async def test_errors_keep_their_kind_code_and_hint(worker: Worker) -> None:
    with pytest.raises(MissingError) as told:
        await worker.call("complain")
    assert (told.value.code, told.value.hint) == ("model-missing", "run: make setup")
    with pytest.raises(VoiceprepError, match="a defect in a library") as failed:
        await worker.call("stumble")
    assert failed.value.code == "model-failed"
    assert await worker.call("echo", 1) == 1


async def test_a_child_that_dies_is_an_error_and_is_replaced(worker: Worker) -> None:
    first = worker.pid
    with pytest.raises(VoiceprepError) as told:
        await worker.call("die")
    assert told.value.code == "model-crashed"
    assert "libmodel.so.9: loaded" in told.value.message  # what it said last
    assert await worker.call("echo", 1) == 1
    assert worker.pid != first


async def test_a_child_killed_in_the_middle_of_a_call(worker: Worker, gate: Path) -> None:
    call = asyncio.create_task(worker.call("hold"))
    writer = await asyncio.to_thread(os.open, gate, os.O_WRONLY)  # open only once the child reads
    assert worker.pid is not None
    os.kill(worker.pid, signal.SIGKILL)
    with pytest.raises(VoiceprepError) as told:
        await call
    os.close(writer)
    assert told.value.code == "model-crashed"
    assert told.value.hint
    assert await worker.call("echo", 1) == 1


async def test_a_child_that_hangs_is_killed_and_replaced(worker: Worker) -> None:
    first = worker.pid
    assert first is not None
    with pytest.raises(VoiceprepError) as told:
        await worker.call("hang", timeout=0.05)
    assert told.value.code == "model-timeout"
    assert not alive(first)
    assert await worker.call("echo", 1) == 1


async def test_what_matters_goes_first_and_droppable_calls_give_way(worker: Worker, gate: Path) -> None:
    holding = asyncio.create_task(worker.call("hold"))
    await settled(holding)
    old = asyncio.create_task(worker.call("echo", "old", droppable=True))
    await settled(old)
    new = asyncio.create_task(worker.call("echo", "new", droppable=True))
    await settled(new)
    with pytest.raises(VoiceprepError) as replaced:
        await old
    assert replaced.value.code == "model-dropped"
    record = asyncio.create_task(worker.call("echo", "record"))
    await settled(record)
    with pytest.raises(VoiceprepError):
        await new
    with pytest.raises(VoiceprepError) as late:
        await worker.call("echo", "late", droppable=True)
    assert late.value.code == "model-dropped"
    await open_gate(gate)
    await holding
    assert await record == "record"
    assert await worker.call("heard") == ["record"]


async def test_the_queue_is_bounded(worker: Worker, gate: Path) -> None:
    holding = asyncio.create_task(worker.call("hold"))
    await settled(holding)
    waiting = [asyncio.create_task(worker.call("echo", n)) for n in range(3)]
    await settled(waiting[-1])
    with pytest.raises(VoiceprepError) as told:
        await worker.call("echo", 3)
    assert told.value.code == "model-busy"
    await open_gate(gate)
    assert await asyncio.gather(*waiting) == [0, 1, 2]
    await holding


async def test_cancelled_calls_are_forgotten(worker: Worker, gate: Path) -> None:
    running = asyncio.create_task(worker.call("hold"))
    await settled(running)
    waiting = asyncio.create_task(worker.call("echo", "never"))
    await settled(waiting)
    for task in (running, waiting):
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    await open_gate(gate)
    assert await worker.call("heard") == []


async def test_finishing_answers_what_was_asked_first(worker: Worker, gate: Path) -> None:
    held = asyncio.create_task(worker.call("hold"))
    waiting = asyncio.create_task(worker.call("echo", 1))
    await settled(waiting)
    end = asyncio.create_task(worker.finish())
    await open_gate(gate, "through")
    assert [await held, await waiting] == ["through", 1]
    await end
    assert worker.pid is None


async def test_closing_ends_the_process_and_all_calls(gate: Path) -> None:
    worker = Worker(partial(Model, gate), name="model")
    await worker.start()
    pid = worker.pid
    calls = [asyncio.create_task(worker.call("hold")), asyncio.create_task(worker.call("echo", 1))]
    await settled(calls[1])
    await worker.close()
    await worker.close()
    for call in calls:
        with pytest.raises(VoiceprepError) as told:
            await call
        assert told.value.code == "model-closed"
    assert pid is not None
    assert not alive(pid)
    with pytest.raises(VoiceprepError):
        await worker.call("echo", 2)


async def test_a_model_that_cannot_be_built_says_why() -> None:
    worker = Worker(refuse, name="model")
    with pytest.raises(MissingError) as told:
        await worker.start()
    assert told.value.code == "model-missing"
    await worker.close()


async def test_a_child_that_dies_while_loading() -> None:
    worker = Worker(abort, name="model")
    with pytest.raises(VoiceprepError) as told:
        await worker.start()
    assert told.value.code == "model-crashed"
    await worker.close()


async def test_two_callers_share_one_start() -> None:
    worker = Worker(Model, name="model")
    assert await asyncio.gather(*(worker.call("echo", n) for n in (1, 2))) == [1, 2]
    await worker.close()


async def test_the_child_is_quiet_ignores_interrupts_and_has_its_environment(capfd: pytest.CaptureFixture[str]) -> None:
    worker = Worker(Model, name="model", environment={"VOICEPREP_TEST_PATH": "/somewhere"})
    assert await worker.call("ignores_interrupt")
    assert await worker.call("environment", "VOICEPREP_TEST_PATH") == "/somewhere"
    assert "VOICEPREP_TEST_PATH" not in os.environ
    await worker.close()
    out, errors = capfd.readouterr()
    assert out + errors == ""


ORPHAN = """
import asyncio, os
from tests.speech.test_worker import Model
from voiceprep.speech.worker import Worker

async def main():
    worker = Worker(Model, name="model")
    await worker.start()
    asyncio.create_task(worker.call("hang"))
    print(worker.pid, flush=True)
    await asyncio.Event().wait()

if __name__ == "__main__":
    asyncio.run(main())
"""


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="needs process descriptors (Linux)")
def test_a_child_does_not_outlive_a_killed_parent(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(ORPHAN, encoding="utf-8")
    root = Path(__file__).parents[2]
    with subprocess.Popen(
        [sys.executable, script], stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(root)}
    ) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        pidfd = os.pidfd_open(child)
        parent.kill()
    # the child is not ours to wait for, but its descriptor becomes readable when it ends
    assert select.select([pidfd], [], [], 60)[0]
    os.close(pidfd)
