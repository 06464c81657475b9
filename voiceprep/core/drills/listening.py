"""What was said in the floors of a take, and when: what the word measures of core/drills/judge stand on. Pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from voiceprep.core.answers.classifier import Asked
from voiceprep.core.answers.clauses import Stretch, sentences, units
from voiceprep.core.answers.coverage import assess
from voiceprep.core.answers.cues import cue_hits
from voiceprep.core.drills.pack import PROMPT, Drill
from voiceprep.core.drills.take import Floor, Take
from voiceprep.core.events import Evidence, Word
from voiceprep.core.listening.echo import tokens
from voiceprep.core.text import placed
from voiceprep.core.units import Media

_END_MARKS = frozenset("?!？！。….")


@dataclass(slots=True)
class Listening:
    """Listens to a take; remembers what it heard, since several criteria ask about the same floors."""

    drill: Drill
    take: Take
    _heard: dict[tuple[int, int], dict[str, Evidence]] = field(default_factory=dict)

    def floors(self, of: Sequence[str]) -> tuple[Floor, ...]:
        """The floors of these steps, in order; of all steps where none is named."""
        return tuple(floor for floor in self.take.floors if not of or floor.step in of)

    def heard(self, floor: Floor) -> dict[str, Evidence]:
        """Everything that this floor shows, by id, each with its best evidence."""
        return self._assessed(floor, len(floor.words))

    def first(self, floor: Floor, ids: Collection[str]) -> Evidence | None:
        """The earliest evidence of any of the ids that this floor shows, in the words that first showed it."""
        found = [self._earliest(floor, one) for one in ids if one in self.heard(floor)]
        return min(found, key=lambda evidence: evidence.start, default=None)

    def all(self, floor: Floor, ids: Collection[str]) -> list[Evidence]:
        """Every sentence that shows one of the ids, in order of time, and the best evidence of each id."""
        found = [evidence for one, evidence in self.heard(floor).items() if one in ids]
        found += [evidence for evidence in self.each(floor, ids) if not any(_overlap(evidence, other) for other in found)]
        return sorted(found, key=lambda evidence: evidence.start)

    def each(self, floor: Floor, ids: Collection[str], but: Collection[str] = ()) -> list[Evidence]:
        """The sentences that show one of the ids and none of `but`, each wording once.

        A sentence without an end mark is one that the recogniser left unpunctuated: there every clause with a cue counts.
        """
        found: list[Evidence] = []
        said: set[tuple[str, ...]] = set()
        for words in _sentences(floor.words):
            for evidence in self._shown(floor, words, ids, but):
                wording = tuple(tokens(evidence.quote))
                if wording not in said:
                    said.add(wording)
                    found.append(evidence)
        return found

    def _shown(self, floor: Floor, words: Sequence[Word], ids: Collection[str], but: Collection[str]) -> list[Evidence]:
        heard = {evidence.signal: evidence for evidence in self._assess(floor, words, {*ids, *but})}
        if heard.keys() & set(but):
            return []
        hits = self._cued(words, ids)
        if hits and words[-1].text[-1:] not in _END_MARKS:
            return hits
        return ([heard[one] for one in ids if one in heard] or hits)[:1]

    def _cued(self, words: Sequence[Word], ids: Collection[str]) -> list[Evidence]:
        text, offsets = placed(words)
        found: dict[int, Evidence] = {}
        for detector in self.drill.detectors:
            if detector.id in ids:
                for start, end in cue_hits(text, detector, self.take.language):
                    found.setdefault(start, _evidence(detector.id, words, text, offsets, (start, end)))
        return [found[start] for start in sorted(found)]

    def _earliest(self, floor: Floor, one: str) -> Evidence:
        """Half by half: an answer that shows something once a thought is over shows it from then on, as good as always."""
        ends = [end for _, end in _stretches(floor.words, units)]
        low, high = 0, len(ends) - 1
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if one in self._assessed(floor, ends[middle]) else (middle + 1, high)
        return self._assessed(floor, ends[low]).get(one) or self.heard(floor)[one]

    def _assessed(self, floor: Floor, count: int) -> dict[str, Evidence]:
        """What the first `count` words of a floor show."""
        key = (id(floor), count)
        if key not in self._heard:
            self._heard[key] = {evidence.signal: evidence for evidence in self._assess(floor, floor.words[:count])}
        return self._heard[key]

    def _assess(self, floor: Floor, words: Sequence[Word], wanted: Collection[str] | None = None) -> tuple[Evidence, ...]:
        """What the words show; with `wanted`, these ids at least: weighing is left out where cues alone decide."""
        if not words:
            return ()
        asked = next((other.question for other in self.take.floors if other.step == PROMPT), "")
        detectors = self.drill.detectors
        if wanted is not None:
            few = tuple(detector for detector in detectors if detector.id in wanted)
            detectors = detectors if any(detector.trained for detector in few) else few
        return assess(words, detectors, self.take.language, Asked(asked, "" if floor.step == PROMPT else floor.question))


def same_share(text: str, earlier: str) -> float:
    """How much of the text's wording, in pairs of neighbours, stands in the earlier one too: 0..1; of one word, the word."""
    words, before = tokens(text), tokens(earlier)
    if len(words) == 1:
        return float(words[0] in before)
    pairs, known = list(pairwise(words)), set(pairwise(before))
    return sum(pair in known for pair in pairs) / len(pairs) if pairs else 0.0


def _sentences(words: Sequence[Word]) -> Iterator[Sequence[Word]]:
    for start, end in _stretches(words, sentences):
        yield words[start:end]


def _stretches(words: Sequence[Word], cut: Callable[[str], Iterator[Stretch]]) -> list[Stretch]:
    """Stretches of the text as stretches of words, from and to."""
    text, offsets = placed(words)
    found: list[Stretch] = []
    begin = 0
    for _, end in cut(text):
        stop = begin
        while stop < len(offsets) and offsets[stop] < end:
            stop += 1
        if stop > begin:
            found.append((begin, stop))
        begin = stop
    return found


def _evidence(signal: str, words: Sequence[Word], text: str, offsets: Sequence[int], stretch: Stretch) -> Evidence:
    start, end = stretch
    inside = [word for word, offset in zip(words, offsets, strict=True) if start <= offset < end] or list(words)
    return Evidence(signal, text[start:end], inside[0].start, inside[-1].end)


def _overlap(one: Evidence, other: Evidence) -> bool:
    return one.start < other.end and other.start < one.end


def at_floor(floor: Floor) -> Media:
    """Where the floor's clock begins: its first speech, or where it was asked for while there is none."""
    return floor.start if floor.start is not None else floor.asked
