"""`voiceprep intake`: what a CV claims and a job asks for, what would be asked about it, and how to take it away again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from voiceprep.cli.output import console, messages, one_line, print_error, print_json
from voiceprep.config import places
from voiceprep.core.events import Language
from voiceprep.errors import UsageError, VoiceprepError
from voiceprep.intake.claims import unclaimed
from voiceprep.intake.document import read_document
from voiceprep.intake.intake import Intake, as_document, take_in
from voiceprep.intake.kept import forget as forget_in
from voiceprep.intake.lexicon import load_lexicon
from voiceprep.intake.probing import Probe, probes, unasked

LANGUAGES: tuple[Language, ...] = ("en", "zh", "mixed")
ALL = "all"
SHOWN = 12
"""Claims on the page; --json has all of them."""


def intake(
    file: Annotated[Path | None, typer.Argument(metavar="[CV]", help="Text, Markdown, HTML, PDF or Word (.docx).")] = None,
    jd: Annotated[Path | None, typer.Option("--jd", metavar="FILE", help="The job description, in the same formats.")] = None,
    lang: Annotated[str, typer.Option(metavar="en|zh|mixed", help="Language of the session that would be held.")] = "en",
    as_text: Annotated[bool, typer.Option("--text", help="Print the text as it was read, and nothing else.")] = False,
    forget: Annotated[
        str | None,
        typer.Option(metavar="ID|all", help="Take away what was read for a session (or latest, or all); the recording stays."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """What your CV claims, what the job asks for, and the questions that would come of it.

    Nothing is kept and nothing leaves this machine. `voiceprep practice ROUND --cv FILE` holds a round with these questions.

    Example: voiceprep intake cv.pdf --jd job.txt --lang zh
    """
    if forget is not None:
        _forget(forget, as_json=as_json)
        return
    if lang not in LANGUAGES:
        raise UsageError(f"--lang {lang} is none of {', '.join(LANGUAGES)}", code="bad-setting")
    if file is None and jd is None:
        raise UsageError(
            "name a CV, a job description (--jd FILE), or both", code="nothing-given", hint="voiceprep intake cv.pdf"
        )
    if as_text:
        console().print("\n".join(map(one_line, read_document(file or jd or Path()).lines)), markup=False, soft_wrap=True)
        return
    taken = take_in(file, jd)
    asked = probes(taken, lang)
    if as_json:
        print_json(as_document(taken) | {"questions": [_question(probe) for probe in asked]})
    else:
        unread = unclaimed(read_document(file).lines, load_lexicon()) if file is not None else ()
        _print(taken, asked, lang, unread)


def _question(probe: Probe) -> dict[str, Any]:
    lines = next(iter(probe.question.line.phrasings.values()))
    top = probe.question.points[0]
    ladder = [{"target": rung.target, "texts": list(*rung.line.phrasings.values())} for rung in (top, *top.chain)]
    return {"id": probe.of, "kind": probe.asking, "texts": list(lines), "ladder": ladder}


def _print(taken: Intake, asked: tuple[Probe, ...], lang: Language, unread: tuple[str, ...]) -> None:
    from rich.padding import Padding
    from rich.text import Text

    out = console()
    questions = {probe.of: next(iter(probe.question.line.phrasings.values()))[0] for probe in asked}
    if taken.cv is not None:
        out.print(Text(f"Claims, most worth probing first ({len(taken.claims)})", style="bold"))
        for claim in taken.claims[:SHOWN]:
            out.print(Text.assemble((f"{claim.id:>7}  ", "dim"), one_line(claim.text)))
            told = ", ".join(filter(None, [claim.deed, *claim.figures, *(f"speaks to {demand}" for demand in claim.wanted)]))
            out.print(Padding(Text(told, style="dim"), (0, 0, 0, 9)))
            asks = Text(questions[claim.id], style="cyan") if claim.id in questions else Text(unasked(claim, lang), style="dim")
            out.print(Padding(asks, (0, 0, 0, 9)))
        if len(taken.claims) > SHOWN:
            out.print(Text(f"{'':9}and {len(taken.claims) - SHOWN} more (--json has them)", style="dim"))
    if unread:
        count = "1 line was not read as a claim" if len(unread) == 1 else f"{len(unread)} lines were not read as claims"
        out.print(Text(f"{count}: {one_line('; '.join(unread[:SHOWN]))}", style="dim"))
    if taken.demands:
        out.print(Text(f"\nWhat the job asks for ({len(taken.demands)})", style="bold"))
    for demand in taken.demands:
        need = "must" if demand.must else "nice"
        there = "" if taken.cv is None else ", in the CV" if demand.backed else ", not in the CV"
        out.print(Text.assemble((f"{demand.id:>7}  ", "dim"), one_line(demand.text), (f"  ({need}{there})", "dim")))
        if demand.id in questions:
            out.print(Padding(Text(questions[demand.id], style="cyan"), (0, 0, 0, 9)))
    if not asked:
        messages().print("Nothing was found that could be asked about aloud: see what was read with --text.", style="yellow")


def _forget(wanted: str, *, as_json: bool) -> None:
    from voiceprep.store.archive import Archive, sessions_in

    here = places().recordings
    # All means all: one whose log is spoiled, which no list shows, and those that come after one that still runs.
    folders = list(sessions_in(here)) if wanted == ALL else [Archive(here).find(wanted)]
    gone, refused = list[str](), list[VoiceprepError]()
    for folder in folders:
        try:
            if forget_in(folder):
                gone.append(folder.name)
        except VoiceprepError as error:
            refused.append(error)
    if as_json:
        print_json({"forgotten": gone})
    else:
        told = ", ".join(gone) if gone else "nothing: no CV and no job description was kept there"
        messages().print(f"Forgotten: {told}", markup=False, soft_wrap=True)
    for each in refused[1:]:
        print_error(each)
    if refused:
        raise refused[0]
