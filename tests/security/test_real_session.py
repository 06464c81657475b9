"""One real session, started as a user starts it, with a secret spoken and a key set: what it leaves, and for whom to read.

Everything runs under the loosest umask, with every library's log at INFO, and a language model's server that is not there.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import psutil
import pytest
import soundfile  # type: ignore[import-untyped]

from voiceprep import config
from voiceprep.audio.base import RATE, Samples
from voiceprep.core.events import Speak, WordsCommitted
from voiceprep.core.text import text_of
from voiceprep.store.archive import Archive

pytestmark = [pytest.mark.models, pytest.mark.timeout(600)]

REPO = Path(__file__).parents[2]
SAID = (
    "We had one cluster and the queue was nine hours long. I decided that my manager gets a pineapple quota. That is my answer."
)
SECRET = "pineapple"
KEY = "sk-a-key-that-nobody-may-see"
PASSWORD = "correct horse battery staple"
PROGRAM = """
import logging, os, sys
os.umask(0)
logging.basicConfig(level=logging.INFO, filename=sys.argv.pop(1))
from voiceprep.cli import main
keep = main.keep_logs
def keep_and_listen():
    keep()
    logging.getLogger("voiceprep").addHandler(logging.root.handlers[0])
main.keep_logs = keep_and_listen
main.run()
"""


@dataclass(frozen=True)
class Left:
    """What the program has left behind."""

    home: Path
    logged: str
    printed: str
    commands: str
    """The command lines of it and of its children."""

    @property
    def files(self) -> Iterator[Path]:
        """All but the models, which were there."""
        yield from (path for path in self.home.rglob("*") if not path.is_symlink() and "models" not in path.parts)


class Started:
    """Runs the program in a home of its own with this machine's models."""

    def __init__(self, home: Path) -> None:
        self.home, self.seen, self.printed = home, set[str](), ""
        shutil.copytree(
            config.places().models, home / "models", copy_function=os.link
        ) if config.places().models.is_dir() else None

    def __call__(self, *arguments: str) -> str:
        given = os.environ | {
            "VOICEPREP_HOME": str(self.home),
            "VOICEPREP_LLM_KEY": KEY,
            "VOICEPREP_PASSWORD": PASSWORD,
            "VOICEPREP_VOICE": "hibari",
        }
        given.pop("VOICEPREP_RECORDINGS", None)
        command = [sys.executable, "-c", PROGRAM, str(self.home.parent / "all.log"), *arguments]
        with subprocess.Popen(
            command, cwd=REPO, env=given, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        ) as program:
            assert program.stdout is not None
            out = ""
            for line in program.stdout:
                out += line
                self._look(program.pid)
        assert program.returncode == 0, out
        self.printed += out
        return out

    def _look(self, pid: int) -> None:
        try:
            top = psutil.Process(pid)
            for process in (top, *top.children(recursive=True)):
                self.seen.add(" ".join(process.cmdline()))
        except psutil.Error:
            return


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory, spoken: Callable[[str], Samples]) -> Left:
    folder = tmp_path_factory.mktemp("real")
    home = folder / "home"
    home.mkdir(mode=0o700)
    start = Started(home)
    soundfile.write(folder / "mic.wav", np.concatenate([spoken(SAID), np.zeros(2 * RATE, np.float32)]), RATE, subtype="PCM_16")
    (folder / "cv.txt").write_text("Work\n\n- Designed the quota policy of a cluster of 400 GPUs, waiting time fell by 35 %\n")
    start(
        *(
            "practice",
            "gpu-hm-screen",
            "--mic",
            str(folder / "mic.wav"),
            "--speaker",
            str(home / "voice.wav"),
            "--pace",
            "fast",
        ),
        *("--cv", str(folder / "cv.txt"), "--llm", "http://127.0.0.1:9/v1#none", "--json"),
    )
    start("doctor", "--report", str(home / "report.json"))
    start("export", "latest", "--to", "html", "-o", str(home / "export.html"))
    return Left(home, (folder / "all.log").read_text(), start.printed, "\n".join(start.seen))


def test_the_secret_was_understood_and_is_in_the_session(left: Left) -> None:
    _, events = Archive(left.home / "recordings").read("latest")
    assert SECRET in text_of([word for e in events if isinstance(e, WordsCommitted) for word in e.words]).lower()


def test_no_words_are_logged_by_anybody(left: Left) -> None:
    """Neither the candidate's nor the interviewer's, at INFO or above, by no library; nor are they in a command line."""
    logs = left.logged + "".join(path.read_text() for path in (left.home / "logs").glob("*.log"))
    report = (left.home / "report.json").read_text()
    _, events = Archive(left.home / "recordings").read("latest")
    lines = [event.text for event in events if isinstance(event, Speak)]
    assert len(lines) >= 2
    assert logs
    for needle in (SECRET, "nine hours", *lines, "quota policy"):
        for place in (logs, report, left.commands.replace(SAID, "")):
            assert needle.lower() not in place.lower()


def test_no_secret_is_written_or_shown(left: Left) -> None:
    for path in left.files:
        if path.is_file():
            data = path.read_bytes()
            assert KEY.encode() not in data, path
            assert PASSWORD.encode() not in data, path
    for place in (left.logged, left.printed, left.commands):
        assert KEY not in place
        assert PASSWORD not in place


def test_every_file_is_the_users_alone(left: Left) -> None:
    """Sessions, logs, caches, rendered lines, exports, the voice's file, whatever the umask was."""
    loose = {
        str(path.relative_to(left.home)): oct(path.stat().st_mode & 0o777) for path in left.files if path.stat().st_mode & 0o077
    }
    assert loose == {}
    kinds = {path.suffix for path in left.files if path.is_file()}
    assert kinds >= {".jsonl", ".json", ".flac", ".html", ".log", ".wav"}


def test_the_report_tells_how_it_went_without_telling_whose_it_was(left: Left) -> None:
    told = json.loads((left.home / "report.json").read_text())
    assert told["last_session"]["round"] == "gpu-hm-screen"
    assert told["last_session"]["events"]["WordsCommitted"] >= 1
    assert told["last_session"]["latency"]["response_gap"]["n"] >= 1
    assert {check["name"] for check in told["checks"]} >= {"model", "recogniser", "disk"}
    assert str(left.home) not in json.dumps(told)
    assert not re.search(r"/(home|Users)/", json.dumps(told))


def test_the_log_is_json_lines(left: Left) -> None:
    for file in (left.home / "logs").glob("*.log"):
        for line in file.read_text().splitlines():
            assert {"time", "level", "logger", "message"} <= set(json.loads(line))
