"""Which sessions can be gone on with: rounds that broke off, held with the user by an interviewer of ours, once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.store.samples import HEADER
from voiceprep.core.events import MoveChosen, QuestionAsked, SectionChanged
from voiceprep.core.units import At
from voiceprep.errors import UsageError
from voiceprep.live.going_on import broken_off, plan_to_go_on
from voiceprep.store import log
from voiceprep.store.broken_off import where_stopped
from voiceprep.store.folder import SessionFolder

ROUND = HEADER.round
ANALYSED: dict[str, Any] = {"source": "file", "models": {"stt": "base cpu int8"}}
OTHERS: dict[str, dict[str, Any]] = {
    "analysed": ANALYSED,
    "demonstration": {"source": "demo"},
    "one question": {"question": "recent-project"},
}


def kept(recordings: Path, day: int, ended: str = "interrupted", *, asked: str = "recent-project", **head: Any) -> str:
    """A session of that day in which one question was asked."""
    live = SessionFolder.create(recordings, replace(HEADER, started=f"2026-11-{day:02}T09:05:12Z", **head))
    live.log.append(SectionChanged(at=At(1.0), section="background", budget=420.0))
    live.log.append(MoveChosen(at=At(1.0), move="question", target="", phrase=asked, reason="", of="s1"))
    live.log.append(QuestionAsked(at=At(1.0), question=asked, text="?", of="s1"))
    live.close(ended)
    return live.path.name


def refused(recordings: Path, session: str) -> UsageError:
    with pytest.raises(UsageError) as raised:
        plan_to_go_on(recordings, session)
    return raised.value


@pytest.mark.parametrize("ended", ["audio-ended", "interrupted"])
@pytest.mark.parametrize("other", OTHERS)
def test_what_is_not_that_round_does_not_hide_it(tmp_path: Path, other: str, ended: str) -> None:
    session = kept(tmp_path, 3)
    kept(tmp_path, 4, ended, **OTHERS[other])
    assert broken_off(tmp_path, ROUND) == session
    kept(tmp_path, 5, "completed")
    with pytest.raises(UsageError, match="did not break off"):
        broken_off(tmp_path, ROUND)


@pytest.mark.parametrize("other", ["analysed", "demonstration"])
def test_what_none_of_ours_held_with_the_user_has_not_broken_off(tmp_path: Path, other: str) -> None:
    session = kept(tmp_path, 3, **OTHERS[other])
    assert refused(tmp_path, session).code == "not-broken-off"
    with pytest.raises(UsageError, match="there is no session"):
        broken_off(tmp_path, ROUND)


def test_a_file_that_spoke_in_a_round_was_held_in_it(tmp_path: Path) -> None:
    session = kept(tmp_path, 3, source="file")
    assert plan_to_go_on(tmp_path, session)[0].resumes == broken_off(tmp_path, ROUND) == session


@pytest.mark.parametrize(("ended", "hint"), [("completed", "Begin the round anew"), ("interrupted", "Go on with {}")])
def test_it_is_gone_on_with_once(tmp_path: Path, ended: str, hint: str) -> None:
    first = kept(tmp_path, 3)
    second = kept(tmp_path, 4, ended, resumes=first)
    error = refused(tmp_path, first)
    assert (error.code, error.hint) == ("gone-on", hint.format(second))
    assert second in error.message
    (tmp_path / second).rename(tmp_path / f".trash-{second}")
    assert plan_to_go_on(tmp_path, first)[0].resumes == first


@pytest.mark.parametrize("damage", ["garbage", "newer", "deleted"])
def test_an_earlier_part_that_cannot_be_read_is_forgotten(tmp_path: Path, damage: str) -> None:
    first = kept(tmp_path, 3, asked="an-earlier-one")
    second = kept(tmp_path, 4, resumes=first)
    assert "an-earlier-one" in where_stopped(tmp_path, second).asked
    events = tmp_path / first / log.NAME
    text = events.read_text(encoding="utf-8")
    assert f'"schema":{HEADER.schema}' in text
    events.write_text(text.replace(f'"schema":{HEADER.schema}', '"schema":99') if damage == "newer" else "garbage\n")
    if damage == "deleted":
        events.unlink()
    assert plan_to_go_on(tmp_path, second)[0].resumes == second
    assert where_stopped(tmp_path, second).asked == {"recent-project"}
