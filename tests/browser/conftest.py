"""A real Chromium in front of a real server. Screenshots of what failed are kept in build/browser."""

from __future__ import annotations

import asyncio
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

import numpy as np
import pytest
import soundfile  # type: ignore[import-untyped]

from tests.web.studio import FakeHolds, House, open_house
from voiceprep.audio.base import Samples
from voiceprep.web.live import Patience
from voiceprep.web.page import vendored

api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed (make setup installs it)")

CHROMIUM = next((found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None)
FAILED = Path(__file__).parents[2] / "build" / "browser"
MIC_RATE = 48_000
LAPTOP, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
SLOW = 60_000
"""Milliseconds that a step may take on a busy machine."""

FLAGS = (
    "--no-sandbox",  # tests run as root in containers
    "--use-fake-ui-for-media-stream",
    "--use-fake-device-for-media-stream",
    "--autoplay-policy=no-user-gesture-required",
)
LISTEN = """
const Real = AudioWorkletNode;
window.AudioWorkletNode = class extends Real {
  constructor(context, name, options) {
    super(context, name, options);
    if (name !== "speaker") return;
    const ear = new AnalyserNode(context, { fftSize: 2048 });
    this.connect(ear);
    window.loudness = () => {
      const wave = new Float32Array(ear.fftSize);
      ear.getFloatTimeDomainData(wave);
      return Math.sqrt(wave.reduce((sum, each) => sum + each * each, 0) / wave.length);
    };
  }
};
"""
"""An ear at the page's loudspeaker: `loudness()` is the RMS of what sounds right now."""


class Housed:
    """A server that runs beside the test, on a loop of its own."""

    def __init__(self, home: Path, patience: Patience | None = None, holds: Any = None) -> None:
        self.home = home
        self.recordings = home / "recordings"
        self.holds = holds or FakeHolds(self.recordings)
        self._patience = patience
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)

    async def _run(self) -> None:
        self._loop, self._over = asyncio.get_running_loop(), asyncio.Event()
        async with open_house(self.home, self._patience, self.holds) as self.house:
            self._ready.set()
            await self._over.wait()

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._ready.wait(SLOW / 1000)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(SLOW / 1000)

    @property
    def origin(self) -> str:
        return self.house.origin

    def do(self, run: Callable[[House], Any]) -> Any:
        """Run this on the server's loop; what it returns."""

        async def there() -> Any:
            return run(self.house)

        return asyncio.run_coroutine_threadsafe(there(), self._loop).result(SLOW / 1000)


class Browsers:
    """Chromium, one start for each microphone."""

    def __init__(self, engine: Any, stack: ExitStack, folder: Path) -> None:
        self._engine, self._stack, self._folder = engine, stack, folder
        self.pages: list[Any] = []
        self.complaints: list[str] = []

    def microphone(self, sound: Samples, *, loop: bool = False) -> list[str]:
        """Flags for a browser whose microphone hears this sound (at 48 kHz) from the moment it is opened."""
        path = self._folder / f"microphone-{len(list(self._folder.glob('*.wav')))}.wav"
        soundfile.write(path, sound, MIC_RATE, subtype="PCM_16")
        return [f"--use-file-for-fake-audio-capture={path}{'' if loop else '%noloop'}"]

    def context(self, flags: list[str] | None = None, **how: Any) -> Any:
        """A profile of its own, with the sound checked already."""
        browser = self._engine.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS, *(flags or [])])
        self._stack.callback(browser.close)
        made = browser.new_context(**({"viewport": LAPTOP, "locale": "en-GB"} | how))
        made.set_default_timeout(SLOW)
        made.add_init_script(LISTEN)
        made.add_init_script("localStorage['voiceprep.prefs'] ??= JSON.stringify({ checked: true })")
        return made

    def page(self, context: Any | None = None, flags: list[str] | None = None, **how: Any) -> Any:
        page = (context or self.context(flags, **how)).new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._said)
        self.pages.append(page)
        return page

    def _said(self, message: Any) -> None:
        if message.type == "error":
            self.complaints.append(f"{message.text} {message.location.get('url', '')}")


@pytest.fixture(scope="module")
def engine() -> Iterator[Any]:
    """Not for the whole run: while it is there, this thread counts as inside an event loop, and no async test can begin."""
    if CHROMIUM is None:
        pytest.skip("no Chromium here (tools/setup.sh --tests installs it)")
    if vendored() is None:
        pytest.skip("wavesurfer is not installed (make setup installs it by npm)")
    with api.sync_playwright() as found:
        yield found


@pytest.fixture
def browsers(engine: Any, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Browsers]:
    with ExitStack() as stack:
        made = Browsers(engine, stack, tmp_path)
        yield made
        if getattr(request.node, "failed", False):
            FAILED.mkdir(parents=True, exist_ok=True)
            for number, page in enumerate(made.pages):
                page.screenshot(path=FAILED / f"{request.node.name}-{number}.png")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Any:
    report = yield
    if report.when == "call" and report.failed:
        item.failed = True  # type: ignore[attr-defined]
    return report


@pytest.fixture
def housed(tmp_path: Path) -> Iterator[Housed]:
    with Housed(tmp_path / "home") as made:
        yield made


def sound(*parts: tuple[float, bool]) -> Samples:
    """Stretches of (seconds, whether somebody speaks): a tone is speech to the fakes."""
    pieces = [np.sin(2 * np.pi * 220 * np.arange(round(seconds * MIC_RATE)) / MIC_RATE) * 0.5 * loud for seconds, loud in parts]
    return np.concatenate(pieces).astype(np.float32)
