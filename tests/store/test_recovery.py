from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import soundfile  # type: ignore[import-untyped]  # ships no types

from tests.store.samples import HEADER, names, tone
from voiceprep.core.events import AudioProgress, SessionEnded
from voiceprep.core.units import At, Media
from voiceprep.store import header, locks, log, reserve
from voiceprep.store.archive import Archive, sweep
from voiceprep.store.folder import SessionFolder
from voiceprep.store.header import SCHEMA
from voiceprep.store.recovery import recover

REPO = Path(__file__).parents[2]


def progress(at: float) -> AudioProgress:
    return AudioProgress(at=At(at), media=Media(at))


def crashed(recordings: Path, seconds: int = 2) -> Path:
    """A session as a crash leaves it: no lock, raw tracks, no session.json."""
    live = SessionFolder.create(recordings, HEADER)
    for second in range(seconds):
        live.candidate.write(tone(16_000))
        live.log.append(progress(second + 1.0))
    live._close_files()
    locks.free(live._lock)
    return live.path


def test_case_101_a_crashed_session_is_finished(tmp_path: Path) -> None:
    path = crashed(tmp_path)
    with (path / log.NAME).open("ab") as file:
        file.write(b'{"kind":"AudioProgress","at":3.0,"med')
    with (path / "candidate.pcm").open("ab") as file:
        file.write(b"\x01")
    (report,) = recover(tmp_path)
    assert (report.id, report.outcome, report.seconds) == (path.name, "recovered", 2.0)
    assert (path / "events.torn").read_bytes() == b'{"kind":"AudioProgress","at":3.0,"med'
    assert log.read(path / log.NAME).events == (progress(1.0), progress(2.0), SessionEnded(at=At(2.0), reason="interrupted"))
    assert json.loads((path / "session.json").read_text())["ended"] == "interrupted"
    assert soundfile.info(path / "candidate.flac").frames == 32_000
    assert names(path) == {
        *("events.jsonl", "events.torn", "session.json", "annotations.json", "review.json", "candidate.flac"),
        ".peaks-candidate",
    }
    assert recover(tmp_path) == []


def test_a_last_line_that_lacks_only_its_end_is_kept(tmp_path: Path) -> None:
    path = crashed(tmp_path)
    data = (path / log.NAME).read_bytes()
    (path / log.NAME).write_bytes(data[:-1])
    recover(tmp_path)
    assert log.read(path / log.NAME).events[:-1] == (progress(1.0), progress(2.0))
    assert (path / log.NAME).read_bytes().startswith(data)
    assert not (path / "events.torn").exists()


def test_blocks_of_zeros_that_a_power_cut_leaves_are_torn_off(tmp_path: Path) -> None:
    path = crashed(tmp_path)
    with (path / log.NAME).open("ab") as file:
        file.write(bytes(4096))
    recover(tmp_path)
    assert len(log.read(path / log.NAME).events) == 3


def test_an_end_that_was_logged_is_kept(tmp_path: Path) -> None:
    path = crashed(tmp_path)
    with (path / log.NAME).open("ab") as file:
        file.write(b'{"kind":"SessionEnded","at":9.0,"reason":"completed"}\n')
    before = (path / log.NAME).read_bytes()
    recover(tmp_path)
    assert (path / log.NAME).read_bytes() == before
    assert Archive(tmp_path).list()[0].ended == "completed"


def test_a_session_that_nothing_was_heard_of_is_finished(tmp_path: Path) -> None:
    path = crashed(tmp_path, seconds=0)
    (report,) = recover(tmp_path)
    assert (report.outcome, report.seconds) == ("recovered", 0.0)
    assert log.read(path / log.NAME).events == (SessionEnded(at=At(0.0), reason="interrupted"),)


@pytest.mark.parametrize("step", ["flac is there too", "raw is gone, sidecar is not", "session.json is torn"])
def test_a_crash_while_the_session_is_closed_costs_nothing(tmp_path: Path, step: str) -> None:
    path = crashed(tmp_path)
    match step:
        case "flac is there too":
            soundfile.write(path / "candidate.flac", np.zeros(3), 16_000)
        case "raw is gone, sidecar is not":
            shutil.copy(path / "candidate.json", tmp_path)
            recover(tmp_path)
            shutil.move(tmp_path / "candidate.json", path)
            (path / "session.json").unlink()
        case _:
            recover(tmp_path)
            (path / "session.json").write_text('{"schema": 1, "id"')
    (report,) = recover(tmp_path)
    assert (report.outcome, report.seconds) == ("recovered", 2.0)
    assert soundfile.info(path / "candidate.flac").frames == 32_000
    assert Archive(tmp_path).list()[0].duration == 2.0
    assert not (path / "candidate.pcm").exists()


def test_one_bad_session_does_not_block_the_others(tmp_path: Path) -> None:
    bad, good, newer = (crashed(tmp_path) for _ in range(3))
    lines = (bad / log.NAME).read_text().splitlines(keepends=True)
    (bad / log.NAME).write_text("".join([lines[0], "spoiled\n", *lines[1:]]))
    (newer / log.NAME).write_text((newer / log.NAME).read_text().replace(f'"schema":{SCHEMA}', '"schema":99', 1))
    reserve.clear(bad)  # room that was kept back is nobody's data: recovery gives it back first
    kept = {path.name: path.read_bytes() for path in bad.iterdir()}

    reports = {report.id: report for report in recover(tmp_path)}
    assert reports[good.name].outcome == "recovered"
    assert reports[bad.name].outcome == reports[newer.name].outcome == "unreadable"
    assert "line 2" in reports[bad.name].message
    assert "newer voiceprep" in reports[newer.name].message
    assert {path.name: path.read_bytes() for path in bad.iterdir()} == kept


def test_pcm_whose_sidecar_is_spoiled_is_told_and_kept(tmp_path: Path) -> None:
    path = crashed(tmp_path)
    (path / "candidate.json").write_text("[]")
    (report,) = recover(tmp_path)
    assert report.outcome == "unreadable"
    assert "candidate.json" in report.message
    assert (path / "candidate.pcm").stat().st_size == 64_000


def test_folders_that_are_no_sessions_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "README.md").touch()
    elsewhere = crashed(tmp_path / "elsewhere")
    (tmp_path / "link").symlink_to(elsewhere)
    assert recover(tmp_path) == []
    assert recover(tmp_path / "not there") == []
    assert not (elsewhere / "session.json").exists()


def test_a_deletion_that_was_stopped_is_finished(tmp_path: Path) -> None:
    path = crashed(tmp_path)
    path.rename(tmp_path / f".deleted-{path.name}")
    assert recover(tmp_path) == []
    assert not names(tmp_path)


def test_what_can_still_be_brought_back_is_left_for_its_time(tmp_path: Path) -> None:
    path = crashed(tmp_path)
    thrown = path.rename(tmp_path / f".trash-{path.name}")
    os.utime(thrown, (1_000.0, 1_000.0))
    sweep(tmp_path, lambda: 1_599.0)
    assert names(thrown)
    sweep(tmp_path, lambda: 1_600.0)
    assert not thrown.exists()


CHILD = """
import sys
from pathlib import Path
from tests.store.samples import HEADER, tone
from voiceprep.core.events import AudioProgress
from voiceprep.core.units import At, Media
from voiceprep.store.folder import SessionFolder

live = SessionFolder.create(Path(sys.argv[1]), HEADER)
block = tone(512)
for number in range(1, 1_000_000):
    live.candidate.write(block)
    live.interviewer.write(block)
    live.log.append(AudioProgress(at=At(number * 0.032), media=Media(number * 0.032)))
    # Said only after all of it was handed over: what the parent reads here must not be lost.
    sys.stdout.write(f"{number}\\n")
    sys.stdout.flush()
"""


@pytest.mark.parametrize("blocks", [1, 37, 400, 2500])
def test_kill_9_loses_no_event_and_next_to_no_audio(tmp_path: Path, blocks: int) -> None:
    with subprocess.Popen([sys.executable, "-c", CHILD, tmp_path], stdout=subprocess.PIPE, cwd=REPO, text=True) as child:
        assert child.stdout
        told = 0
        while told < blocks:
            told = int(child.stdout.readline())
        assert recover(tmp_path) == []  # it is live, whoever looks
        child.kill()
        told = int((f"{told}\n" + child.stdout.read()).splitlines()[-1])
    assert child.returncode == -signal.SIGKILL

    (report,) = recover(tmp_path)
    assert report.outcome == "recovered"
    first, events = Archive(tmp_path).read("latest")
    assert first.round == header.decode((tmp_path / report.id / log.NAME).read_text().splitlines()[0]).round == HEADER.round
    assert events[-1] == SessionEnded(at=events[-2].at, reason="interrupted")
    assert [event.at for event in events[:-1]] == pytest.approx([n * 0.032 for n in range(1, len(events))], abs=1e-6)
    assert len(events) - 1 >= told
    for name in ("candidate", "interviewer"):
        kept, _ = soundfile.read(tmp_path / report.id / f"{name}.flac", dtype="float32")
        assert len(kept) >= told * 512
        whole = len(kept) // 512 * 512
        assert np.abs(kept[:whole].reshape(-1, 512) - tone(512)).max() < 1e-4
