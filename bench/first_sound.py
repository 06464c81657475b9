"""From the press of Start to the first sample of the interviewer's that the page plays."""

from __future__ import annotations

from typing import Any

ROUND = "gpu-hm-screen"
MICROPHONE = ("--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream")
START = 'a.button[href*="#/live"]'
HEARD = """
localStorage['voiceprep.prefs'] = JSON.stringify({ checked: true });
window.heard = {};
addEventListener("click", () => { heard.click = performance.now(); }, true);
const Real = AudioWorkletNode;
window.AudioWorkletNode = class extends Real {
  constructor(context, name, options) {
    super(context, name, options);
    if (name !== "speaker") return;
    this.port.addEventListener("message", ({ data }) => {
      if (data.what === "playing") heard.sound ??= performance.now() + 1000 * context.outputLatency;
    });
  }
};
"""
"""Notes the press, and when the first sample leaves the loudspeaker, as far as the browser knows its latency."""


def first_sounds(browser: Any, base: str, patient: float) -> list[dict[str, Any]]:
    """Milliseconds: with the press as soon as the page can be used, once the models are loaded."""
    context = browser.new_context(locale="en-GB", permissions=["microphone"])
    context.add_init_script(HEARD)
    page = context.new_page()
    page.set_default_timeout(patient)
    found = [{"when": "server just started"} | _one(page, base)]
    found += [{"when": "models loaded"} | _one(page, base) for _ in range(3)]
    context.close()
    return found


def _one(page: Any, base: str) -> dict[str, Any]:
    page.goto("about:blank")  # a new document: what was heard before is forgotten
    page.goto(f"{base}#/round/{ROUND}")
    start = page.locator(START).first
    start.wait_for()
    start.click()
    page.wait_for_function("() => heard.sound !== undefined")
    waited = page.evaluate("heard.sound - heard.click")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="End the session").click()
    page.wait_for_url("**/#/replay/**")
    return {"ms": round(waited)}
