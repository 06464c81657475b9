"""`voiceprep progress`: how takes, rules and rounds develop, what is due, and where the time went."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from voiceprep.cli.output import console, print_json
from voiceprep.config import places
from voiceprep.content.drills import load_drills
from voiceprep.content.loader import round_ids
from voiceprep.content.scoring import load_scoring
from voiceprep.core.text import mmss
from voiceprep.core.units import Seconds
from voiceprep.errors import UsageError, one_of
from voiceprep.review import trend
from voiceprep.store.codec import rounded
from voiceprep.store.practice_log import MOST_MINUTES, TimeSpent, state

BLOCKS = "▁▂▃▄▅▆▇█"
POINTS = 24
"""Sessions that a small chart shows: the latest."""
SHOWN_DUE = 8
LEVELS = 4.0
TEN_MINUTES: Seconds = 600.0

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Add = Annotated[
    float | None, typer.Option("--add", metavar="MINUTES", help="Note time that you prepared outside of the program.")
]
What = Annotated[str, typer.Option(metavar="TEXT", help="What you did in that time.")]
ForRound = Annotated[
    str, typer.Option("--round", metavar="ROUND", help="The round it was aimed at; without one it was untargeted.")
]


Picture = Annotated[
    Path | None, typer.Option("--picture", metavar="FILE", help="Draw levels, follow-ups survived, flags, pace: .png or .svg.")
]
Dark = Annotated[bool, typer.Option("--dark", help="... on dark paper.")]


def progress(
    add: Add = None,
    what: What = "",
    for_round: ForRound = "",
    picture: Picture = None,
    dark: Dark = False,
    json: AsJson = False,
) -> None:
    """Show how your takes, pacing and rounds develop, what is due, and where your practice time goes.

    Four fifths of it should be targeted: mock interviews, drills, time that you note for a round.

    Example: voiceprep progress --add 45 --what "read about schedulers" --round gpu-technical
    """
    recordings = places().recordings
    if add is not None:
        _note(add, what, for_round)
        return
    if what or for_round:
        raise UsageError("--what and --round go with --add MINUTES", code="bad-setting")
    if picture is not None:
        _draw(picture, dark=dark)
        return
    found = trend.progress(recordings, {name: drill.rounds for name, drill in load_drills().items()})
    if json:
        print_json(document(found))
    else:
        _print(found)


def _draw(file: Path, *, dark: bool) -> None:
    from voiceprep.cli.review import picture_kind, write_picture
    from voiceprep.review.development import development
    from voiceprep.review.progress_picture import progress_picture

    kind = picture_kind(file)
    write_picture(file, progress_picture(development(places().recordings), kind, "dark" if dark else "light"))


def document(found: trend.Progress) -> dict[str, Any]:
    """The trends as JSON: what the page draws. Times in seconds."""
    made: dict[str, Any] = rounded(asdict(found))
    for rule, plain in zip(found.rules, made["rules"], strict=True):
        for point, row in zip(rule.points, plain["points"], strict=True):
            row["per_hour"] = round(point.per_hour, 3)
    made["ledger"]["total"] = round(found.ledger.total, 3)
    return {"schema": 1} | made


def _note(minutes: float, what: str, for_round: str) -> None:
    if not 0 < minutes <= MOST_MINUTES:
        raise UsageError(f"--add {minutes:g} is not a number of minutes within a day", code="bad-setting")
    if for_round and for_round not in round_ids():
        raise UsageError(f"there is no round {for_round!r}", code="unknown-round", hint=one_of(for_round, round_ids()))
    moment = datetime.now(UTC).isoformat(timespec="seconds")
    state(places().recordings, TimeSpent(at=moment, minutes=minutes, what=what, round=for_round))
    console().print(f"noted: {minutes:g} min{f' for {for_round}' if for_round else ', untargeted'}", markup=False)


def _print(found: trend.Progress) -> None:
    out = console()
    if not (found.drills or found.rules or found.rounds or found.ledger.total):
        out.print("Nothing was practised yet. [dim]voiceprep drill[/] lists drills, [dim]voiceprep rounds[/] the rounds.")
        return
    now = datetime.now(UTC)
    for title, table, shown in (
        ("Rounds", _rounds(found.rounds), bool(found.rounds)),
        *((f"What {one.round} judges", _dimensions(one), _judged(one)) for one in found.rounds),
        ("Drills", _drills(found.drills), bool(found.drills)),
        ("Pacing, warnings an hour", _rules(found.rules), bool(found.rules)),
        ("Due" if any(one.is_due(now) for one in found.due) else "Next due", _due(found), bool(found.due)),
        ("Where the time went", _ledger(found.ledger), found.ledger.total >= 1),
    ):
        if shown:
            out.print(f"\n[bold]{title}[/]")
            out.print(table)
    _print_share(found.ledger)


def _rounds(trends: Sequence[trend.RoundTrend]) -> Table:
    table = _table()
    for one in trends:
        levels = [point.level for point in one.points if point.level is not None]
        last = f"level {levels[-1]:.1f}" if levels else "not scored yet"
        count = len(one.points)
        sessions = f"{count} session{'' if count == 1 else 's'}"
        table.add_row(Text(one.round), spark(levels, LEVELS), Text(last), Text(sessions, style="dim"))
    return table


def _judged(trend_: trend.RoundTrend) -> bool:
    return any(point.dimensions for point in trend_.points)


def _dimensions(trend_: trend.RoundTrend) -> Table:
    """Each dimension over the sessions in which it was heard."""
    table = _table()
    for one in load_scoring().dimensions(trend_.round):
        levels = [point.dimensions[one.id] for point in trend_.points if one.id in point.dimensions]
        if levels:
            count = f"heard in {len(levels)} of {len(trend_.points)}"
            table.add_row(
                Text(one.title["en"]), spark(levels, LEVELS), Text(f"level {levels[-1]:.1f}"), Text(count, style="dim")
            )
    return table


def _drills(trends: Sequence[trend.DrillTrend]) -> Table:
    table = _table()
    for one in trends:
        last = one.takes[-1]
        shares = [take.met / take.asked for take in one.takes if take.asked]
        result = {True: ("passed", "green"), False: ("not yet", "red"), None: ("not measured", "yellow")}[last.passed]
        count = f"{len(one.takes)} take{'' if len(one.takes) == 1 else 's'}, {last.met} of {last.asked} met"
        table.add_row(Text(one.drill), spark(shares, 1.0), Text(*result), Text(count, style="dim"))
    return table


def _rules(trends: Sequence[trend.RuleTrend]) -> Table:
    table = _table()
    for one in trends:
        rates = [point.rate for point in one.points if point.rate is not None]
        last = one.points[-1]
        counts = {"notice": last.notices, "warning": last.warnings, "fail": last.fails}
        flags = "last: " + ", ".join(f"{count} {level}{'' if count == 1 else 's'}" for level, count in counts.items())
        table.add_row(
            Text(one.rule.replace("_", " ")),
            spark(rates, max(rates, default=0.0)),
            Text(f"{rates[-1]:.1f}" if rates else "too short for a rate"),
            Text(flags, style="dim"),
        )
    return table


def _due(found: trend.Progress) -> Table:
    table, now = _table(), datetime.now(UTC)
    for one in found.due[:SHOWN_DUE]:
        kind, _, name = one.item.partition(":")
        when = ("due", "bold yellow") if one.is_due(now) else (one.due[:10], "dim")
        table.add_row(Text(name), Text(kind, style="dim"), Text(*when), Text(f"last: {one.grade}", style="dim"))
    return table


def _ledger(found: trend.Ledger) -> Table:
    """Rounds, then drills, as the page has them: each under the name it was held by, so that the lines add up to the total."""
    table = _table()
    parts = [sorted(group.items(), key=lambda item: -item[1]) for group in (found.rounds, found.drills)]
    rows = [*parts[0], *parts[1], *([("untargeted", found.other)] if found.other else [])]
    longest = max((seconds for _, seconds in rows), default=0.0)
    for name, seconds in rows:
        style = "yellow" if name == "untargeted" else "cyan"
        bar = Text("█" * max(1, round(POINTS * seconds / longest)) if longest else "", style=style)
        table.add_row(Text(name), bar, Text(hours(seconds)), Text(""))
    return table


def _print_share(found: trend.Ledger) -> None:
    if found.share is None:
        return
    if found.total < TEN_MINUTES:
        console().print(f"targeted: {found.share:.0%} of {hours(found.total)} (too little to judge yet)")
        return
    enough = found.share >= found.wanted
    verdict = "enough" if enough else f"aim for {found.wanted:.0%}: hold a round or a drill"
    console().print(f"targeted: [{'green' if enough else 'yellow'}]{found.share:.0%}[/] of {hours(found.total)} ({verdict})")


def spark(values: Sequence[float], most: float) -> Text:
    """The latest values as a row of blocks between 0 and `most`."""
    top = len(BLOCKS) - 1
    letters = (BLOCKS[min(top, max(0, round(top * value / most)))] if most > 0 else BLOCKS[0] for value in values[-POINTS:])
    return Text("".join(letters), style="cyan")


def hours(seconds: Seconds) -> str:
    """``1 h 05 min``, ``17 min``, ``7:04``."""
    if seconds < TEN_MINUTES:
        return mmss(seconds)
    minutes = round(seconds / 60)
    return f"{minutes // 60} h {minutes % 60:02} min" if minutes >= 60 else f"{minutes} min"  # noqa: PLR2004 - an hour


def _table() -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    return table
