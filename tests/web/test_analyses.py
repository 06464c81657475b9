"""How far an analysis is and how it ended, whatever comes between its threads."""

from __future__ import annotations

import re
import threading
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

import voiceprep
from voiceprep.review.recording import Progress
from voiceprep.web.analyses import READY, STEPS, Analyses


async def ended(analyses: Analyses) -> dict[str, Any]:
    assert analyses._task is not None
    await analyses._task
    return analyses.document()


async def test_cancelled_when_it_has_just_ended_it_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page asked at the last moment: what it sees is the session that was made, not a stop that never comes."""
    analyses = Analyses()
    analyses.begin(lambda _: "made", ExitStack())

    class Late(threading.Event):
        def set(self) -> None:
            super().set()
            analyses._standing = over

    analyses._stop = Late()
    running = analyses._standing
    await ended(analyses)
    over = analyses._standing
    analyses._standing = running
    analyses.cancel()
    told = analyses.document()
    assert (told["state"], told["session"]) == ("done", "made")


async def test_what_cannot_be_put_back_does_not_keep_it_running() -> None:
    analyses = Analyses()
    given, put_back = ExitStack(), threading.Event()
    given.callback(put_back.set)

    def broken() -> None:
        raise OSError("no such place")

    given.callback(broken)
    analyses.begin(lambda _: "made", given)
    told = await ended(analyses)
    assert (told["state"], told["session"], put_back.is_set()) == ("done", "made", True)


async def test_a_page_is_told_steps_and_no_folders() -> None:
    analyses, seen = Analyses(), []

    def work(advance: Progress) -> str:
        for what in ("speaker: found in voiceprep's models (/home/me/models/speaker)", *STEPS):
            advance(0.1, what)
            seen.append(analyses.document()["what"])
        return "made"

    analyses.begin(work, ExitStack())
    await ended(analyses)
    assert seen == [READY, *STEPS]


def test_the_page_knows_every_step() -> None:
    script = (Path(voiceprep.__file__).parent / "web/static/js/recording.js").read_text()
    (known,) = re.findall(r"const STEPS = \{(.*)\};", script)
    assert re.findall(r'"?([a-z][a-z ]+)"?: "', known) == list(STEPS)
