"""A lock brings back no folder that is gone."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from filelock import Timeout

from voiceprep.store.locks import acquire, free, lock_in

NAME = ".derived.lock"


def session(recordings: Path) -> Path:
    folder = recordings / "one"
    folder.mkdir()
    (folder / "events.jsonl").touch()
    return folder


def test_a_lock_is_taken_once_and_leaves_no_file(tmp_path: Path) -> None:
    folder = session(tmp_path)
    acquire(first := lock_in(folder, NAME))
    with pytest.raises(Timeout):
        acquire(lock_in(folder, NAME))
    free(first)
    acquire(second := lock_in(folder, NAME))
    free(second)
    assert [one.name for one in folder.iterdir()] == ["events.jsonl"]


def test_no_lock_is_taken_in_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        acquire(lock_in(tmp_path / "one", NAME))
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_goes_away_while_its_lock_is_waited_for_stays_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, began = session(tmp_path), Event()
    acquire(held := lock_in(folder, NAME))
    late = lock_in(folder, NAME)
    really = late.acquire

    def told(**how: Any) -> Any:
        began.set()
        return really(**how)

    monkeypatch.setattr(late, "acquire", told)
    with ThreadPoolExecutor() as pool:
        waiting = pool.submit(acquire, late, 30.0)
        began.wait()
        folder.rename(tmp_path / ".trash-one")
        with pytest.raises(FileNotFoundError):
            waiting.result()
    free(held)
    assert [one.name for one in tmp_path.iterdir()] == [".trash-one"]
