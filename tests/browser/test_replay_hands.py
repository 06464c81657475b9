"""What one does with a replay, piece by piece: loop, speed, share, filter, jump, quotes."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.browser.archive import ROUND_TRIP, session
from tests.browser.conftest import Browsers, Housed

VOICES = """
const Real = window.Audio;
window.voices = [];
window.Audio = function (...given) {
  const made = new Real(...given);
  window.voices.push(made);
  return made;
};
"""
"""The page's players, which are in no document."""

IN_SIGHT = """() => {
  const [list, row] = [".transcript", ".turn.now"].map((what) => document.querySelector(what).getBoundingClientRect());
  return row.bottom > list.top && row.top < list.bottom;
}"""


@pytest.fixture
def replay(housed: Housed, browsers: Browsers) -> Any:
    context = browsers.context(permissions=["clipboard-read", "clipboard-write", "microphone"])
    context.add_init_script(VOICES)
    page = browsers.page(context)
    page.goto(f"{housed.origin}/#/replay/{session(housed.recordings, 3)}")
    page.wait_for_selector(".turn.candidate [data-word]")
    page.wait_for_selector(".wave >> canvas", state="attached")
    return page


def test_a_stretch_that_is_drawn_is_heard_over_and_over(replay: Any) -> None:
    lanes = replay.locator("canvas.lanes").bounding_box()
    y = lanes["y"] + lanes["height"] - 8
    left, right = (lanes["x"] + lanes["width"] * share for share in (0.5, 0.52))
    replay.mouse.move(left, y)
    replay.mouse.down()
    replay.mouse.move(right, y, steps=4)
    replay.mouse.up()
    replay.wait_for_selector(".deck .tool[aria-pressed=true]")
    replay.evaluate("window.seeks = 0; voices[0].addEventListener('seeking', () => { seeks += 1; })")
    replay.keyboard.press("k")
    replay.wait_for_function("() => seeks >= 2")  # twice back to its beginning
    low, high = ROUND_TRIP * 3 * 0.5 - 0.5, ROUND_TRIP * 3 * 0.52 + 0.5
    assert low <= replay.evaluate("voices[0].currentTime") <= high
    replay.keyboard.press("l")
    replay.wait_for_selector(".deck .tool[aria-pressed=false]")


def test_both_voices_go_faster_at_the_same_pitch(replay: Any) -> None:
    replay.keyboard.press("+")
    replay.keyboard.press("+")
    assert replay.get_by_label("Speed").input_value() == "1.5"
    assert replay.evaluate("voices.map((each) => [each.playbackRate, each.preservesPitch])") == [[1.5, True]] * 2
    replay.get_by_label("Speed").select_option("0.5")
    assert replay.evaluate("voices.map((each) => each.playbackRate)") == [0.5, 0.5]


def test_a_time_is_shared_as_an_address_that_opens_there(replay: Any) -> None:
    replay.evaluate("location.hash = location.hash.split('?')[0] + '?t=31.5'")
    replay.wait_for_function("() => voices[0].currentTime === 31.5")
    replay.get_by_role("button", name="Link to this moment").click()
    address = replay.evaluate("navigator.clipboard.readText()")
    assert address.endswith("?t=31.5")
    other = replay.context.new_page()
    other.goto(address)
    other.wait_for_function("() => window.voices?.[0]?.currentTime === 31.5")
    other.wait_for_function("() => document.querySelector('.turn.now')")


def test_notes_and_lanes_are_filtered(replay: Any) -> None:
    replay.get_by_role("tab", name="Notes").click()
    note = replay.get_by_text("ask about the queue")
    note.wait_for()
    replay.locator(".notes .tick", has_text="Note").get_by_role("checkbox").uncheck()
    note.wait_for(state="detached")
    replay.locator(".notes .tick", has_text="Note").get_by_role("checkbox").check()
    note.wait_for()
    drawn = "document.querySelector('canvas.lanes').toDataURL()"
    before = replay.evaluate(drawn)
    replay.locator(".lane-labels button").nth(2).click()
    replay.wait_for_function(f"before => {drawn} !== before", arg=before)
    assert replay.locator(".lane-labels button").nth(2).get_attribute("aria-pressed") == "false"


def test_a_flag_of_the_list_is_heard_from_before_it(replay: Any) -> None:
    replay.get_by_role("tab", name=re.compile("Flags")).click()
    flag = replay.locator(".flag .at").last
    minutes, seconds = flag.inner_text().split(":")
    flag.click()
    replay.wait_for_selector(".play[aria-label=Pause]")
    at, end = replay.evaluate("voices[0].currentTime"), int(minutes) * 60 + int(seconds)
    assert end - 11 <= at < ROUND_TRIP * 3


def test_following_begins_anew_where_it_sounds(replay: Any) -> None:
    replay.locator(".transcript").hover()
    replay.mouse.wheel(0, 3000)
    replay.wait_for_selector("button[aria-pressed=false] >> text=Follow")
    replay.keyboard.press("w")
    replay.wait_for_selector("button[aria-pressed=true] >> text=Follow")
    replay.wait_for_function(IN_SIGHT)
    assert replay.evaluate("document.querySelector('.transcript').scrollTop") < 200
