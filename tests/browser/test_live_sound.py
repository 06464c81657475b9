"""The interviewer's voice in the page is stopped at once: counted in samples, on the page's own audio worklet."""

from __future__ import annotations

from tests.browser.conftest import Browsers, Housed

RATE = 24_000
AT_ONCE = 0.050 * RATE
"""Samples from the word to stop until nothing sounds: 50 ms."""
QUANTUM = 128
ASKED, RESUMED = 94 * QUANTUM, 188 * QUANTUM

STOPPED = """async (what) => {
  const rate = 24000, frame = 768;
  const context = new OfflineAudioContext(1, rate * 2, rate);
  await context.audioWorklet.addModule("/static/js/live/speaker-worklet.js");
  const node = new AudioWorkletNode(context, "speaker", { numberOfInputs: 0, outputChannelCount: [1] });
  node.connect(context.destination);
  const waiting = {};
  node.port.onmessage = ({ data }) => waiting[data.what]?.(data.place);
  const ask = (wish, answer) => new Promise((done) => { waiting[answer] = done; node.port.postMessage({ do: wish }); });
  // A suspended rendering stands still at an exact sample: what is asked there is answered before the next one.
  let place;
  const at = (block) => context.suspend(block * 128 / rate);
  at(24).then(async () => {
    for (let position = 0; position < rate * 1.5; position += frame) {
      node.port.postMessage({ do: "enqueue", position, samples: new Float32Array(frame).fill(0.5) });
    }
    await ask("pause", "paused");
    await ask("resume", "resumed");
    context.resume();
  });
  at(94).then(async () => {
    place = await ask(what, what === "stop" ? "stopped" : "paused");
    context.resume();
  });
  at(188).then(async () => {
    if (what === "pause") await ask("resume", "resumed");
    context.resume();
  });
  const wave = (await context.startRendering()).getChannelData(0);
  const loud = (from, to) => {
    const places = [...wave.keys()].slice(from, to).filter((n) => Math.abs(wave[n]) > 1e-4);
    return { first: places.at(0) ?? -1, last: places.at(-1) ?? -1, count: places.length };
  };
  const [asked, resumed] = [94 * 128, 188 * 128];
  return { place, before: loud(0, asked), during: loud(asked, resumed), after: loud(resumed, rate * 2) };
}"""


def test_a_stop_is_silence_within_fifty_milliseconds(housed: Housed, browsers: Browsers) -> None:
    page = browsers.page()
    page.goto(housed.origin)
    found = page.evaluate(STOPPED, "stop")
    assert found["before"]["count"] > RATE * 0.3  # it did sound
    assert found["during"]["last"] - ASKED <= AT_ONCE
    assert found["during"]["count"] <= QUANTUM  # a fade, so that it does not click
    assert found["after"]["count"] == 0
    assert found["place"] == found["before"]["count"]  # what had sounded is told to the sample


def test_a_pause_is_as_quick_and_goes_on_where_it_was(housed: Housed, browsers: Browsers) -> None:
    page = browsers.page()
    page.goto(housed.origin)
    found = page.evaluate(STOPPED, "pause")
    assert found["before"]["count"] > RATE * 0.3
    assert found["during"]["last"] - ASKED <= AT_ONCE
    assert found["after"]["first"] - RESUMED <= AT_ONCE
    assert found["place"] == found["before"]["count"]
    assert found["after"]["count"] == 2 * RATE - RESUMED  # to the end of what there was time for
