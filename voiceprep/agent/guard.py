"""What may be said of what a language model wrote: a pure filter that reads along, and is strict.

What it lets through is as harmless as the bank's own line: short, in the right language, after the same thing, with one
question at most and no second one in its clauses, without praise or an answer, and with no figure or name that was not there
before. Whatever fails is not mended but refused, and the bank's line is said.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from string import digits

from voiceprep.core.claims.numerals import numbers
from voiceprep.core.pack import Tongue
from voiceprep.core.text import HANZI, ONE_HANZI, is_hanzi

LIMIT: Mapping[Tongue, int] = {"en": 35, "zh": 60}
"""Words of English, characters of Chinese: what a listener holds in mind."""
ECHO: Mapping[Tongue, int] = {"en": 6, "zh": 12}
"""So many units in a row from the instructions are no accident,"""
PARROT: Mapping[Tongue, int] = {"en": 8, "zh": 16}
"""... nor are so many from what the candidate said."""
RAW = 24_000
"""Characters after which nothing more is read, reasoning included."""
LOOKS = 1_000
"""... nor is anything after so many looks at what there is so far: each begins at its beginning."""
SMALL = 2
"""Counts up to this say nothing ("one thing", "both"); larger figures are facts."""
STAGE_WORDS = 2
"""Between single stars, fewer are an emphasis and more are a stage direction."""
STEM = 4
"""Letters by which two English words are told to be of one kind: decided, decision."""

LETTERS = 12
"""Characters that a word, or a Chinese character, may take with what is around it."""
LONGEST = 40
"""Characters of the longest word, its parts included: "read-after-write"."""
SPARE = 4
"""So many signs more than words there may be: "Why...?"."""

_THINKING = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_THOUGHT = re.compile(r"\A.*</(?:think|thinking|reasoning)>", re.DOTALL | re.IGNORECASE)
_STAGE = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|（[^（）]*）|【[^【】]*】")
_STARRED = re.compile(r"(?<!\*)\*(?!\*)([^*\n]+)\*(?!\*)")
_MARKUP = re.compile(r"\*\*|__|`+|^[^\S\n]{0,3}(?:#{1,6}|>|[-*•])\s+", re.MULTILINE)
_QUOTES = str.maketrans(dict.fromkeys('"“”„«»「」『』*'))
_LISTED = re.compile(r"^[^\S\n]*(?:[-*•]|\d+[.)、])[^\S\n]+\S", re.MULTILINE)
_NAMED = re.compile(rf"\A\s*(?:[A-Z]\w*(?: [A-Z]\w*)?[:：]\s+|[{HANZI}]{{1,4}}[:：]\s*)")
_LINK = re.compile(r"https?:|www\.|[{}<>|]|```")
_UNIT = re.compile(rf"[{HANZI}]|[^\W_]+(?:['’\-./][^\W_]+)*")
_LATIN = re.compile(r"[^\W\d_][\w'’\-./+]*", re.ASCII)
_SIGNS = frozenset(".,;:!?'/%&+#$€£¥~°·-‑–—…，。、；：！？‘’～％")
"""Besides letters, figures and blanks: what a voice leaves out or can say. No brackets, no accents on their own, no ² ½ Ⅷ."""
_ASKS = "?？"
_CLAUSES: Mapping[Tongue, re.Pattern[str]] = {
    "en": re.compile(r"[.;:!?…]\s+|[-–—]\s+|,?\s+(?:and|but|so)\s+|\b(?:tell me|say)\s+", re.IGNORECASE),
    "zh": re.compile("[，。；：！？、]"),
}
"""What parts a line where it may begin to ask for something else. An "or" asks for the same."""
_ASKED: Mapping[Tongue, re.Pattern[str]] = {
    "en": re.compile(
        r"(?:also,?\s+|by\s+|or\s+)?(what|how|whom?|why|which|when|where|(?:would|could|was|were|did|does|is|are)(?=\s))\b",
        re.IGNORECASE,
    ),
    # 哪怕, 没什么, 不管谁, 谁都 and the like ask for nothing
    "zh": re.compile(
        r".*?(为什么|什么时候|(?<!没)什么(?!都|也)|(?<!不管)(?<!无论)(?:怎么|如何)(?!都|也)|(?<!不管)(?<!无论)谁(?!都|也)"
        r"|哪(?!怕)|多(?:少|长|久)(?!都|也)|(?<![这那好])几(?=[个次天人周台张])|是不是|是否|有没有|吗$)"
    ),
}
"""How a clause begins that asks, and what for."""
_ENDS = ".!?。！？…"


@dataclass(frozen=True, slots=True)
class Signs:
    """Patterns of one language that give a bad line away, by what they are, and words that are in almost any line of it."""

    bad: Mapping[str, tuple[re.Pattern[str], ...]]
    common: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Frame:
    """What a line is held against.

    Attributes:
        bank: the line that it words anew.
        target: what that goes after, as an id: ``own_decision``.
        known: all that was said so far, by both, and what the round is about: the source of names and figures.
        instructions: what the model was told, apart from the above.
        before: the interviewer's lines so far.
    """

    language: Tongue
    bank: str
    signs: Signs
    target: str = ""
    known: str = ""
    instructions: str = ""
    before: tuple[str, ...] = ()

    @property
    def limit(self) -> int:
        """In words or characters. A line of the bank that is longer (an honest answer) may stay as long."""
        return max(LIMIT[self.language], len(units(self.bank)))

    @property
    def size(self) -> int:
        """In characters, whatever they are."""
        return max(LETTERS * self.limit, 2 * len(self.bank))


@dataclass(slots=True)
class Guard:
    """Fed with a stream; `text` and `refused` tell the outcome at any time.

    `thinks`: the server is known to begin in the middle of its reasoning, without a tag.
    """

    frame: Frame
    thinks: bool = False
    _raw: list[str] = field(default_factory=list)
    _size: int = 0
    _looks: int = 0

    def feed(self, piece: str) -> bool:
        """Take a piece. True: enough was read, whatever would follow."""
        if not piece:
            return False
        self._raw.append(piece[: RAW - self._size])
        self._size += len(self._raw[-1])
        if self._size >= RAW or self._looks >= LOOKS:
            return True
        if not _asks(piece) and len(self._raw) % 16:
            return False  # only now and then, where no question ends here
        self._looks += 1
        seen = visible("".join(self._raw), thinks=self.thinks)
        return _asks(seen) or len(units(seen)) > 2 * self.frame.limit

    def verdict(self) -> tuple[str, str]:
        """The line that may be said and "", or "" and why not: one word of docs/language-models.md."""
        raw = visible("".join(self._raw), thinks=self.thinks)
        if len(_LISTED.findall(raw)) > 1:
            return "", "markup"
        line = cleaned(raw)
        refused = _objection(line, self.frame)
        return ("", refused) if refused else (line, "")


def visible(raw: str, *, thinks: bool = False) -> str:
    """The text without its reasoning: tagged, with the end tag alone, or unfinished."""
    if thinks and not _THOUGHT.search(raw):
        return ""
    return _THOUGHT.sub("", _THINKING.sub("", raw))


def cleaned(text: str) -> str:
    """Plain words up to the first question: no markup, quotes, emoji, stage directions, no name in front."""
    text = _STARRED.sub(lambda m: m[1] if len(units(m[1])) < STAGE_WORDS else " ", text.replace("’", "'"))
    text = _MARKUP.sub("", _STAGE.sub(" ", text)).translate(_QUOTES)
    text = _NAMED.sub("", "".join(c for c in text if unicodedata.category(c) not in {"So", "Sk", "Cs", "Co", "Cn", "Cf"}))
    text = " ".join(text.replace("\ufe0f", "").split())
    asked = re.search(r"[?？]", text)
    return (text[: asked.end()] if asked else text).strip()


def units(text: str) -> list[str]:
    """The text's words, a Chinese character being one."""
    return _UNIT.findall(text)


def _objection(line: str, frame: Frame) -> str:
    """The first thing that is wrong with the line, or ""."""
    checks = (
        ("empty", not line),
        ("markup", bool(_LINK.search(line)) or not _speakable(line, frame)),
        ("too-long", _too_long(line, frame)),
        ("cut-off", line[-1:] not in _ENDS),
        ("no-question", _asks(frame.bank) and not _asks(line)),
        ("two-questions", _asked(line, frame) > max(1, _asked(frame.bank, frame))),
        ("language", not _speaks(line, frame)),
        ("said-before", _same(line, frame.before)),
    )
    for reason, wrong in checks:
        if wrong:
            return reason
    for reason, patterns in frame.signs.bad.items():
        if any(p.search(line) and not p.search(frame.bank) for p in patterns):
            return reason
    if _echoes(line, frame):
        return "echo"
    if not _about(line, frame):
        return "off-target"
    return "invented" if _invents(line, frame) else ""


def _speakable(line: str, frame: Frame) -> bool:
    """Whether all of its signs are known, or the bank's as well, and belong to words."""
    signs = [c for c in line if not (c.isalpha() or c.isspace() or c in digits or is_hanzi(c))]
    return set(signs) <= _SIGNS | set(frame.bank) and len(signs) <= len(units(line)) + SPARE


def _too_long(line: str, frame: Frame) -> bool:
    words = units(line)
    return len(line) > frame.size or len(words) > frame.limit or any(len(word) > LONGEST for word in words)


def _asks(text: str) -> bool:
    return any(mark in text for mark in _ASKS)


def _asked(text: str, frame: Frame) -> int:
    """How many different things are asked for: in "what did it cost, and who paid" two, in "what is yours, what hers" one."""
    clauses = _CLAUSES[frame.language].split(text)
    begun = (_ASKED[frame.language].match(clause.strip()) for clause in clauses)
    return len({found[1].lower() for found in begun if found is not None})


def _speaks(line: str, frame: Frame) -> bool:
    """Whether the line is in the language: Chinese may hold English terms, English holds no Chinese."""
    han, latin = len(ONE_HANZI.findall(line)), len(_LATIN.findall(line))
    right = han > latin if frame.language == "zh" else not han
    foreign = any(c.isalpha() and not c.isascii() and not is_hanzi(c) for c in line)
    return right and not foreign and bool(frame.signs.common.search(line))


def _same(line: str, before: Iterable[str]) -> bool:
    spoken = [unit.lower() for unit in units(line)]
    return any(spoken == [unit.lower() for unit in units(one)] for one in before)


def _echoes(line: str, frame: Frame) -> bool:
    length = ECHO[frame.language]
    told = _runs(frame.instructions, length) - _runs(frame.bank, length) - _runs(frame.known, length)
    longer = PARROT[frame.language]
    heard = _runs(frame.known, longer) - _runs(frame.bank, longer)
    return bool(_runs(line, length) & told or _runs(line, longer) & heard)


def _about(line: str, frame: Frame) -> bool:
    """Whether the line and the bank's have anything in common: whoever made the model change the subject gains nothing."""
    return bool(_kinds(line, frame) & _kinds(f"{frame.bank} {frame.target.replace('_', ' ')}", frame))


def _kinds(text: str, frame: Frame) -> set[str]:
    """What the text is about, roughly: the beginnings of its longer words, and pairs of Chinese characters."""
    words = {unit.lower()[:STEM] for unit in units(text) if len(unit) >= STEM and not frame.signs.common.fullmatch(unit)}
    return words | {a + b for a, b in pairwise(text) if is_hanzi(a) and is_hanzi(b)}


def _runs(text: str, length: int) -> set[tuple[str, ...]]:
    low = [unit.lower() for unit in units(text)]
    return {tuple(low[n : n + length]) for n in range(len(low) - length + 1)}


def _invents(line: str, frame: Frame) -> bool:
    """A figure that nobody gave, or a name that nobody said."""
    source = f"{frame.bank}\n{frame.known}"
    given = {(one.low, one.high) for one in numbers(source)}
    figures = {(one.low, one.high) for one in numbers(line) if one.low == one.high and one.low > SMALL}
    if figures - given:
        return True
    known = {word.lower() for word in _LATIN.findall(source)}
    known |= {part for word in known for part in re.split(r"['’\-./+]", word)}
    return any(not _known(name, known) for name in _names(line, frame))


def _names(line: str, frame: Frame) -> list[str]:
    """Words that look like a name: any Latin word in Chinese; in English capitals that no sentence begins with."""
    found = list(_LATIN.finditer(line))
    if frame.language == "zh":
        return [one[0] for one in found]
    names = [one[0] for one in found if _named(one[0]) and not _begins(line, one.start())]
    opening = [one[0] for one in found if _begins(line, one.start())]
    names += [word for word in opening if any(c.isupper() or c.isdigit() for c in word[1:])]
    owners = (word.removesuffix("'s") for word in opening if word.endswith("'s"))
    return names + [word for word in owners if not frame.signs.common.fullmatch(word)]


def _named(word: str) -> bool:
    return word.split("'", maxsplit=1)[0] != "I" and any(c.isupper() or c.isdigit() for c in word)


def _begins(line: str, at: int) -> bool:
    before = line[:at].rstrip()
    return not before or before[-1] in ".!?:;。！？"


def _known(name: str, known: set[str]) -> bool:
    low = name.lower().rstrip(".'")
    return low in known or low.removesuffix("'s") in known or all(part in known for part in re.split(r"['’\-./+]", low) if part)
