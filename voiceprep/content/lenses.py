"""A company's lens: a file under prompts/lenses/, read strictly."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from voiceprep.config import data_folder
from voiceprep.content import building
from voiceprep.content.checks import ids, tables
from voiceprep.content.fields import Strict, Target, Text, known
from voiceprep.content.loader import load_rubrics, round_ids
from voiceprep.content.problems import Problem, refuse, shown
from voiceprep.content.reading import read
from voiceprep.content.schema import Both, Demand, LinkFile, PointFile, Spoken
from voiceprep.core.interviewer.lens import Lens, LensPoint, through
from voiceprep.core.interviewer.loop import hardened
from voiceprep.core.pack import Content, Point
from voiceprep.errors import UsageError, one_of


class LensPointFile(PointFile):
    """A follow-up of the company's own, and the rounds it fits (none named: any)."""

    rounds: list[Annotated[str, known("rounds")]] = Field(default_factory=list)


class LensFile(Strict):
    name: Both
    looks_at: Both
    source: Text
    requirements: list[Demand]
    weigh: Annotated[list[Target], Field(min_length=1)]
    remark: Spoken
    points: Annotated[list[LensPointFile], Field(min_length=3)]


def lens_ids(prompts: Path | None = None) -> list[str]:
    """The ids of the lenses that have a file."""
    return sorted(path.stem for path in _folder(prompts).glob("*.toml"))


def load_lens(lens_id: str, prompts: Path | None = None, rubrics: Path | None = None) -> Lens:
    """The lens of this id. Raises UsageError (`unknown-lens`), or BadInputError (`bad-pack`) with all that is wrong."""
    there = lens_ids(prompts)
    if lens_id not in there:
        raise UsageError(f"there is no lens {lens_id!r}", code="unknown-lens", hint=one_of(lens_id, there))
    lens, problems = _read(lens_file(lens_id, prompts), prompts, rubrics)
    refuse(problems)
    assert lens is not None
    return lens


def lens_file(lens_id: str, prompts: Path | None = None) -> Path:
    return _folder(prompts) / f"{lens_id}.toml"


def held_as(content: Content, severity: int = 0, lens: str = "", prompts: Path | None = None) -> Content:
    """The content as a session of this severity and lens holds it. Raises as `load_lens` does."""
    pack = through(content.round, load_lens(lens, prompts)) if lens else content.round
    return replace(content, round=replace(pack, persona=hardened(pack.persona, severity)))


def check_lenses(prompts: Path | None = None, rubrics: Path | None = None) -> list[Problem]:
    """Every problem of every lens."""
    paths = sorted(_folder(prompts).glob("*.toml"))
    return [problem for path in paths for problem in _read(path, prompts, rubrics)[1]]


def _folder(prompts: Path | None) -> Path:
    return (prompts or data_folder("prompts")) / "lenses"


def _read(path: Path, prompts: Path | None, rubrics: Path | None) -> tuple[Lens | None, list[Problem]]:
    detectors = load_rubrics(rubrics).detectors
    context = {"targets": {one.id for one in detectors}, "rounds": set(round_ids(prompts))}
    file, problems = read(path, LensFile, context=lambda _: context)
    if file is None:
        return None, problems
    problems += _twice(path, file)
    traps = {one.id for one in detectors if one.kind == "trap"}
    return _built(path.stem, file, traps), problems


def _twice(path: Path, file: LensFile) -> list[Problem]:
    """Two rungs of the same id would count as one that was asked."""
    seen: set[str] = set()
    found = []
    for name in ids([rung for point in tables(file.model_dump()["points"]) for rung in (point, *point["chain"])]):
        if name in seen:
            found.append(Problem(shown(path), "points", None, f"{name!r} is there already"))
        seen.add(name)
    return found


def _built(lens_id: str, file: LensFile, traps: set[str]) -> Lens:
    def point(rung: LinkFile) -> Point:
        below: Any = rung.chain if isinstance(rung, PointFile) else ()
        # The pack's own points have other ids: what was asked is remembered by id.
        name = f"lens.{lens_id}.{rung.id}"
        when: Literal["missing", "present"] = "present" if rung.target in traps else "missing"
        return Point(name, rung.target, when, building.line(name, rung), tuple(point(one) for one in below))

    return Lens(
        id=lens_id,
        name=building.both(file.name),
        looks_at=building.both(file.looks_at),
        source=file.source,
        requirements=tuple(file.requirements),
        weigh=tuple(file.weigh),
        remark=building.line(f"lens.{lens_id}.remark", file.remark),
        points=tuple(LensPoint(point(one), tuple(one.rounds)) for one in file.points),
    )
