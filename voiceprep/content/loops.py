"""Loops, files under prompts/loops/, read strictly."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field

from voiceprep.config import data_folder
from voiceprep.content import building
from voiceprep.content.committee import check_committee
from voiceprep.content.fields import Id, Strict, Target, Text, known
from voiceprep.content.lenses import lens_ids
from voiceprep.content.loader import load_rubrics, round_ids
from voiceprep.content.problems import Problem, refuse, shown
from voiceprep.content.reading import read
from voiceprep.content.review import check_review
from voiceprep.content.schema import Both, Demand
from voiceprep.core.interviewer.loop import Label, Loop
from voiceprep.errors import UsageError, one_of


class LabelFile(Strict):
    id: Id
    name: Both
    practise: Both
    traps: list[Target] = Field(default_factory=list)
    flags: list[Annotated[str, known("rules")]] = Field(default_factory=list)
    missing: list[Target] = Field(default_factory=list)
    least: Annotated[int, Field(ge=1)] = 1
    share: Annotated[float, Field(ge=0, le=1)] = 0.0
    rounds: list[Annotated[str, known("rounds")]] = Field(default_factory=list)


class LoopFile(Strict):
    title: Both
    source: Text
    requirements: list[Demand]
    rounds: Annotated[list[Annotated[str, known("rounds")]], Field(min_length=2)]
    lens: Annotated[str, known("lenses")] | None = None
    labels: Annotated[list[LabelFile], Field(min_length=1)]


def loop_ids(prompts: Path | None = None) -> list[str]:
    """The ids of the loops that have a file."""
    return sorted(path.stem for path in _folder(prompts).glob("*.toml"))


def load_loop(loop_id: str, prompts: Path | None = None, rubrics: Path | None = None) -> Loop:
    """The loop of this id. Raises UsageError (`unknown-loop`), or BadInputError (`bad-pack`) with all that is wrong."""
    there = loop_ids(prompts)
    if loop_id not in there:
        raise UsageError(f"there is no loop {loop_id!r}", code="unknown-loop", hint=one_of(loop_id, there))
    loop, problems = _loop(_folder(prompts) / f"{loop_id}.toml", prompts, rubrics)
    refuse(problems)
    assert loop is not None
    return loop


def check_loops(prompts: Path | None = None, rubrics: Path | None = None) -> list[Problem]:
    """Every problem of every loop, and of the committee's and the review's files."""
    paths = sorted(_folder(prompts).glob("*.toml"))
    found = [problem for path in paths for problem in _loop(path, prompts, rubrics)[1]]
    return [*found, *check_committee(prompts, rubrics), *check_review(prompts)]


def _folder(prompts: Path | None) -> Path:
    return (prompts or data_folder("prompts")) / "loops"


def _loop(path: Path, prompts: Path | None, rubrics: Path | None) -> tuple[Loop | None, list[Problem]]:
    common = load_rubrics(rubrics)
    context = {
        "targets": {one.id for one in common.detectors},
        "rounds": set(round_ids(prompts)),
        "lenses": set(lens_ids(prompts)),
        "rules": set(common.pacing),
    }
    file, problems = read(path, LoopFile, context=lambda _: context)
    if file is None:
        return None, problems
    for number, label in enumerate(file.labels):
        if not (label.traps or label.flags or label.missing):
            problems.append(Problem(shown(path), f"labels[{number}]", None, "names nothing that could earn it"))
        if label.id in {other.id for other in file.labels[:number]}:
            problems.append(Problem(shown(path), f"labels[{number}].id", None, f"{label.id!r} is there already"))
        problems += [
            Problem(shown(path), f"labels[{number}].rounds", None, f"{name!r} is no round of this loop")
            for name in label.rounds
            if name not in file.rounds
        ]
    return _built(path.stem, file), problems


def _built(loop_id: str, file: LoopFile) -> Loop:
    labels = tuple(
        Label(
            id=one.id,
            name=building.both(one.name),
            practise=building.both(one.practise),
            traps=tuple(one.traps),
            flags=tuple(one.flags),
            missing=tuple(one.missing),
            least=one.least,
            share=one.share,
            rounds=tuple(one.rounds),
        )
        for one in file.labels
    )
    return Loop(
        id=loop_id,
        title=building.both(file.title),
        source=file.source,
        requirements=tuple(file.requirements),
        rounds=tuple(file.rounds),
        labels=labels,
        lens=file.lens or "",
    )
