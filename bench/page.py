"""The page in headless Chromium: from Start to the first sound; from link or address to a 75-minute session; frames, memory.

Needs Chromium and playwright (`tools/setup.sh --tests`). The server runs in a process of its own, as `voiceprep serve` does;
the session is synthetic (bench/long_session). Wall times hold for this machine and its load, which is told beside them.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.first_sound import MICROPHONE, first_sounds
from bench.long_session import write
from voiceprep import config

CHROMIUM = next((found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None)
SCREEN: Any = {"width": 1280, "height": 800}
PATIENT = 120_000
LOOKED = 5_000
"""Milliseconds."""
WATCHED = """
localStorage['voiceprep.prefs'] = JSON.stringify({ checked: true });
window.seen = {};
const watch = () => {
  const now = performance.now();
  const marks = { transcript: ".turn.candidate [data-word]", review: ".review .block" };
  for (const [name, what] of Object.entries(marks)) if (!(name in seen) && document.querySelector(what)) seen[name] = now;
  const drawn = () => [...(document.querySelector(".wave > div")?.shadowRoot?.querySelectorAll("canvas") ?? [])].length > 0;
  if (!("waveform" in seen) && drawn()) seen.waveform = now;
  requestAnimationFrame(watch);
};
requestAnimationFrame(watch);
"""
"""Notes when each part of the page is there, milliseconds since the navigation began."""
CLICK = """async () => {
  const word = document.querySelector(".turn.candidate [data-word]");
  const began = performance.now();
  word.click();
  await new Promise((done) => {
    const plays = () => document.querySelector(".play[aria-label=Pause]") && document.querySelector(".sounds");
    const look = () => (plays() ? done() : requestAnimationFrame(look));
    look();
  });
  return performance.now() - began;
}"""
"""Milliseconds from a click on a word until it plays, and shows that it does."""
FRAMES = """async ([seconds, step]) => {
  const list = document.querySelector(".transcript");
  const times = [];
  await new Promise((done) => {
    const began = performance.now();
    const next = (now) => {
      times.push(now);
      if (step) list.scrollTop += step;
      if (now - began < seconds * 1000) requestAnimationFrame(next);
      else done();
    };
    requestAnimationFrame(next);
  });
  const gaps = times.slice(1).map((time, n) => time - times[n]).sort((a, b) => a - b);
  const whole = gaps.reduce((sum, each) => sum + each, 0);
  return { fps: (1000 * gaps.length) / whole, p95: gaps[Math.floor(gaps.length * 0.95)], worst: gaps.at(-1) };
}"""
"""Frames while the transcript is scrolled by so many pixels a frame; 0: while it scrolls itself or not at all."""
MAIN_THREAD = ("ScriptDuration", "LayoutDuration", "RecalcStyleDuration", "TaskDuration")


def run(minutes: float = 75.0, **_: Any) -> dict[str, Any]:
    """What was measured: `first_sound` ms after Start; `from_start` and `opening` ms, cold and warm; `frames`; `memory`."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as engine:
        recordings = Path(folder) / "recordings"
        recordings.mkdir()
        name = write(recordings, minutes)
        browser = engine.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--autoplay-policy=no-user-gesture-required", *MICROPHONE]
        )
        found: dict[str, Any] = {"minutes": minutes, "load": round(os.getloadavg()[0], 1), "opening": []}
        with served(config.places().home, Path(folder) / "live") as base:  # where the models are
            found["first_sound"] = first_sounds(browser, base, PATIENT)
        with served(Path(folder), recordings) as base:
            found["from_start"] = [{"visit": row} | from_start(browser, base, name) for row in ("first", "second")]
        with served(Path(folder), recordings) as base:
            for row in ("first", "second", "third"):
                context = browser.new_context(viewport=SCREEN, locale="en-GB")
                context.add_init_script(WATCHED)
                page = context.new_page()
                page.set_default_timeout(PATIENT)
                found["opening"].append({"visit": row} | opening(page, f"{base}#/replay/{name}"))
                if row == "third":
                    found |= used(page, minutes)
                context.close()
        browser.close()
    return found


def from_start(browser: Any, base: str, name: str) -> dict[str, int]:
    """Milliseconds from the start page, looked at for a while, to the parts of the replay: the way that people take."""
    context = browser.new_context(viewport=SCREEN, locale="en-GB")
    context.add_init_script(WATCHED)
    page = context.new_page()
    page.set_default_timeout(PATIENT)
    page.goto(base)
    page.wait_for_selector(".programme li")
    page.wait_for_timeout(LOOKED)
    began = page.evaluate("name => { const now = performance.now(); location.hash = `#/replay/${name}`; return now; }", name)
    page.wait_for_function("() => seen.transcript && seen.waveform")
    marks = page.evaluate("seen")
    context.close()
    return {part: round(marks[part] - began) for part in ("transcript", "waveform")}


def opening(page: Any, address: str) -> dict[str, Any]:
    """Milliseconds to each part, and from a click on a word to sound; what was asked for, and how much of it came."""
    answers: list[Any] = []
    page.on("response", lambda answer: answers.append(answer))  # noqa: PLW0108  (playwright marks it: no built-in can be)
    page.goto(address)
    page.wait_for_selector(".turn.candidate [data-word]")
    page.wait_for_function("() => seen.waveform")
    api = [each for each in answers if "/api/" in each.url]
    clicked = page.evaluate(CLICK)
    page.keyboard.press("k")
    page.wait_for_function("() => seen.review")
    marks = page.evaluate("seen")
    return {name: round(value) for name, value in marks.items()} | {"click": round(clicked), "requests": len(api)}


def used(page: Any, minutes: float) -> dict[str, Any]:
    """Frames and main-thread seconds while it is scrolled and played, then what is held in memory."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    frames = []
    for what, step, seconds in (("reading", 0, 4), ("scrolling", 40, 8), ("flinging", 400, 8)):
        frames.append({"while": what} | measured(page, session, step, seconds))
    page.get_by_role("button", name="Follow").click()
    page.evaluate(f"location.hash = location.hash.split('?')[0] + '?t={minutes * 30}'")
    page.keyboard.press("k")
    page.wait_for_selector(".play[aria-label=Pause]")
    frames.append({"while": "playing, followed"} | measured(page, session, 0, 8))
    page.keyboard.press("k")
    page.locator(".transcript").evaluate("list => list.scrollTo(0, list.scrollHeight)")
    session.send("HeapProfiler.collectGarbage")
    counted = {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}
    memory = {
        "heap_mb": round(counted["JSHeapUsedSize"] / 2**20, 1),
        "nodes": page.evaluate("document.querySelectorAll('*').length"),
        "words": page.evaluate("document.querySelectorAll('[data-word]').length"),
    }
    return {"frames": frames, "memory": memory}


def measured(page: Any, session: Any, step: int, seconds: float) -> dict[str, float]:
    """Frames a second, and what the main thread did for each: CPU milliseconds, which a busy machine changes least."""

    def metrics() -> dict[str, float]:
        return {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}

    before = metrics()
    found = page.evaluate(FRAMES, [seconds, step])
    after = metrics()
    frames = found["fps"] * seconds
    busy = {name: round((after[name] - before[name]) * 1000 / frames, 2) for name in MAIN_THREAD}
    return {name: round(value, 1) for name, value in found.items()} | {
        "ms_a_frame": busy["TaskDuration"],
        "script": busy["ScriptDuration"],
    }


@contextmanager
def served(home: Path, recordings: Path) -> Iterator[str]:
    """The program, serving these recordings; its address."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    environment = os.environ | {"VOICEPREP_HOME": str(home), "VOICEPREP_RECORDINGS": str(recordings)}
    command = [sys.executable, "-m", "voiceprep", "serve", "--port", str(port)]
    with subprocess.Popen(  # noqa: S603 - our own program
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()  # said once it listens
        try:
            yield f"http://127.0.0.1:{port}/"
        finally:  # else leaving the block waits for it for ever
            process.send_signal(signal.SIGINT)
