"""`voiceprep drill` and `voiceprep progress`, through the program's own entry point; takes are on paper."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from tests.cli.test_loop import Program, Ran, recordings, voiceprep
from tests.fakes.drill import drill, drill_content, mark, part, prompt, step
from tests.fakes.table import Table
from tests.review.test_takes import FIRST, GOOD, SECOND, VAGUE, taken
from voiceprep.cli import main
from voiceprep.cli.countdown import GLYPHS, countdown, large
from voiceprep.cli.drill_result import page, side_by_side
from voiceprep.cli.progress import hours, spark
from voiceprep.cli.scene import Card, Scene, follow
from voiceprep.cli.screen import PlainScreen, frame
from voiceprep.content.drill_content import TakePlan
from voiceprep.content.drills import drill_ids, load_drills
from voiceprep.content.loader import round_ids
from voiceprep.core.events import ClockStarted
from voiceprep.live.drill import Held
from voiceprep.live.plan import Plan, Result
from voiceprep.review.take_documents import result_document
from voiceprep.review.takes import compare
from voiceprep.store import drills

__all__ = ["recordings", "voiceprep"]


def shown(what: object) -> str:
    out = Console(file=io.StringIO(), width=120, highlight=False)
    out.print(what)
    file = out.file
    assert isinstance(file, io.StringIO)
    return file.getvalue()


# --- the list -------------------------------------------------------------------------------------------------------------


def test_the_list_as_the_contract_has_it(voiceprep: Program) -> None:
    ran = voiceprep("drill", "--json")
    rows = ran.document["drills"]
    assert [row["id"] for row in rows] == drill_ids()
    for row in rows:
        assert isinstance(row["title"], str)
        assert row["rounds"]
        assert set(row["rounds"]) <= set(round_ids())
        assert row["requirements"]
        assert (row["due"], row["last"]) == (None, None)


def test_the_list_by_round_shows_the_last_result_and_what_is_due(voiceprep: Program, recordings: Path) -> None:
    taken(recordings, "2026-01-01T09:00:00Z", VAGUE)
    taken(recordings, "2026-01-02T09:00:00Z", GOOD, plan=TakePlan("why-here"))
    ran = voiceprep("drill")
    assert all(f"\n{name}\n" in f"\n{ran.stdout}" for name in {r for one in load_drills().values() for r in one.rounds})
    line = next(line for line in ran.stdout.splitlines() if "headline-30" in line)
    assert line.split()[-1] == "due"
    assert "not yet" in line
    due = voiceprep("drill", "--due", "--json").document["drills"]
    assert {row["id"] for row in due} == {"headline-30", "why-here"}
    assert [row["due"] for row in due] == sorted(row["due"] for row in due)
    assert "headline-30" in voiceprep("drill", "--due").stdout


def test_the_drills_of_one_round(voiceprep: Program) -> None:
    rows = voiceprep("drill", "--round", "gpu-technical", "--json").document["drills"]
    assert rows
    assert all("gpu-technical" in row["rounds"] for row in rows)
    assert voiceprep("drill", "--round", "nope").code == 2


def test_nothing_is_due_at_first(voiceprep: Program) -> None:
    assert voiceprep("drill", "--due", "--json").document == {"drills": [], "questions": []}
    assert "Nothing is due" in voiceprep("drill", "--due").stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nope",), "there is no drill 'nope'"),
        (("headline-30", "--prompt", "99"), "has no prompt 99"),
        (("headline-30", "--retake"), "there is no take"),
        (("headline-30", "--resume"), "no take of headline-30 was broken off"),
        (("headline-30", "--rate", "superb"), "--rate superb is no grade"),
        (("headline-30", "--rate", "good"), "there is no take"),
        (("headline-30", "--prompt", "1", "--retake"), "exclude each other"),
        (("headline-30", "--pace", "slow"), "neither live nor fast"),
        (("--retake",), "needs a drill's id"),
    ],
)
def test_wrong_usage_is_told_before_anything_is_opened(voiceprep: Program, arguments: tuple[str, ...], said: str) -> None:
    ran = voiceprep("drill", *arguments)
    assert ran.code == 2
    assert said in ran.stderr


def test_a_second_drill_in_the_same_folder_is_refused(voiceprep: Program, recordings: Path) -> None:
    with drills.alone(recordings):
        ran = voiceprep("drill", "headline-30", "--mic", "none.wav", "--json")
    assert ran.code == 2
    assert "another drill is being held" in ran.stderr


def test_the_user_grades_a_take(voiceprep: Program, recordings: Path) -> None:
    kept = taken(recordings, FIRST, VAGUE)
    ran = voiceprep("drill", "headline-30", "--rate", "easy")
    assert ran.code == 0
    assert kept.session in ran.stdout
    assert voiceprep("progress", "--json").document["due"][0]["grade"] == "easy"


# --- what came of a take ----------------------------------------------------------------------------------------------------


def test_a_result_says_what_was_measured_and_in_whose_words(recordings: Path) -> None:
    told = shown(page(taken(recordings, FIRST, GOOD)))
    assert "The shape of the answer" in told
    assert "at most 45.0 s" in told
    assert '"It has three levels' in told
    assert "thinking" in told


def test_two_takes_side_by_side(recordings: Path) -> None:
    told = shown(side_by_side(compare(taken(recordings, FIRST, VAGUE), taken(recordings, SECOND, GOOD))))
    assert "better" in told
    assert "added:" in told


def test_what_is_missing_is_called_by_what_was_asked_for(recordings: Path) -> None:
    """Not by the ids that were listened for."""
    told = shown(side_by_side(compare(taken(recordings, FIRST, GOOD), taken(recordings, SECOND, VAGUE))))
    assert "still missing: The shape of the answer within thirty seconds" in " ".join(told.split())
    assert "headline or" not in told


def test_a_result_as_json(recordings: Path) -> None:
    made = result_document(taken(recordings, FIRST, GOOD))
    assert made["times"]["thinking"] == pytest.approx(1.0)
    assert {one["id"] for one in made["criteria"]} >= {"headline", "yield"}


# --- one take after the other -----------------------------------------------------------------------------------------------


class Terminal(io.StringIO):
    """Somebody sits there."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def at_a_terminal(recordings: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], list[TakePlan]]:
    """Run `drill ID` with takes on paper and these keys pressed after them; the takes that were held."""

    def run(drill_id: str, keys: str) -> list[TakePlan]:
        held: list[TakePlan] = []
        pressed = iter(keys)

        async def hold(plan: Plan, settings: Any, places: Any, *more: Any, **named: Any) -> Held:
            assert plan.take is not None
            held.append(plan.take)
            kept = taken(places.recordings, f"2026-12-01T09:{len(held):02}:00Z", GOOD, plan=plan.take)
            return Held(Result(kept.session, places.recordings / kept.session, "completed"), kept)

        async def no_recogniser(*_: Any) -> None:
            return None

        monkeypatch.setattr("voiceprep.live.drill.hold", hold)
        monkeypatch.setattr("voiceprep.speech.stt.opening.open_recogniser", no_recogniser)
        monkeypatch.setattr("click.getchar", lambda: next(pressed))
        monkeypatch.setattr(sys, "argv", ["voiceprep", "drill", drill_id, "--speaker", "none"])
        monkeypatch.setattr(sys, "stdin", Terminal())
        monkeypatch.setattr(sys, "stdout", Terminal())
        with pytest.raises(SystemExit) as end:
            main.run()
        assert end.value.code == 0
        return held

    return run


def test_one_key_holds_the_same_prompt_again_without_what_the_drill_asks_for(
    at_a_terminal: Callable[[str, str], list[TakePlan]],
) -> None:
    held = at_a_terminal("headline-30", "rrq")
    assert held == [TakePlan("headline-30", 1), *[TakePlan("headline-30", 1, brief=True)] * 2]


def test_another_key_holds_the_drill_that_is_suggested(at_a_terminal: Callable[[str, str], list[TakePlan]]) -> None:
    first, second = at_a_terminal("headline-30", "nq")
    assert first.drill == "headline-30"
    assert second.drill in drill_ids()
    assert second.drill != "headline-30"


# --- the countdown ----------------------------------------------------------------------------------------------------------


def scene_at(seconds: float, *, said_for: float = 60.0) -> tuple[Card, Scene, Table]:
    made = drill(
        prompt(step("one")),
        parts=(part("first", 20.0), part("second", 40.0, "metric")),
        marks=(mark("half", 30.0), mark("now", 50.0, spoken=True)),
    )
    content = drill_content(made)
    table = Table(content)
    table.start()
    table.run(until=5.0)
    table.say(6.0, 6.0 + said_for, "we measured it " * 20)
    table.run(until=6.0 + seconds)
    scene = Scene()
    for event in table.log:
        scene = follow(scene, event)
    scene = replace(scene, now=6.0 + seconds)
    return Card.of(content.round, "en", coach=True, drill=content.drill), scene, table


def test_what_is_left_stands_large() -> None:
    card, scene, _ = scene_at(15.0)
    assert card.drill is not None
    assert scene.drill_began == pytest.approx(6.0)
    told = shown(countdown(card.drill, scene))
    for row in large("0:45"):
        assert row in told
    assert "of 1:00" in told
    assert "│" in told


def test_time_stands_still_until_the_first_word_and_runs_over_at_the_end() -> None:
    made = drill()
    waiting = shown(countdown(made, Scene(now=30.0)))
    assert "begins with your first word" in waiting
    assert large("1:00")[0] in waiting
    over = Scene(now=75.0, drill_began=5.0)
    assert large("+0:10")[0] in shown(countdown(made, over))


def test_a_step_has_a_countdown_of_its_own() -> None:
    clock = ClockStarted(at=40.0, step="one", media=40.0, budget=20.0, limit=0.0)  # type: ignore[arg-type]
    scene = Scene(now=45.0, drill_began=5.0, clock=clock)
    told = shown(countdown(drill(prompt(step("one"))), scene))
    assert large("0:15")[0] in told
    assert "of 0:20" in told


def test_a_cue_is_shown_for_a_moment() -> None:
    card, scene, _ = scene_at(32.0)
    assert "half" in shown(frame(card, scene))
    card, scene, _ = scene_at(40.0)
    assert "▸ half" not in shown(frame(card, scene))


def test_plain_lines_tell_cues_with_their_marks() -> None:
    card, _, table = scene_at(55.0)
    out = Console(file=io.StringIO(), width=120)
    screen = PlainScreen(card, out)
    for event in table.log:
        screen.show(event)
    file = out.file
    assert isinstance(file, io.StringIO)
    assert "[0:30] half" in file.getvalue()
    assert "[0:50] now" in file.getvalue()


def test_every_letter_of_a_time_has_three_rows_of_one_width() -> None:
    for letter in "0123456789:+":
        assert len({len(row) for row in GLYPHS[letter]}) == 1
        assert len(GLYPHS[letter]) == 3


# --- progress ---------------------------------------------------------------------------------------------------------------


def test_progress_of_somebody_who_has_not_begun(voiceprep: Program) -> None:
    assert "Nothing was practised yet" in voiceprep("progress").stdout
    document = voiceprep("progress", "--json").document
    assert document["ledger"]["share"] is None
    assert document["schema"] == 1


def test_progress_shows_takes_and_where_the_time_went(voiceprep: Program, recordings: Path) -> None:
    taken(recordings, FIRST, VAGUE)
    taken(recordings, SECOND, GOOD)
    assert "targeted: 100% of " in (little := voiceprep("progress").stdout)
    assert "too little to judge" in little
    assert voiceprep("progress", "--add", "30", "--what", "reading").code == 0
    assert voiceprep("progress", "--add", "30", "--what", "mock with a friend", "--round", "gpu-technical").code == 0
    ran: Ran = voiceprep("progress")
    spent = ran.stdout.partition("Where the time went")[2]
    rows = [line.split()[0] for line in spent.splitlines() if "█" in line]
    assert rows == ["gpu-technical", "headline-30", "untargeted"]  # not the rounds that the drill trains: none was held
    assert "targeted: 5" in ran.stdout
    document = voiceprep("progress", "--json").document
    assert [len(one["takes"]) for one in document["drills"]] == [2]
    assert "too little to judge" not in ran.stdout
    assert 0.5 < document["ledger"]["share"] < 0.6


@pytest.mark.parametrize("arguments", [("--add", "0"), ("--add", "nan"), ("--add", "10", "--round", "nope"), ("--what", "x")])
def test_progress_refuses_what_it_cannot_keep(voiceprep: Program, recordings: Path, arguments: tuple[str, ...]) -> None:
    assert voiceprep("progress", *arguments).code == 2
    assert not (recordings / "practice.jsonl").exists()


def test_small_charts() -> None:
    assert spark([0.0, 0.5, 1.0], 1.0).plain == "▁▅█"
    assert spark([0.0], 0.0).plain == "▁"
    assert hours(65 * 60) == "1 h 05 min"
    assert hours(100) == "1:40"


def test_the_help_names_both(voiceprep: Program) -> None:
    assert "drill" in voiceprep("--help").stdout
    assert "--due" in voiceprep("drill", "--help").stdout
