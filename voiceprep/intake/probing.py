"""Questions about what a CV claims and a job demands, put into a round where it makes room for them.

The candidate's text only ever fills a slot of a line that is ours: whatever it says, it names something and orders nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from voiceprep.core.events import Language
from voiceprep.core.pack import Content, Line, Point, Question, RoundPack, Section, Tongue, tongue_of
from voiceprep.core.text import HANZI, has_hanzi
from voiceprep.intake.claims import Claim
from voiceprep.intake.demands import Demand, deed_length
from voiceprep.intake.figures import figure_in
from voiceprep.intake.intake import Intake
from voiceprep.intake.lexicon import Asking, Lexicon, Rung, Templates, load_lexicon
from voiceprep.intake.spoken import fits

CV_KIND = "cv"
"""What a pack calls a question that speaks of a CV."""
CLAIM_KIND = "claim"
GAP_KIND = "gap"

LADDERS: dict[Asking, tuple[tuple[Rung, ...], tuple[Rung, ...]]] = {
    "decided": (("decide", "tradeoff", "owner"), ("act", "baseline", "measure")),
    "led": (("decide", "tradeoff", "owner"), ("act", "baseline", "measure")),
    "built": (("decide", "tradeoff", "owner"), ("measure", "act", "baseline")),
    "moved": (("baseline", "act", "tradeoff", "owner"), ("decide", "measure")),
    "figure": (("baseline", "decide", "tradeoff", "owner"), ("measure", "act")),
    "part": (("act", "decide", "owner"), ("tradeoff", "measure", "baseline")),
    "unsaid": (("decide", "baseline", "tradeoff", "owner"), ("act", "measure")),
    "gap": (("act", "decide", "tradeoff"), ("baseline", "measure", "owner")),
    "duty": (("act", "decide", "tradeoff"), ("baseline", "measure", "owner")),
}
"""For each kind of question the ladder that is climbed down, from the top, and what else an answer is held against."""
_EDGE = "\0"
_MIXED_EDGE = re.compile(f"(?<=[{HANZI}]){_EDGE}+(?=[A-Za-z0-9])|(?<=[A-Za-z0-9%+]){_EDGE}+(?=[{HANZI}])")
_NOT_OF_PEOPLE = frozenset({"baseline", "measure"})


@dataclass(frozen=True, slots=True)
class Probe:
    """A question about one claim or demand, before it has a place in a round."""

    of: str
    """Id of the claim or the demand, and of the question."""
    asking: Asking
    question: Question


def probes(intake: Intake, language: Language, lexicon: Lexicon | None = None) -> tuple[Probe, ...]:
    """What can be asked aloud in a session of this language, the most worth asking first.

    Two claims, one demand that the CV does not speak of, then the rest of both.
    """
    lexicon = lexicon or load_lexicon()
    tongue = tongue_of(language)
    asked = [probe for claim in intake.claims if (probe := _of_claim(claim, tongue, lexicon)) is not None]
    gaps = [probe for demand in gaps_of(intake) if (probe := _of_demand(demand, tongue, lexicon)) is not None]
    return (*asked[:2], *gaps[:1], *asked[2:], *gaps[1:])


def gaps_of(intake: Intake) -> tuple[Demand, ...]:
    """Demands that the CV does not speak of, needed ones first; without a CV that is all of them."""
    return tuple(sorted((demand for demand in intake.demands if not demand.backed), key=lambda demand: not demand.must))


def augmented(pack: RoundPack, intake: Intake, language: Language, lexicon: Lexicon | None = None) -> RoundPack:
    """The round with questions about this CV and this job in it.

    The pack says where, by the kinds of its own questions (prompts/intake.toml, `places`). Questions of kind `cv` give way.
    Without a CV and with nothing to ask, the round is as it was.
    """
    lexicon = lexicon or load_lexicon()
    asked = _shared_out(pack, probes(intake, language, lexicon)[: lexicon.file.places.most], lexicon)
    questions: list[Question] = []
    for section in pack.sections:
        own = [question for question in pack.questions if question.section == section.id]
        here = [replace(probe.question, section=section.id) for probe in asked[section.id]]
        others = [question for question in own if question.kind != CV_KIND]
        kept = others if intake.cv is not None and (here or others) else own
        # The round opens with a question of its own; elsewhere claims come first, lest the section ends before them.
        first = 1 if section is pack.sections[0] and kept else 0
        questions += [*kept[:first], *here, *kept[first:]]
    # Where questions come in an order of the session's own, a claim might be drawn last, and never asked.
    sections = tuple(replace(section, order="given") if asked[section.id] else section for section in pack.sections)
    return replace(pack, sections=sections, questions=tuple(questions))


def _shared_out(pack: RoundPack, left: Sequence[Probe], lexicon: Lexicon) -> dict[str, list[Probe]]:
    """Which probes go into which section, as far as there is room.

    One by one in turn, the opening section last: there a claim comes second, and may be cut off by the section's end.
    """
    asked: dict[str, list[Probe]] = {section.id: [] for section in pack.sections}
    room = {
        section.id: _room([q for q in pack.questions if q.section == section.id], section, lexicon) for section in pack.sections
    }
    waiting = list(left)
    while waiting and any(len(asked[name]) < room[name] for name in asked):
        for section in (*pack.sections[1:], pack.sections[0]):
            if waiting and len(asked[section.id]) < room[section.id]:
                asked[section.id].append(waiting.pop(0))
    return asked


def with_intake(content: Content, intake: Intake, language: Language) -> Content:
    """The content of a session that this was taken in for."""
    return replace(content, round=augmented(content.round, intake, language))


def _room(own: Sequence[Question], section: Section, lexicon: Lexicon) -> int:
    """How many probes go into this section: what its own questions are, the most telling kind first, says so."""
    places = lexicon.file.places
    if section.kind == "reverse":
        return 0
    kinds = {question.kind for question in own}
    rooms = ((CV_KIND, places.cv), ("project", places.project), ("story", places.story))
    return next((room for kind, room in rooms if kind in kinds), 0)


# --- one question --------------------------------------------------------------------------------------------------------


def _of_claim(claim: Claim, tongue: Tongue, lexicon: Lexicon) -> Probe | None:
    what = _sayable(claim.object, tongue, "object")
    figures = (figure_in(figure, tongue, lexicon) for figure in claim.figures)
    figure = next((figure for figure in figures if _sayable(figure, tongue, "figure")), "")
    if not what and not figure:
        return None
    it = getattr(lexicon.file.it, tongue)
    slots = {
        "verb": claim.verb if claim.language == tongue else getattr(lexicon.file.called, tongue)[claim.deed],
        "object": what or it,
        "figure": figure,
    }
    asking: Asking = claim.deed
    if not what:
        asking = "unsaid"
    elif claim.deed == "moved" and figure and not claim.baseline:
        asking = "figure"
    return _probe(claim.id, CLAIM_KIND, asking, slots, slots["object"], claim.text, tongue, lexicon)


def _of_demand(demand: Demand, tongue: Tongue, lexicon: Lexicon) -> Probe | None:
    what = _sayable(demand.object, tongue, "object")
    if not what:
        return None
    asking: Asking = "duty" if deed_length(what.split(), lexicon) else "gap"
    it = getattr(lexicon.file.it, tongue)  # a field is nothing that somebody signs for or has in figures
    return _probe(demand.id, GAP_KIND, asking, {"object": what}, it, demand.text, tongue, lexicon)


def unasked(claim: Claim, language: Language) -> str:
    """Why nothing is asked about a claim that no probe is of."""
    if tongue_of(language) == "en" and has_hanzi(claim.object):
        return "not asked about: it is Chinese, this interviewer says no Chinese, and it has no figure"
    return "not asked about: its words are too long to be said" if claim.object else "not asked about: it names no thing"


def _sayable(text: str, tongue: Tongue, slot: str) -> str:
    """The text as this tongue can say it, or "": an English voice says no Chinese, a Chinese one says English names."""
    said = text.removeprefix("the ") if tongue == "zh" else text
    if not said or (tongue == "en" and has_hanzi(said)):
        return ""
    return said if fits(said, tongue, slot) else ""


def _probe(
    of: str, kind: str, asking: Asking, slots: dict[str, str], below: str, text: str, tongue: Tongue, lexicon: Lexicon
) -> Probe:
    """`slots` fill the question, `below` is what the thing is called in its ladder, `text` what its topic words come from."""

    def line(name: str, templates: Templates, filled: dict[str, str]) -> Line:
        return Line(name, {tongue: tuple(_filled(template, filled) for template in getattr(templates, tongue))})

    def point(rung: Rung, chain: tuple[Point, ...] = ()) -> Point:
        file = lexicon.file.rungs[rung]
        return Point(f"{of}.{rung}", file.target, "missing", line(f"{of}.{rung}", file, {"object": below}), chain)

    people = getattr(lexicon.file.people, tongue)
    is_people = below.casefold().endswith(tuple(people)) or any(f" {word} " in below.casefold() for word in people)
    down, beside = (tuple(r for r in side if not (is_people and r in _NOT_OF_PEOPLE)) for side in LADDERS[asking])
    top = point(down[0], tuple(point(rung) for rung in down[1:]))
    question = Question(
        id=of,
        section="",
        kind=kind,
        line=line(of, lexicon.file.questions[asking], slots),
        points=(top, *(point(rung) for rung in beside)),
        topics={tongue: tuple(dict.fromkeys(_topics(text)))},
    )
    return Probe(of, asking, question)


def _filled(template: str, slots: Mapping[str, str]) -> str:
    """The template with the claim's words in it, a Latin word or a number apart from the Chinese around it."""
    text = template.format_map({name: f"{_EDGE}{value}{_EDGE}" for name, value in slots.items()})
    return re.sub(f"{_EDGE}+", "", _MIXED_EDGE.sub(" ", text))


def _topics(text: str) -> Iterator[str]:
    """Words that an answer about it would use."""
    for word in re.findall(r"[a-z][a-z0-9]{2,}", text.casefold()):
        yield word[:7] if len(word) > 8 else word  # noqa: PLR2004  (the start of a word is enough: schedul)
    for run in re.findall(f"[{HANZI}]+", text):
        yield from (run[i : i + 2] for i in range(len(run) - 1))
