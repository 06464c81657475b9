"""The live view in Chromium against a real server, with fakes for the models: sound both ways, drops, reloads, tabs, keys."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile  # type: ignore[import-untyped]

from tests.browser.conftest import PHONE, SLOW, Browsers, Housed, sound
from tests.web.studio import House
from voiceprep.audio.base import RATE
from voiceprep.audio.frames import FrameSource
from voiceprep.audio.source_file import FileSource
from voiceprep.core.events import AudioGap, Event, Interrupted, NoteAdded, SessionPaused, SpeakingFinished, VoiceStarted
from voiceprep.store import log
from voiceprep.web.studio import Studio

LIVE = "/#/live?round=gpu-hm-screen&lang=en&audio=browser"
SOUNDING = "() => window.loudness?.() > 0.02"
SILENT = "() => window.loudness?.() < 0.001"


def events(housed: Housed, session: str) -> tuple[Event, ...]:
    return log.read(housed.recordings / session / log.NAME).events


def session_of(page: Any) -> str:
    page.wait_for_url(re.compile(r"#/live/"))
    return str(page.url).rpartition("/")[2]


def cut(house: House) -> None:
    """The network drops the page's socket."""
    live = house.services.studio.live
    assert live is not None
    assert live.line is not None
    live.line.close(1011)


def begin(housed: Housed, browsers: Browsers, flags: list[str] | None = None, **how: Any) -> Any:
    """A page in a session whose interviewer is heard."""
    page = browsers.page(flags=flags or browsers.microphone(sound((1.0, False))), **how)
    page.goto(housed.origin + LIVE)
    page.wait_for_selector(".script .line.interviewer")
    return page


def ended(page: Any) -> None:
    page.keyboard.press("Escape")
    page.get_by_role("button", name="End the session").click()
    page.wait_for_url(re.compile(r"#/replay/"))


def test_the_interviewer_is_heard_and_the_candidate_is_recorded(housed: Housed, browsers: Browsers) -> None:
    housed.holds.voice.seconds = 3.0
    page = begin(housed, browsers, browsers.microphone(sound((9.0, False), (0.8, True)), loop=True))
    page.wait_for_function(SOUNDING)
    page.wait_for_selector(".script .line.candidate p:not(:empty)")
    session = session_of(page)
    ended(page)
    found = events(housed, session)
    assert any(isinstance(event, VoiceStarted) and event.speaker == "candidate" for event in found)
    assert any(isinstance(event, SpeakingFinished) and event.heard for event in found)
    assert not [event for event in found if isinstance(event, AudioGap)]
    assert browsers.complaints == []


def test_barge_in_stops_the_voice(housed: Housed, browsers: Browsers) -> None:
    housed.holds.voice.seconds = 40.0
    page = begin(housed, browsers, browsers.microphone(sound((5.0, False), (2.0, True)), loop=True))
    page.wait_for_function(SOUNDING)
    page.wait_for_selector(".script .line.interviewer.cut")
    page.wait_for_function(SILENT)
    session = session_of(page)
    ended(page)
    assert any(isinstance(event, Interrupted) and event.by == "candidate" for event in events(housed, session))


def test_a_reload_goes_on_with_the_same_session(housed: Housed, browsers: Browsers) -> None:
    page = begin(housed, browsers)
    session = session_of(page)
    said = page.locator(".script .line.interviewer p").first.inner_text()
    page.reload()
    page.wait_for_selector(".script .line.interviewer")
    assert page.locator(".script .line.interviewer p").first.inner_text() == said
    assert session_of(page) == session
    page.wait_for_function("() => document.querySelector('.clock').textContent !== ''")
    ended(page)
    assert [path.name for path in housed.recordings.iterdir() if path.is_dir()] == [session]


def test_a_page_that_is_slow_to_load_misses_nothing_that_comes_meanwhile(housed: Housed, browsers: Browsers) -> None:
    """The session goes on while the page still asks what its round is: it is not to be taken to stand still."""
    page = begin(housed, browsers, browsers.microphone(sound((2.0, False), (0.8, True)), loop=True))
    page.route("**/api/rounds/*", lambda route: (page.wait_for_timeout(1_500), route.continue_()))
    page.reload()
    page.wait_for_selector(".script .line.interviewer")
    page.wait_for_selector(".live:not(.paused)")
    page.wait_for_selector(".script .line.candidate p:not(:empty)")  # and what is said is heard
    ended(page)


def test_case_059_a_drop_loses_nothing_that_was_said(housed: Housed, browsers: Browsers) -> None:
    page = begin(housed, browsers, browsers.microphone(sound((0.3, True), (0.3, False)), loop=True))
    session = session_of(page)
    housed.do(cut)
    page.wait_for_selector(".banner:not([hidden])")
    page.wait_for_selector(".banner[hidden]", state="attached")
    page.keyboard.press("n")
    page.wait_for_selector(".script .line.note")
    ended(page)
    found = events(housed, session)
    assert not [event for event in found if isinstance(event, AudioGap)]
    assert [event for event in found if isinstance(event, NoteAdded)]


def test_a_moment_is_marked_with_words_and_they_are_no_keys(housed: Housed, browsers: Browsers) -> None:
    page = begin(housed, browsers)
    page.keyboard.press("Shift+N")
    page.get_by_role("textbox").wait_for()
    page.keyboard.type("pace, mute and talk")
    page.keyboard.press("Enter")
    page.locator(".script .line.note").get_by_text("pace, mute and talk").wait_for()
    assert page.locator(".live.paused, .live.no-words").count() == 0
    ended(page)


def test_a_microphone_of_the_server_is_paused_and_what_cannot_be_is_said(
    housed: Housed, browsers: Browsers, tmp_path: Path
) -> None:
    address = housed.origin + LIVE.replace("browser", "device")
    housed.holds.device = FrameSource()
    page = browsers.page()
    page.goto(address)
    page.wait_for_selector(".script .line.interviewer")
    assert page.locator(".control.mute").is_hidden()
    page.locator(".control.pause").click()
    page.wait_for_selector(".live.paused")
    page.keyboard.press("p")
    page.wait_for_selector(".live:not(.paused)")
    page.keyboard.press("m")
    page.get_by_text("The microphone is the server's own.").first.wait_for()
    session = session_of(page)
    ended(page)
    assert [event.reason for event in events(housed, session) if isinstance(event, SessionPaused)] == ["asked"]
    assert browsers.complaints == []
    soundfile.write(tmp_path / "recording.wav", np.zeros(600 * RATE, np.int16), RATE)
    housed.holds.device = FileSource(tmp_path / "recording.wav", "live")
    page.goto(address)
    page.wait_for_selector(".script .line.interviewer")
    assert page.locator(".control.pause").is_hidden()
    page.keyboard.press("p")
    page.get_by_text("This session listens to a recording, and cannot pause.").first.wait_for()
    ended(page)


def test_a_second_tab_takes_over_only_knowingly(housed: Housed, browsers: Browsers) -> None:
    first = begin(housed, browsers)
    session = session_of(first)
    second = browsers.page(first.context)
    second.goto(f"{housed.origin}/#/live/{session}")
    second.get_by_role("heading", name="A session is running elsewhere").wait_for()
    assert first.locator(".overlay").is_hidden()
    second.get_by_role("button", name="Go on here").click()
    second.wait_for_selector(".script .line.interviewer")
    first.get_by_role("heading", name="The session has moved").wait_for()
    first.get_by_role("button", name="Take it back").click()
    second.get_by_role("heading", name="The session has moved").wait_for()
    first.wait_for_selector(".overlay", state="hidden")
    ended(first)


def test_keys_mute_pause_mark_and_hand_over(housed: Housed, browsers: Browsers) -> None:
    page = begin(housed, browsers, browsers.microphone(sound((1.5, False), (1.0, True), (60.0, False))))
    session = session_of(page)
    page.keyboard.press("m")
    page.wait_for_selector(".control.mute[aria-pressed=true]")
    page.keyboard.press("m")
    page.wait_for_selector(".control.mute[aria-pressed=false]")
    page.keyboard.press("p")
    page.get_by_text("Paused", exact=True).wait_for()
    page.keyboard.press("p")
    page.wait_for_selector(".live:not(.paused)")
    page.keyboard.press("t")
    page.locator(".control.talk").wait_for()
    page.keyboard.down(" ")
    page.wait_for_selector(".control.talk.held")
    page.keyboard.up(" ")
    page.wait_for_selector(".control.talk:not(.held)")
    page.keyboard.press("?")
    page.get_by_role("heading", name="Keys").wait_for()
    page.keyboard.press("Escape")
    page.keyboard.press("n")
    page.wait_for_selector(".script .line.note")
    ended(page)
    found = events(housed, session)
    assert any(isinstance(event, SessionPaused) for event in found)
    assert any(isinstance(event, NoteAdded) for event in found)


def test_flags_are_shown_by_a_coach_and_kept_by_an_exam(housed: Housed, browsers: Browsers) -> None:
    page = begin(housed, browsers)
    page.get_by_text("thinking 0:", exact=False).wait_for()
    page.wait_for_selector(".margin .flag")  # ten silent seconds before the answer
    assert page.locator(".floor").inner_text() == "Your turn"
    ended(page)
    page.goto(f"{housed.origin}{LIVE}&mode=exam")
    page.wait_for_selector(".script .line.interviewer")
    page.get_by_text("thinking 0:12").wait_for()
    assert page.locator(".margin .flag").count() == 0
    ended(page)


def test_no_microphone_is_said_with_its_mend(housed: Housed, browsers: Browsers) -> None:
    context = browsers.context()
    context.add_init_script(
        "navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError'))"
    )
    page = browsers.page(context)
    page.goto(housed.origin + LIVE)
    page.get_by_text("The browser may not use the microphone.").wait_for()
    assert housed.do(lambda house: house.services.studio.live) is None


@pytest.mark.parametrize("size", [PHONE])
def test_the_live_view_fits_a_phone(housed: Housed, browsers: Browsers, size: dict[str, int]) -> None:
    page = begin(housed, browsers, viewport=size)
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    for name in ("mute", "hand", "note", "pause", "end"):
        box = page.locator(f".control.{name}").bounding_box(timeout=SLOW)
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size["width"]
        assert box["y"] + box["height"] <= size["height"]
    ended(page)


def test_the_page_knows_what_runs(housed: Housed, browsers: Browsers) -> None:
    page = begin(housed, browsers)
    session = session_of(page)
    page.goto(f"{housed.origin}/#/")
    page.get_by_role("link", name="Go back to it").click()
    assert session_of(page) == session
    page.wait_for_selector(".script .line.interviewer")
    ended(page)
    assert isinstance(housed.house.services.studio, Studio)


def test_without_a_microphone_a_recording_can_speak(housed: Housed, browsers: Browsers) -> None:
    context = browsers.context(permissions=["clipboard-read", "clipboard-write"])
    context.add_init_script(
        "navigator.mediaDevices.getUserMedia = async () => { throw new DOMException('', 'NotFoundError'); }"
    )
    page = browsers.page(context)
    page.goto(housed.origin + LIVE)
    page.get_by_text("There is no microphone.").wait_for()
    assert page.locator(".instead code").all_inner_texts() == [
        "voiceprep practice gpu-hm-screen --mic FILE",
        "voiceprep analyze FILE --save --round gpu-hm-screen",
    ]
    page.locator(".instead").get_by_role("button", name="Copy").first.click()
    page.get_by_text("Copied.").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == "voiceprep practice gpu-hm-screen --mic FILE"
