"""What a CV says that its author did, each sentence that says so as a claim."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from voiceprep.content.patterns import compiled
from voiceprep.core.pack import Tongue
from voiceprep.core.text import ONE_HANZI, is_hanzi
from voiceprep.intake.figures import figures
from voiceprep.intake.layout import Statement, statements
from voiceprep.intake.lexicon import MOST_CHARACTERS, Deed, Lexicon, Verb
from voiceprep.intake.spoken import fits, object_of

MOST_CLAIMS = 60
"""More than this is no CV; those that stand first are kept."""
MOST_WORDS_KEPT = 400
"""Characters of a claim's own words."""

_HELPED = 4
"""Words between "helped" and what somebody was helped to do."""

_EN_WORD = re.compile(r"[A-Za-z0-9][\w'’-]*|[,:;–—]|\s-\s")
_ZH_CLAUSE = re.compile(r"[，,。；;：:！!？?]")
_TOGETHER = re.compile(r"(?:和|与|跟|同)[^，,]{1,16}?(?:一起|共同|合作|联合)")
_SAID = MOST_CHARACTERS["verb"]
_ZH_JOINT = re.compile(r"(?:了|并且|并|和|与|及|、|以及)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A sentence of a CV in which its author did something.

    Attributes:
        id: `cv-1`, `cv-2`, ..., most worth probing first once ranked.
        text: the sentence, verbatim.
        line: of the document, counted from 1.
        language: that the sentence is in.
        deed: what was done (see prompts/intake.toml).
        verb: what was done, as it is said to the author: `designed`, 主导设计.
        object: what it was done to, short enough to be said, or "" where nothing can be.
        figures: those in the sentence, as written.
        baseline: it says where a figure started.
        roles: words in it for the part that its author had.
        wanted: ids of the demands of the job that it speaks to.
        score: how much it is worth probing; comparable within one CV only.
    """

    id: str
    text: str
    line: int
    language: Tongue
    deed: Deed
    verb: str
    object: str
    figures: tuple[str, ...] = ()
    baseline: bool = False
    roles: tuple[str, ...] = ()
    wanted: tuple[str, ...] = ()
    score: float = 0.0


def find_claims(lines: Sequence[str], lexicon: Lexicon) -> tuple[Claim, ...]:
    """All claims of a CV, in its order, numbered from 1; none from lists of skills or schools."""
    found: list[Claim] = []
    for statement in statements(lines, lexicon.heading, lambda line: _begins(line, lexicon)):
        if statement.section != "other":
            found += _claims(statement, lexicon)
        if len(found) >= MOST_CLAIMS:
            break
    distinct = {re.sub(r"\W", "", claim.text.casefold()): claim for claim in reversed(found[:MOST_CLAIMS])}
    return tuple(replace(claim, id=f"cv-{n}") for n, claim in enumerate(reversed(distinct.values()), 1))


def unclaimed(lines: Sequence[str], lexicon: Lexicon) -> tuple[str, ...]:
    """Sentences and bullets about work that hold no claim as far as this reading goes, verbatim, in order."""
    return tuple(
        statement.text
        for statement in statements(lines, lexicon.heading, lambda line: _begins(line, lexicon))
        if (statement.section == "work" or (statement.bullet and not statement.section))
        and not any(True for _ in _claims(statement, lexicon))
    )


def _begins(line: str, lexicon: Lexicon) -> bool:
    """Whether a line without a mark says by its first word that a claim begins. A long Chinese one may go on with a verb."""
    if is_hanzi(line[0]):
        return _chinese_verb(_ZH_CLAUSE.split(line, maxsplit=1)[0], lexicon) is not None
    words = list(_EN_WORD.finditer(line))
    return line[0].isupper() and bool(words) and _verb_at(words, 0, lexicon) is not None


def _claims(statement: Statement, lexicon: Lexicon) -> Iterator[Claim]:
    text = statement.text[:MOST_WORDS_KEPT]
    if len(ONE_HANZI.findall(text)) * 4 > len(text):
        yield from _chinese(text, statement, lexicon)
    elif (claim := _english(text, statement, lexicon)) is not None:
        yield claim


def _claim(text: str, statement: Statement, tongue: Tongue, deed: Deed, said: tuple[str, str], lexicon: Lexicon) -> Claim:
    lower = text.casefold()
    own = lexicon.file.roles
    roles = (
        [w for w in own.en if re.search(rf"\b{re.escape(w)}\b", lower)] if tongue == "en" else [w for w in own.zh if w in text]
    )
    patterns = (*lexicon.file.baseline.en, *lexicon.file.baseline.zh)
    return Claim(
        id="",
        text=text,
        line=statement.line,
        language=tongue,
        deed=deed,
        verb=said[0],
        object=said[1],
        figures=figures(text),
        baseline=any(compiled(pattern).search(text) for pattern in patterns),
        roles=tuple(roles),
    )


# --- English -------------------------------------------------------------------------------------------------------------


def _english(text: str, statement: Statement, lexicon: Lexicon) -> Claim | None:
    """The first verb at the head of the sentence, of a clause, or behind an "I". Elsewhere a verb may be somebody else's."""
    words = list(_EN_WORD.finditer(text))
    for index in range(len(words)):
        if not _may_begin(words, index):
            continue
        found = _verb_at(words, index, lexicon)
        if found is None:
            continue
        verb, after = found
        if not (verb.finite or index == 0 or words[index - 1][0] == "I"):
            continue
        said, after = _helping(words, after, verb.said, lexicon)
        after = _last_of_several(words, after, lexicon)
        what = object_of(text[words[after - 1].end() :], "en", lexicon)
        head = what.casefold().rsplit(" ", 1)[-1]
        if not what or head in lexicon.file.roles.en or not fits(said, "en", "verb"):
            return None  # "Lead product manager": a title
        return _claim(text, statement, "en", verb.deed, (said, what), lexicon)
    return None


def _may_begin(words: Sequence[re.Match[str]], index: int) -> bool:
    return index == 0 or not words[index - 1][0][0].isalnum() or words[index - 1][0] == "I"


def _verb_at(words: Sequence[re.Match[str]], index: int, lexicon: Lexicon) -> tuple[Verb, int] | None:
    """The verb here, and the index of the word after it; what is said before a verb ("successfully") is passed over."""
    before = lexicon.file.before.en
    while index < len(words) and words[index][0].casefold() in before:
        index += 1
    for length in (3, 2, 1):
        form = tuple(word[0].casefold() for word in words[index : index + length])
        if len(form) == length and form in lexicon.en:
            return lexicon.en[form], index + length
    return None


def _helping(words: Sequence[re.Match[str]], index: int, said: str, lexicon: Lexicon) -> tuple[str, int]:
    """What was helped with belongs to the verb: "helped sales close five deals" is said as "helped close"."""
    if said != "helped":
        return said, index
    for at, word in enumerate(words[index : index + _HELPED], index):
        verb = lexicon.en.get((word[0].casefold(),))
        if word[0].casefold() in lexicon.file.helped or (
            verb is not None and not verb.finite and not word[0].endswith(("s", "ing"))
        ):
            return f"helped {word[0].casefold()}", at + 1
    return said, index


def _last_of_several(words: Sequence[re.Match[str]], index: int, lexicon: Lexicon) -> int:
    """Where the thing begins that all of it was done to: "designed, built and launched the scheduler"."""
    while index < len(words):
        skip = index
        while skip < len(words) and words[skip][0].casefold() in {",", "and", "then", "or"}:
            skip += 1
        found = _verb_at(words, skip, lexicon) if skip > index else None
        if found is None or not found[0].finite:
            return index
        index = found[1]
    return index


# --- Chinese -------------------------------------------------------------------------------------------------------------


def _chinese(text: str, statement: Statement, lexicon: Lexicon) -> Iterator[Claim]:
    """A claim begins with each clause that begins with a verb; one that tells what came of it belongs to that before."""
    begun: tuple[int, Deed, str, str] | None = None
    start = 0
    for end in [*(match.start() for match in _ZH_CLAUSE.finditer(text)), len(text)]:
        clause = text[start:end]
        found = _chinese_verb(clause, lexicon)
        if found is not None and (begun is None or not _result(clause, found[0])):
            if begun is not None:
                yield _from(text[begun[0] : start], begun, statement, lexicon)
            begun = (start, *found)
        start = end + 1
    if begun is not None:
        yield _from(text[begun[0] :], begun, statement, lexicon)


def _result(clause: str, deed: Deed) -> bool:
    """Whether a later clause tells what came of a deed, rather than of another one."""
    return deed == "moved" or clause.strip().startswith(("支持", "支撑"))


def _from(text: str, begun: tuple[int, Deed, str, str], statement: Statement, lexicon: Lexicon) -> Claim:
    return _claim(text.strip(" ，,；;。"), statement, "zh", begun[1], (begun[2], begun[3]), lexicon)


def _chinese_verb(clause: str, lexicon: Lexicon) -> tuple[Deed, str, str] | None:
    """What kind of deed the clause tells of, its verbs as one word, and the thing."""
    rest = clause.strip()
    together = _TOGETHER.match(rest)
    rest = rest[together.end() :].lstrip() if together else rest
    if moved := _moved(rest, lexicon):
        return moved
    before = sorted(lexicon.file.before.zh, key=len, reverse=True)
    while word := next((word for word in before if rest.startswith(word)), None):
        rest = rest[len(word) :].lstrip()
    if any(rest.startswith(role) for role in lexicon.file.roles.zh):
        return None
    said, deeds = "", list[Deed]()
    joined = False
    while found := next(((verb, deed) for verb, deed in lexicon.zh if rest.startswith(verb)), None):
        verb, deed = found
        rest = rest[len(verb) :]
        if not joined and len(said + verb) <= _SAID:
            said += verb
        deeds.append(deed)
        joint = _ZH_JOINT.match(rest)
        joined = joined or bool(joint and joint[0])
        rest = rest[joint.end() :] if joint else rest
    what = object_of(rest, "zh", lexicon) if deeds else ""
    if not what:
        return None
    if together:
        return "part", f"一起{said}" if len(said) + len("一起") <= _SAID else said, what
    strongest: tuple[Deed, ...] = ("part", "decided")
    return next((deed for deed in strongest if deed in deeds), deeds[0]), said, what


_MOVED = re.compile(
    r"^(?:最终|成功)?(?:将|把)(?P<what>[^，,从由]{2,30}?)(?:(?:从|由)[^，,]{1,14}?)?(?P<verb>降低|缩短|提升|提高|减少|压缩|降|升|增加|优化)"
)


def _moved(clause: str, lexicon: Lexicon) -> tuple[Deed, str, str] | None:
    """将平均排队时间从 40 分钟降到 12 分钟: the thing comes before the verb."""
    match = _MOVED.match(clause)
    if match is None:
        return None
    what = object_of(match["what"], "zh", lexicon)
    verb = {"降": "降低", "升": "提升"}.get(match["verb"], match["verb"])
    return ("moved", verb, what) if what else None
