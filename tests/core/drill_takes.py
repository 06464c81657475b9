"""Takes of drills from tests/data/drills: what somebody said, put on a clock at an ordinary rate."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from voiceprep.content.drills import load_drills
from voiceprep.core.drills.pack import PROMPT, Drill
from voiceprep.core.drills.take import Floor, Raised, Take
from voiceprep.core.events import Language, Word
from voiceprep.core.text import HANZI
from voiceprep.core.units import Media, Span

DATA = Path(__file__).parents[1] / "data" / "drills"
ONSET = 2.0
"""Seconds of thinking where a take does not say otherwise."""
SECONDS = {"en": 0.4, "zh": 0.25}
"""150 words, 240 characters a minute."""
TALK = {"en": ("blah", "blah."), "zh": ("啦", "啦。")}
SENTENCE = 15
"""Talk that holds nothing, in sentences of so many words."""
_TOKEN = re.compile(rf"~(?P<talk>[\d.]+)~|_(?P<hush>[\d.]+)_|(?P<word>[{HANZI}][，。？！、；：…“”]*|[^\s{HANZI}~_]+)")


@dataclass(frozen=True)
class Written:
    """A take with what a careful listener says of it."""

    id: str
    drill: Drill
    take: Take
    fails: tuple[str, ...]


@cache
def drills() -> dict[str, Drill]:
    return load_drills()


def written(name: str) -> list[Written]:
    """The takes of one file, e.g. `seen.en`."""
    language: Language = "zh" if name.endswith("zh") else "en"
    raw = tomllib.loads((DATA / f"{name}.toml").read_text("utf-8"))
    return [_written(f"{item['drill']}-{language}-{number}", item, language) for number, item in enumerate(raw["takes"])]


def _written(id: str, item: dict[str, Any], language: Language) -> Written:  # noqa: A002
    drill = drills()[item["drill"]]
    return Written(id, drill, take_of(drill, item, language), tuple(item["fails"]))


def take_of(drill: Drill, item: dict[str, Any], language: Language) -> Take:
    """The take that a table describes."""
    prompt = drill.prompt(item["prompt"])
    assert prompt is not None
    clock = 0.0
    floors = []
    for step, text in item["floors"].items():
        following = prompt.step(step)
        line = prompt.line if step == PROMPT else following.line if following else prompt.line
        asked = clock + 3.0
        floor = _floor(step, line.phrasings["zh" if language == "zh" else "en"][0], asked, item, text, language)
        floors.append(floor)
        clock = floor.end
    return Take(
        prompt=prompt.id,
        language=language,
        floors=tuple(floors),
        flags=tuple(Raised(rule=rule, level="warning", span=Span(Media(0.0), Media(60.0))) for rule in item.get("flags", ())),
        fillers=(),
        prior=item.get("prior"),
    )


def _floor(step: str, question: str, asked: float, item: dict[str, Any], text: str, language: Language) -> Floor:
    start = now = asked + item.get("onset", {}).get(step, ONSET)
    words: list[Word] = []
    speech: list[Span] = []
    begun = now
    for token in _TOKEN.finditer(text):
        if token["hush"]:
            speech += [Span(Media(begun), Media(now))] if now > begun else []
            now = begun = now + float(token["hush"])
            continue
        seconds = SECONDS[language] * item.get("pace", {}).get(step, 1.0)
        count = int(float(token["talk"]) / seconds) if token["talk"] else 1
        for number in range(count):
            text_of_word = token["word"] or TALK[language][number % SENTENCE == SENTENCE - 1]
            words.append(Word(text_of_word, Media(now), Media(now + 0.9 * seconds), 0.95))
            now += seconds
    speech += [Span(Media(begun), Media(now))] if now > begun else []
    return Floor(
        step=step,
        question=question,
        asked=Media(asked),
        start=Media(start) if speech else None,
        end=Media(now + 1.0),
        words=tuple(words),
        speech=tuple(speech),
        reason=item.get("ends", {}).get(step, "yielded"),
    )
