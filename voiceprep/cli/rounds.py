"""`voiceprep rounds`: which rounds there are, whether their files are in order, and the map of one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from voiceprep.cli.output import console, messages, print_json
from voiceprep.config import load
from voiceprep.content import Problem, check_all, finished_rounds, load_content
from voiceprep.content.maps import lens_of, map_of, summary_of
from voiceprep.core.interviewer.lens import Lens, own_points, through
from voiceprep.core.pack import RoundPack, Tongue, tongue_of
from voiceprep.errors import BadInputError, UsageError

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]

rounds_app = typer.Typer(
    add_completion=False, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]}
)


@rounds_app.callback()
def rounds(context: typer.Context, as_json: AsJson = False) -> None:
    """List the rounds: who asks, about what, for how long.

    voiceprep rounds show ID prints the map of one round, voiceprep rounds check looks for mistakes in the files.
    """
    if context.invoked_subcommand is not None:
        return
    packs, unfinished = finished_rounds()
    if as_json:
        broken = [_problem(problem) for problems in unfinished.values() for problem in problems]
        print_json({"rounds": [summary_of(pack) for pack in packs.values()], "problems": broken})
        return
    tongue = tongue_of(load()["language"])
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("Round", "Minutes", "Interviewer", "What it tests"):
        table.add_column(heading, overflow="fold", no_wrap=heading in {"Round", "Minutes"})  # an id is there to be copied
    for pack in packs.values():
        interviewer = f"{pack.persona.name[tongue]}, {pack.persona.role[tongue]}"
        about = f"[bold]{escape(pack.title[tongue])}[/]"
        tests = escape(f"{pack.tests[tongue]}\n")
        table.add_row(f"[bold]{pack.id}[/]", _minutes(pack), escape(interviewer), f"{about}\n{tests}")
    out = console()
    out.print(table)
    for round_id, problems in unfinished.items():
        told = f"{round_id} cannot be held yet: {_count(problems)}; voiceprep rounds check lists them"
        messages().print(told, style="yellow", markup=False, soft_wrap=True)
    out.print("\n[dim]voiceprep rounds show ID[/] prints a round's map, [dim]voiceprep practice ID[/] starts it.")


def _other_files() -> Iterator[Problem]:
    """What is wrong with the files under prompts/ that belong to no round: each is read as a session reads it."""
    from voiceprep.config import data_folder
    from voiceprep.live.candidate import read_script
    from voiceprep.speech.stt.prompts import read_prompts
    from voiceprep.speech.tts.ear.lexicon import lexicon

    folder = data_folder("prompts")
    readers: dict[Path, Callable[[], object]] = {
        folder / "pronunciation.toml": lexicon,
        folder / "recogniser.toml": read_prompts,
    }
    for path in sorted((folder / "demo").glob("*.toml")):
        readers[path] = partial(read_script, path, "en")
    for path, read in readers.items():
        try:
            read()
        except BadInputError as error:
            yield Problem(str(path), "", None, error.message)


@rounds_app.command()
def check(as_json: AsJson = False) -> None:
    """Check every file under prompts/ and rubrics/; exit code 4 when something is wrong."""
    from voiceprep.content.drills import check_drills
    from voiceprep.content.lenses import check_lenses
    from voiceprep.content.loops import check_loops
    from voiceprep.content.scoring import check_scoring

    problems = [*check_all(), *_other_files()]
    if not problems:  # loops, lenses and drills name rounds and signals: what is wrong with those is told first
        problems = [*check_lenses(), *check_loops(), *check_drills(), *check_scoring()]
    if as_json:
        print_json({"ok": not problems, "problems": [_problem(problem) for problem in problems]})
    else:
        out = console()
        for problem in problems:
            out.print(escape(str(problem)), soft_wrap=True)
    if problems:
        raise BadInputError(_count(problems), code="bad-pack", hint="docs/adding-a-round.md says what a file must hold")
    if not as_json:
        messages().print("All rounds, interviewers, drills and rubrics are in order.")


@rounds_app.command()
def new(
    round_id: Annotated[str, typer.Argument(metavar="ID", help="The new round's id: lower case, digits and hyphens.")],
    persona: Annotated[
        str | None, typer.Option("--persona", metavar="ID", help="An interviewer that is there; without it one is begun.")
    ] = None,
) -> None:
    """Begin a round: a file for it, and one for its interviewer, with every text that is to be written marked TODO."""
    from voiceprep.content.scaffold import begin_round

    for path in begin_round(round_id, persona):
        messages().print(f"wrote {escape(str(path))}", soft_wrap=True)
    messages().print("Write what is marked TODO; voiceprep rounds check lists what is left, docs/adding-a-round.md explains.")


@rounds_app.command()
def show(
    round_id: Annotated[str, typer.Argument(metavar="ID", help="A round's id, as `voiceprep rounds` lists it.")],
    lens_id: Annotated[
        str | None,
        typer.Option("--lens", metavar="COMPANY", help="What changes when this company asks: anyscale, databricks, ..."),
    ] = None,
    lang: Annotated[str, typer.Option(metavar="en|zh", help="Language of the questions that are printed.")] = "en",
    as_json: AsJson = False,
) -> None:
    """Print the map of one round: sections with their budgets, questions, interviewer, drills, where it comes from."""
    from voiceprep.content.drills import drill_map, drills_of

    if lang not in {"en", "zh"}:
        raise UsageError(f"--lang {lang} is neither en nor zh", code="bad-setting")
    tongue: Tongue = "zh" if lang == "zh" else "en"
    pack = load_content(round_id).round
    lens = None
    if lens_id is not None:
        from voiceprep.content.lenses import load_lens

        lens = load_lens(lens_id)
        pack = through(pack, lens)
    drills = drills_of(round_id)
    if as_json:
        seen = {"lens": lens_of(pack, lens)} if lens is not None else {}
        print_json(map_of(pack) | {"drills": [drill_map(drill) for drill in drills]} | seen)
        return
    out = console()
    out.print(f"[bold]{escape(pack.title['en'])}[/] · {escape(pack.title['zh'])}")
    out.print(f"{pack.id}, {_minutes(pack)} minutes, with {escape(pack.persona.name['en'])}, {escape(pack.persona.role['en'])}")
    out.print(escape(f"{pack.tests['en']}\n{pack.tests['zh']}\n"))
    for section in pack.sections:
        out.print(f"[bold]{escape(section.title['en'])}[/] {section.title['zh']}, {section.budget / 60:g} min", highlight=False)
        for question in pack.questions:
            if question.section == section.id:
                out.print(f"  {question.id} [dim]({escape(question.kind)})[/]", soft_wrap=True)
                out.print(f"    {escape(question.line.phrasings[tongue][0])}", soft_wrap=True)
        if section.kind == "reverse":
            out.print(f"  [dim]you ask; {len(pack.answers)} answers are prepared[/]")
    if lens is not None:
        _print_lens(pack, lens, tongue)
    for drill in drills:
        first = "\n[dim]Drills:[/]" if drill is drills[0] else "       "
        out.print(f"{first} {drill.id} [dim]({_clock(drill.budget)})[/] {escape(drill.title[tongue])}", soft_wrap=True)
    out.print(f"\n[dim]Objections:[/] {', '.join(f'{p.id} ({p.kind})' for p in pack.pushbacks)}", soft_wrap=True)
    out.print(f"[dim]Source:[/] {escape(pack.source)}", soft_wrap=True)
    out.print(f"[dim]Requirements:[/] {', '.join(pack.requirements)}", soft_wrap=True)


def _print_lens(pack: RoundPack, lens: Lens, tongue: Tongue) -> None:
    """What a company's lens changes."""
    out = console()
    out.print(
        f"\n[bold]Through {escape(lens.name['en'])}[/]: {escape(lens.looks_at['en'])} {lens.looks_at['zh']}", soft_wrap=True
    )
    out.print(f"  says with the greeting: {escape(lens.remark.phrasings[tongue][0])}", soft_wrap=True)
    out.print(f"  wants first: {', '.join(lens.weigh)}", soft_wrap=True)
    for point in own_points(pack, lens):
        out.print(f"  asks on top ({point.target}): {escape(point.line.phrasings[tongue][0])}", soft_wrap=True)
        for rung in point.chain:
            out.print(f"    and below it ({rung.target}): {escape(rung.line.phrasings[tongue][0])}", soft_wrap=True)


def _minutes(pack: RoundPack) -> str:
    low, high = pack.minutes
    return str(low) if low == high else f"{low}-{high}"


def _count(problems: list[Problem]) -> str:
    files = len({problem.file for problem in problems})
    return f"{len(problems)} problem{'s' * (len(problems) > 1)} in {files} file{'s' * (files > 1)} of prompts/ and rubrics/"


def _clock(seconds: float) -> str:
    return f"{seconds // 60:.0f}:{seconds % 60:02.0f}"


def _problem(problem: Problem) -> dict[str, Any]:
    return {"file": problem.file, "key": problem.key, "line": problem.line, "reason": problem.reason}
