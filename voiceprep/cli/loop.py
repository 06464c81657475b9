"""`voiceprep loop`: all rounds of one company, over days, with a committee at the end."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from voiceprep.cli import committee
from voiceprep.cli.output import console, messages, print_json, printable
from voiceprep.config import load as load_settings
from voiceprep.config import places
from voiceprep.content.committee import load_committee
from voiceprep.content.loops import load_loop, loop_ids
from voiceprep.core.interviewer.loop import Loop, Seat
from voiceprep.core.pack import Tongue, tongue_of
from voiceprep.errors import UsageError
from voiceprep.live.passages import packs_of, passage_of
from voiceprep.review import debrief_documents as documents
from voiceprep.review.debrief import Standing, debrief, next_seat
from voiceprep.store import loops

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Which = Annotated[str, typer.Option("--run", metavar="RUN|LOOP", help="Which passage; else the one last worked on.")]
Named = Annotated[str, typer.Argument(metavar="[RUN|LOOP]", help="The same as --run.", show_default=False)]
Lang = Annotated[str | None, typer.Option(metavar="en|zh", help="Language of what is printed; else that of the settings.")]
PASSED_ON = {"allow_extra_args": True, "ignore_unknown_options": True}
"""Whatever is not an option of `loop` goes to `voiceprep practice`."""

loop_app = typer.Typer(
    add_completion=False, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]}
)


@loop_app.callback()
def loop(context: typer.Context, as_json: AsJson = False) -> None:
    """List the loops, and those you have begun.

    A loop is every round of one company in order. A weak round makes the next one harder; one blocking label ends it.
    """
    if context.invoked_subcommand is not None:
        return
    known = [load_loop(name) for name in loop_ids()]
    begun = loops.runs(places().recordings)
    if as_json:
        print_json(
            {
                "loops": [documents.loop_row(one) for one in known],
                "runs": [documents.run_row(run) for run in begun],
            }
        )
        return
    out = console()
    for one in known:
        out.print(f"[bold]{one.id}[/]  {one.title['en']}  {one.title['zh']}", soft_wrap=True)
        out.print(f"    {' → '.join(one.rounds)}", soft_wrap=True)
    for run in begun:
        out.print(f"\nbegun: [bold]{run.id}[/], {run.started[:10]}, last on {run.latest[:10]}")
    out.print(
        "\n[dim]voiceprep loop start LOOP[/] begins one, [dim]voiceprep loop next[/] goes on, [dim]loop status[/] shows it."
    )


@loop_app.command(context_settings=PASSED_ON)
def start(
    context: typer.Context,
    loop_id: Annotated[str, typer.Argument(metavar="LOOP", help="A loop's id; `voiceprep loop` lists them.")],
) -> None:
    """Begin a loop: hold its first round now. All options of `voiceprep practice` go along.

    A loop that was never spoken in does not exist: what there is of it is in its sessions.
    """
    found = load_loop(loop_id)
    seat = Seat(found.id, loops.new_run(found.id, datetime.now(UTC)), 1)
    _play(found, seat, found.rounds[0], 0, context.args)


@loop_app.command(name="next", context_settings=PASSED_ON)
def next_round(context: typer.Context, run: Which = "") -> None:
    """Hold the next round. All options of `voiceprep practice` go along: --mic, --lang, --lens, --mode and the rest."""
    passage, found, places_of = _standing(run)
    following = next_seat(passage, places_of)
    if following is None:
        raise UsageError(
            f"every round of {passage.id} was held",
            code="loop-over",
            hint="voiceprep loop debrief says what the committee says",
        )
    seat, round_id, severity = following
    messages().print(f"Round {seat.number} of {len(found.rounds)}: {round_id}{_harder(severity)}", markup=False)
    _play(found, seat, round_id, severity, context.args)


@loop_app.command()
def status(named: Named = "", run: Which = "", lang: Lang = None, as_json: AsJson = False) -> None:
    """Which rounds were held, when and how strong, and whether the bar was raised."""
    passage, found, places_of = _standing(_one_of(named, run))
    made = debrief(passage, places_of, load_committee(), "en")
    following = next_seat(passage, places_of)
    if as_json:
        print_json(documents.status_document(found, made, following))
    else:
        console().print(committee.picture(found, made, following, packs_of(places_of), load_committee(), _tongue(lang)))


@loop_app.command(name="debrief")
def debrief_command(
    named: Named = "",
    run: Which = "",
    lang: Lang = None,
    to: Annotated[str, typer.Option("--to", metavar="text|markdown|json", help="How it is written.")] = "text",
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Instead of printing it.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite FILE if it exists.")] = False,
    as_json: AsJson = False,
) -> None:
    """What the committee says: a sentence from each interviewer with your words behind it, the decision, what to practise."""
    from voiceprep.cli.sessions import write_new

    if to not in {"text", "markdown", "json"}:
        raise UsageError(f"there is no format {to!r}", code="unknown-format", hint="choose one of: text, markdown, json")
    passage, found, places_of = _standing(_one_of(named, run))
    tongue, words = _tongue(lang), load_committee()
    made = debrief(passage, places_of, words, tongue)
    if as_json or (to == "json" and output is None):
        print_json(documents.document(found, made, packs_of(places_of), words, tongue))
        return
    if to == "text" and output is None:
        console().print(committee.page(found, made, packs_of(places_of), words, tongue))
        return
    if to == "json":
        text = committee.json_text(documents.document(found, made, packs_of(places_of), words, tongue))
    else:
        text = committee.markdown(
            found, made, packs_of(places_of), words, tongue, committee.audio_beside(output, places().recordings)
        )
    if output is None:
        sys.stdout.write(printable(text) if sys.stdout.isatty() else text)
        return
    write_new(output, text, force=force)
    messages().print(f"Written to {output}", markup=False, soft_wrap=True)


def _play(found: Loop, seat: Seat, round_id: str, severity: int, arguments: list[str]) -> None:
    """Hold a round by the practice command itself, then say where the loop stands."""
    from voiceprep.cli.main import load
    from voiceprep.cli.practice import HeldAs

    load("practice").main(
        [round_id, *arguments],
        prog_name="voiceprep practice",
        standalone_mode=False,
        obj=HeldAs(seat, severity, found.lens),
    )
    if "--json" in arguments or {"-h", "--help"} & set(arguments):
        return
    passage, _, places_of = _standing(seat.run)
    following = next_seat(passage, places_of)
    tell = messages()
    if following is None:
        tell.print("That was the last round. The committee: voiceprep loop debrief", markup=False)
    else:
        after, name, harder = following
        if after.number == seat.number and places_of[seat.number - 1].state == "again":
            tell.print(f"Round {seat.number} ended before enough was heard to judge it: it is to be held again.", markup=False)
        tell.print(
            f"Next, today or another day: voiceprep loop next (round {after.number}, {name}{_harder(harder)})", markup=False
        )


def _one_of(named: str, run: str) -> str:
    if named and run and named != run:
        raise UsageError(f"name one passage: {named} or {run}", code="bad-arguments")
    return named or run


def _standing(wanted: str) -> tuple[loops.Run, Loop, tuple[Standing, ...]]:
    """The run that is meant, its loop, and where it stands; what a crash left is finished first."""
    from voiceprep.cli.practice import recover_sessions

    here = places()
    recover_sessions(here)
    if not loops.runs(here.recordings):
        known = " or ".join(f"voiceprep loop start {name}" for name in loop_ids())
        raise UsageError("no loop was begun yet", code="unknown-run", hint=f"Begin one with: {known}")
    return passage_of(here.recordings, wanted)


def _tongue(lang: str | None) -> Tongue:
    if lang not in {None, "en", "zh"}:
        raise UsageError(f"--lang {lang} is neither en nor zh", code="bad-setting")
    return tongue_of(lang or load_settings()["language"])  # type: ignore[arg-type]  # checked just above


def _harder(severity: int) -> str:
    return f", the bar raised by {severity}" if severity else ""
