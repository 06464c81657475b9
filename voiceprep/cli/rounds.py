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
from voiceprep.content import Problem, check_all, load_content, load_rounds
from voiceprep.core.pack import RoundPack
from voiceprep.errors import BadInputError

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
    packs = load_rounds()
    if as_json:
        print_json({"rounds": [_summary(pack) for pack in packs.values()]})
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("Round", "Minutes", "Interviewer", "What it tests"):
        table.add_column(heading, overflow="fold", no_wrap=heading == "Minutes")
    for pack in packs.values():
        interviewer = f"{pack.persona.name['en']}, {pack.persona.role['en']}"
        name = f"[bold]{pack.id}[/]\n{escape(pack.title['en'])}\n{escape(pack.title['zh'])}"
        table.add_row(name, _minutes(pack), escape(interviewer), escape(f"{pack.tests['en']}\n{pack.tests['zh']}\n"))
    out = console()
    out.print(table)
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
    problems = [*check_all(), *_other_files()]
    if as_json:
        print_json({"ok": not problems, "problems": [_problem(problem) for problem in problems]})
    else:
        out = console()
        for problem in problems:
            out.print(escape(str(problem)), soft_wrap=True)
    if problems:
        raise BadInputError(_count(problems), code="bad-pack", hint="docs/adding-a-round.md says what a file must hold")
    if not as_json:
        messages().print("All rounds, interviewers and rubrics are in order.")


@rounds_app.command()
def show(
    round_id: Annotated[str, typer.Argument(metavar="ID", help="A round's id, as voiceprep rounds lists it.")],
    as_json: AsJson = False,
) -> None:
    """Print the map of one round: sections with their budgets, questions, interviewer, where it comes from."""
    pack = load_content(round_id).round
    if as_json:
        print_json(_map(pack))
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
                out.print(f"    {escape(question.line.phrasings['en'][0])}", soft_wrap=True)
        if section.kind == "reverse":
            out.print(f"  [dim]you ask; {len(pack.answers)} answers are prepared[/]")
    out.print(f"\n[dim]Objections:[/] {', '.join(f'{p.id} ({p.kind})' for p in pack.pushbacks)}", soft_wrap=True)
    out.print(f"[dim]Requirements:[/] {', '.join(pack.requirements)}", soft_wrap=True)
    out.print(f"[dim]Source:[/] {escape(pack.source)}", soft_wrap=True)


def _minutes(pack: RoundPack) -> str:
    low, high = pack.minutes
    return str(low) if low == high else f"{low}-{high}"


def _count(problems: list[Problem]) -> str:
    files = len({problem.file for problem in problems})
    return f"{len(problems)} problem{'s' * (len(problems) > 1)} in {files} file{'s' * (files > 1)} of prompts/ and rubrics/"


def _problem(problem: Problem) -> dict[str, Any]:
    return {"file": problem.file, "key": problem.key, "line": problem.line, "reason": problem.reason}


def _summary(pack: RoundPack) -> dict[str, Any]:
    return {
        "id": pack.id,
        "title": dict(pack.title),
        "minutes": list(pack.minutes),
        "interviewer": _interviewer(pack),
        "tests": dict(pack.tests),
    }


def _interviewer(pack: RoundPack) -> dict[str, Any]:
    return {"id": pack.persona.id, "name": dict(pack.persona.name), "role": dict(pack.persona.role)}


def _map(pack: RoundPack) -> dict[str, Any]:
    sections = [
        {
            "id": section.id,
            "title": dict(section.title),
            "kind": section.kind,
            "budget": section.budget,
            "source": section.source,
            "questions": [
                {
                    "id": question.id,
                    "kind": question.kind,
                    "text": {tongue: phrasings[0] for tongue, phrasings in question.line.phrasings.items()},
                    "targets": list(dict.fromkeys(point.target for point in question.points)),
                }
                for question in pack.questions
                if question.section == section.id
            ],
        }
        for section in pack.sections
    ]
    return {
        **_summary(pack),
        "sections": sections,
        "pushbacks": [{"id": pushback.id, "kind": pushback.kind, "when": list(pushback.when)} for pushback in pack.pushbacks],
        "requirements": list(pack.requirements),
        "source": pack.source,
    }
