"""Runs voiceprep in children that are killed: at any moment of their work, or at any step they take on the disk.

`python -m tests.faults.mortal` reads one request a line and forks a child for each, so that a kill costs no start of Python. A
child's moment is counted in its own processor time: however busy the machine is, kills fall all over its work. A timer's signal
that nobody handles ends a process as SIGKILL does: nothing of ours runs any more, in whatever call it was.
"""

from __future__ import annotations

import importlib.readers
import itertools
import json
import mmap
import os
import signal
import struct
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import faster_whisper  # type: ignore[import-untyped]
import num2words  # type: ignore[import-untyped]
import rich.live

import voiceprep.cli.annotate
import voiceprep.cli.countdown
import voiceprep.cli.export
import voiceprep.cli.main
import voiceprep.cli.practice
import voiceprep.cli.redecode
import voiceprep.cli.review
import voiceprep.cli.scene
import voiceprep.cli.screen
import voiceprep.cli.sessions
import voiceprep.live.practice
import voiceprep.speech.tts.ear.english
from tests.faults import deeds
from voiceprep.content import load_content
from voiceprep.store.log import EventLog
from voiceprep.store.track import Track

LOADED = (faster_whisper, importlib.readers, num2words, rich.live)
"""What a child would load late: here once for all of them, and before one becomes a user who may not read this checkout."""
SEEN = struct.Struct("qqd")
"""What a child has handed over by now: events, samples of the candidate, and its processor seconds when its log began."""


class Seen:
    """Memory that outlives the child: what it wrote down after each call of the store had returned."""

    def __init__(self) -> None:
        self._shared = mmap.mmap(-1, SEEN.size)
        self.events, self.samples, self.began = 0, 0, 0.0

    def tell(self, *, events: int = 0, samples: int = 0, began: float | None = None) -> None:
        self.events += events
        self.samples += samples
        self.began = self.began if began is None else began
        self._shared[:] = SEEN.pack(self.events, self.samples, self.began)

    def told(self) -> dict[str, float]:
        return dict(zip(("events", "samples", "began"), SEEN.unpack(self._shared[:]), strict=True))

    def watch(self, within: float) -> None:
        """Have the store's own calls be counted, each after it has returned. Dies `within` seconds of work on its session."""
        append, begin, write = EventLog.append, EventLog.__init__, Track.write

        def begun(log: EventLog, *args: Any) -> None:
            begin(log, *args)
            self.tell(began=time.process_time())
            signal.setitimer(signal.ITIMER_PROF, within)

        def appended(log: EventLog, event: Any) -> None:
            append(log, event)
            self.tell(events=1)

        def written(track: Track, samples: Any) -> None:
            write(track, samples)
            if track.file.path.stem == "candidate":
                self.tell(samples=len(samples))

        EventLog.append, EventLog.__init__, Track.write = appended, begun, written  # type: ignore[method-assign, assignment]


def die_at(step: int) -> None:
    """Kill this process at the `step`-th thing it does to the disk. A write is two: before it, and when half of it is there."""
    steps = itertools.count(1)

    def reached() -> bool:
        return next(steps) == step

    def die() -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    def mortal(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **named: Any) -> Any:
            if reached():
                die()
            return real(*args, **named)

        return call

    for name in ("open", "fsync", "replace", "rename", "unlink", "rmdir", "mkdir", "ftruncate"):
        setattr(os, name, mortal(getattr(os, name)))
    real_write = os.write

    def write(descriptor: int, data: bytes) -> int:
        if reached():
            die()
        if reached():
            real_write(descriptor, data[: len(data) // 2])
            die()
        return real_write(descriptor, data)

    os.write = write  # type: ignore[assignment]


def serve(requests: Iterator[str]) -> None:
    """One child a line, and a line about what became of it."""
    for line in requests:
        request = json.loads(line)
        seen = Seen()
        pid = os.fork()
        if pid == 0:
            _child(request, seen)
        _, status, used = os.wait4(pid, 0)
        told = {"status": os.waitstatus_to_exitcode(status), "cpu": used.ru_utime + used.ru_stime} | seen.told()
        sys.stdout.write(json.dumps(told) + "\n")
        sys.stdout.flush()


def _child(request: dict[str, Any], seen: Seen) -> None:
    said = os.open(request["said"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for descriptor, to in ((nothing, 0), (said, 1), (said, 2)):
        os.dup2(descriptor, to)
    os.environ.update(request.get("environment", {}))
    if request.get("user"):
        os.setgroups([])
        os.setgid(request["user"])
        os.setuid(request["user"])
    code = 70
    try:
        if "argv" in request:
            seen.watch(request.get("within", 0.0))
            signal.setitimer(signal.ITIMER_PROF, request.get("after", 0.0))
            sys.argv = ["voiceprep", *request["argv"]]
            voiceprep.cli.main.run()
        else:
            deed = deeds.DEEDS[request["deed"]]
            deed(Path(request["recordings"]), lambda: die_at(request["step"]))
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    except BaseException as error:  # noqa: BLE001 - whatever it is, the test reads it, and no second server may come of it
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    load_content("gpu-hm-screen")  # likewise: most of a child's processor time is its patterns, compiled once here
    serve(iter(sys.stdin.readline, ""))
