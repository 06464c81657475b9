"""What the live view shows, and where: the order of lines, what the interviewer does, screen readers, a server that dies."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.browser.conftest import LAPTOP, PHONE, Browsers, Housed, sound
from tests.browser.test_live_page import LIVE, begin, ended, events, session_of
from tests.browser.test_pages import AXE, dressed, findings
from tests.web.mortal import Mortal
from voiceprep.core.events import NoteAdded

TOLD = """async (messages) => {
  const { begin, take, textOf } = await import("/static/js/live/state.js");
  const { Script } = await import("/static/js/live/script.js");
  const [state, script] = [begin(), new Script("Dana")];
  document.body.append(script.list);
  const seen = [];
  for (const message of messages) {
    take(state, message, 0);
    script.show(state);
    const text = (row, place) => row.querySelector(place)?.textContent ?? "";
    const rows = [...script.list.children];
    seen.push(rows.map((row) => [row.className.replace("line ", ""), text(row, "p"), text(row, ".tentative")]));
  }
  return seen;
}"""
BAR = """async (messages) => {
  const { begin, take } = await import("/static/js/live/state.js");
  const { SectionBar } = await import("/static/js/live/sectionbar.js");
  const [state, bar] = [begin(), new SectionBar(["first", "second", "third"].map((id) => ({ id, title: id, budget: 100 })))];
  return messages.map((message) => {
    take(state, message, 0);
    bar.show(state, 0);
    return [...bar.fills].map(([id, { bar, item }]) => [id, item.className, bar.style.getPropertyValue("--part")]);
  });
}"""
LOWER = """async (seen) => {
  const list = document.querySelector("ol.script");
  const frames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const end = () => Math.round(list.scrollHeight - list.scrollTop - list.clientHeight);
  list.lastChild.style.height = "600px";
  list.style.cssText = "position: fixed; top: 0; min-height: 0; height: 300px; overflow: auto";
  list.scrollTop = list.scrollHeight - list.clientHeight - seen;
  await frames();
  list.style.height = "100px";
  await frames();
  return end();
}"""
"""How far its end is from the end of what is seen, when the list has become lower; it was `seen` pixels before."""
DOING = """async (cases) => {
  const { doingOf, Presence } = await import("/static/js/live/presence.js");
  const { begin } = await import("/static/js/live/state.js");
  const face = new Presence("dana");
  return cases.map(([state, at]) => {
    face.show(doingOf(Object.assign(begin(), state), at), 0.5);
    return face.element.dataset.doing;
  });
}"""


def words(text: str, start: float) -> list[dict[str, Any]]:
    return [
        {"text": word, "start": start + n * 0.5, "end": start + n * 0.5 + 0.4, "confidence": 0.9}
        for n, word in enumerate(text.split())
    ]


def test_lines_stand_in_the_order_in_which_they_were_said(housed: Housed, browsers: Browsers) -> None:
    """An answer is written down while the next line sounds; captions then hold the end of one and the start of another."""
    page = browsers.page()
    page.goto(housed.origin)
    line = {"kind": "speak", "language": "en", "move": "question"}
    told = [
        line | {"id": "a", "text": "Why?"},
        {"kind": "speaking_started", "of": "a", "media": 0.0},
        {"kind": "speaking_finished", "of": "a", "media": 1.0, "heard": "Why?", "complete": True},
        {"kind": "turn_started", "speaker": "candidate", "turn": 2, "media": 2.0},
        {"kind": "caption_changed", "firm": words("because it", 1.9), "tentative": words("was", 2.9)},
        line | {"id": "b", "text": "And then?"},
        {"kind": "speaking_started", "of": "b", "media": 5.0},
        {"kind": "turn_started", "speaker": "candidate", "turn": 4, "media": 7.0},
        {"kind": "caption_changed", "firm": words("because it", 1.9) + words("we", 7.0), "tentative": words("won", 7.5)},
        {"kind": "words_committed", "words": words("because it was slow", 2.0), "turn": 2, "trusted": True},
        {"kind": "caption_changed", "firm": words("we", 7.0), "tentative": words("won", 7.5)},
        {"kind": "note_added", "media": 3.0, "text": "here"},
    ]
    seen = page.evaluate(TOLD, told)
    assert [text for _, text, _ in seen[4]] == ["Why?", "because it was"]
    assert seen[4][1][2] == " was"  # what may still change is marked as that
    assert page.evaluate(LOWER, 0) == 0  # a phone that is turned shows what is said now
    assert page.evaluate(LOWER, 200) >= 200  # ... but not to who has scrolled up to read
    assert [text for _, text, _ in seen[6]] == ["Why?", "because it was", "And then?"]  # not above the answer before it
    assert [text for _, text, _ in seen[8]] == ["Why?", "because it", "And then?", "we won"]
    assert [text for _, text, _ in seen[10]] == ["Why?", "because it was slow", "And then?", "we won"]
    assert [kind for kind, _, _ in seen[10]] == ["interviewer", "candidate", "interviewer", "candidate now"]
    assert [text for _, text, _ in seen[11]] == ["Why?", "because it was slow", "here", "And then?", "we won"]


def test_the_bar_of_a_round_that_goes_on_begins_where_it_was(housed: Housed, browsers: Browsers) -> None:
    page = browsers.page()
    page.goto(housed.origin)
    told = [
        {"kind": "welcome", "spent": {"first": 130.0, "second": 40.0}},
        {"kind": "section_changed", "section": "second", "budget": 100.0, "at": 0.5},
        {"kind": "clock", "at": 10.5, "media": 10.0},
        {"kind": "section_changed", "section": "third", "budget": 100.0, "at": 20.5},
        {"kind": "section_changed", "section": "second", "budget": 100.0, "at": 22.5},  # what led there was not heard
        {"kind": "clock", "at": 30.5, "media": 30.0},
    ]
    seen = page.evaluate(BAR, told)
    assert seen[2] == [["first", "over past", "1.0000"], ["second", "", "0.5000"], ["third", "", "0.0000"]]
    assert seen[5] == [["first", "over past", "1.0000"], ["second", "", "0.6800"], ["third", "past", "0.0200"]]


def test_captions_before_any_turn_are_shown_and_then_belong_to_it(housed: Housed, browsers: Browsers) -> None:
    page = browsers.page()
    page.goto(housed.origin)
    told = [
        {"kind": "caption_changed", "firm": [], "tentative": words("well", 2.0)},
        {"kind": "turn_started", "speaker": "candidate", "turn": 1, "media": 2.0},
        {"kind": "caption_changed", "firm": words("well", 2.0), "tentative": words("yes", 2.5)},
    ]
    seen = page.evaluate(TOLD, told)
    assert [text for _, text, _ in seen[0]] == ["well"]
    assert [text for _, text, _ in seen[2]] == ["well yes"]


def test_what_the_interviewer_does_is_shown(housed: Housed, browsers: Browsers) -> None:
    page = browsers.page()
    page.goto(housed.origin)
    signal = {"holder": "candidate", "voice": True, "phase": "live"}
    cases = [
        [{"speaking": "a", "phase": "live"}, 1.0],
        [signal, 1.0],
        [signal | {"signal": {"signal": "nod", "at": 10.0}}, 11.0],
        [signal | {"signal": {"signal": "notes", "at": 10.0}}, 13.0],
        [signal | {"signal": {"signal": "notes", "at": 10.0}}, 30.0],
        [{"phase": "paused"}, 1.0],
    ]
    assert page.evaluate(DOING, cases) == ["speaking", "listening", "nodding", "writing", "listening", "away"]


def test_a_note_has_the_time_at_which_the_replay_finds_it(housed: Housed, browsers: Browsers) -> None:
    page = begin(housed, browsers)
    page.get_by_text("thinking 0:", exact=False).wait_for()
    page.keyboard.press("n")
    noted = page.locator(".script .line.note .when").inner_text()
    whose, what = (page.locator(f".script .line.note {part}").bounding_box() for part in (".who", "p"))
    assert whose["x"] + whose["width"] <= what["x"]  # beside each other, as in every other line
    session = session_of(page)
    ended(page)
    (note,) = [event for event in events(housed, session) if isinstance(event, NoteAdded)]
    assert noted == f"{int(note.media) // 60}:{int(note.media) % 60:02}"


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed (tools/setup.sh --tests installs it by npm)")
def test_the_live_view_has_no_serious_finding(housed: Housed, browsers: Browsers) -> None:
    """In Chinese: contrast, sizes and names are looked at, and English differs by its words alone."""
    page = browsers.page(flags=browsers.microphone(sound((14.0, False), (1.5, True)), loop=True), reduced_motion="reduce")
    page.add_init_script("localStorage['voiceprep.language'] = 'zh'")
    page.goto(housed.origin + LIVE)
    page.wait_for_selector(".margin .flag")  # ten silent seconds
    page.wait_for_selector(".line.candidate p:not(:empty)")
    page.keyboard.press("n")
    page.wait_for_selector(".line.note")
    found: dict[str, list[str]] = {}
    for scheme in ("light", "dark"):
        for name, size in (("laptop", LAPTOP), ("phone", PHONE)):
            page.set_viewport_size(size)
            dressed(page, scheme)
            found[f"{scheme} {name}"] = findings(page)
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog[open]")
    found["dialog"] = findings(page)
    page.locator("dialog .button.strong").click()
    page.wait_for_url(re.compile(r"#/replay/"))
    assert found == {key: [] for key in found}


def test_a_server_that_was_killed_is_told_and_what_was_kept_can_be_seen(browsers: Browsers, tmp_path: Any) -> None:
    with Mortal(tmp_path / "mortal") as server:
        page = browsers.page(flags=browsers.microphone(sound((3.0, False), (0.6, True)), loop=True))
        page.goto(server.origin + LIVE)
        page.wait_for_selector(".line.candidate p:not(:empty)")
        session = session_of(page)
        server.kill()
        page.wait_for_selector(".banner:not([hidden])")  # what is said now is kept by the page, which goes on asking
        server.start()
        page.get_by_role("heading", name="The session broke off").wait_for()
        again = page.get_by_role("link", name="Go on with the round there").get_attribute("href")
        assert again is not None
        assert f"resumes={session}" in again
        page.get_by_role("link", name="Look at what was kept").click()
        page.wait_for_url(re.compile(rf"#/replay/{session}"))
        page.wait_for_selector(".turn.candidate [data-word]")
