"""Trends over sessions, and where the time went."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.fakes.content import content
from tests.fakes.interview import header, hold, in_turn, keep
from tests.fakes.takes import keep_take, play
from tests.review.test_takes import FIRST, GOOD, HEADLINE, SECOND, THIRD, VAGUE, taken
from voiceprep.core.events import FlagRaised, NoteAdded
from voiceprep.core.units import At, Media
from voiceprep.errors import BadInputError
from voiceprep.review import trend
from voiceprep.review.trend import Length, ledger
from voiceprep.store import baseline, log
from voiceprep.store.archive import Archive
from voiceprep.store.practice_log import TimeSpent, state

ROUNDS_OF = {"headline-30": ("gpu-technical", "anyscale-system-design")}


def spent(minutes: float, round_id: str = "") -> TimeSpent:
    return TimeSpent(at="2026-12-01T10:00:00+00:00", minutes=minutes, what="reading", round=round_id)


def test_a_take_counts_for_its_rounds_in_equal_parts() -> None:
    found = ledger([Length("gpu-technical", "", 600.0), Length("", "headline-30", 120.0)], [], ROUNDS_OF)
    assert found.by_round == {"gpu-technical": 660.0, "anyscale-system-design": 60.0}
    assert found.rounds == {"gpu-technical": 600.0}
    assert found.drills == {"headline-30": 120.0}
    assert found.share == 1.0
    assert found.total == 720.0


def test_the_share_of_targeted_practice_counts_what_the_user_states() -> None:
    found = ledger([Length("gpu-technical", "", 600.0), Length("", "", 300.0)], [spent(10), spent(15, "gpu-final")], ROUNDS_OF)
    assert found.by_round == found.rounds == {"gpu-technical": 600.0, "gpu-final": 900.0}
    assert found.other == 900.0
    assert found.share == pytest.approx(1500 / 2400)


def test_nothing_practised_has_no_share(tmp_path: Path) -> None:
    assert ledger([], [], {}).share is None
    found = trend.progress(tmp_path / "none", ROUNDS_OF)
    assert found.ledger.total == 0
    assert (found.drills, found.rules, found.rounds, found.due) == ((), (), (), ())


def test_a_take_of_a_drill_that_is_gone_is_still_time_spent() -> None:
    assert ledger([Length("", "old-drill", 60.0)], [], {}).by_round == {"": 60.0}


def test_drills_over_their_takes_without_those_that_were_broken_off(tmp_path: Path) -> None:
    taken(tmp_path, SECOND, GOOD)
    taken(tmp_path, FIRST, VAGUE)
    taken(tmp_path, THIRD, GOOD, stop="user")
    (found,) = trend.progress(tmp_path, ROUNDS_OF).drills
    assert [point.started for point in found.takes] == [FIRST, SECOND]
    assert found.takes[0].outcomes["headline"] == "not_heard"
    assert found.takes[1].outcomes["headline"] == "met"
    assert found.takes[1].met > found.takes[0].met


def test_a_rule_over_the_sessions_since_it_was_first_crossed(tmp_path: Path) -> None:
    quiet = play(HEADLINE, GOOD)
    flag = FlagRaised(at=quiet[-1].at, rule="long_pause", level="warning", start=Media(1.0), end=Media(46.0), advice="say so")
    flagged = [*quiet[:-1], flag, replace(flag, level="notice"), quiet[-1]]
    for started, events in ((FIRST, quiet), (SECOND, flagged), (THIRD, quiet)):
        keep_take(tmp_path, HEADLINE, events, started)
    (found,) = trend.progress(tmp_path, ROUNDS_OF).rules
    assert found.rule == "long_pause"
    assert [(point.started, point.warnings, point.notices) for point in found.points] == [(SECOND, 1, 1), (THIRD, 0, 0)]
    assert found.points[0].per_hour == pytest.approx(60 / found.points[0].minutes)
    assert found.points[0].rate is None, "too short for a rate"
    assert replace(found.points[0], minutes=trend.LEAST_MINUTES).rate == pytest.approx(12.0)


def test_a_demonstration_is_nobodys_practice(tmp_path: Path) -> None:
    """Its candidate is not the user: it is kept, and called by its name, but is in no trend, ledger, schedule or baseline."""
    mine, theirs = (
        keep(tmp_path, header("gpu-technical", "tester", started, source=source), hold(content(), in_turn([VAGUE] * 3)))
        for started, source in ((FIRST, "file"), (SECOND, "demo"))
    )
    answered = {"scores": {"answers": [{"question": "q1", "overall": {"level": 2, "gate": []}}]}}
    (tmp_path / theirs / "review.json").write_text(json.dumps(answered))
    found = trend.progress(tmp_path, ROUNDS_OF)
    assert [[point.session for point in one.points] for one in found.rounds] == [[mine]]
    assert found.due == ()
    assert baseline.refresh(tmp_path)[theirs] is None
    titles = {one.id: one.title for one in Archive(tmp_path).list()}
    assert (titles[theirs].endswith(", demonstration"), "demonstration" in titles[mine]) == (True, False)


def test_readiness_comes_from_the_scores_of_the_review(tmp_path: Path) -> None:
    events = hold(content(), in_turn([VAGUE] * 3))
    first, second, third = (keep(tmp_path, header("gpu-technical", "tester", one), events) for one in (FIRST, SECOND, THIRD))
    whole = {"scores": {"overall": {"level": 3, "gate": []}}}
    (tmp_path / first / "review.json").write_text(json.dumps(whole))
    answers = [
        {"question": "q1", "overall": {"level": 2, "gate": []}},
        {"question": "q1", "overall": {"level": 2, "gate": []}},
        {"question": "q2", "overall": None},
    ]
    (tmp_path / second / "review.json").write_text(json.dumps({"scores": {"answers": answers}}))
    (tmp_path / third / "review.json").write_text('{"scores": ')
    found = trend.progress(tmp_path, ROUNDS_OF)
    assert [(one.round, [point.level for point in one.points]) for one in found.rounds] == [("gpu-technical", [3.0, 2.0, None])]
    assert [(due.item, due.grade) for due in found.due] == [("question:gpu-technical/q1", "hard")]


def test_a_session_with_a_bad_log_is_left_out(tmp_path: Path) -> None:
    kept = taken(tmp_path, FIRST, GOOD)
    path = tmp_path / kept.session / log.NAME
    path.write_text(path.read_text().replace('"kind":"TurnStarted"', '"kind":"FlagRaised"', 1))
    assert trend.progress(tmp_path, ROUNDS_OF).ledger.total == 0


def test_picking_events_gives_what_reading_all_gives(tmp_path: Path) -> None:
    session = keep_take(tmp_path, HEADLINE, play(HEADLINE, GOOD, VAGUE), FIRST)
    path = tmp_path / session / log.NAME
    _, events = Archive(tmp_path).read(session)
    for kinds in ({"TurnEnded"}, {"ClockStarted", "CueGiven"}, {"FlagRaised"}):
        assert log.pick(path, kinds) == tuple(event for event in events if type(event).__name__ in kinds)


def test_a_note_that_quotes_a_kind_is_not_one(tmp_path: Path) -> None:
    events = play(HEADLINE, GOOD)
    note = NoteAdded(at=At(events[-1].at), media=Media(1.0), text='"kind":"FlagRaised"')
    session = keep_take(tmp_path, HEADLINE, [*events[:-1], note, events[-1]], FIRST)
    assert not log.pick(tmp_path / session / log.NAME, {"FlagRaised"})


def test_an_old_log_is_picked_from_too(tmp_path: Path) -> None:
    old = Path(__file__).parents[1] / "data" / "session-schema-1" / log.NAME
    assert log.pick(old, {"TurnEnded"}) == tuple(e for e in log.read(old).events if type(e).__name__ == "TurnEnded")
    with pytest.raises(BadInputError):
        log.pick(tmp_path / "nothing.jsonl", {"TurnEnded"})


def test_time_that_was_stated_is_in_the_ledger(tmp_path: Path) -> None:
    state(tmp_path, spent(30))
    taken(tmp_path, FIRST, GOOD)
    found = trend.progress(tmp_path, ROUNDS_OF).ledger
    assert found.other == 1800.0
    assert found.share is not None
    assert 0 < found.share < 0.1
