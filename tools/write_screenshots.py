"""Pictures of the page for the documentation: `python -m tools.write_screenshots` writes docs/images/page-*.png.

Everything in them is real: a demonstration round is held first, its candidate is then the microphone of a live one, and what is
photographed is the page of `voiceprep serve`. Needs the models and Chromium (`tools/setup.sh --tests`), takes some minutes.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import soundfile  # type: ignore[import-untyped]
import soxr  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from voiceprep import config

IMAGES = Path(__file__).parents[1] / "docs" / "images"
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
LAPTOP, PHONE = ViewportSize(width=1280, height=800), ViewportSize(width=390, height=844)
MIC_RATE = 48_000
ROUND = "gpu-technical"
PATIENT = 300_000
"""Milliseconds: models are loaded meanwhile."""


@dataclass(frozen=True)
class Picture:
    """One file: an address, what must be there before it is taken, and how the browser is set."""

    name: str
    address: str
    there: str
    how: dict[str, Any] = field(default_factory=dict)
    before: Callable[[Page], None] = lambda _: None


def pictures(session: str) -> list[Picture]:
    dark, phone = {"color_scheme": "dark"}, {"viewport": PHONE}
    replay, word = f"#/replay/{session}?t=20", ".turn.candidate [data-word]"
    return [
        Picture("start", "#/", ".programme li"),
        Picture("start-zh-dark", "#/", ".programme li", dark | {"locale": "zh-CN"}),
        Picture("round", f"#/round/{ROUND}", ".desk-card"),
        Picture("replay", replay, word, before=reviewed),
        Picture("replay-dark", replay, word, dark, reviewed),
        Picture("replay-phone", replay, word, phone, reviewed),
        Picture("drills", "#/drills", ".drills li"),
        Picture("sound-check", "#/check", ".steps"),
    ]


PROGRESS = Picture("progress", "#/progress", "figure.chart")
"""After the live round: the demonstration is nobody's practice."""


def reviewed(page: Page) -> None:
    page.wait_for_selector(".review .block")
    page.wait_for_selector(".wave >> canvas", state="attached")


@contextmanager
def served(environment: dict[str, str]) -> Iterator[str]:
    """The program, serving; its address."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    command = [sys.executable, "-m", "voiceprep", "serve", "--port", str(port)]
    process = subprocess.Popen(  # noqa: S603 - our own program
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    with process:
        assert process.stdout is not None
        print(process.stdout.readline().strip())
        try:
            yield f"http://127.0.0.1:{port}/"
        finally:  # else leaving the block waits for it for ever
            process.send_signal(signal.SIGINT)


def held(environment: dict[str, str], recordings: Path) -> str:
    """A round that the demonstration candidate speaks; the session's id."""
    practice = ["practice", ROUND, "--demo-if-no-microphone", "--pace", "fast", "--speaker", "none"]
    subprocess.run([sys.executable, "-m", "voiceprep", *practice], env=environment, check=True)  # noqa: S603 - our own program
    return max(path.name for path in recordings.iterdir() if (path / "session.json").exists())


def microphone(session: Path, file: Path) -> None:
    """The demonstration's own voice, after a while of silence for the first question."""
    voice, rate = soundfile.read(session / "candidate.flac", dtype="float32")
    sound = soxr.resample(voice, rate, MIC_RATE)
    soundfile.write(file, np.concatenate([np.zeros(14 * MIC_RATE, np.float32), sound]), MIC_RATE, subtype="PCM_16")


def take(browser: Browser, base: str, wanted: Picture) -> None:
    context = browser.new_context(**({"viewport": LAPTOP, "locale": "en-GB", "permissions": ["microphone"]} | wanted.how))
    context.add_init_script("localStorage['voiceprep.prefs'] = JSON.stringify({ checked: true })")
    page = context.new_page()
    page.set_default_timeout(PATIENT)
    page.goto(base + wanted.address)
    page.wait_for_selector(wanted.there)
    wanted.before(page)
    page.evaluate("document.fonts.ready")
    photograph(page, wanted.name)
    context.close()


def live(browser: Browser, base: str) -> None:
    """The live view while the candidate speaks and the interviewer listens; on a laptop, then on a phone."""
    context = browser.new_context(viewport=LAPTOP, locale="en-GB")
    page = context.new_page()
    page.set_default_timeout(PATIENT)
    page.goto(f"{base}#/live?round={ROUND}&lang=en")
    page.wait_for_selector(".line.interviewer >> nth=1")
    page.wait_for_selector(".line.now:not([hidden])")
    photograph(page, "live")
    page.set_viewport_size(PHONE)
    photograph(page, "live-phone")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="End the session").click()
    page.wait_for_selector(".turn")
    context.close()


def photograph(page: Page, name: str) -> None:
    page.screenshot(path=IMAGES / f"page-{name}.png")
    print(f"docs/images/page-{name}.png")


def main() -> None:
    IMAGES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as engine:
        recordings, sound = Path(folder) / "recordings", Path(folder) / "microphone.wav"
        environment = os.environ | {"VOICEPREP_HOME": str(config.places().home), "VOICEPREP_RECORDINGS": str(recordings)}
        session = held(environment, recordings)
        microphone(recordings / session, sound)
        flags = [
            "--no-sandbox",
            "--use-fake-ui-for-media-stream",
            "--use-fake-device-for-media-stream",
            f"--use-file-for-fake-audio-capture={sound}",
            "--autoplay-policy=no-user-gesture-required",
        ]
        browser = engine.chromium.launch(executable_path=CHROMIUM, args=flags)
        with served(environment) as base:
            for wanted in pictures(session):
                take(browser, base, wanted)
            live(browser, base)
            take(browser, base, PROGRESS)
        browser.close()


if __name__ == "__main__":
    main()
