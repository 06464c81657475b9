"""Cases of the page, in a real Chromium: a hidden tab, a shut microphone, three reasons why there is none."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Browsers, Housed, browsers, engine, housed, pytest_runtest_makereport, sound
from tests.browser.test_live_page import LIVE, events, session_of
from voiceprep.core.events import AudioGap

__all__ = ["browsers", "engine", "housed", "pytest_runtest_makereport"]

HIDE = """() => {
  window.requestAnimationFrame = () => 0;
  window.setTimeout = () => 0;
  window.setInterval = () => 0;
  Object.defineProperty(document, "hidden", { get: () => true });
  Object.defineProperty(document, "visibilityState", { get: () => "hidden" });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
"""What a browser does to a tab that nobody looks at, and more: no timer fires any more, nothing is painted."""
KEEP = """
const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
window.opened = [];
navigator.mediaDevices.getUserMedia = async (wanted) => {
  const stream = await open(wanted);
  window.opened.push(stream);
  return stream;
};
"""
A_MOMENT = "() => new Promise((done) => { const c = new MessageChannel(); c.port1.onmessage = done; c.port2.postMessage(0); })"
SHUT = "() => opened.length > 0 && opened.every((one) => one.getTracks().every((track) => track.readyState === 'ended'))"


def test_case_046_048_and_060_a_hidden_tab_loses_nothing_and_at_the_end_the_microphone_is_shut(
    housed: Housed, browsers: Browsers
) -> None:
    context = browsers.context(browsers.microphone(sound((0.3, True), (0.3, False)), loop=True))
    context.add_init_script(KEEP)
    page = browsers.page(context)
    page.goto(housed.origin + LIVE)
    page.wait_for_selector(".script .line.interviewer")
    session = session_of(page)
    live = housed.do(lambda house: house.services.studio.live)
    before = housed.do(lambda _: live.session.media)
    page.evaluate(HIDE)
    while housed.do(lambda _: live.session.media) < before + 3.0:  # it goes on arriving, or the test runs into its time-out
        page.evaluate(A_MOMENT)
    housed.do(lambda _: live.end("user"))
    page.wait_for_function(SHUT, polling=100)
    assert not [event for event in events(housed, session) if isinstance(event, AudioGap)]


ASK = "navigator.mediaDevices.getUserMedia"


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (
            "Object.defineProperty(navigator, 'mediaDevices', { value: undefined })",
            "Browsers give the microphone to this computer's own pages and to https only.",
        ),
        (
            "navigator.mediaDevices.getUserMedia = async () => { throw new DOMException('no', 'NotFoundError'); }",
            "There is no microphone.",
        ),
    ],
)
def test_case_057_why_there_is_no_microphone_is_told_apart(housed: Housed, browsers: Browsers, script: str, said: str) -> None:
    context = browsers.context()
    context.add_init_script(script)
    page = browsers.page(context)
    page.goto(housed.origin + LIVE)
    page.get_by_text(said).wait_for()
    assert housed.do(lambda house: house.services.studio.live) is None
