"""In a real browser: whatever was said, asked, noted, advised or reported wrong is text, in the page and in the HTML export."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from tests.browser.archive import ROUND, _log
from tests.browser.conftest import Browsers, browsers, engine, housed
from tests.store.samples import HEADER, tone
from voiceprep.core.events import EdgeFailed, Event, NoteAdded, Word
from voiceprep.core.units import At, Media
from voiceprep.exporters import html
from voiceprep.exporters.gathering import subject_of
from voiceprep.store.archive import Archive
from voiceprep.store.folder import SessionFolder

__all__ = ["browsers", "engine", "housed"]

ATTACK = (
    "</script><script>window.hit=1</script><img src=x onerror=window.hit=1><svg onload=window.hit=1>\"'`javascript:window.hit=1"
)
TEXTS = {"text", "heard", "advice", "evidence", "message", "phrase", "section", "question"}
"""Fields that hold words of the candidate's, of a model's or of a file's."""


def attacked(events: list[Event]) -> Iterator[Event]:
    for event in events:
        names = {field.name for field in fields(event)}
        changed: dict[str, Any] = dict.fromkeys(TEXTS & names, ATTACK)
        if "words" in names:
            changed["words"] = tuple(Word(ATTACK, word.start, word.end, 0.9) for word in event.words)  # type: ignore[attr-defined]
        yield replace(event, **changed)


@pytest.fixture
def name(request: pytest.FixtureRequest) -> str:
    recordings: Path = request.getfixturevalue("housed").recordings
    folder = SessionFolder.create(recordings, replace(HEADER, round=ROUND, models={"stt": ATTACK, "voice": ATTACK}))
    log = list(_log(2, "one two three", 60.0))
    log[-1:-1] = [
        EdgeFailed(at=At(60.5), code="model-failed", message=ATTACK),
        NoteAdded(at=At(60.5), media=Media(1.0), text=ATTACK),
    ]
    for event in attacked(log):
        folder.log.append(event)
    folder.candidate.write(tone(16_000))
    folder.close("completed")
    return folder.path.name


@pytest.mark.usefixtures("engine")
def test_an_attack_by_any_text_is_shown_and_not_run(housed: Any, browsers: Browsers, name: str, tmp_path: Path) -> None:
    page = browsers.page()
    for path, there in ((f"replay/{name}", ".turn.candidate [data-word]"), ("sessions", ".sessions tbody tr")):
        page.goto(f"{housed.origin}/#/{path}")
        page.wait_for_selector(there)
        assert page.evaluate("window.hit") is None
        assert page.evaluate("document.querySelectorAll('img[src=x], svg[onload]').length") == 0
    file = tmp_path / "session.html"
    file.write_text(html.render(subject_of(Archive(housed.recordings), name)), encoding="utf-8")
    page.goto(file.as_uri())
    assert "onerror=window.hit" in page.inner_text("body")
    assert page.evaluate("window.hit") is None
    assert page.evaluate("document.querySelectorAll('img[src=x], svg[onload]').length") == 0
