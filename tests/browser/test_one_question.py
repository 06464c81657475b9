"""One question of a round over the socket, held the real way."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.conftest import Browsers, Housed, sound
from tests.browser.test_live_page import ended, events, session_of
from tests.fakes.edges import LoudnessActivity
from tests.web.real_holds import RealHolds
from voiceprep.content import load_content
from voiceprep.core.events import QuestionAsked

ROUND, QUESTION = "gpu-hm-screen", 1


@pytest.fixture
def real(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Housed]:
    """A server that holds what the packs have, the real way."""
    monkeypatch.setattr("voiceprep.live.practice.SileroActivity", LoudnessActivity)
    with Housed(tmp_path / "home", holds=RealHolds(tmp_path / "home")) as made:
        yield made


def test_one_question_of_a_round_is_taken_again(real: Housed, browsers: Browsers) -> None:
    question = load_content(ROUND).round.questions[QUESTION]
    page = browsers.page(flags=browsers.microphone(sound((1.0, False))))
    page.goto(f"{real.origin}/#/live?round={ROUND}&question={question.id}&lang=en&audio=browser")
    page.wait_for_selector(".line.interviewer")
    session = session_of(page)
    page.get_by_text("Your turn").wait_for()
    ended(page)
    asked = [event for event in events(real, session) if isinstance(event, QuestionAsked)]
    assert [event.question for event in asked] == [question.id]
