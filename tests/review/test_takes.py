"""Takes on paper, of the drills that are shipped: judged from their logs, kept, compared, taken up again."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from tests.fakes.table import Table
from tests.fakes.takes import keep_take, our_turn, play
from voiceprep.config import Places
from voiceprep.content.drill_content import TakePlan, drill_content
from voiceprep.content.drills import load_drills
from voiceprep.core.drills.take import CriterionResult, DrillResult
from voiceprep.core.events import QuestionAsked, SessionEnded, TurnEnded, TurnHandedOver, TurnStarted, WordsCommitted
from voiceprep.core.policy import Policy
from voiceprep.core.redecoded import Decoded, passages
from voiceprep.core.units import At, Media
from voiceprep.errors import UsageError
from voiceprep.intake.kept import content_of
from voiceprep.live.assembly import assemble, replay
from voiceprep.live.drill import new_take, retake, taken_up
from voiceprep.review.questions import schedule_of
from voiceprep.review.results import keep_results
from voiceprep.review.take import take_of
from voiceprep.review.take_documents import result_in
from voiceprep.review.takes import compare, grade_of, keep, kept_takes, listened, suggest, take_before
from voiceprep.store import drills
from voiceprep.store.archive import SCHEDULE, Archive
from voiceprep.store.codec import as_logged
from voiceprep.store.practice_log import Overruled, state
from voiceprep.store.recovery import recover
from voiceprep.store.schedule import Grade
from voiceprep.store.transcripts import Transcript, add, read_session

FIRST, SECOND, THIRD = "2026-12-01T09:00:00Z", "2026-12-01T09:10:00Z", "2026-12-03T09:00:00Z"
HEADLINE = TakePlan("headline-30")
VAGUE = "Well there are many ways to look at it and we all worked on it and it went quite well in the end. That's my answer."
GOOD = (
    "It has three levels, and I would begin with the first one, because cold starts are what hurts. "
    "We keep one replica warm for each paying tenant. That's my answer."
)


def places(recordings: Path) -> Places:
    return Places(home=recordings.parent / "home", recordings=recordings)


def taken(recordings: Path, started: str, *answers: str, plan: TakePlan = HEADLINE, stop: str = "audio-ended") -> drills.Kept:
    session = keep_take(recordings, plan, play(plan, *answers, stop=stop), started)
    return keep(recordings / session)


# --- from the log ---------------------------------------------------------------------------------------------------------


def test_floors_have_what_was_asked_and_what_was_said_to_it(tmp_path: Path) -> None:
    events = play(HEADLINE, GOOD, VAGUE)
    session = keep_take(tmp_path, HEADLINE, events, FIRST)
    head, logged = Archive(tmp_path).read(session)
    take = take_of(head, logged, "autoscaling")
    assert [floor.step for floor in take.floors] == ["prompt", "deeper"]
    first, second = take.floors
    assert first.start is not None
    assert first.start == pytest.approx(first.asked + 1.0)
    assert first.words[0].text == "It"
    assert first.words[-1].text == "answer."
    assert second.words[0].text == "Well"
    assert first.reason == "yielded"
    assert first.end <= second.asked
    assert all(floor.speech for floor in take.floors)
    assert take.recognised
    assert take.trusted


@pytest.mark.parametrize(("goes_on", "reason"), [(True, ""), (False, "yielded")])
def test_who_goes_on_after_a_fact_has_not_ended_the_answer(tmp_path: Path, *, goes_on: bool, reason: str) -> None:
    events = play(HEADLINE, GOOD)
    head, _ = Archive(tmp_path).read(keep_take(tmp_path, HEADLINE, events, FIRST))
    ended = next(at for at, event in enumerate(events) if isinstance(event, TurnEnded) and event.speaker == "candidate")
    asked = [event for event in events if isinstance(event, QuestionAsked)]
    log = [event for event in events[: ended + 1] if event not in asked[1:]]  # a fact that was asked for opens no step
    now = At(events[ended].at + 1.0)
    if goes_on:
        log += [
            TurnStarted(at=now, speaker="candidate", turn=9, media=Media(now)),
            TurnEnded(at=now, speaker="candidate", turn=9, media=Media(now), reason="session-ended"),
        ]
    (floor,) = take_of(head, [*log, SessionEnded(at=now, reason="user")], "autoscaling").floors
    assert floor.reason == reason


def test_a_take_replays_to_the_same_log(tmp_path: Path) -> None:
    plan = TakePlan("corner", 2, brief=True)
    session = keep_take(tmp_path, plan, play(plan, GOOD, VAGUE, GOOD), FIRST)
    head, logged = Archive(tmp_path).read(session)
    content = content_of(tmp_path / session, head)
    played = play(plan, GOOD, VAGUE, GOOD)
    again = replay(played, assemble(content, Policy(captions=False, unheard_patience=60.0), "en", 1))
    assert [as_logged(event) for event in again] == list(logged)


def test_the_result_stands_in_drill_json_and_is_made_again_when_lost_or_torn(tmp_path: Path) -> None:
    kept = taken(tmp_path, FIRST, GOOD)
    path = tmp_path / kept.session / drills.NAME
    assert path.stat().st_mode & 0o777 == 0o600
    assert drills.read(path.parent) == kept
    for spoil in (path.unlink, partial(path.write_text, '{"schema": 1, "resu')):
        spoil()
        assert kept_takes(tmp_path) == (kept,)
        assert drills.read(path.parent) == kept


def test_nobody_speaks_and_nothing_is_invented(tmp_path: Path) -> None:
    kept = taken(tmp_path, FIRST)
    assert kept.text == ""
    assert kept.result.passed is False
    assert not kept.result.heard
    assert kept.grade == "again"


def test_without_a_recogniser_only_times_are_measured(tmp_path: Path) -> None:
    table = Table(drill_content(HEADLINE), policy=Policy(captions=False, recogniser=False))
    table.start()
    over = our_turn(table)
    assert over is not None
    table.say(over + 2.0, over + 22.0)
    table.put(over + 23.0, TurnHandedOver(at=At(0), media=Media(over + 23.0)))
    table.stop(over + 30.0)
    table.run()
    session = keep_take(tmp_path, HEADLINE, table.log, FIRST, recogniser=False)
    kept = keep(tmp_path / session)
    outcomes = {one.id: (one.outcome, one.measured, one.why) for one in kept.result.criteria}
    assert outcomes["headline"] == ("not_measured", None, "words")
    assert outcomes["yield"][0] == "met"
    assert outcomes["yield"][1] == pytest.approx(20.0)
    assert kept.text == ""


# --- grades ---------------------------------------------------------------------------------------------------------------


def result(*outcomes: str, passed: bool | None) -> DrillResult:
    criteria = tuple(CriterionResult(id=str(n), asked="", outcome=one) for n, one in enumerate(outcomes))  # type: ignore[arg-type]
    return DrillResult(drill="d", prompt="p", language="en", criteria=criteria, passed=passed)


@pytest.mark.parametrize(
    ("made", "last", "grade"),
    [
        (result("met", "met", passed=True), None, "good"),
        (result("met", "met", passed=True), (FIRST, "good"), "easy"),
        (result("met", "met", passed=True), (FIRST, "again"), "good"),
        (result("met", "not_met", passed=False), None, "hard"),
        (result("met", "not_heard", "not_met", passed=False), None, "again"),
        (result("not_met", passed=False), (FIRST, "easy"), "again"),
        (result("not_measured", passed=None), None, None),
    ],
)
def test_what_a_result_amounts_to(made: DrillResult, last: tuple[str, Grade] | None, grade: str | None) -> None:
    assert grade_of(made, last) == grade


def test_the_schedule_follows_the_takes_and_the_user_may_overrule(tmp_path: Path) -> None:
    kept = taken(tmp_path, FIRST, VAGUE)
    before = schedule_of(tmp_path)["drill:headline-30"]
    assert (before.reviews, before.grade) == (1, kept.grade)
    state(tmp_path, Overruled(at=SECOND, session=kept.session, item="drill:headline-30", grade="easy"))
    after = schedule_of(tmp_path)["drill:headline-30"]
    assert after.grade == "easy"
    assert after.due > before.due


def test_a_torn_schedule_is_made_again_and_forgets_what_was_deleted(tmp_path: Path) -> None:
    one, two = taken(tmp_path, FIRST, VAGUE), taken(tmp_path, SECOND, GOOD)
    whole = schedule_of(tmp_path)
    (tmp_path / SCHEDULE).write_text((tmp_path / SCHEDULE).read_text()[:70])
    assert schedule_of(tmp_path) == whole
    assert json.loads((tmp_path / SCHEDULE).read_text())["due"]["drill:headline-30"]["reviews"] == 2
    Archive(tmp_path).delete(two.session)
    assert schedule_of(tmp_path)["drill:headline-30"].reviews == 1
    Archive(tmp_path).delete(one.session)
    assert schedule_of(tmp_path) == {}


# --- two takes ------------------------------------------------------------------------------------------------------------


def test_two_takes_side_by_side(tmp_path: Path) -> None:
    compared = compare(taken(tmp_path, FIRST, VAGUE), taken(tmp_path, SECOND, GOOD))
    changes = {pair.id: pair.change for pair in compared.criteria}
    assert changes["headline"] == "better"
    assert changes["yield"] == ""
    assert any("one replica warm" in said for said in compared.added)
    assert not any("That's my answer" in said for said in compared.added)
    assert "structure_headline" in compared.gained or "headline" in compared.gained
    assert compared.seconds[0] > 0
    assert [round(one or 0.0, 3) for one in compared.thinking] == [1.0, 1.0]
    back = compare(taken(tmp_path, SECOND, GOOD), taken(tmp_path, THIRD, VAGUE))
    assert {pair.id: pair.change for pair in back.criteria}["headline"] == "worse"
    assert back.missing


def test_the_same_words_again_add_nothing(tmp_path: Path) -> None:
    said = f"Sure. {VAGUE}"
    first, second = taken(tmp_path, FIRST, said), taken(tmp_path, SECOND, said)
    assert compare(first, second).added == ()
    assert compare(taken(tmp_path, THIRD, VAGUE), first).added == ("Sure.",)


def test_a_take_is_compared_with_the_last_one_of_the_same_prompt(tmp_path: Path) -> None:
    first = taken(tmp_path, FIRST, VAGUE)
    other = taken(tmp_path, SECOND, GOOD, plan=replace(HEADLINE, prompt=2))
    again = taken(tmp_path, THIRD, GOOD)
    known = kept_takes(tmp_path)
    assert (take_before(known, other), take_before(known, again)) == (None, first)


def test_why_here_is_held_against_the_last_answer(tmp_path: Path) -> None:
    plan = TakePlan("why-here")
    first = taken(tmp_path, FIRST, VAGUE, plan=plan)
    again = taken(tmp_path, SECOND, VAGUE, plan=plan)
    by_measure = {one.id: one for one in first.result.criteria if one.why == "earlier-take"}
    assert by_measure, "the first take has nothing to be held against"
    for name in by_measure:
        second = next(one for one in again.result.criteria if one.id == name)
        assert second.outcome != "not_measured"


# --- broken off, taken up again -------------------------------------------------------------------------------------------


def test_a_take_that_was_broken_off_counts_for_nothing_and_is_taken_up_where_it_stopped(tmp_path: Path) -> None:
    plan = TakePlan("corner", 1)
    first = taken(tmp_path, FIRST, GOOD, GOOD, plan=plan, stop="user")
    assert not first.complete
    assert schedule_of(tmp_path) == {}
    up = taken_up(places(tmp_path), "corner")
    assert (up.prompt, up.resumes, up.step, up.brief) == (1, first.session, "layer-2", True)
    begun = first.floors[0].start
    assert begun is not None
    assert up.used == pytest.approx(first.floors[-1].asked - begun)
    later = play(up, GOOD, GOOD, GOOD)
    whole = keep(tmp_path / keep_take(tmp_path, up, later, SECOND))
    assert [floor.step for floor in whole.floors] == ["prompt", "layer-1", "layer-2", "layer-3", "layer-4"]
    assert [floor.asked < 0 for floor in whole.floors] == [True, True, False, False, False]
    assert whole.complete
    assert schedule_of(tmp_path)["drill:corner"].reviews == 1
    with pytest.raises(UsageError, match="was broken off"):
        taken_up(places(tmp_path), "corner")


def test_a_killed_take_is_recovered_and_offered(tmp_path: Path) -> None:
    events = [event for event in play(HEADLINE, GOOD) if not isinstance(event, SessionEnded)]
    session = keep_take(tmp_path, HEADLINE, events[:-3], FIRST, crashed=True)
    with pytest.raises(UsageError):
        taken_up(places(tmp_path), "headline-30")  # nobody knows yet that it is not running any more
    assert [found.outcome for found in recover(tmp_path)] == ["recovered"]
    up = taken_up(places(tmp_path), "headline-30")
    assert up.resumes == session
    (kept,) = kept_takes(tmp_path)
    assert (kept.ended, kept.complete) == ("interrupted", False)


def test_which_prompt_comes_next(tmp_path: Path) -> None:
    here = places(tmp_path)
    assert new_take(here, "headline-30") == TakePlan("headline-30", 1)
    with pytest.raises(UsageError, match="no take"):
        retake(here, "headline-30")
    taken(tmp_path, FIRST, GOOD)
    assert new_take(here, "headline-30").prompt == 2
    assert new_take(here, "headline-30", 4).prompt == 4
    assert retake(here, "headline-30") == TakePlan("headline-30", 1, brief=True)
    last = len(load_drills()["headline-30"].prompts)
    taken(tmp_path, SECOND, GOOD, plan=TakePlan("headline-30", last))
    assert new_take(here, "headline-30").prompt == 1


def test_one_drill_at_a_time(tmp_path: Path) -> None:
    with drills.alone(tmp_path):
        with pytest.raises(UsageError) as raised, drills.alone(tmp_path):
            pytest.fail("both were let in")
        assert raised.value.code == "drill-live"
    with drills.alone(tmp_path):
        pass


# --- what next ------------------------------------------------------------------------------------------------------------


def test_what_is_suggested_trains_what_was_missing_and_is_not_the_drill_just_held(tmp_path: Path) -> None:
    kept = taken(tmp_path, FIRST, VAGUE, plan=TakePlan("project-walk"))
    assert "own_decision" in {one for criterion in kept.result.criteria for one in criterion.missing}
    known = list(load_drills().values())
    now = datetime(2026, 12, 1, 10, tzinfo=UTC)
    suggested = suggest(known, [kept], schedule_of(tmp_path), now, but="project-walk")
    assert "project-walk" not in {one.drill for one in suggested}
    first = suggested[0]
    assert first.why == "missing"
    assert set(first.what) <= listened(next(one for one in known if one.id == first.drill))
    assert len({one.drill for one in suggested}) == len(suggested)


def test_what_is_overdue_comes_before_what_is_new(tmp_path: Path) -> None:
    kept = taken(tmp_path, FIRST, GOOD, VAGUE)
    known = [drill for drill in load_drills().values() if drill.id in {"headline-30", "why-here"}]
    later = datetime(2026, 12, 1, 10, tzinfo=UTC) + timedelta(days=30)
    suggested = suggest(known, [kept], schedule_of(tmp_path), later)
    assert suggested[0].drill == "headline-30"
    assert suggested[0].why in {"due", "failed"}


def test_the_users_grade_counts_where_the_take_has_none(tmp_path: Path) -> None:
    broken = taken(tmp_path, FIRST, GOOD, GOOD, plan=TakePlan("corner", 1), stop="user")
    assert schedule_of(tmp_path) == {}
    state(tmp_path, Overruled(at=FIRST, session=broken.session, item="drill:corner", grade="easy"))
    due = schedule_of(tmp_path)["drill:corner"]
    assert (due.grade, due.reviews) == ("easy", 1)


def test_time_used_of_a_take_that_was_broken_off_twice_is_what_its_clock_showed(tmp_path: Path) -> None:
    taken(tmp_path, FIRST, GOOD, GOOD, plan=TakePlan("corner", 1), stop="user")
    once = taken_up(places(tmp_path), "corner")
    second = keep(tmp_path / keep_take(tmp_path, once, play(once, GOOD, stop="user"), SECOND))
    own = [floor for floor in second.floors if floor.asked >= 0]
    assert len(own) == 2
    assert own[0].start is not None
    twice = taken_up(places(tmp_path), "corner")
    assert twice.step == own[-1].step
    assert twice.used == pytest.approx(once.used + own[-1].asked - own[0].start)


def test_a_take_is_judged_by_its_newest_transcript(tmp_path: Path) -> None:
    first = taken(tmp_path, FIRST, GOOD)
    folder = tmp_path / first.session
    assert "Kubernetes" not in first.text
    events = read_session(folder)[1]
    words = [word for event in events if isinstance(event, WordsCommitted) for word in event.words]
    assert words
    decoded = tuple(
        Decoded(
            passage=one,
            words=tuple(replace(word, text="Kubernetes") for word in words if one.start <= word.start < one.end),
        )
        for one in passages(events)
    )
    add(folder, Transcript(model="other", made=SECOND, decoded=decoded))
    keep_results(folder)
    again = drills.read(folder)
    assert again is not None
    assert set(again.text.split()) == {"Kubernetes"}


def test_a_result_is_told_in_the_language_of_the_reader(tmp_path: Path) -> None:
    kept = keep(tmp_path / keep_take(tmp_path, HEADLINE, play(HEADLINE, VAGUE), FIRST)).result
    drill = load_drills()["headline-30"]
    told = result_in("zh", kept, drill)
    assert kept.criteria[0].asked == drill.criteria[0].asked["en"]
    assert [one.asked for one in told.criteria] == [criterion.asked["zh"] for criterion in drill.criteria]
    assert kept.criteria[0].advice == drill.criteria[0].failed["en"]
    assert told.criteria[0].advice == drill.criteria[0].failed["zh"]
    assert result_in("en", told, drill) == kept
    assert result_in("zh", kept, None) == kept, "a drill that is gone is told as it was kept"
