"""`voiceprep doctor`: what a session needs, and what to do about what is missing."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from voiceprep.cli.output import console, print_json
from voiceprep.config import load
from voiceprep.errors import MissingError
from voiceprep.live.doctor import Check, run_checks


def doctor(
    sound: Annotated[
        bool, typer.Option("--sound", help="Measure the echo: three seconds of soft noise from your speaker.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Check everything a session needs, and say how to mend what is not right.

    Ends with 3 when a session is impossible. A missing microphone or voice is told, but a session can do without.
    """
    checks = run_checks(load(), sound=True) if sound else run_checks(load())
    if as_json:
        print_json({"checks": [asdict(check) for check in checks]})
    else:
        _show(checks)
    if lacking := [check for check in checks if check.needed and not check.ok]:
        raise MissingError(
            f"no session is possible yet: {', '.join(check.name for check in lacking)}",
            code="not-ready",
            hint=lacking[0].fix,
        )


def _show(checks: list[Check]) -> None:
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, show_header=False, pad_edge=False)
    for check in checks:
        mark = "[green]✓[/]" if check.ok else "[red]✗[/]" if check.needed else "[yellow]![/]"
        table.add_row(mark, check.name, escape(check.detail))
        if not check.ok and check.fix:
            table.add_row("", "", f"[bold]→ {escape(check.fix)}[/]")
    console().print(table)
