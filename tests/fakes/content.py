"""A small round for tests of the core: everything in it is short and easy to recognise in a log."""

from __future__ import annotations

import re
from dataclasses import replace

from voiceprep.content import load_rubrics
from voiceprep.core.events import Level
from voiceprep.core.pack import (
    Answer,
    Content,
    Cue,
    Detector,
    Line,
    PacingRule,
    Persona,
    Point,
    Pushback,
    Question,
    RoundPack,
    Section,
    Threshold,
)


def line(name: str, count: int = 3) -> Line:
    return Line(
        name,
        {
            "en": tuple(f"{name} asked in a way that is number {n}?" for n in range(1, count + 1)),
            "zh": tuple(f"{name}的第{n}种问法？" for n in range(1, count + 1)),
        },
    )


def point(name: str, target: str, *chain: Point) -> Point:
    return Point(name, target, "missing", line(name), chain)


def question(name: str, section: str) -> Question:
    chain = (
        point(f"{name}.who", "decision_owner"),
        point(f"{name}.conflict", "conflict_process"),
        point(f"{name}.abuse", "abuse_guard"),
    )
    points = (
        point(f"{name}.decision", "own_decision", *chain),
        point(f"{name}.metric", "metric"),
        Point(f"{name}.vague", "vague_magnitude", "present", line(f"{name}.vague")),
    )
    return Question(name, section, "project", line(name), points, {"en": ("gpu", "cluster", "queue"), "zh": ("集群",)})


ENDINGS = replace(load_rubrics().endings, no_question={"en": (re.compile("no more questions", re.IGNORECASE),), "zh": ()})
"""What last words say is the same in every round."""

PERSONA = Persona(
    id="tester",
    name={"en": "Tester", "zh": "测试"},
    role={"en": "hiring manager", "zh": "经理"},
    voice="low-calm",
    pace=1.0,
    reluctance=3.0,
    room=1.0,
    patience_short=1.5,
    patience_long=90.0,
    prompt_after=None,
    prompt=None,
    pushback_share=0.0,
    followups=(3, 4),
)


def rule(name: str, *values: float) -> PacingRule:
    levels: tuple[Level, ...] = ("notice", "warning", "fail")
    return PacingRule(
        name,
        tuple(
            Threshold(level, value, {"en": f"{name} advice", "zh": f"{name}建议"})
            for level, value in zip(levels, values, strict=True)
        ),
        "tests",
    )


def detector(name: str, word: str) -> Detector:
    return Detector(name, "signal", {"en": (Cue(re.compile(rf"\b{word}\b", re.IGNORECASE)),), "zh": ()})


def content(persona: Persona = PERSONA, minutes: int = 45, questions: int = 8) -> Content:
    return Content(
        round=RoundPack(
            id="test-round",
            title={"en": "Test", "zh": "测试"},
            tests={"en": "the core", "zh": "核心"},
            minutes=(minutes, minutes + 15),
            source="tests",
            requirements=(),
            persona=persona,
            opening=Line("opening", {"en": ("Hello.",), "zh": ("你好。",)}),
            sections=(
                Section("first", {"en": "First", "zh": "一"}, minutes * 30.0, "questions"),
                Section("second", {"en": "Second", "zh": "二"}, minutes * 20.0, "questions"),
                Section("yours", {"en": "Yours", "zh": "反问"}, minutes * 10.0, "reverse"),
            ),
            questions=tuple(question(f"q{n}", "first" if n <= questions // 2 else "second") for n in range(1, questions + 1)),
            pushbacks=(Pushback("cost", "cost", (), line("cost")),),
            interjections=(),
            deeper=(point("deeper", "learning"),),
            invite=line("invite"),
            answers=(Answer("team", {"en": ("team",), "zh": ("团队",)}, line("team")),),
            unknown_answer=line("unknown"),
            more=line("more"),
            closing=line("closing"),
        ),
        detectors=(
            detector("own_decision", "decided"),
            detector("metric", "measured"),
            detector("number", "percent"),
            detector("tradeoff", "traded"),
            detector("vague_magnitude", "significantly"),
        ),
        endings=ENDINGS,
        pacing={
            "monologue": rule("monologue", 120.0, 300.0, 720.0),
            "long_pause": rule("long_pause", 10.0, 45.0, 120.0),
            "section_overrun": rule("section_overrun", 1.0, 1.25, 1.5),
            "round_overrun": rule("round_overrun", -300.0, 0.0, 300.0),
        },
    )
