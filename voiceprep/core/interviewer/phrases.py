"""Which of a line's phrasings is said: never one that this session has heard, and by its seed, so that sessions differ."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

from voiceprep.core.pack import Line, Point, Question, RoundPack, Section, Tongue
from voiceprep.core.text import joined


class Phrases:
    """Remembers what was said. `used` may be kept and put back: that takes back what was said since."""

    def __init__(self, tongue: Tongue, seed: int) -> None:
        self._tongue: Tongue = tongue
        self._seed = seed
        self.used: frozenset[str] = frozenset()
        self._lines: dict[str, Line] = {}

    def left(self, line: Line) -> bool:
        """Whether the line has a phrasing that was not said yet."""
        return any(text not in self.used for text in line.phrasings[self._tongue])

    def say(self, line: Line) -> str:
        """A phrasing that was not said yet, and is from now on. The first one again where none is left: ask `left` before."""
        order = phrasings(line, self._tongue, self._seed)
        text = next((t for t in order if t not in self.used), order[0])
        self.used |= {text}
        self._lines[line.id] = line
        return text

    def again(self, id: str) -> str | None:  # noqa: A002  (the field's own name)
        """Another phrasing of the line of this id; None where it was not said before, or nothing is left of it."""
        line = self._lines.get(id)
        return self.say(line) if line is not None and self.left(line) else None

    def say_both(self, *lines: Line) -> str:
        """Several lines in one breath."""
        return joined(self.say(line) for line in lines)


def phrasings(line: Line, tongue: Tongue, seed: int) -> list[str]:
    """The phrasings of a line in the order in which a session of this seed uses them."""
    texts = line.phrasings[tongue]
    first = drawn(seed, line.id) % len(texts)
    return [*texts[first:], *texts[:first]]


def said_before(pack: RoundPack, tongue: Tongue, said: Iterable[str]) -> frozenset[str]:
    """The phrasings that are in what was said in an earlier part of the round."""
    told = "\n".join(said)
    return frozenset(text for text in all_phrasings(pack, tongue) if text in told)


def drawn(seed: int, name: str) -> int:
    """A number that a seed and a name always give, and other seeds give differently: luck that a replay repeats."""
    return int.from_bytes(hashlib.blake2s(f"{seed}:{name}".encode(), digest_size=8).digest())


def questions_of(pack: RoundPack, section: Section, seed: int) -> list[Question]:
    """The questions of a section in the order in which a session of this seed asks them."""
    given = [question for question in pack.questions if question.section == section.id]
    return given if section.order == "given" else sorted(given, key=lambda question: drawn(seed, question.id))


def known_lines(pack: RoundPack, tongue: Tongue, seed: int) -> list[str]:
    """The phrases a session of this seed would say first, the soonest first: what a slow voice renders ahead."""
    return [*(phrasings(line, tongue, seed)[0] for line in _spoken(pack, seed)), *backchannels(pack, tongue, seed)]


def all_phrasings(pack: RoundPack, tongue: Tongue) -> set[str]:
    """Every way in which a session of any seed may put one of those lines."""
    lines = [*_spoken(pack, 0), *(line for line in (pack.persona.backchannels, pack.resuming) if line is not None)]
    return {text for line in lines for text in line.phrasings[tongue]}


def _spoken(pack: RoundPack, seed: int) -> list[Line]:
    persona = pack.persona
    spoken = [pack.opening]
    for section in pack.sections:
        for question in questions_of(pack, section, seed):
            spoken += [question.line, *_lines(question.points), *(fact.line for fact in question.facts)]
    spoken += [one.line for one in pack.interjections]
    spoken += [line for line in (persona.prompt, persona.interesting) if line is not None]
    for pushback in pack.pushbacks:
        spoken += [pushback.line, *_lines(pushback.points)]
    spoken += [*_lines(pack.challenges), *_lines(pack.deeper), pack.invite, *(answer.line for answer in pack.answers)]
    optional = (line for line in (pack.generic, pack.repeated) if line is not None)
    return [*spoken, pack.unknown_answer, pack.more, *optional, pack.closing]


def backchannels(pack: RoundPack, tongue: Tongue, seed: int) -> list[str]:
    """The sounds of listening of this round's interviewer, in the order in which a session of this seed uses them."""
    line = pack.persona.backchannels
    return phrasings(line, tongue, seed) if line is not None else []


def _lines(points: Iterable[Point]) -> Iterator[Line]:
    for point in points:
        yield point.line
        yield from _lines(point.chain)
