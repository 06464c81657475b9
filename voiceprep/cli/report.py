"""An analysis as a page for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from voiceprep.cli.score_lines import score_lines
from voiceprep.cli.screen import LEVEL_STYLES
from voiceprep.content.review import load_review
from voiceprep.core.events import Word
from voiceprep.core.listening.pauses import SHORTEST_PAUSE
from voiceprep.core.listening.rates import LONG_PAUSE, PHRASE_PAUSE
from voiceprep.core.pack import tongue_of
from voiceprep.core.text import mmss, text_of
from voiceprep.core.units import Seconds
from voiceprep.review.analysis import Analysis

LISTED_PAUSE: Seconds = 2.0
"""Shorter pauses are counted, not listed."""

PARAGRAPH: Seconds = 1.0
"""A silence that starts a new line of the transcript."""

NAMES = ("You", "Interviewer")
KINDS = {"before_answer": "before the answer", "mid_answer": "inside the answer", "trailing": "after the answer"}
HEARD = {"words": "written down", "audio": "heard in the sound", "both": "written down and heard in the sound"}
UNIT_NAMES = {"wpm": "words a minute", "cpm": "characters a minute", "spm": "syllables a minute"}


def report(
    name: str, analysis: Analysis, interviewer: Analysis | None = None, scores: Mapping[str, Any] | None = None
) -> RenderableType:
    """The whole page, for a console of any width. `interviewer`: the other of two people, whose words stand beside yours."""
    parts: list[RenderableType] = [_facts(name, analysis)]
    parts += _section("Flags", _flags(analysis), shown=bool(analysis.flags))
    listed = [pause for pause in analysis.pauses if pause.duration >= LISTED_PAUSE]
    parts += _section(f"Pauses of {LISTED_PAUSE:g} s and more", _pauses(analysis), shown=bool(listed))
    parts += _section("Speech rate", _rates(analysis), shown=analysis.rates.articulation is not None)
    parts += _section("Fillers, as far as can be told", _filler_places(analysis), shown=bool(analysis.fillers))
    if scores is not None:
        parts += _section("Score", Group(*score_lines(scores)), shown=True)
    both = [analysis] if interviewer is None else [analysis, interviewer]
    parts += _section("What was said", _transcript(both), shown=any(one.words for one in both))
    return Group(*parts)


def _section(title: str, body: RenderableType, *, shown: bool) -> list[RenderableType]:
    return [Text(f"\n{title}", style="bold"), Padding(body, (0, 0, 0, 2))] if shown else []


def _facts(name: str, analysis: Analysis) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    audio, info = analysis.audio, analysis.model
    table.add_row(
        "Recording", Text(f"{name}, {mmss(audio.duration)}, {audio.sample_rate} Hz, {_count(audio.channels, 'channel')}")
    )
    ran = f"{info.model} on {info.device} ({info.compute_type})" if info else "off"
    table.add_row("Recogniser", Text(f"{ran}, language {analysis.language}"))
    voiced = sum(span.duration for span in analysis.speech)
    inside = [pause for pause in analysis.pauses if pause.kind == "mid_answer"]
    longest = f", longest {max(p.duration for p in inside):.1f} s" if inside else ""
    pauses = f"{_count(len(inside), 'pause')} inside of {SHORTEST_PAUSE:g} s and more{longest}"
    table.add_row("Speech", f"{voiced:.1f} s; {pauses}")
    table.add_row("Pace", _pace(analysis))
    table.add_row("Fillers", _fillers(analysis))
    if info is None:
        return table
    trusted = analysis.quality.trusted
    verdict = "good enough to build on" if trusted else "poor: do not build on it"
    table.add_row("Transcript", Text(verdict, style="green" if trusted else "red"))
    for reason in analysis.quality.reasons:
        table.add_row("", Text(reason, style="yellow"))
    return table


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _pace(analysis: Analysis) -> str:
    rates = analysis.rates
    if rates.narration is None:
        return "not measured"
    counts = (
        f" ({_count(rates.words, 'word')} and {_count(rates.characters, 'character')}: {rates.syllables} syllables)"
        if rates.unit == "spm"
        else ""
    )
    return f"{rates.narration:.0f} {UNIT_NAMES[rates.unit]}{counts}"


def _rates(analysis: Analysis) -> Table:
    """The four rates, each with the time it divides by."""
    rates = analysis.rates
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(overflow="fold", style="dim")
    for name, rate, meaning in (
        ("timeline", rates.timeline, "over the whole recording"),
        ("narration", rates.narration, f"pauses of {LONG_PAUSE:g} s and more left out"),
        ("phrase", rates.phrase, f"pauses of {PHRASE_PAUSE:g} s and more left out"),
        ("articulation", rates.articulation, "all pauses left out"),
    ):
        shown = "not measured" if rate is None else f"{rate:.0f} {UNIT_NAMES[rates.unit]}"
        table.add_row(name, shown, meaning)
    return table


def _fillers(analysis: Analysis) -> str:
    rate = analysis.fillers_per_minute
    if not analysis.fillers:
        if rate is None:
            return "not measured"
        return "none found; an estimate, since recognisers leave most of them out and the sound does not show every one"
    heard = ", ".join(dict.fromkeys(filler.text.lower() for filler in analysis.fillers))
    often = "" if rate is None else f", {rate:.1f} a minute"
    return f"about {len(analysis.fillers)} ({heard}){often}; an estimate, since recognisers leave most of them out"


def _filler_places(analysis: Analysis) -> Table:
    table = Table.grid(padding=(0, 2))
    for filler in analysis.fillers:
        place = f"{mmss(filler.start)}.{int(filler.start * 10) % 10}"
        table.add_row(place, f"{filler.end - filler.start:.1f} s", Text(filler.text), Text(HEARD[filler.source], style="dim"))
    return table


def _flags(analysis: Analysis) -> Table:
    table = Table.grid(padding=(0, 2))
    for _ in range(3):
        table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    texts = load_review()
    for flag in analysis.flags:
        place = mmss(flag.end)  # where it was crossed, as everywhere
        rule = Text(texts.rule(flag.rule, tongue_of(analysis.language)), style=LEVEL_STYLES[flag.level])
        table.add_row(place, Text(flag.level, style=LEVEL_STYLES[flag.level]), rule, Text(flag.advice))
    return table


def _pauses(analysis: Analysis) -> Table:
    table = Table.grid(padding=(0, 2))
    for pause in analysis.pauses:
        if pause.duration >= LISTED_PAUSE:
            table.add_row(mmss(pause.start), f"{pause.duration:.1f} s", KINDS[pause.kind])
    return table


def _transcript(speakers: Sequence[Analysis]) -> Table:
    """The words in lines that begin after a silence, each with its place; of two people, you first, with who says them."""
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True, style="dim")
    if len(speakers) > 1:
        table.add_column(no_wrap=True, style="bold")
    table.add_column(overflow="fold")  # Chinese has no spaces to break at
    lines = [(line[0].start, name, line) for name, one in zip(NAMES, speakers, strict=False) for line in _lines(one.words)]
    for start, name, line in sorted(lines, key=lambda each: each[0]):
        table.add_row(mmss(start), *([name] if len(speakers) > 1 else []), Text(text_of(line)))
    return table


def _lines(words: Sequence[Word]) -> Iterator[Sequence[Word]]:
    line: list[Word] = []
    for word in words:
        if line and word.start - line[-1].end >= PARAGRAPH:
            yield line
            line = []
        line.append(word)
    if line:
        yield line
