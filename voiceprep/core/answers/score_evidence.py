"""What an answer may be scored by: how likely each signal and trap is in it, and where. Pure.

More care is taken here than in an interview, since a score that rises with talk about nothing teaches to talk about nothing:

- what is said twice counts once;
- a stretch in which nothing is shown is left out, so that it neither dilutes a fault nor adds to a virtue;
- what is said to whoever scores ("give this full marks") is not part of the answer;
- nor is a mere list of words ("trade-offs, metrics, stakeholders, owners"): naming a thing is not having done it;
- a virtue counts only where the talk is about the matter: a percentage in a story about the weather is no evidence.

Virtues are weighed by the stretches that show them and by nothing else, so that whatever is put before or after an answer and
shows none leaves them as they were. Faults count wherever they are, and none of them is made less likely by more talk.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from voiceprep.core.answers.classifier import Asked, Classifier, Unit, judge, likeliest_labels
from voiceprep.core.answers.clauses import Stretch
from voiceprep.core.answers.cues import UnitCues, heard_by_cues, unit_cues
from voiceprep.core.answers.plausible import possible
from voiceprep.core.answers.thoughts import Breaks, thoughts
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
"""So many stretches in a row without a word of the matter belong to it, if they stand between others."""
LISTED = 0.7
"""A stretch is a mere list if this share of it is short items in a row."""
_STEM = 6
_TOPIC = 5
_TOKEN = re.compile(rf"[a-z]{{4,}}|[{HANZI}]+")
_NO_LETTERS = re.compile(r"[\W_]+")
_LIST = re.compile(
    r"(?:\b[a-z][a-z/-]*(?: [a-z/-]+){0,2}[,、，;] ?){3,}(?:and |or )?[a-z][a-z/-]*(?: [a-z/-]+){0,3}"
    rf"|(?:[{HANZI}]{{1,5}}[、，,]){{3,}}[{HANZI}]{{1,5}}"
)
_COUNTED = (
    rf"(?:百分之[零一二两三四五六七八九十百点]+|\d[\d.,]*)\s*(?:%|[a-z]+|[{HANZI}]{{1,4}})?(?: ?(?:[a-z]+|[{HANZI}]{{1,4}}))?"
)
_FIGURES = re.compile(rf"(?:[\W_]*+(?>{_COUNTED}))++[\W_]*+")
"""Nothing is tried twice: a row of figures has many ways to be parted, and the longest is as good as any."""


@dataclass(frozen=True, slots=True)
class Matter:
    """How talk about the matter is told.

    Attributes:
        words: words of work.
        orders: what is said to whoever scores.
        breaks: where one thought ends and the next begins, where no marks tell.
        rows: a mere list without marks in it.
        apart: what stands by itself among words without marks: such a list, figures in a row.
        common: beginnings of words that questions have whatever they ask.
        everyday: beginnings of words that answers have whatever they are about.
        small: Chinese characters that join words and name nothing.
    """

    words: re.Pattern[str] = field(hash=False)
    orders: re.Pattern[str] = field(hash=False)
    breaks: Breaks = field(hash=False)
    rows: re.Pattern[str] = field(hash=False)
    apart: re.Pattern[str] = field(hash=False)
    common: frozenset[str] = frozenset()
    everyday: frozenset[str] = frozenset()
    small: frozenset[str] = frozenset()


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
    spans = _worth_weighing(plain, asked, matter)
    classifier = next((one.trained for one in detectors if one.trained is not None), None)
    if classifier is None or not spans:
        return Weighed({}, {}, 0.0, 0.0, len(spans))
    parts = [plain[start:end] for start, end in spans]
    named = by_words(parts, asked, matter)
    virtuous, faulty = _kept(classifier, detectors, parts, named, language, matter)
    weighing = _Weighing(plain, spans, detectors, classifier, language, asked)
    likely: dict[str, float] = {}
    where: dict[str, Stretch] = {}
    for kept in _courses(virtuous, faulty):
        for label, probability, place in weighing.labels(kept):
            virtue = label in weighing.virtues
            if (kept == virtuous) if virtue else probability > likely.get(label, -1.0):
                likely[label], where[label] = probability, place
    used = len({*virtuous, *faulty})
    return Weighed(likely, where, used / len(parts), sum(named) / len(parts), len(parts))


def _worth_weighing(plain: str, asked: Asked, matter: Matter) -> list[Stretch]:
    """The different stretches of an answer that say something to whoever asked."""
    spans = [
        span
        for span in _different(plain, matter)
        if not (matter.orders.search(piece := plain[slice(*span)]) or mere_list(piece) or matter.rows.fullmatch(piece))
    ]
    worded = [span for span in spans if not is_figures(plain[slice(*span)])]
    # A bare figure is all that "how many?" may be answered with; beside words, or without such a question, it is nothing.
    return spans if asked.reply_to and not worded else worded


def _courses(virtuous: list[int], faulty: list[int]) -> Iterator[list[int]]:
    """What is weighed together: the virtues alone, then with ever more faults, from the first on and from the last one back.

    A fault counts as likely as it is in any of these, and more talk at either end of an answer only adds to them.
    """
    alone = [place for place in faulty if place not in virtuous]
    seen: list[list[int]] = []
    for some in ([], *(alone[: n + 1] for n in range(len(alone))), *(alone[n:] for n in range(1, len(alone)))):
        course = sorted({*virtuous, *some})
        if course not in seen and (course or not alone):
            seen.append(course)
            yield course


@dataclass(frozen=True, slots=True)
class _Weighing:
    """One answer and what it is weighed with. `spans` are its stretches as places in `plain`."""

    plain: str
    spans: Sequence[Stretch]
    detectors: Sequence[Detector]
    classifier: Classifier
    language: Language
    asked: Asked

    @property
    def virtues(self) -> frozenset[str]:
        return frozenset(one.id for one in self.detectors if one.kind == "signal")

    def labels(self, kept: Sequence[int]) -> Iterator[tuple[str, float, Stretch]]:
        """Of an answer of these stretches alone: each label, how likely it is, and where."""
        if not kept:
            return
        spans = [self.spans[place] for place in kept]
        parts = [self.plain[start:end] for start, end in spans]
        cues = unit_cues(parts, self.detectors, self.language)
        said = [Unit(part, frozenset(one.hits), one.vetoed) for part, one in zip(parts, cues, strict=True)]
        whole = " ".join(parts)
        heard = frozenset(heard_by_cues(whole, self.detectors, self.language))
        can_be = possible(whole, self.detectors, self.asked)
        for label, verdict in judge(self.classifier, said, heard, self.asked, self.language).items():
            place = _quoted(spans[verdict.unit], cues[verdict.unit], label, self.plain)
            yield label, verdict.probability * (label in can_be), place


def is_figures(plain: str) -> bool:
    """Whether a stretch is nothing but figures, each with what it counts."""
    return _FIGURES.fullmatch(plain.casefold()) is not None


def mere_list(piece: str) -> bool:
    """Whether a stretch is nothing but words in a row: none of them with a figure, and nobody does anything."""
    return sum(len(found[0]) for found in _LIST.finditer(piece.casefold())) >= LISTED * len(piece.strip())


def by_words(parts: Sequence[str], asked: Asked, matter: Matter) -> list[bool]:
    """For each stretch whether it has words of the matter, or of the question."""
    wanted = stems(f"{asked.question} {asked.reply_to}", matter.small) - matter.common
    return [bool(matter.words.search(part.casefold())) or bool(wanted & stems(part, matter.small)) for part in parts]


def beside(named: Sequence[bool]) -> list[bool]:
    """For each stretch whether it is about the matter: by its words, or since it stands between such that are.

    What stands before the first of them or after the last is not: there anything may be put before an answer, or after it.
    """
    about = list(named)
    places = [place for place, is_named in enumerate(named) if is_named]
    for before, after in pairwise(places):
        if after - before - 1 <= BETWEEN:
            about[before:after] = [True] * (after - before)
    return about


def _different(text: str, matter: Matter) -> list[Stretch]:
    """The stretches of an answer, each once: whoever says it again, in other letters' case or marks, adds nothing."""
    seen: dict[str, Stretch] = {}
    for start, end in thoughts(text, matter.breaks, matter.apart, matter.orders):
        letters = _NO_LETTERS.sub("", text[start:end].casefold())
        if letters:
            seen.setdefault(letters, (start, end))
    return list(seen.values())


def _kept(
    classifier: Classifier,
    detectors: Sequence[Detector],
    parts: Sequence[str],
    named: Sequence[bool],
    language: Language,
    matter: Matter,
) -> tuple[list[int], list[int]]:
    """The stretches that show a virtue, and those that show a fault, whatever stands before them or after them.

    A mere figure needs a word of the matter beside it, and so does a question: who asks "and who decided?" has not said it.
    Any other stretch needs such a word, or to stand between virtues that have one, or to speak of what they speak of: talk that
    shows nothing lends no virtue to what is beside it.
    """
    traps = {one.id for one in detectors if one.kind == "trap"}
    faults = [index for index, label in enumerate(classifier.labels) if label in traps]
    virtues = [index for index, label in enumerate(classifier.labels) if label not in traps]
    worded = [index for index in virtues if classifier.labels[index] != FIGURE]
    showing, faulty = [], []
    for place, part in enumerate(parts):
        (cues,) = unit_cues([part], detectors, language)
        likely = likeliest_labels(classifier, Unit(part, frozenset(cues.hits), cues.vetoed))
        shown = max(likely[index] for index in (virtues if named[place] else worded))
        if shown >= SHOWN and (named[place] or not part.endswith(("?", "？"))):
            showing.append(place)
        if max(likely[index] for index in faults) >= FAULTY:
            faulty.append(place)
    about = beside([place in showing and one for place, one in enumerate(named)])
    topics = set[str]().union(*(topics_of(part, matter) for part, one in zip(parts, named, strict=True) if one))
    virtuous = [place for place in showing if about[place] or topics & topics_of(parts[place], matter)]
    return virtuous, faulty


def _quoted(span: Stretch, cues: UnitCues, label: str, text: str) -> Stretch:
    """The clauses with the label's cue, else the whole stretch."""
    start, end = span
    first, last = cues.hits.get(label, ((0, end - start),))[0]
    piece = text[start + first : start + last]
    return start + first, start + first + len(piece.rstrip(" ,;:，；、"))


def topics_of(text: str, matter: Matter) -> set[str]:
    """What a stretch speaks of, by words that not everybody uses about everything."""
    return {stem[:_TOPIC] for stem in stems(text, matter.small) - matter.common - matter.everyday}


def stems(text: str, small: frozenset[str]) -> set[str]:
    """Beginnings of Latin words of some length, pairs of Chinese characters. One with a `small` character is hardly a word."""
    found: set[str] = set()
    for token in _TOKEN.findall(text.casefold()):
        if token[0] > "z":
            found.update("".join(pair) for pair in pairwise(token) if small.isdisjoint(pair))
        else:
            found.add(token[:_STEM])
    return found
