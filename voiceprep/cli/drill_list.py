"""The drills there are, by round, with what is due."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from rich.table import Table
from rich.text import Text

from voiceprep.cli.output import console, print_json
from voiceprep.config import Places
from voiceprep.content.drills import load_drills
from voiceprep.core.drills.pack import Drill
from voiceprep.core.events import Language
from voiceprep.core.pack import Tongue, tongue_of
from voiceprep.core.text import mmss
from voiceprep.errors import UsageError, one_of
from voiceprep.review.questions import schedule_of
from voiceprep.review.takes import kept_takes
from voiceprep.store.drills import Kept
from voiceprep.store.schedule import Due, drill_item


def list_drills(places: Places, language: Language, for_round: str | None, *, due_only: bool, as_json: bool) -> None:

    known = load_drills()
    rounds = sorted({name for one in known.values() for name in one.rounds})
    if for_round is not None and for_round not in rounds:
        raise UsageError(f"there is no round {for_round!r}", code="unknown-round", hint=one_of(for_round, rounds))
    last = {kept.result.drill: kept for kept in kept_takes(places.recordings)}
    due, now = schedule_of(places.recordings), datetime.now(UTC)
    shown = [one for one in known.values() if for_round is None or for_round in one.rounds]
    if due_only:
        shown = sorted((one for one in shown if _is_due(one, due, now)), key=lambda one: due[drill_item(one.id)].due)
    questions = sorted(
        (one for item, one in due.items() if item.startswith("question:") and one.is_due(now)), key=lambda one: one.due
    )
    if as_json:
        drills = [_row(one, last.get(one.id), due, tongue_of(language), now) for one in shown]
        print_json({"drills": drills} | ({"questions": [_question_row(one) for one in questions]} if due_only else {}))
    elif due_only:
        _print_due(shown, questions, due)
    else:
        _print_by_round(shown, [for_round] if for_round is not None else rounds, last, due, tongue_of(language), now)


def _is_due(one: Drill, due: Mapping[str, Due], now: datetime) -> bool:
    standing = due.get(drill_item(one.id))
    return standing is not None and standing.is_due(now)


def _row(one: Drill, kept: Kept | None, due: Mapping[str, Due], tongue: Tongue, now: datetime) -> dict[str, Any]:
    standing = due.get(drill_item(one.id))
    last = (
        {"session": kept.session, "started": kept.started, "passed": kept.result.passed, "complete": kept.complete}
        if kept is not None
        else None
    )
    return {
        "id": one.id,
        "title": one.title[tongue],
        "rounds": list(one.rounds),
        "requirements": list(one.requirements),
        "goal": one.goal[tongue],
        "budget": one.budget,
        "limit": one.limit,
        "prompts": len(one.prompts),
        "due": standing.due if standing is not None else None,
        "is_due": standing is not None and standing.is_due(now),
        "takes": standing.reviews if standing is not None else 0,
        "last": last,
    }


def _question_row(one: Due) -> dict[str, Any]:
    round_id, _, question = one.item.removeprefix("question:").partition("/")
    return {"round": round_id, "question": question, "due": one.due, "last": one.last, "grade": one.grade}


def _print_by_round(
    shown: list[Drill], rounds: list[str], last: Mapping[str, Kept], due: Mapping[str, Due], tongue: Tongue, now: datetime
) -> None:

    out = console()
    for round_id in rounds:
        table = Table.grid(padding=(0, 2))
        for _ in range(2):
            table.add_column(no_wrap=True)
        table.add_column(overflow="fold")
        table.add_column(no_wrap=True)
        table.add_column(no_wrap=True)
        for one in (one for one in shown if round_id in one.rounds):
            passed = last[one.id].result.passed if one.id in last else None
            result = {True: ("passed", "green"), False: ("not yet", "red"), None: ("", "dim")}[passed]
            table.add_row(
                Text(f"  {one.id}", style="bold"),
                mmss(one.budget),
                Text(one.title[tongue]),
                Text(*result),
                _when(one, due, now),
            )
        out.print(f"\n[bold]{round_id}[/]")
        out.print(table)
    out.print("\n[dim]voiceprep drill ID[/] holds one, [dim]voiceprep drill --due[/] lists what is due.")


def _when(one: Drill, due: Mapping[str, Due], now: datetime) -> Text:

    standing = due.get(drill_item(one.id))
    if standing is None:
        return Text("new", style="dim")
    return Text("due", style="bold yellow") if standing.is_due(now) else Text(f"due {standing.due[:10]}", style="dim")


def _print_due(shown: list[Drill], questions: list[Due], due: Mapping[str, Due]) -> None:
    out = console()
    if not shown and not questions:
        out.print("Nothing is due. [dim]voiceprep drill[/] lists all drills.")
    for one in shown:
        out.print(f"{due[drill_item(one.id)].due[:10]}  [bold]{one.id}[/]  voiceprep drill {one.id}", soft_wrap=True)
    for standing in questions:
        row = _question_row(standing)
        out.print(f"{row['due'][:10]}  [bold]{row['question']}[/]  voiceprep practice {row['round']}", soft_wrap=True)
