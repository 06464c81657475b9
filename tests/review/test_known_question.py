"""`analyze --question`: a recording is held against what was asked, by the rules that need to know it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from tests.review.test_analysis import Loudness, recording
from tests.test_end_to_end import silence, voiceprep, wav
from voiceprep.audio.base import RATE, Samples
from voiceprep.content import load_content
from voiceprep.core.events import Event, Language, MoveChosen, QuestionAsked, Word
from voiceprep.core.pack import Content
from voiceprep.core.text import HANZI
from voiceprep.core.units import Media
from voiceprep.review.analysis import Analysis, analyze
from voiceprep.review.exchange import Line
from voiceprep.speech.stt.base import RecogniserInfo, Transcript

ROUND, QUESTION = "gpu-technical", "design-scheduler"
JUMP = "I would build one central queue with three priority levels and preemption for the long jobs, and that is what we ship."
BOUNDED = "How many machines are there, and who pays for them? I would build one central queue with three priority levels."
TALK = "we went over there on that day and then they came back again with the other people from the house "
WANTED = {"solution_jump", "late_headline", "over_clarifying", "bluffing"}


@dataclass
class Saying:
    """A recogniser that spreads a text over all that it is given, a stretch at a time, in proportion to its length."""

    text: str
    seconds: float
    info: RecogniserInfo = RecogniserInfo("saying", "cpu", "int8", "a test")  # noqa: RUF009  (frozen)
    _done: float = field(default=0.0)

    async def start(self) -> None: ...

    async def hypothesize(self, samples: Samples, language: Language, known: str = "") -> Transcript:
        raise AssertionError("an analysis needs no captions")

    async def draft(self, samples: Samples, language: Language) -> Transcript:
        raise AssertionError("an analysis is answered by nobody")

    async def transcribe(self, samples: Samples, language: Language) -> Transcript:
        words = self.text.split() if language == "en" else _characters(self.text)
        begin, length = self._done, len(samples) / RATE
        self._done += length
        first, last = (round(len(words) * min(1.0, place / self.seconds)) for place in (begin, begin + length))
        mine = words[first:last]
        each = length / max(1, len(mine))
        said = (Word(word, Media(n * each), Media((n + 0.9) * each), 0.95) for n, word in enumerate(mine))
        return Transcript(tuple(said))

    async def close(self) -> None: ...


@cache
def content() -> Content:
    """Read once: nothing here changes it."""
    return load_content(ROUND)


def _characters(text: str) -> list[str]:
    """A Chinese character or a Latin word each, with the marks that follow it."""
    out: list[str] = []
    for letter in text.replace(" ", ""):
        latin = bool(out) and out[-1][-1].isascii() and letter.isascii() and letter.isalnum()
        if out and (latin or not (letter.isalnum() or letter in HANZI)):
            out[-1] += letter
        else:
            out.append(letter)
    return out


async def held_against(folder: Path, text: str, question: str, seconds: float, language: Language = "en") -> Analysis:
    return await analyze(
        recording(folder, 1.0, seconds, 2.0),
        recogniser=Saying(text, seconds),
        language=language,
        content=content(),
        activity=Loudness(),
        question=question,
    )


def rules(found: Analysis) -> set[str]:
    return {flag.rule for flag in found.flags} & WANTED


async def test_a_solution_before_any_question_is_flagged_where_it_was_said(tmp_path: Path) -> None:
    found = await held_against(tmp_path, JUMP, QUESTION, 10.0)
    (flag,) = (flag for flag in found.flags if flag.rule == "solution_jump")
    assert flag.level == "warning"
    assert flag.start == pytest.approx(1.0, abs=0.1)
    assert flag.end < 11.0
    assert "0 questions before" in flag.evidence


async def test_the_same_words_answer_nothing_where_nobody_said_what_was_asked(tmp_path: Path) -> None:
    asked, alone = [await held_against(tmp_path, JUMP, question, 10.0) for question in (QUESTION, "")]
    assert rules(alone) == set()
    assert list(alone.flags) == [flag for flag in asked.flags if flag.rule not in WANTED], "every other rule is as it was"


async def test_a_question_first_bounds_it(tmp_path: Path) -> None:
    assert "solution_jump" not in rules(await held_against(tmp_path, BOUNDED, QUESTION, 10.0))


@pytest.mark.parametrize(("seconds", "levels"), [(16.0, []), (25.0, ["notice"]), (70.0, ["notice", "warning", "fail"])])
async def test_a_headline_that_does_not_come(tmp_path: Path, seconds: float, levels: list[str]) -> None:
    """The question asks how; nothing but talk follows."""
    question = next(each.id for each in content().round.questions if "how" in each.line.phrasings["en"][0].lower().split())
    found = await held_against(tmp_path, TALK * round(seconds / 8), question, seconds)
    assert [flag.level for flag in found.flags if flag.rule == "late_headline"] == levels


async def test_what_was_asked_stands_in_the_log(tmp_path: Path) -> None:
    log: list[Event] = []
    await analyze(
        recording(tmp_path, 1.0, 10.0, 2.0),
        recogniser=Saying(JUMP, 10.0),
        language="en",
        content=content(),
        activity=Loudness(),
        question=QUESTION,
        on_event=log.append,
    )
    (asked,) = (event for event in log if isinstance(event, QuestionAsked))
    assert (asked.question, asked.at) == (QUESTION, 0.0)


async def test_of_two_people_the_first_line_asks_and_the_others_follow_up(tmp_path: Path) -> None:
    log: list[Event] = []
    found = await analyze(
        recording(tmp_path, 4.0, 10.0, 6.0, 10.0, 2.0),
        recogniser=Saying(f"{BOUNDED} {JUMP}", 20.0),
        language="en",
        content=content(),
        activity=Loudness(),
        lines=(Line(Media(0.5), Media(3.0), "what"), Line(Media(15.5), Media(18.0), "and then")),
        question=QUESTION,
        on_event=log.append,
    )
    assert [event.move for event in log if isinstance(event, MoveChosen)] == ["question", "followup"]
    assert "solution_jump" not in rules(found), "the reply to a follow-up may well propose something"


@pytest.mark.models
@pytest.mark.timeout(600)
def test_by_voice_the_command_raises_the_rules_of_the_question(tmp_path: Path, spoken: Callable[[str], Samples]) -> None:
    audio = wav(tmp_path / "jump.wav", silence(1.0), spoken(JUMP), silence(1.0))
    asked = voiceprep(tmp_path, "analyze", str(audio), "--round", ROUND, "--question", QUESTION)
    (flag,) = (flag for flag in asked["flags"] if flag["rule"] == "solution_jump")
    begin = 1.0 + float(np.flatnonzero(np.abs(spoken(JUMP)) > 0.01)[0]) / RATE
    assert flag["start"] == pytest.approx(begin, abs=0.15)
