"""Drills, single questions and rounds that go on, held the real way: from what a page asks for to what is kept of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import Browsers, Housed, sound
from tests.browser.test_live_page import SOUNDING, ended, events, session_of
from tests.fakes.edges import LoudnessActivity
from tests.web.real_holds import RealHolds
from tests.web.studio import House
from voiceprep.content import load_content
from voiceprep.content.drill_content import TakePlan, drill_content
from voiceprep.core.drills.drill import DrillContent
from voiceprep.core.events import ClockStarted, CueGiven, QuestionAsked
from voiceprep.store import log

DRILL = "star-two-minutes"
ROUND, QUESTION = "gpu-hm-screen", 1


def soon(plan: TakePlan) -> DrillContent:
    """The drill with its first mark after a second and a half, spoken."""
    made = drill_content(plan)
    first, *rest = made.drill.marks
    return replace(made, drill=replace(made.drill, marks=(replace(first, at=1.5, spoken=True), *rest)))


@pytest.fixture
def real(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Housed]:
    """A server that holds what the packs have, the real way."""
    monkeypatch.setattr("voiceprep.live.practice.SileroActivity", LoudnessActivity)
    monkeypatch.setattr("voiceprep.live.practice.drill_content", soon)
    with Housed(tmp_path / "home", holds=RealHolds(tmp_path / "home")) as made:
        yield made


def stop(house: House) -> None:
    """The server ends the session, as when it is stopped itself."""
    live = house.services.studio.live
    assert live is not None
    live.end("interrupted")


def taken(page: Any, housed: Housed) -> str:
    """One take: heard, answered, handed over; its session."""
    page.wait_for_function(SOUNDING)  # the prompt is spoken
    page.wait_for_selector(".line.interviewer")
    page.wait_for_selector(".countdown:not([hidden])")
    page.wait_for_selector(".cue:not(:empty)", state="attached")  # shown as well as said
    page.wait_for_selector(".line.candidate p:not(:empty)")
    session = session_of(page)
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"#/replay/"))
    page.wait_for_selector(".result .criteria li")
    assert any(isinstance(event, CueGiven) for event in events(housed, session))
    assert any(isinstance(event, ClockStarted) for event in events(housed, session))
    return session


def test_a_drill_from_its_prompt_to_the_comparison_of_two_takes(real: Housed, browsers: Browsers) -> None:
    page = browsers.page(flags=browsers.microphone(sound((2.5, False), (1.5, True), (1.0, False))))
    page.goto(f"{real.origin}/#/drills")
    page.locator(f"[data-drill={DRILL}]").get_by_role("link").last.click()
    first = taken(page, real)
    assert page.locator(".result .verdict").inner_text()
    page.get_by_role("link", name="The same again").click()
    second = taken(page, real)
    assert second != first
    page.get_by_role("heading", name="Against the take before").wait_for()
    assert page.get_by_role("link", name="hear the earlier one").get_attribute("href") == f"#/replay/{first}"
    assert browsers.complaints == []


def test_one_question_of_a_round_is_taken_again_and_goes_on_where_it_broke_off(real: Housed, browsers: Browsers) -> None:
    question = load_content(ROUND).round.questions[QUESTION]
    page = browsers.page(flags=browsers.microphone(sound((1.0, False))))
    page.goto(f"{real.origin}/#/live?round={ROUND}&question={question.id}&lang=en&audio=browser")
    page.wait_for_selector(".line.interviewer")
    first = session_of(page)
    page.get_by_text("Your turn").wait_for()
    real.do(stop)
    page.wait_for_url(re.compile(r"#/replay/"))
    page.goto(f"{real.origin}/#/live/{first}")  # what a page does that was left open
    page.get_by_role("link", name="Go on with the round there").click()
    page.wait_for_selector(".line.interviewer")
    page.wait_for_url(lambda url: "#/live/" in url and first not in url)
    second = session_of(page)
    page.get_by_text("Your turn").wait_for()
    ended(page)
    found = {session: log.read(real.recordings / session / log.NAME) for session in (first, second)}
    assert (found[second].header.resumes, found[second].header.question) == (first, question.id)
    asked = {name: [event for event in one.events if isinstance(event, QuestionAsked)] for name, one in found.items()}
    assert [event.question for event in asked[first]] == [event.question for event in asked[second]] == [question.id]
    assert asked[first][0].text != asked[second][0].text
    assert browsers.complaints == []
