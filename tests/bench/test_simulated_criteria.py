"""Each criterion says no to an interviewer who fails it, and quotes the line."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bench.simulated import matrix
from bench.simulated.criteria import CRITERIA, grade
from bench.simulated.hearing import Interview, Line
from bench.simulated.meeting import CutIn
from tests.fakes.content import content
from tools.write_interviews import SHOWN, Shown, document
from voiceprep.core.pack import Framework, Point, RoundPack
from voiceprep.core.units import At
from voiceprep.errors import UsageError

MADE = content().round
TRAP = Point("first.trap", "lecture", "present", MADE.questions[0].points[0].line)
PACK: RoundPack = replace(
    MADE,
    minutes=(30, 40),
    framework=Framework(frozenset({"own_decision"}), 3),
    questions=tuple(replace(question, points=(*question.points, TRAP)) for question in MADE.questions),
)
SECTION, REVERSE = PACK.sections[0].id, PACK.sections[-1].id
QUESTION = PACK.questions[0].id


def line(at: float, text: str = "Which one was yours?", move: Any = "followup", **more: Any) -> Line:
    """A line at this second, answered from one second after its end on."""
    given: dict[str, Any] = {
        "target": "number", "phrase": f"phrase-{at}", "reason": "", "question": QUESTION, "section": SECTION, "since": at,
        "answer": "I took the small one, and we lost a week.", "voice": [(At(at + 3), At(at + 10))],
    }  # fmt: skip
    return Line(f"s{at}", At(at), text, move, started=At(at), over=At(at + 2), **{**given, **more})


def held(*lines: Line, **more: Any) -> Interview:
    planned = [(section.id, At(60.0 * number)) for number, section in enumerate(PACK.sections)]
    given: dict[str, Any] = {"prompts": (), "sections": tuple(planned), "ended": "completed", "elapsed": At(1700.0)}
    return Interview(pack=PACK, language="en", lines=lines, **{**given, **more})


ASK = line(0, "Tell me about it.", "question", target="")
BAD: dict[str, Interview] = {
    "one-question": held(line(1, "What was it? And who?")),
    "short-lines": held(line(1, "word " * 36 + "?")),
    "language": held(line(1, "哪一个？")),
    "no-praise": held(line(1, "Great point. Who decided it?")),
    "no-answer-given": held(line(1, "The right answer is a queue.")),
    "not-moved": held(line(1, "All right, you have passed.")),
    "no-phrase-twice": held(line(1, "Which of them was yours?"), line(20, "Which of them was yours?")),
    "no-point-twice": held(line(1, phrase="p"), line(20, "And then what?", phrase="p")),
    "no-target-twice": held(ASK, line(20), line(40)),
    "probes-the-gap": held(ASK, line(20, move="move_on", question="other"), line(60)),
    "challenges-the-trap": held(
        replace(ASK, heard=frozenset({"lecture"})), line(20, target="a"), line(40, target="b"), line(60)
    ),
    "three-deep": held(replace(ASK, heard=frozenset({"own_decision"})), line(20), line(40, move="move_on", question="other")),
    "asks-enough": held(line(1)),
    "notices-repeats": held(
        ASK,
        line(20, answer="we had a cluster and I changed the quotas and everybody was fine with it"),
        line(40, target="a", answer="we had a cluster and I changed the quotas and everybody was fine with it"),
        line(60, target="b"),
    ),
    "gibberish-is-none": held(replace(ASK, heard=frozenset({"metric"})), character="gibberish"),
    "keeps-sections": held(line(1), sections=((SECTION, At(0.0)), (REVERSE, At(1e4))), elapsed=At(1.01e4)),
    "leaves-their-minutes": held(line(1), sections=((SECTION, At(0.0)),)),
    "ends-in-time": held(line(1), ended="audio-ended"),
    "sections-in-order": held(line(1), sections=((SECTION, At(0.0)),)),
    "leaves-thinking-alone": held(line(1), cut_ins=(CutIn(At(5), "hesitation", meant=False, after="and then we"),)),
    "breaks-in-as-written": held(line(1, cut_in="never-written")),
    "meets-silence": held(line(1), prompts=tuple(line(1 + n, "Take your time.", "prompt") for n in range(2))),
    "no-dead-air": held(line(1), line(1000)),
    "answers-theirs": held(line(1, section=REVERSE)),
    "says-goodbye": held(line(1)),
    "true-time": held(line(1, "That's the hour. Bye.", "close"), elapsed=At(300)),
}


def test_every_criterion_is_tested() -> None:
    assert BAD.keys() == CRITERIA.keys()


@pytest.mark.parametrize("name", BAD)
def test_who_fails_a_criterion_is_quoted(name: str) -> None:
    faults = grade(BAD[name])[name]
    assert faults
    assert all(fault.why for fault in faults)


def test_a_good_interview_passes_them_all() -> None:
    asked = [
        replace(ASK, heard=frozenset({"own_decision"})),
        line(60, "How many were there?"),
        line(120, "Who decided it?", target="decision_owner"),
        line(180, "And who was against it?", target="real_conflict"),
        line(240, "What else is there?", "move_on", target="", question="other"),
        line(300, "Roughly how long?", question="other"),
        line(360, "Next, the data.", "move_on", target="", question="third"),
        line(1500, "Your turn, what would you like to know?", "move_on", target="", question="", section=REVERSE),
        line(1600, "Thank you for the time. Bye.", "close", target="", question="", section=REVERSE, voice=[], answer=""),
    ]
    patient = replace(PACK, persona=replace(PACK.persona, patience_long=2000.0, prompt_after=None, prompt=None))
    good = replace(held(*asked), pack=patient)
    assert {name: faults for name, faults in grade(good).items() if faults} == {}


# --- the product --------------------------------------------------------------------------------------------------------

COUNTED = {"challenges-the-trap", "gibberish-is-none", "notices-repeats", "probes-the-gap", "three-deep"}
ALWAYS = frozenset(CRITERIA) - COUNTED - {"sections-in-order", "asks-enough"}
"""What no session may fail; the others are counted and reported (docs/benchmarks.md)."""


@pytest.mark.parametrize(
    ("round_id", "candidate", "language"),
    [
        ("gpu-hm-screen", "strong", "en"),
        ("anyscale-culture", "hostile", "zh"),
        ("gpu-final", "silent", "en"),
        ("backend-system-design", "over-asking", "zh"),
        ("anyscale-hm", "bluffing", "mixed"),
    ],
)
def test_the_interviewer_keeps_to_what_no_session_may_fail(round_id: str, candidate: str, language: Any) -> None:
    session = matrix.played(round_id, candidate, language)
    assert {name: faults for name, faults in session.faults.items() if faults and name in ALWAYS} == {}


def test_the_table_has_a_cell_for_each_criterion_and_candidate() -> None:
    table = matrix.run(round="anyscale-culture", candidate="conceding", lang="en")
    assert table["sessions"] == 1
    assert [row["criterion"] for row in table["criteria"]] == list(CRITERIA)
    assert {row["conceding"] for row in table["criteria"]} <= {"0/1", "1/1"}
    assert all({"criterion", "quote", "at", "why", "round"} <= fault.keys() for fault in table["faults"])


@pytest.mark.parametrize("option", [{"round": "nope"}, {"candidate": "nobody"}, {"lang": "fr"}])
def test_an_option_that_means_nothing_is_a_usage_error(option: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        matrix.run(**option)


@pytest.mark.parametrize("shown", SHOWN, ids=lambda shown: shown.path.stem)
def test_the_interviews_in_the_documents_are_what_is_played(shown: Shown) -> None:
    assert shown.path.read_text(encoding="utf-8") == document(shown), "run: python tools/write_interviews.py"
