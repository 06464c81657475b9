"""What a job description asks for, and what of it a CV backs up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from voiceprep.content.patterns import compiled
from voiceprep.core.pack import Tongue
from voiceprep.core.text import ONE_HANZI
from voiceprep.intake.layout import Statement, statements
from voiceprep.intake.lexicon import Lexicon
from voiceprep.intake.spoken import fits, object_of
from voiceprep.intake.terms import terms

MOST_DEMANDS = 40
_SHARE = 0.5
"""So much of what a demand is about must stand in one line of the CV, or twice as many terms as one could share by chance."""
_ENOUGH = 3
_YEARS = re.compile(r"\d\s*\+?\s*(?:years?|yrs?)\b|\d\s*年", re.IGNORECASE)
"""How long somebody must have done it is a demand, even of a field that every such job has: kept, and not asked about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Demand:
    """A line of a job description that asks for something.

    Attributes:
        id: `job-1`, `job-2`, ... in its order.
        text: the line, verbatim.
        language: that it is in.
        must: it is needed; else it is welcome.
        object: the thing, short enough to be said, or "": nothing that could be asked about, like a degree.
        backed: the CV speaks of it.
    """

    id: str
    text: str
    language: Tongue
    must: bool
    object: str
    backed: bool = False


def find_demands(lines: Sequence[str], lexicon: Lexicon) -> tuple[Demand, ...]:
    """The demands of a job description, in its order. Duties count as needed: whoever is hired will have to do them."""
    words = lexicon.file.demands
    kinds = {word: kind for kind in ("must", "nice", "duties", "other") for word in getattr(words, kind)}

    def heading(line: str) -> str | None:
        return kinds.get(re.sub(r"[^\w\s'-]|_", "", line.replace("’", "'")).strip().casefold())

    found = [
        demand
        for statement in statements(lines, heading)
        if statement.section in {"must", "nice", "duties"} and (demand := _demand(statement, lexicon)) is not None
    ]
    return tuple(replace(demand, id=f"job-{n}") for n, demand in enumerate(found[:MOST_DEMANDS], 1))


def _demand(statement: Statement, lexicon: Lexicon) -> Demand | None:
    text = statement.text[:400]
    if not terms(text, lexicon) and not _YEARS.search(text):
        return None
    tongue: Tongue = "zh" if len(ONE_HANZI.findall(text)) * 4 > len(text) else "en"
    welcome = any(compiled(pattern).search(text) for pattern in lexicon.file.demands.welcome)
    return Demand(
        id="",
        text=text,
        language=tongue,
        must=statement.section != "nice" and not welcome,
        object=_thing(text, tongue, lexicon),
    )


def _thing(text: str, tongue: Tongue, lexicon: Lexicon) -> str:
    if any(compiled(pattern).search(text) for pattern in lexicon.file.demands.soft):
        return ""
    if (duty := _duty(text, tongue, lexicon)) is not None:
        return duty
    for pattern in lexicon.file.demands.lead_in:
        text = compiled(pattern).sub("", text, count=1)
    for pattern in lexicon.file.demands.lead_out:
        text = compiled(pattern).sub("", text, count=1)
    what = object_of(text, tongue, lexicon)
    # A demand names a field, not one thing: "experience with Kubernetes" is no "the Kubernetes".
    return what.removeprefix("the ") if terms(what, lexicon) else ""


def _duty(text: str, tongue: Tongue, lexicon: Lexicon) -> str | None:
    """What somebody in this job would do, in the line's own words from its verb on: "own the roadmap". None without a verb."""
    words = text.split()
    found = deed_length(words, lexicon) if tongue == "en" else 0
    if not found:
        return None
    rest = " ".join(words[found:])
    what = object_of(rest, "en", lexicon)
    if not rest.casefold().startswith("the "):
        what = what.removeprefix("the ")
    said = " ".join([*(word.casefold() for word in words[:found]), what])
    return said if what and fits(said, "en", "object") else None


def deed_length(words: Sequence[str], lexicon: Lexicon) -> int:
    """How many words at the head of these are a verb as a duty has it: "own" or "roll out", not "owned" or "owning"."""
    for length in (3, 2, 1):
        verb = lexicon.en.get(tuple(word.casefold() for word in words[:length]))
        if verb is not None:
            return 0 if verb.finite or words[0].casefold().endswith(("s", "ing")) else min(length, len(words))
    return 0


def backed(demands: Sequence[Demand], cv: Sequence[str], lexicon: Lexicon) -> tuple[Demand, ...]:
    """The demands, each with whether a line of the CV speaks of it. Alike words are all that is looked at: no model judges."""
    known = [terms(line, lexicon) for line in cv if line.strip()]
    return tuple(replace(demand, backed=any(speaks_to(line, demand, lexicon) for line in known)) for demand in demands)


def speaks_to(found: frozenset[str], demand: Demand, lexicon: Lexicon) -> bool:
    """Whether these terms are what the demand is about, in good part."""
    wanted = terms(demand.object or demand.text, lexicon) or terms(demand.text, lexicon)
    shared = len(found & wanted)
    return bool(wanted) and (shared >= _SHARE * len(wanted) or shared >= _ENOUGH)
