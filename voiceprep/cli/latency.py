"""`voiceprep latency`: where the wait for each reply of a session went."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from voiceprep.cli.output import console, messages, print_json
from voiceprep.cli.sessions import AsJson, Id, open_archive
from voiceprep.core.text import mmss
from voiceprep.core.units import Seconds
from voiceprep.review.latency import STEPS, Reply, figures, leading_in, replies

WIDTH = 40
"""Characters of the longest bar."""
COLOURS = dict(zip(STEPS, ("blue", "cyan", "magenta", "green", "yellow", "red"), strict=True))

Each = Annotated[bool, typer.Option("--each/--no-each", help="Show every reply, not only what is usual.")]


def latency(session: Id, each: Each = True, as_json: AsJson = False) -> None:
    """How long you waited for each reply, and for what: end of turn, recogniser, interviewer, voice, speaker.

    All from the session's log, from your last sound to the interviewer's first audible one; nothing is measured anew. A session
    that listened to a recording stood still while it computed: its recogniser and its voice then cost nothing.
    """
    archive = open_archive()
    folder = archive.find(session)
    header, events = archive.read(folder.name)
    found = replies(events, leading_in(folder))
    if as_json:
        print_json({"schema": 1, "session": folder.name, "clock": header.clock, **figures(found)})
    elif not found:
        messages().print("The interviewer answered nothing in this session.", markup=False)
    else:
        _show(found, figures(found), each=each)


def _show(found: list[Reply], told: dict[str, Any], *, each: bool) -> None:
    from rich.table import Table
    from rich.text import Text

    usual = Table(box=None, header_style="bold")
    for title in ("step", "p50", "p95", ""):
        usual.add_column(title, justify="left" if title in {"step", ""} else "right", no_wrap=True)
    longest = max((step["p50"] or 0.0 for step in told["breakdown"].values()), default=0.0)
    for step, figure in told["breakdown"].items():
        length = round(WIDTH * (figure["p50"] or 0.0) / longest) if longest else 0
        usual.add_row(step.replace("_", " "), _s(figure["p50"]), _s(figure["p95"]), Text("█" * length, style=COLOURS[step]))
    gap = told["response_gap"]
    usual.add_row(Text("all", style="bold"), _s(gap["p50"]), _s(gap["p95"]), Text(f"of {gap['n']} replies", style="dim"))
    console().print(usual)
    if each:
        console().print(_replies(found))


def _replies(found: list[Reply]) -> Any:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, header_style="bold")
    for title in ("at", "move", "wait", ""):
        table.add_column(title, justify="right" if title in {"at", "wait"} else "left", no_wrap=True)
    longest = max(reply.total for reply in found) or 1.0
    for reply in found:
        bar = Text()
        for step in STEPS:
            bar.append("█" * round(WIDTH * (getattr(reply, step) or 0.0) / longest), style=COLOURS[step])
        move = f"{reply.move} (by key)" if reply.reason == "handed-over" else reply.move
        table.add_row(mmss(reply.media), move, _s(reply.total), bar)
    return table


def _s(value: Seconds | None) -> str:
    return "?" if value is None else f"{value:.2f} s"
