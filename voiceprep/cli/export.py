"""`voiceprep export`: a session as a file for people or for other programs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from voiceprep.cli.output import messages
from voiceprep.cli.sessions import Id, open_archive, tell_if_running, write_new
from voiceprep.errors import UsageError, one_of
from voiceprep.exporters import EXPORTERS
from voiceprep.exporters.gathering import subject_of
from voiceprep.exporters.redacted import redacted


def export(
    session: Id,
    to: Annotated[str, typer.Option("--to", metavar="FORMAT", help=f"One of: {', '.join(EXPORTERS)}.")] = "markdown",
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Instead of printing it.")] = None,
    redact: Annotated[
        bool, typer.Option("--redact", help="Without names of people and companies, as far as they are recognised; no sound.")
    ] = False,
    redact_also: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="With --redact: this one too. Repeatable.")
    ] = None,
    redact_numbers: Annotated[bool, typer.Option("--redact-numbers", help="With --redact: numbers too.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite FILE if it exists.")] = False,
) -> None:
    """Write a session as a page (markdown, html, pdf), subtitles (vtt, srt), labels (textgrid, audacity) or data (json, csv).

    The HTML page holds its own audio: click a word to hear it, without any network.

    --redact is for showing it to others: names that are introduced in it ("my manager Dana", "I joined Acme"), mail addresses
    and links are taken out wherever they stand. That is an estimate: name others with --redact-also, and read it before you
    pass it on.
    """
    exporter = EXPORTERS.get(to)
    if exporter is None:
        raise UsageError(f"there is no format {to!r}", code="unknown-format", hint=one_of(to, EXPORTERS))
    archive = open_archive()
    subject = subject_of(archive, session)
    tell_if_running(archive.find(session))
    if redact:
        subject = redacted(subject, redact_also or (), figures=redact_numbers)
        messages().print(
            "Names were taken out as far as they were recognised. Read it before you pass it on.", markup=False, soft_wrap=True
        )
    elif redact_also or redact_numbers:
        raise UsageError("say --redact, too", code="bad-argument", hint=f"voiceprep export {session} --to {to} --redact ...")
    with messages().status(f"Writing the {to}"):  # the audio of a long session takes a page a minute
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
