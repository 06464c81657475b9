"""A round spoken in the browser with everything real: the program, its models, Chromium, speech in its microphone."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import soxr  # type: ignore[import-untyped]

from tests.browser.conftest import MIC_RATE, Browsers
from voiceprep import config
from voiceprep.audio.base import RATE, Samples

pytestmark = [pytest.mark.models, pytest.mark.timeout(600)]

BEGUN = "We had one cluster of four hundred GPUs and the queue was nine hours long, and then we decided to,"
DONE = "I decided that every team gets a guaranteed quota and the rest is lent out. That is my answer."
LONG = 48.0
"""Seconds of silence in the middle of the answer."""
PATIENT = 300_000


@pytest.fixture
def program(tmp_path: Path) -> Iterator[str]:
    """`voiceprep serve` as its users start it; its address."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    environment = os.environ | {
        "VOICEPREP_HOME": str(config.places().home),
        "VOICEPREP_RECORDINGS": str(tmp_path / "recordings"),
    }
    command = [sys.executable, "-m", "voiceprep", "serve", "--port", str(port)]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        told = process.stdout.readline()
        assert str(port) in told, told
        yield f"http://127.0.0.1:{port}"
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)


def test_a_round_is_spoken_from_the_first_question_to_the_replay(
    program: str, browsers: Browsers, spoken: Callable[[str], Samples]
) -> None:
    def said(text: str) -> Samples:
        with ThreadPoolExecutor(1) as elsewhere:  # playwright has a loop in this thread
            samples = elsewhere.submit(spoken, text).result()
        sound: Samples = soxr.resample(samples, RATE, MIC_RATE).astype(np.float32)
        return sound

    def hush(seconds: float) -> Samples:
        return np.zeros(round(seconds * MIC_RATE), np.float32)

    heard = np.concatenate([hush(14), said(BEGUN), hush(LONG), said(DONE), hush(6)])
    page = browsers.page(flags=browsers.microphone(heard, loop=True))
    page.set_default_timeout(PATIENT)
    page.goto(f"{program}/#/round/gpu-hm-screen")
    page.get_by_role("link", name="Begin").click()
    page.wait_for_selector(".script .line.interviewer")
    page.wait_for_function("() => window.loudness() > 0.01")  # the interviewer is heard
    page.locator(".line.now p", has_text=re.compile(r"\w")).wait_for()  # live captions
    page.locator(".line.candidate:not(.now) p", has_text=re.compile("cluster|queue|quota")).first.wait_for()
    page.wait_for_selector(".margin .flag.warning")  # 45 s of silence, and the floor stays
    assert page.locator(".floor").inner_text() in {"Your turn", "Dana is listening"}
    page.locator(".script .line.interviewer").nth(1).wait_for()  # it follows up
    page.keyboard.press("Escape")
    page.get_by_role("button", name="End the session").click()
    page.wait_for_url(re.compile("#/replay/"))
    page.locator(".turn.candidate [data-word]").first.wait_for()
    page.get_by_role("tab", name=re.compile("Flags")).click()
    page.locator(".panel .flag.warning").first.wait_for()
    assert browsers.complaints == []
