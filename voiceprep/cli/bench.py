"""`voiceprep bench`: the benchmarks of bench/, each of which prints what it measured on this machine."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from voiceprep.cli.output import console, print_json
from voiceprep.config import CHECKOUT
from voiceprep.errors import BadInputError, MissingError, UsageError, one_of

MODULES = {
    "consistency": "bench.consistency",
    "core": "bench.core",
    "coverage": "bench.coverage",
    "endings": "bench.endings",
    "endurance": "bench.endurance",
    "fillers": "bench.fillers",
    "followups": "bench.coverage",
    "pacing": "bench.pacing",
    "padding": "bench.padding",
    "page": "bench.page",
    "scores": "bench.scores",
    "session": "bench.session",
    "simulated": "bench.simulated.matrix",
    "stt": "bench.stt",
    "text-endings": "bench.text_endings",
    "two-people": "bench.two_people",
    "voice-to-voice": "bench.voice_to_voice",
    "voices": "bench.voices",
}
"""Name of a benchmark -> its module, whose `run` returns what was measured."""


def bench(
    name: Annotated[str, typer.Argument(help=f"One of: {', '.join(MODULES)}.", metavar="NAME")],
    audio: Annotated[
        Path | None, typer.Option(help="Folder of audio files with a manifest.tsv (file, language, transcript).", metavar="DIR")
    ] = None,
    data: Annotated[Path | None, typer.Option(help="Labelled answers, one JSON object a line.", metavar="FILE")] = None,
    minutes: Annotated[
        float | None, typer.Option(help="Minutes of audio (session, page, voice-to-voice, simulated --voiced).", min=0.1)
    ] = None,
    hours: Annotated[
        float | None, typer.Option(help="Hours of interview on the simulated clock (core, endurance).", min=0.01)
    ] = None,
    lang: Annotated[
        str | None, typer.Option(help="Language of the candidate: en, zh, mixed (voice-to-voice, simulated).")
    ] = None,
    pace: Annotated[
        str | None, typer.Option(help="live: on the wall clock; fast: turn-taking alone (voice-to-voice, session, endurance).")
    ] = None,
    part: Annotated[
        str | None, typer.Option(help="Answers to use: dev to tune by, held to report (voice-to-voice, pacing).")
    ] = None,
    lecture: Annotated[bool | None, typer.Option("--lecture", help="Long talks: cut-ins a minute (voice-to-voice).")] = None,
    round_id: Annotated[str | None, typer.Option("--round", help="One round alone (simulated).")] = None,
    candidate: Annotated[str | None, typer.Option(help="One simulated candidate alone (simulated).")] = None,
    bare: Annotated[
        bool | None, typer.Option("--bare", help="Text without marks, as some recognisers write it (padding).")
    ] = None,
    voiced: Annotated[bool | None, typer.Option("--voiced", help="Let the candidates speak (simulated).")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Measure this machine: recogniser, voices, the core, a whole session. Figures hold for this machine and this hour only."""
    given: dict[str, Any] = {"audio": audio, "data": data, "minutes": minutes, "hours": hours}
    given |= {"lang": lang, "pace": pace, "part": part, "lecture": lecture}
    given |= {"round": round_id, "candidate": candidate, "voiced": voiced, "bare": bare}
    for path in (audio, data):
        if path is not None and not path.exists():
            raise BadInputError(f"{path} does not exist", code="no-such-file")
    run = find(name)
    measured = run(**_accepted(name, run, {key: value for key, value in given.items() if value is not None}))
    if as_json:
        print_json(measured)
    else:
        _show(measured)


def find(name: str) -> Callable[..., dict[str, Any]]:
    """The `run` of a benchmark. Raises UsageError for an unknown name, MissingError where bench/ is not installed."""
    if name not in MODULES:
        raise UsageError(f"there is no benchmark {name!r}", code="unknown-bench", hint=one_of(name, MODULES))
    module = MODULES[name]
    if not (CHECKOUT / Path(*module.split(".")).with_suffix(".py")).is_file():
        raise MissingError(
            f"the benchmark {name} is not installed: it lies in the folder bench/ of the source tree",
            code="no-bench",
            hint="run it from a checkout: .venv/bin/voiceprep bench " + name,
        )
    if str(CHECKOUT) not in sys.path:
        sys.path.insert(0, str(CHECKOUT))
    run: Callable[..., dict[str, Any]] = import_module(module).run
    return run


def _accepted(name: str, run: Callable[..., Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The options as this benchmark takes them. One that it does not take, or lacks, is told, not passed over."""
    parameters = inspect.signature(run).parameters
    for option in given:
        if option not in parameters:
            raise UsageError(f"the benchmark {name} has no option --{option}", code="bad-option")
    for parameter in parameters.values():
        needed = parameter.default is parameter.empty and parameter.kind is not parameter.VAR_KEYWORD
        if needed and parameter.name not in given:
            raise UsageError(f"the benchmark {name} needs --{parameter.name}", code="bad-option")
    return dict(given)


def _show(measured: Mapping[str, Any]) -> None:
    """Figures by name; a list of like rows as a table."""
    from rich.table import Table

    for key, value in measured.items():
        if isinstance(value, list) and value and all(isinstance(row, dict) for row in value):
            columns = list(dict.fromkeys(column for row in value for column in row))
            table = Table(title=key, title_justify="left")
            for column in columns:
                # What a row is about is an id to look up; figures may be folded.
                named = column == columns[0] and not any(" " in str(row.get(column, "")) for row in value)
                table.add_column(column, no_wrap=named, overflow="fold")
            for row in value:
                table.add_row(*(_figure(row.get(column, "")) for column in columns))
            console().print(table)
        elif isinstance(value, dict):
            console().print(f"{key}: " + ", ".join(f"{part} {_figure(figure)}" for part, figure in value.items()), markup=False)
        else:
            console().print(f"{key}: {_figure(value)}", markup=False)


def _figure(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
