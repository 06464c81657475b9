"""A company with three small rounds, and candidates who are good, vague or bluffing at it."""

from __future__ import annotations

from dataclasses import replace

from tests.fakes.content import PERSONA, content, detector, line, point
from tests.fakes.interview import Candidate
from voiceprep.core.events import MoveChosen
from voiceprep.core.interviewer.loop import Label, Loop
from voiceprep.core.pack import Content, Pushback

SAYS = {
    "own_decision": "I decided to drop the second region",
    "metric": "we measured it every week",
    "tradeoff": "I traded speed for a calmer night",
    "decision_owner": "the owner is the platform lead",
    "conflict_process": "two teams escalate to her by noon",
    "abuse_guard": "a quota keeps anybody from gaming it",
    "learning": "I learned to ask for the bill first",
    "rescope": "we rescoped it to one queue",
}
"""What shows each signal to the small detectors."""

VAGUE = "well there were many things going on in that project and we all worked on it together and it went really well"
BLUFF = f"{VAGUE} and obviously the kernel just reroutes all of that by itself"


def small_content(name: str = "test-round") -> Content:
    made = content(persona=replace(PERSONA, pushback_share=0.34))
    words = {"decision_owner": "owner", "conflict_process": "escalate", "abuse_guard": "quota", "learning": "learned"}
    more = [detector(signal, word) for signal, word in (words | {"rescope": "rescoped"}).items()]
    bluff = replace(detector("bluff", "reroutes"), kind="trap")
    kinds = [(f"{kind}-{n}", kind) for n in range(4) for kind in ("cost", "premise", "option")]
    pushbacks = tuple(Pushback(one, kind, (), line(one), (point(f"{one}.scope", "rescope"),)) for one, kind in kinds)
    deeper = tuple(point(f"deeper-{n}", signal) for n in range(6) for signal in ("learning", "tradeoff", "number"))
    return replace(
        made,
        round=replace(made.round, id=name, pushbacks=pushbacks, deeper=deeper),
        detectors=(*made.detectors, *more, bluff),
    )


LOOP = Loop(
    id="small",
    title={"en": "A small company", "zh": "小公司"},
    source="tests",
    requirements=(),
    rounds=("one", "two", "three"),
    labels=(
        Label(
            "bluffs", {"en": "bluffs", "zh": "装懂"}, {"en": "Say where it ends.", "zh": "说到哪里为止。"}, ("bluff",), least=2
        ),
        Label(
            "passenger",
            {"en": "passenger", "zh": "搭车的"},
            {"en": "Find two decisions.", "zh": "找两个决定。"},
            missing=("own_decision",),
            rounds=("three",),
        ),
    ),
)


def good(move: MoveChosen) -> str:
    """Answers a question in full, and a follow-up with what it asks for."""
    if move.target in SAYS:
        return f"Yes, for that {SAYS[move.target]}. That is my answer."
    return f"In short, {SAYS['own_decision']}, and {SAYS['metric']}, and there {SAYS['rescope']}. That is my answer."


def vague(_: MoveChosen) -> str:
    return f"{VAGUE}. That is my answer."


def bluffing(move: MoveChosen) -> str:
    """Good, but for what it does not know and talks about."""
    return f"{good(move).removesuffix(' That is my answer.')} {BLUFF}. That is my answer."


def leaves_after(candidate: Candidate, answers: int) -> Candidate:
    """The same candidate, who hangs up after so many answers."""
    left = iter(range(answers))
    return lambda move: candidate(move) if next(left, None) is not None else None
