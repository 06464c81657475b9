"""What an answer may be scored by: how likely each signal and trap is in it, and where. Pure.

More care is taken here than in an interview, since a score that rises with talk about nothing teaches to talk about nothing:

- what is said twice counts once;
- a stretch in which nothing is shown is left out, so that it neither dilutes a fault nor adds to a virtue;
- what is said to whoever scores ("give this full marks") is not part of the answer;
- nor is a mere list of words ("trade-offs, metrics, stakeholders, owners"): naming a thing is not having done it;
- a virtue counts only where the talk is about the matter: a percentage in a story about the weather is no evidence.

Faults count wherever they are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from voiceprep.core.answers.classifier import Asked, Classifier, Unit, judge, likeliest_labels
from voiceprep.core.answers.clauses import Stretch, units
from voiceprep.core.answers.cues import UnitCues, heard_by_cues, unit_cues
from voiceprep.core.answers.plausible import possible
from voiceprep.core.events import Language
from voiceprep.core.pack import Detector
from voiceprep.core.text import HANZI

SHOWN = 0.25
"""A stretch counts if some signal is at least this likely in it,"""
FAULTY = 0.3
"""... or some trap."""
FIGURE = "number"
"""The signal that is anywhere, and means nothing unless it is a figure of the matter."""
BETWEEN = 3
"""So many stretches without a word of the matter belong to it if they stand between others; else only those beside others."""
LISTED = 0.7
"""A stretch is a mere list if this share of it is short items in a row."""
_STEM = 6
_TOKEN = re.compile(rf"[a-z]{{4,}}|[{HANZI}]+")
_NO_LETTERS = re.compile(r"[\W_]+")
_LIST = re.compile(
    r"(?:\b[a-z][a-z/-]*(?: [a-z/-]+)?[,、，;] ?){3,}(?:and |or )?[a-z][a-z/-]*(?: [a-z/-]+){0,3}"
    rf"|(?:[{HANZI}]{{1,5}}[、，,]){{3,}}[{HANZI}]{{1,5}}"
)

_FIGURES = re.compile(rf"(?:[\W_]*\d[\d.,]*\s*(?:%|[a-z]+|[{HANZI}]{{1,4}})?(?: ?(?:[a-z]+|[{HANZI}]{{1,4}}))?)+[\W_]*")


@dataclass(frozen=True, slots=True)
class Matter:
    """How talk about the matter is told.

    Attributes:
        words: words of work.
        orders: what is said to whoever scores.
        common: beginnings of words that questions have whatever they ask.
    """

    words: re.Pattern[str] = field(hash=False)
    orders: re.Pattern[str] = field(hash=False)
    common: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Weighed:
    """The detectors' view of an answer.

    `likely` has for each label its probability, `where` the place in the text that shows it best. `used` is the share of the
    stretches that showed anything, `about` of those that are about the matter, both 0..1; `stretches` counts different ones.
    """

    likely: Mapping[str, float]
    where: Mapping[str, Stretch]
    used: float
    about: float
    stretches: int


def weigh(text: str, detectors: Sequence[Detector], language: Language, asked: Asked, matter: Matter) -> Weighed:
    """Weigh an answer. Places are offsets in `text`; a label that is nowhere likely has no place."""
    plain = text.replace("’", "'").replace("‘", "'")  # same length as the text, so that places hold in both
    spans = [span for span in _different(plain) if not (matter.orders.search(piece := plain[slice(*span)]) or mere_list(piece))]
    if not asked.reply_to:  # a bare figure answers "how many?", and is nothing by itself
        spans = [span for span in spans if not _FIGURES.fullmatch(plain[slice(*span)].casefold())]
    classifier = next((one.trained for one in detectors if one.trained is not None), None)
    if classifier is None or not spans:
        return Weighed({}, {}, 0.0, 0.0, len(spans))
    parts = [plain[start:end] for start, end in spans]
    cues = unit_cues(parts, detectors, language)
    said = [Unit(part, frozenset(one.hits), one.vetoed) for part, one in zip(parts, cues, strict=True)]
    named = by_words(parts, asked, matter)
    about = beside(named)
    kept = _kept(classifier, detectors, said, about, named)
    share = sum(about) / len(parts)
    if not kept:
        return Weighed({}, {}, 0.0, share, len(parts))
    heard = frozenset(heard_by_cues(" ".join(parts[place] for place in kept), detectors, language))
    verdicts = judge(classifier, [said[place] for place in kept], heard, asked, language)
    where = {
        label: _quoted(spans[kept[verdict.unit]], cues[kept[verdict.unit]], label, plain) for label, verdict in verdicts.items()
    }
    can_be = possible(plain, detectors, asked)
    likely = {label: verdict.probability * (label in can_be) for label, verdict in verdicts.items()}
    return Weighed(likely, where, len(kept) / len(parts), share, len(parts))


def mere_list(piece: str) -> bool:
    """Whether a stretch is nothing but words in a row: none of them with a figure, and nobody does anything."""
    return sum(len(found[0]) for found in _LIST.finditer(piece.casefold())) >= LISTED * len(piece.strip())


def by_words(parts: Sequence[str], asked: Asked, matter: Matter) -> list[bool]:
    """For each stretch whether it has words of the matter, or of the question."""
    wanted = _stems(f"{asked.question} {asked.reply_to}") - matter.common
    return [bool(matter.words.search(part.casefold())) or bool(wanted & _stems(part)) for part in parts]


def beside(named: Sequence[bool]) -> list[bool]:
    """For each stretch whether it is about the matter: by its words, or since it stands between or beside such that are."""
    count = len(named)
    about = list(named)
    start = 0
    while start < count:
        end = start
        while end < count and not named[end]:
            end += 1
        before, after = start > 0, end < count
        if before and after and end - start <= BETWEEN:
            about[start:end] = [True] * (end - start)
        elif end > start:  # whatever follows, the same stretches count: the rest of an answer takes nothing from it
            about[start] = before
            about[end - 1] = about[end - 1] or after
        start = max(end, start + 1)
    return about


def _different(text: str) -> list[Stretch]:
    """The stretches of an answer, each once: whoever says it again, in other letters' case or marks, adds nothing."""
    seen: dict[str, Stretch] = {}
    for start, end in units(text):
        letters = _NO_LETTERS.sub("", text[start:end].casefold())
        if letters:
            seen.setdefault(letters, (start, end))
    return list(seen.values())


def _kept(
    classifier: Classifier, detectors: Sequence[Detector], said: Sequence[Unit], about: Sequence[bool], named: Sequence[bool]
) -> list[int]:
    """The stretches that show something, whatever stands before them. A mere figure needs a word of the matter beside it."""
    traps = {one.id for one in detectors if one.kind == "trap"}
    faults = [index for index, label in enumerate(classifier.labels) if label in traps]
    virtues = [index for index, label in enumerate(classifier.labels) if label not in traps]
    worded = [index for index in virtues if classifier.labels[index] != FIGURE]
    kept = []
    for place, unit in enumerate(said):
        likely = likeliest_labels(classifier, unit)
        shown = max(likely[index] for index in (virtues if named[place] else worded))
        if (about[place] and shown >= SHOWN) or max(likely[index] for index in faults) >= FAULTY:
            kept.append(place)
    return kept


def _quoted(span: Stretch, cues: UnitCues, label: str, text: str) -> Stretch:
    """The clauses with the label's cue, else the whole stretch."""
    start, end = span
    first, last = cues.hits.get(label, ((0, end - start),))[0]
    piece = text[start + first : start + last]
    return start + first, start + first + len(piece.rstrip(" ,;:，；、"))


def _stems(text: str) -> set[str]:
    """Beginnings of Latin words of some length, pairs of Chinese characters."""
    found: set[str] = set()
    for token in _TOKEN.findall(text.casefold()):
        if token[0] > "z":
            found.update(token[place : place + 2] for place in range(len(token) - 1))
        else:
            found.add(token[:_STEM])
    return found
