"""`voiceprep export`: a session as a file for people or for other programs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from voiceprep.cli.output import messages
from voiceprep.cli.sessions import Id, open_archive, write_new
from voiceprep.errors import UsageError
from voiceprep.exporters import EXPORTERS
from voiceprep.exporters.gathering import subject_of


def export(
    session: Id,
    to: Annotated[str, typer.Option("--to", metavar="FORMAT", help=f"One of: {', '.join(EXPORTERS)}.")] = "markdown",
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Instead of printing it.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite FILE if it exists.")] = False,
) -> None:
    """Write a session as a page (markdown, html, pdf), subtitles (vtt, srt), labels (textgrid, audacity) or data (json, csv).

    The HTML page holds its own audio: click a word to hear it, without any network.
    """
    exporter = EXPORTERS.get(to)
    if exporter is None:
        raise UsageError(f"there is no format {to!r}", code="unknown-format", hint=f"choose one of: {', '.join(EXPORTERS)}")
    subject = subject_of(open_archive(), session)
    whole = exporter.render(subject)
    if output is not None:
        write_new(output, whole, force=force)
        messages().print(f"Written to {output}", markup=False, soft_wrap=True)
    elif isinstance(whole, str):
        sys.stdout.write(whole)
    elif sys.stdout.isatty():
        raise UsageError(f"a {to} is not for the terminal", code="no-output", hint=f"Name a file: -o session{exporter.SUFFIX}")
    else:
        sys.stdout.buffer.write(whole)
