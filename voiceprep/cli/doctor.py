"""`voiceprep doctor`: what a session needs, and what to do about what is missing."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from voiceprep.cli.output import console, messages, print_json
from voiceprep.config import load, places
from voiceprep.errors import MissingError, UsageError
from voiceprep.live.doctor import Check, run_checks


def doctor(
    sound: Annotated[
        bool, typer.Option("--sound", help="Measure the echo: three seconds of soft noise from your speaker.")
    ] = False,
    report: Annotated[
        bool, typer.Option("--report", help="Write one file for a bug report, without a word of yours; say where.")
    ] = False,
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="With --report: where to; - prints it.", show_default=False)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Check everything a session needs, and say how to mend what is not right.

    Ends with 3 when a session is impossible. A missing microphone or voice is told, but a session can do without.

    --report writes versions, settings, devices, these checks, the last lines of the program's own log, and counts and times of
    the last session: no words, no keys, no names of folders or of you. Look at it before you send it.
    """
    if file is not None and not report:
        raise UsageError("a file is only for a report", code="bad-argument", hint=f"voiceprep doctor --report {file}")
    checks = run_checks(load(), sound=True) if sound else run_checks(load())
    if report:
        _report(checks, file)
        return
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


def _report(checks: list[Check], file: Path | None) -> None:
    from voiceprep.cli.sessions import write_new
    from voiceprep.live.report import report as report_of

    whole = json.dumps(report_of(load(), places(), checks), ensure_ascii=False, indent=1) + "\n"
    if file == Path("-"):
        sys.stdout.write(whole)
        return
    path = file or Path(f"voiceprep-report-{datetime.now(UTC):%Y%m%d-%H%M%S}.json")
    write_new(path, whole, force=False)
    messages().print(f"Written to {path}. Look at it before you send it.", markup=False, soft_wrap=True)


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
