"""The trained part of the detectors: rubrics/lexicon.toml and the weights that tools/train_coverage.py writes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import Annotated

from pydantic import Field

from voiceprep.content.fields import Id, Regular, Strict, Text
from voiceprep.content.patterns import compiled
from voiceprep.content.problems import Problem, shown
from voiceprep.core.answers.classifier import MAKEUP, AnswerWeights, Classifier
from voiceprep.core.answers.features import Lexicon, english_words

FORMAT = "2"
ANSWER_SCALE = 100
"""Weights are whole numbers in the file: this many for 1.0 in the second layer and in every bias,"""
CLAUSE_SCALE = 10
"""... and in the first layer."""
OWN = 5
"""So many weights of the second layer see the label itself (core/answers/classifier.own_view)."""


class PlainFile(Strict):
    fillers_en: list[Text]
    fillers_zh: list[Text]
    numbers_en: list[Text]


class AskedFile(Strict):
    questions: dict[Id, Regular]
    replies: dict[Id, Regular]


class MeaningFile(Strict):
    en: list[Text]
    zh: list[Text]


class LexiconFile(Strict):
    plain: PlainFile
    asked: AskedFile
    meanings: Annotated[dict[Id, MeaningFile], Field(min_length=1)]


@dataclass(slots=True)
class Weights:
    """What a weights file holds, as numbers."""

    labels: tuple[str, ...] = ()
    threshold: float = 0.5
    clause_bias: tuple[float, ...] = ()
    answer: dict[str, AnswerWeights] = field(default_factory=dict)
    clause: dict[str, tuple[tuple[int, float], ...]] = field(default_factory=dict)


def lexicon(file: LexiconFile) -> Lexicon:
    phrases: dict[tuple[str, ...], set[str]] = {}
    stems: dict[str, set[str]] = {}
    han: dict[str, set[str]] = {}
    for meaning, words in file.meanings.items():
        for entry in words.en:
            split = tuple(english_words(entry.removesuffix("*")))
            if entry.endswith("*") and len(split) == 1:
                stems.setdefault(split[0], set()).add(meaning)
            else:
                phrases.setdefault(split, set()).add(meaning)
        for entry in words.zh:
            han.setdefault(entry, set()).add(meaning)
    return Lexicon(
        phrases={key: frozenset(value) for key, value in phrases.items()},
        stems={key: frozenset(value) for key, value in stems.items()},
        han={key: frozenset(value) for key, value in han.items()},
        fillers=frozenset(file.plain.fillers_en + file.plain.fillers_zh),
        numbers=frozenset(file.plain.numbers_en),
    )


def classifier(file: LexiconFile, weights: Weights) -> Classifier:
    return Classifier(
        labels=weights.labels,
        lexicon=lexicon(file),
        questions={name: compiled(pattern) for name, pattern in file.asked.questions.items()},
        replies={name: compiled(pattern) for name, pattern in file.asked.replies.items()},
        clause=weights.clause,
        clause_bias=weights.clause_bias,
        answer=tuple(weights.answer[label] for label in weights.labels),
        threshold=weights.threshold,
    )


def shared_width(file: LexiconFile, labels: int) -> int:
    """How many values core/answers/classifier.shared_view has: labels, the make-up of the answer, and what it answers."""
    return labels + MAKEUP + len(file.asked.questions) + 1 + len(file.asked.replies)


def read_weights(path: Path, known: Iterable[str], file: LexiconFile) -> tuple[Weights | None, list[Problem]]:
    """Read a weights file. `known`: the labels there are; `file`: the lexicon that it was trained with."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        return None, [Problem(shown(path), "", None, f"cannot be read: {error}")]
    weights = Weights()
    for number, line in enumerate(lines, 1):
        if not line or line.startswith("# "):
            continue
        try:
            _take(weights, line.split("\t"), shared_width(file, len(weights.labels)))
        except (ValueError, KeyError, IndexError, OverflowError) as error:
            return None, [Problem(shown(path), "", number, f"is not a line of weights: {error}")]
    problem = _incomplete(weights, set(known))
    return (weights, []) if problem is None else (None, [Problem(shown(path), "", None, problem)])


def _take(weights: Weights, cells: list[str], width: int) -> None:
    match cells:
        case ["format", version]:
            if version != FORMAT:
                raise ValueError(f"format {version}, not {FORMAT}")
        case ["threshold", value]:
            weights.threshold = float(value)
            if not isfinite(weights.threshold):
                raise ValueError(f"a threshold of {value}")
        case ["labels", *labels]:
            weights.labels = tuple(labels)
        case ["bias", *values]:
            weights.clause_bias = tuple(int(value) / ANSWER_SCALE for value in values)
        case ["answer", label, *values]:
            bias, *rest = (int(value) / ANSWER_SCALE for value in values)
            if len(rest) != OWN + width:
                raise ValueError(f"{len(rest)} weights for {label}, not {OWN + width}")
            weights.answer[label] = AnswerWeights(tuple(rest[:OWN]), tuple(rest[OWN:]), bias)
        case ["clause", feature, *pairs]:
            split = (pair.split(":") for pair in pairs)
            weights.clause[feature] = tuple((int(index), int(value) / CLAUSE_SCALE) for index, value in split)
        case _:
            raise ValueError(f"begins with {cells[0]!r}")


def _incomplete(weights: Weights, known: set[str]) -> str | None:
    labels = set(weights.labels)
    if not labels or not labels <= known:
        return f"has labels that rubrics/signals.toml has not: {', '.join(sorted(labels - known)) or 'none at all'}"
    if labels != set(weights.answer) or len(weights.clause_bias) != len(weights.labels):
        return "lacks weights of some of its labels"
    if any(not 0 <= index < len(weights.labels) for pairs in weights.clause.values() for index, _ in pairs):
        return "has weights of a label that it does not list"
    return None


def written(weights: Weights, remarks: Iterable[str]) -> str:
    """The text of a weights file. Weights that round to nothing are left out; a feature without any still is a known one."""
    answer: Mapping[str, AnswerWeights] = weights.answer
    lines = [f"# {remark}" for remark in remarks]
    lines += [f"format\t{FORMAT}", f"threshold\t{weights.threshold}", "\t".join(["labels", *weights.labels])]
    lines.append("\t".join(["bias", *(str(round(value * ANSWER_SCALE)) for value in weights.clause_bias)]))
    for label in weights.labels:
        values = (answer[label].bias, *answer[label].own, *answer[label].shared)
        lines.append("\t".join(["answer", label, *(str(round(value * ANSWER_SCALE)) for value in values)]))
    for feature in sorted(weights.clause):
        rounded = [(index, round(value * CLAUSE_SCALE)) for index, value in weights.clause[feature]]
        pairs = [f"{index}:{value}" for index, value in rounded if value]
        lines.append("\t".join(["clause", feature, *pairs]))
    return "\n".join(lines) + "\n"
