"""Recordings folders that are somebody else's, or may only be read; and two programs in one."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.room import speech, wav
from tests.faults import deeds
from tests.faults.conftest import End, Mortals
from voiceprep.store import disk
from voiceprep.store.archive import Archive

NOBODY = 65_534


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that every user can look into, unlike pytest's own."""
    if os.geteuid():
        pytest.skip("only root can be somebody else")
    made = Path(tempfile.mkdtemp(prefix="voiceprep-test-"))
    made.chmod(0o755)
    (made / "home").mkdir()
    os.chown(made / "home", NOBODY, NOBODY)
    yield made
    shutil.rmtree(made)


def run(mortals: Mortals, place: Path, *argv: str, user: int = NOBODY) -> End:
    environment = {"VOICEPREP_HOME": str(place / "home"), "VOICEPREP_RECORDINGS": str(place / "recordings"), "HOME": str(place)}
    end = mortals.run(argv=argv, environment=environment, user=user)
    assert "Traceback" not in end.said
    logs = "".join(path.read_text("utf-8") for path in (place / "home").glob("logs/*"))
    assert "something went wrong inside" not in end.said, logs[-3_000:]
    return end


def practise(mortals: Mortals, place: Path, user: int = NOBODY) -> End:
    mic = wav(place / "mic.wav", speech((2.0, True), (1.0, False)))
    mic.chmod(0o644)
    options = ("--mic", str(mic), "--pace", "fast", "--stt", "off", "--voice", "none", "--speaker", "none", "--json")
    return run(mortals, place, "practice", "gpu-hm-screen", *options, user=user)


@pytest.mark.parametrize("mode", [0o755, 0o700])
def test_a_recordings_folder_that_is_somebody_elses(mortals: Mortals, place: Path, mode: int) -> None:
    (place / "recordings").mkdir(mode=mode)
    held = practise(mortals, place)
    assert held.status == 3, held.said
    assert "VOICEPREP_RECORDINGS" in held.said
    assert held.events == 0


def test_a_session_that_is_somebody_elses_stands_in_nobodys_way(mortals: Mortals, place: Path) -> None:
    """Neither closed to us, nor open and half done: it is said, passed over, and left as it is."""
    recordings = place / "recordings"
    closed = deeds.recorded(recordings)
    half = deeds.recorded(recordings)
    for live in (closed, half):
        live._close_files()
        live._lock.release()
        (live.path / ".lock").unlink(missing_ok=True)
    half.path.chmod(0o755)
    for path in half.path.iterdir():
        path.chmod(0o644)
    os.chown(recordings, NOBODY, NOBODY)
    before = {path.name: path.read_bytes() for path in half.path.iterdir()}
    held = practise(mortals, place)
    assert held.status == 0, held.said
    assert half.path.name in held.said
    listed = run(mortals, place, "sessions", "--json")
    assert listed.status == 0
    sessions = json.loads(listed.said[listed.said.index("{") :])["sessions"]
    assert [each["ended"] for each in sessions if each["id"] != half.path.name] == ["audio-ended"]
    assert run(mortals, place, "replay", half.path.name).status == 0
    assert run(mortals, place, "replay", closed.path.name).status == 2  # nothing of ours
    assert {path.name: path.read_bytes() for path in half.path.iterdir()} == before


def test_a_disk_that_may_only_be_read(mortals: Mortals, place: Path) -> None:
    recordings = place / "recordings"
    recordings.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", recordings], check=False).returncode:
        pytest.skip("only root may mount here")
    try:
        deeds.recorded(recordings).close("user")
        broken = deeds.recorded(recordings)
        broken._close_files()
        broken._lock.release()
        subprocess.run(["mount", "-o", "remount,ro", recordings], check=True)
        held = practise(mortals, place, user=0)
        assert held.status == 3, held.said
        assert "Read-only" in held.said
        listed = run(mortals, place, "sessions", "--json", user=0)
        assert listed.status == 0, listed.said
        assert len(json.loads(listed.said[listed.said.index("{") :])["sessions"]) == 2
        assert run(mortals, place, "replay", "latest", user=0).status == 0
        assert run(mortals, place, "delete", "latest", "--yes", user=0).status == 3
    finally:
        subprocess.run(["umount", recordings], check=True)


def test_two_programs_in_one_folder(mortals: Mortals, place: Path) -> None:
    """One is recording while the other starts, recovers, records and ends: neither touches what is the other's."""
    live = deeds.recorded(place / "recordings")
    held = practise(mortals, place, user=0)
    assert held.status == 0, held.said
    assert live.path.name not in held.said
    live.close("user")
    assert sorted(each.ended for each in Archive(place / "recordings").list()) == ["audio-ended", "user"]


def test_two_writers_of_one_file_come_one_after_the_other(tmp_path: Path) -> None:
    path, wrong = tmp_path / "schedule.json", list[BaseException | str]()

    def write(letter: str) -> None:
        try:
            for _ in range(60):
                disk.replace_json(path, [letter * 9_000])
                (found,) = json.loads(path.read_text())
                if len(set(found)) != 1 or len(found) != 9_000:
                    wrong.append(found)
        except BaseException as error:  # noqa: BLE001 - whatever it is, it belongs to the test
            wrong.append(error)

    writers = [threading.Thread(target=write, args=(letter,)) for letter in "abc"]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert wrong == []
    assert [each.name for each in tmp_path.iterdir()] == ["schedule.json"]
