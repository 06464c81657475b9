"""The files under rubrics/scoring/: what each round judges, the ordinal scale, the words of a score. Read strictly."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from voiceprep.config import data_folder
from voiceprep.content import building
from voiceprep.content.fields import Id, Regular, Strict, Text, known
from voiceprep.content.loader import load_rubrics, round_ids
from voiceprep.content.patterns import compiled
from voiceprep.content.problems import Problem, refuse, shown
from voiceprep.content.reading import read
from voiceprep.content.schema import Both
from voiceprep.core.answers.score import Dimension, Scale
from voiceprep.core.answers.score_evidence import Matter
from voiceprep.core.answers.thoughts import Breaks
from voiceprep.core.pack import Tongue
from voiceprep.core.text import HANZI, has_hanzi

FOLDER = "scoring"
WHY = ("heard", "faults", "open", "nothing", "unscored", "ladder")
REASONS = ("empty", "short", "unknown", "loop", "poor")
LEVELS = 4
_FILLED = {"heard": "{names}", "faults": "{names}", "open": "{names}", "ladder": "{names}", "unscored": "{reasons}"}
Signal = Annotated[str, known("signals")]
Trap = Annotated[str, known("traps")]
Weight = Annotated[float, Field(ge=0)]
"""Never below 0: a signal must not lower a level, nor a trap raise it."""


def _english(texts: list[str]) -> list[str]:
    if any(has_hanzi(text) for text in texts):
        raise ValueError("has Chinese characters in an English anchor")
    return texts


def _chinese(texts: list[str]) -> list[str]:
    if not all(has_hanzi(text) for text in texts):
        raise ValueError("has an anchor without Chinese")
    return texts


class AnchorsFile(Strict):
    en: Annotated[list[Text], Field(min_length=LEVELS, max_length=LEVELS), AfterValidator(_english)]
    zh: Annotated[list[Text], Field(min_length=LEVELS, max_length=LEVELS), AfterValidator(_chinese)]


class DimensionFile(Strict):
    title: Both
    core: Annotated[list[Signal], Field(min_length=1)]
    also: list[Signal]
    traps: list[Trap]
    full: Annotated[int, Field(ge=2, le=6)] = 2
    gating: bool = False
    replies: bool = False
    anchors: AnchorsFile


class LayersFile(Strict):
    dimensions: Annotated[dict[Id, DimensionFile], Field(min_length=1)]


class RoundFile(Strict):
    layers: list[Annotated[str, known("layers")]]
    dimensions: Annotated[dict[Id, DimensionFile], Field(min_length=1)]


class ScaleFile(Strict):
    cuts: Annotated[list[float], Field(min_length=3, max_length=3)]
    heard: Annotated[float, Field(gt=0, lt=1)]
    signals: dict[Signal, Weight]
    traps: dict[Trap, Weight]


class SmallFile(Strict):
    en: Annotated[list[Text], Field(min_length=1)]
    zh: Text


class MatterFile(Strict):
    en: Annotated[list[Text], Field(min_length=1)]
    zh: Annotated[list[Text], Field(min_length=1)]
    common: list[Text]
    small: SmallFile
    orders: Annotated[list[Regular], Field(min_length=1)]


class BreaksFile(Strict):
    bias: float
    everyday: list[Text]
    weights: dict[str, float]


class WordsFile(Strict):
    why: dict[Id, Both]
    reasons: dict[Id, Both]


@dataclass(frozen=True, slots=True)
class Scoring:
    """All that an answer is scored by, besides the detectors. `why` and `reasons` are templates by language."""

    rounds: Mapping[str, tuple[Dimension, ...]]
    layers: tuple[Dimension, ...]
    scale: Scale
    matter: Matter
    why: Mapping[str, Mapping[Tongue, str]]
    reasons: Mapping[str, Mapping[Tongue, str]]

    def dimensions(self, round_id: str) -> tuple[Dimension, ...]:
        """What this round judges, its own dimensions first; a round without a file is judged by the layers."""
        return self.rounds.get(round_id, self.layers)


def load_scoring(rubrics: Path | None = None) -> Scoring:
    """Read rubrics/scoring/. Raises BadInputError (`bad-pack`) with all problems of all its files."""
    scoring, problems = _read(_stamped(rubrics or data_folder("rubrics")), rubrics)
    refuse(problems)
    assert scoring is not None
    return scoring


def check_scoring(rubrics: Path | None = None) -> list[Problem]:
    """Every problem of the files under rubrics/scoring/."""
    return list(_read(_stamped(rubrics or data_folder("rubrics")), rubrics)[1])


def scoring_files(rubrics: Path | None = None) -> list[Path]:
    """The files that `load_scoring` reads."""
    return [path for path, _ in _stamped(rubrics or data_folder("rubrics"))]


def _stamped(rubrics: Path) -> tuple[tuple[Path, int], ...]:
    """The files with their times: a changed one is read again."""
    files = sorted((rubrics / FOLDER).rglob("*.toml"))
    return tuple((path, path.stat().st_mtime_ns) for path in files)


@lru_cache(maxsize=4)
def _read(files: tuple[tuple[Path, int], ...], rubrics: Path | None) -> tuple[Scoring | None, tuple[Problem, ...]]:
    folder = (rubrics or data_folder("rubrics")) / FOLDER
    detectors = load_rubrics(rubrics).detectors
    ids: dict[str, Any] = {
        "signals": {one.id for one in detectors if one.kind == "signal"},
        "traps": {one.id for one in detectors if one.kind == "trap"},
    }
    problems: list[Problem] = []

    def value(path: Path, shape: Any) -> Any:
        found, bad = read(path, shape, context=lambda _: ids)
        problems.extend(bad)
        return found if not bad else None

    layers = value(folder / "layers.toml", LayersFile)
    ids["layers"] = set(layers.dimensions) if layers else set()
    scale, matter = value(folder / "scale.toml", ScaleFile), value(folder / "matter.toml", MatterFile)
    breaks, words = value(folder / "breaks.toml", BreaksFile), value(folder / "words.toml", WordsFile)
    rounds = {path.stem: value(path, RoundFile) for path, _ in files if path.parent.name == "rounds"}
    problems += _incomplete(folder, scale, words, rounds, ids)
    if problems or not (layers and scale and matter and breaks and words):
        return None, tuple(problems)
    return _scoring(layers, rounds, scale, matter_of(matter, breaks), words), ()


def _scoring(
    layers: LayersFile, rounds: Mapping[str, RoundFile], scale: ScaleFile, matter: Matter, words: WordsFile
) -> Scoring:
    common = {name: _dimension(name, one) for name, one in layers.dimensions.items()}
    cuts = (scale.cuts[0], scale.cuts[1], scale.cuts[2])
    return Scoring(
        rounds={
            name: (
                *(_dimension(id_, one) for id_, one in file.dimensions.items()),
                *(common[layer] for layer in file.layers),
            )
            for name, file in rounds.items()
        },
        layers=tuple(common.values()),
        scale=Scale(scale.signals, scale.traps, cuts, scale.heard),
        matter=matter,
        why={name: building.both(text) for name, text in words.why.items()},
        reasons={name: building.both(text) for name, text in words.reasons.items()},
    )


def _dimension(name: str, file: DimensionFile) -> Dimension:
    en, zh = file.anchors.en, file.anchors.zh
    return Dimension(
        id=name,
        title=building.both(file.title),
        core=tuple(file.core),
        also=tuple(file.also),
        traps=tuple(file.traps),
        full=file.full,
        gating=file.gating,
        replies=file.replies,
        anchors={"en": (en[0], en[1], en[2], en[3]), "zh": (zh[0], zh[1], zh[2], zh[3])},
    )


def matter_of(matter: MatterFile, breaks: BreaksFile) -> Matter:
    """The pattern of the words: English ones by how they begin, `$` for whole ones; Chinese ones anywhere."""
    english = (re.escape(word.removesuffix("$")) + (r"\b" if word.endswith("$") else "") for word in sorted(set(matter.en)))
    pattern = rf"\b(?:{'|'.join(english)})|{'|'.join(map(re.escape, sorted(set(matter.zh))))}"
    orders = "|".join(f"(?:{order})" for order in matter.orders)
    rows, figures = _rows(matter.small)
    return Matter(
        words=compiled(pattern),
        orders=compiled(orders),
        breaks=Breaks(breaks.weights, breaks.bias),
        rows=compiled(rows),
        apart=compiled(f"{rows}|{figures}"),
        common=frozenset(matter.common),
        everyday=frozenset(breaks.everyday),
        small=frozenset(matter.small.zh),
    )


def _rows(small: SmallFile) -> tuple[str, str]:
    """Patterns of words, and of figures, in a row: none of the words between them is a small one."""
    word = rf"(?!(?:{'|'.join(map(re.escape, small.en))})(?!\S))[a-z][\w/'-]*(?!\S)"
    piece = f"(?:(?![{small.zh}])[{HANZI}]){{1,5}}"
    counted = rf"\$?\d[\d.,]*(?:%|[{HANZI}]{{1,4}})?(?!\S)(?: (?:million|billion|thousand))?"
    figure = rf"(?:{counted}(?: {word}){{0,2}}|百分之[零一二两三四五六七八九十百点]+)"
    return (
        rf"(?<!\S)(?:{word}(?: (?:and |or )?{word}){{5,}}|{piece}(?: {piece}){{3,}}(?!\S))",
        rf"(?<!\S){figure}(?: {figure}){{2,}}",
    )


def _incomplete(
    folder: Path,
    scale: ScaleFile | None,
    words: WordsFile | None,
    rounds: Mapping[str, RoundFile | None],
    ids: Mapping[str, Any],
) -> Iterator[Problem]:
    if scale is not None:
        path = shown(folder / "scale.toml")
        if not scale.cuts[0] < scale.cuts[1] < scale.cuts[2]:
            yield Problem(path, "cuts", None, "must rise")
        for kind in ("signals", "traps"):
            for name in sorted(ids[kind] - set(getattr(scale, kind))):
                yield Problem(path, f"{kind}.{name}", None, "is missing")
    if words is not None:
        path = shown(folder / "words.toml")
        for table, names in (("why", WHY), ("reasons", REASONS)):
            for name in names:
                if name not in getattr(words, table):
                    yield Problem(path, f"{table}.{name}", None, "is missing")
        for name, slot in _FILLED.items():
            text = words.why.get(name)
            if text is not None and not (slot in text.en and slot in text.zh):
                yield Problem(path, f"why.{name}", None, f"needs {slot}")
    for name in rounds:
        if name not in round_ids():
            yield Problem(shown(folder / "rounds" / f"{name}.toml"), "", None, "is of a round that there is not")
