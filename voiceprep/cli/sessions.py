"""`voiceprep sessions`, `replay`, `delete`: the archive."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from voiceprep.cli.output import console, messages, one_line, print_json
from voiceprep.config import load, places
from voiceprep.core.events import Event
from voiceprep.core.interviewer.loop import Seat
from voiceprep.core.text import mmss, paragraphs, text_of
from voiceprep.core.timeline import Timeline, Turn, fold
from voiceprep.errors import UsageError, VoiceprepError
from voiceprep.exporters import json_document
from voiceprep.exporters.gathering import as_corrected
from voiceprep.intake.backing import backings_of, flagged
from voiceprep.review.consistency import across, told
from voiceprep.review.page import annotations_of
from voiceprep.review.results import keep_missing_results
from voiceprep.store import loops, retention
from voiceprep.store.archive import Archive
from voiceprep.store.folder import is_running
from voiceprep.store.header import Header
from voiceprep.store.recovery import recover
from voiceprep.store.summary import Summary

Id = Annotated[str, typer.Argument(metavar="ID", help="An id that `voiceprep sessions` prints, or latest.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]

SHOWN_PAUSE = 2.0
"""Seconds from which a silence is worth a line of the replay."""


def sessions(
    expire: Annotated[
        bool, typer.Option("--expire", help="Show which would be deleted by their age (keep_days); deletes none.")
    ] = False,
    days: Annotated[int | None, typer.Option(min=1, help="With --expire: as if keep_days were this.")] = None,
    as_json: AsJson = False,
) -> None:
    """The sessions you have recorded, newest first.

    A session that a crash left unfinished is finished first; nothing that was recorded is lost.
    """
    archive = open_archive()
    if expire:
        _would_expire(archive.recordings, load()["keep_days"] if days is None else days, as_json=as_json)
        return
    found = archive.list()
    if as_json:
        print_json({"sessions": [_row(session) for session in found]})
    elif not found:
        messages().print("No sessions yet. Record one with: voiceprep practice ROUND", markup=False)
    elif console().is_terminal:
        _print_table(found)
    else:
        for session in found:
            fields = (
                session.id,
                session.round or session.drill or "-",
                session.started,
                mmss(session.duration),
                session.ended or "running",
            )
            sys.stdout.write("\t".join(one_line(field) for field in fields) + "\n")


def _would_expire(recordings: Path, days: int, *, as_json: bool) -> None:
    found = retention.expired(recordings, days)
    if as_json:
        print_json({"keep_days": days, "sessions": [_row(session) for session in found]})
        return
    if not days:
        messages().print("Sessions are kept until you delete them: keep_days is 0. Try: --expire --days 90", markup=False)
    elif not found:
        messages().print(f"None is older than {days} days without a star.", markup=False)
    for session in found:
        sys.stdout.write(f"{one_line(session.id)}\t{one_line(session.started)}\t{mmss(session.duration)}\n")


def replay(session: Id, as_json: AsJson = False) -> None:
    """Read a session again: who said what and when, with the silences and the flags.

    All times are places in the recording. --json prints all that is known of the session, as `export --to json` does.
    """
    archive = open_archive()
    header, events = archive.read(session)
    claims = backings_of(archive.find(session), header, events)
    timeline = flagged(fold(events), claims)
    with suppress(VoiceprepError):  # spoiled notes: all else of the session is still worth reading
        timeline = as_corrected(timeline, annotations_of(archive.find(session))[0].history().annotations)
    if as_json:
        print_json(json_document.document(header, timeline, claims))
    else:
        _print_replay(header, timeline)


def consistency(
    session: Annotated[list[str] | None, typer.Argument(metavar="[ID]...", help="Which sessions; all without any.")] = None,
    as_json: AsJson = False,
) -> None:
    """What you told twice, differently: within a session and from one to the next.

    Figures, dates, who decided, and why this company. Each with both quotes, their places in the recordings, and no verdict:
    you may have been right both times. Only what is clearly about the same thing is compared.
    """
    archive = open_archive()
    if session:
        each = [archive.read(name) for name in dict.fromkeys(archive.find(name).name for name in session)]
    else:
        each = list(_readable(archive))
    read = sorted(each, key=lambda found: (found[0].started, found[0].id))
    found = across([told(header, events) for header, events in read])
    if as_json:
        print_json({"sessions": [header.id for header, _ in read], "differences": [one.document() for one in found]})
    elif not found:
        messages().print(f"Nothing was found to be told differently in {len(read)} sessions.", markup=False)
    for one in found if not as_json else ():
        first, second = one.difference.first, one.difference.second
        sys.stdout.write(f"{one_line(one.difference.kind)}\n")
        for name, claim in ((one.first_session, first), (one.second_session, second)):
            sys.stdout.write(f"  {mmss(claim.start)}-{mmss(claim.end)}  {one_line(name)}  {one_line(claim.quote)}\n")


def delete(session: Id, yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False) -> None:
    """Delete a session for good: its audio, its log, everything. Asks first."""
    archive = Archive(places().recordings)
    name = archive.find(session).name
    seat = loops.seat_in(archive.recordings / name)
    if seat is not None:
        messages().print(_goes_too(seat), markup=False, soft_wrap=True)
    if not yes:
        if not sys.stdin.isatty():
            raise UsageError(f"nobody can be asked whether to delete {name}", code="not-confirmed", hint="Add --yes to be sure")
        typer.confirm(f"Delete {name} with its audio, for good?", abort=True, err=True)
    retention.delete(places(), name)
    messages().print(f"Deleted {name}", markup=False, soft_wrap=True)


def _goes_too(seat: Seat) -> str:
    """What else a session takes with it: a loop is its sessions, and nothing else remembers them."""
    return (
        f"It is round {seat.number} of your loop {seat.run}. Its verdict, its labels and the bar it raised go with it: "
        f"`voiceprep loop next --run {seat.run}` will hold that round again."
    )


def _readable(archive: Archive) -> Iterator[tuple[Header, tuple[Event, ...]]]:
    """Every session of the user's, newest first. One that cannot be read is left out, which is said."""
    for session in archive.list():
        try:
            head, events = archive.read(session.id)
            if not head.demonstration:
                yield head, events
        except VoiceprepError as error:  # spoiled, or deleted just now
            messages().print(one_line(f"Left out {session.id}: {error.message}"), markup=False, soft_wrap=True)


def open_archive() -> Archive:
    """The archive, after what a crash left has been finished, which is said on stderr."""
    recordings = places().recordings
    for report in recover(recordings):
        if report.outcome == "recovered":
            keep_missing_results(recordings / report.id)
            told = f"Recovered {report.id}, which had been interrupted: {mmss(report.seconds)} of audio"
        else:
            told = f"Could not recover {report.id}: {one_line(report.message)}"
        messages().print(told, markup=False, soft_wrap=True)
    return Archive(recordings)


def tell_if_running(folder: Path) -> None:
    """Of a session that a live one still holds, that what is shown is not all of it."""
    if is_running(folder):
        messages().print("This session is still running: this is what there is of it so far.", markup=False, soft_wrap=True)


def _row(session: Summary) -> dict[str, Any]:
    return {
        "id": session.id,
        "round": session.round,
        "drill": session.drill,
        "started": session.started,
        "duration": session.duration,
        "ended": session.ended,
        "title": session.title,
        "persona": session.persona,
        "language": session.language,
    }


def _print_table(found: tuple[Summary, ...]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, header_style="bold")
    for title in ("session", "what", "started", "length", "language", "ended"):
        table.add_column(title, no_wrap=title in {"session", "started"}, justify="right" if title == "length" else "left")
    for session in found:
        cells = (
            session.id,
            session.title,
            _local(session.started),
            mmss(session.duration),
            session.language,
            session.ended or "running",
        )
        table.add_row(*(Text(one_line(cell)) for cell in cells))
    console().print(table)


def _local(started: str) -> str:
    """The moment on the clock of whoever reads it; what is no moment as it stands."""
    try:
        return f"{datetime.fromisoformat(started).astimezone():%Y-%m-%d %H:%M}"
    except (ValueError, OverflowError):
        return started


def _print_replay(header: Header, timeline: Timeline) -> None:
    from rich.text import Text

    out = console()
    length = f"{mmss(timeline.duration)}, {timeline.ended or 'still running'}"
    out.print(Text(one_line(f"{header.title} · {header.persona} · {length}"), style="bold"), soft_wrap=True)
    for media, label, text in sorted(_moments(timeline, header), key=lambda moment: moment[0]):
        style = {"You": "cyan", "Interviewer": "green", "flag": "bold yellow"}.get(label, "dim")
        line = Text.assemble((f"{mmss(media):>8}  ", "dim"), (f"{label:<12}", style), one_line(text))
        out.print(line, soft_wrap=not out.is_terminal)
    for failure in timeline.failures:
        out.print(Text(one_line(f"{'':8}  {'trouble':<12}{failure.message} ({failure.code})"), style="dim"), soft_wrap=True)


def _moments(timeline: Timeline, header: Header) -> Iterator[tuple[float, str, str]]:
    """Everything with a place in the recording: (place, label, text)."""
    from voiceprep.content.review import load_review
    from voiceprep.core.pack import tongue_of

    for turn in timeline.turns:
        if turn.speaker == "candidate":
            yield from _answer(turn)
    for said in timeline.utterances:
        if said.media is not None and said.heard:
            yield said.media, "Interviewer", said.heard if said.complete else f"{said.heard} - (cut off)"
    for pause in timeline.pauses:
        if pause.duration >= SHOWN_PAUSE:
            yield pause.start, "silence", f"{pause.duration:.1f} s, {pause.kind.replace('_', ' ')}"
    texts = load_review()
    for flag in timeline.flags:
        yield flag.end, "flag", f"{flag.level}: {texts.rule(flag.rule, tongue_of(header.language))}. {flag.advice}"
    for section in timeline.sections:
        yield (
            section.start,
            "section",
            f"{section.section}, planned {mmss(section.budget)}, took {mmss(section.end - section.start)}",
        )
    for gap in timeline.gaps:
        yield gap.start, "lost", f"{gap.end - gap.start:.1f} s were not recorded: {gap.reason}"
    for note in timeline.notes:
        yield note.media, "note", note.text or "marked"


def _answer(turn: Turn) -> Iterator[tuple[float, str, str]]:
    if not turn.words:
        yield turn.start, "You", "(no transcript)"
    for words in paragraphs(turn.words):
        yield words[0].start, "You", text_of(words)


def write_new(path: Path, whole: str | bytes, *, force: bool) -> None:
    """Write a file that must not be there yet, unless `force`; text as UTF-8.

    Raises UsageError (`file-exists`, `output-unwritable`).
    """
    try:
        with path.open("wb" if force else "xb") as file:
            file.write(whole.encode(errors="replace") if isinstance(whole, str) else whole)
    except FileExistsError as error:
        raise UsageError(f"{path} exists", code="file-exists", hint="Add --force to overwrite it") from error
    except OSError as error:
        raise UsageError(f"cannot write to {path}: {error.strerror or error}", code="output-unwritable") from error
