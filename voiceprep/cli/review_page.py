"""A review as a page for a terminal. The first page is what one reads first; the details come after it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from voiceprep.cli.output import one_line
from voiceprep.cli.screen import LEVEL_STYLES
from voiceprep.content.review import ReviewTexts
from voiceprep.core.annotation import Annotation, WordIndex, corrected
from voiceprep.core.events import Evidence
from voiceprep.core.pack import Tongue
from voiceprep.core.text import mmss, text_of
from voiceprep.core.units import Media
from voiceprep.review.blocks import lanes
from voiceprep.review.document import Advice, Review, Said
from voiceprep.review.story import signed

LANE_STYLES = {"candidate": "cyan", "interviewer": "green", "silence": "dim", "sections": "blue", "flags": "bold yellow"}
LABEL_WIDTH = 14
WIDEST = 100
"""Columns of the timeline at most."""
QUIZ_SHOWN = 8
QUOTE_STYLE = "italic"


class Page:
    """Renders one review in its own language."""

    def __init__(self, review: Review, texts: ReviewTexts, width: int = WIDEST) -> None:
        self._review = review
        self._words = corrected(review.words, review.annotations, WordIndex(review.words))
        self._texts = texts
        self._tongue: Tongue = review.tongue
        self._columns = max(20, min(WIDEST, width - LABEL_WIDTH - 4))

    def first(self) -> RenderableType:
        """What happened, the session at a glance, what mattered, what to practise, what the interviewer wrote."""
        review = self._review
        parts: list[RenderableType] = [self._head("story"), _indented(Text(one_line(" ".join(review.story))))]
        parts += self._section("timeline", [self._timeline()], shown=review.facts.duration > 0)
        parts += self._section("moments", self._moments(), shown=bool(review.moments))
        parts += self._section("advice", [_advice(each) for each in review.advice], shown=bool(review.advice))
        if review.debrief is not None:
            parts += self._section("debrief", self._debrief(), shown=True)
        return Group(*parts)

    def details(self) -> RenderableType:
        """Everything else but the transcript."""
        review = self._review
        held = [thread for thread in review.threads if thread.steps]
        parts = self._section("sections", [self._sections()], shown=bool(review.sections))
        parts += self._section("threads", self._threads(), shown=bool(held))
        parts += self._section("pushbacks", self._pushbacks(), shown=bool(review.pushbacks))
        parts += self._section("differences", self._differences(), shown=bool(review.differences))
        parts += self._section("claims", self._claims(), shown=bool(review.claims))
        parts += self._section("quiz", self._quiz(), shown=bool(review.quiz))
        scores = list(_scores(review.scores or {}, self._texts, self._tongue))
        parts += self._section("scores", scores, shown=bool(scores))
        parts += self._section("flags", self._flags(), shown=bool(review.flags))
        mine = [each for each in review.annotations if each.layer == "user"]
        parts += self._section("notes", [self.note(each) for each in mine], shown=bool(mine))
        return Group(*parts)

    def transcript(self) -> RenderableType:
        """Who said what, with the annotations of each turn under it."""
        lines: list[RenderableType] = [self._head("transcript")]
        marks = [each for each in self._review.annotations if each.kind != "filler"]
        turns = self._review.turns
        for number, turn in enumerate(turns):
            until = turns[number + 1].start if number + 1 < len(turns) else self._review.facts.duration + 1
            lines.append(_indented(self._turn(turn)))
            here = (each for each in marks if turn.start <= each.anchor.start < until)
            lines += [_indented(self.note(each), 6) for each in here]
        return Group(*lines)

    def note(self, each: Annotation) -> Text:
        """One annotation on a line."""
        kind = self._texts.say("kinds", each.kind, self._tongue)
        style = "magenta" if each.layer == "user" else "dim"
        shown = Text.assemble((f"{mmss(each.anchor.start):>7}  ", "dim"), (f"{kind}  ", style), one_line(each.text))
        if each.anchor.quote and each.layer == "user":
            shown.append(f"  “{one_line(each.anchor.quote)}”", style=QUOTE_STYLE)
        if each.layer == "user":
            shown.append(f"  [{each.id}]", style="dim")
        return shown

    # --- pieces ------------------------------------------------------------------------------------------------------------

    def _say(self, name: str, **slots: object) -> str:
        return self._texts.say("page", name, self._tongue, **slots)

    def _head(self, name: str) -> Text:
        return Text(f"\n{self._say(name)}", style="bold")

    def _section(self, name: str, body: Iterable[RenderableType], *, shown: bool) -> list[RenderableType]:
        return [self._head(name), *(_indented(each) for each in body)] if shown else []

    def _timeline(self) -> Table:
        table = Table.grid(padding=(0, 1))
        table.add_column(justify="right", no_wrap=True, width=LABEL_WIDTH)
        table.add_column(no_wrap=True)
        for lane, row in lanes(self._review, self._columns):
            table.add_row(self._texts.say("lanes", lane, self._tongue), Text(row, style=LANE_STYLES.get(lane, "")))
        end = mmss(self._review.facts.duration)
        table.add_row("", Text(f"0:00{end:>{self._columns - 4}}", style="dim"))
        return table

    def _moments(self) -> Iterator[RenderableType]:
        for number, moment in enumerate(self._review.moments, start=1):
            yield Text.assemble((f"{number}. ", "bold"), one_line(moment.text), (f"  {mmss(moment.start)}", "dim"))
            yield from (_quote(quote) for quote in moment.quotes)

    def _debrief(self) -> Iterator[RenderableType]:
        made = self._review.debrief
        assert made is not None
        yield Text.assemble((f"{made.mark_name}: ", "bold"), one_line(made.sentence))
        yield from (_quote(quote) for quote in made.evidence)
        yield from (Text(one_line(doubt), style="dim") for doubt in made.doubts)

    def _sections(self) -> Table:
        table = Table.grid(padding=(0, 2))
        for section in self._review.sections:
            late = section.over >= 1.0
            took = Text(f"{self._say('took')} {mmss(section.seconds)}", style="yellow" if late else "")
            over = Text(f"+{mmss(section.over)} {self._say('over')}", style="yellow") if late else Text("")
            table.add_row(Text(one_line(section.title)), f"{self._say('planned')} {mmss(section.budget)}", took, over)
        return table

    def _threads(self) -> Iterator[RenderableType]:
        for thread in self._review.threads:
            if not thread.steps:
                continue
            rounds = self._say("rounds", n=thread.survived, of=thread.asked)
            yield Text.assemble((f"{rounds}  ", "bold"), one_line(thread.text))
            if thread.claim is not None:
                yield _quote(thread.claim)
            for step in thread.steps:
                mark, style = {True: ("✓", "green"), False: ("✗", "red"), None: ("?", "dim")}[step.answered]
                yield _indented(Text.assemble((f"{mark} ", style), one_line(step.asked)))

    def _pushbacks(self) -> Iterator[RenderableType]:
        for reply in self._review.pushbacks:
            verdict = self._say({True: "met", False: "not_met", None: "open"}[reply.answered])
            told = [verdict]
            if reply.delay is not None:
                told.append(self._say("after", seconds=f"{reply.delay:.1f}"))
            if reply.shift is not None:
                told.append(self._say("pace", shift=signed(reply.shift)))
            yield Text.assemble((f"{mmss(reply.at):>7}  ", "dim"), one_line(reply.asked), (f"  ({', '.join(told)})", "dim"))
            if reply.reply is not None:
                yield _quote(reply.reply)

    def _differences(self) -> Iterator[RenderableType]:
        for found in self._review.differences:
            yield Text(one_line(found.why))
            for claim in (found.first, found.second):
                yield _quote(Evidence(found.kind, claim.quote, claim.start, claim.end))

    def _claims(self) -> Iterator[RenderableType]:
        for claim in self._review.claims:
            style = {"backed": "green", "not-backed": "yellow"}.get(claim.verdict, "dim")
            yield Text.assemble((f"{claim.verdict:<11} ", style), one_line(claim.claim.text))

    def _quiz(self) -> Iterator[RenderableType]:
        for item in self._review.quiz[:QUIZ_SHOWN]:
            sign = self._texts.say("signs", item.signal, self._tongue)
            meant = self._texts.say("meant", item.meant, self._tongue)
            read = {True: " ✓", False: " ✗", None: ""}[item.right]
            yield Text.assemble((f"{mmss(item.at):>7}  ", "dim"), f"{sign}: {meant}{read}")
        more = len(self._review.quiz) - QUIZ_SHOWN
        if more > 0:
            yield Text(f"… +{more}", style="dim")

    def _flags(self) -> Iterator[RenderableType]:
        for flag in self._review.flags:
            name = self._texts.rule(flag.rule, self._tongue)
            style = LEVEL_STYLES[flag.level]
            yield Text.assemble((f"{mmss(flag.end):>7}  ", "dim"), (f"{name}: ", style), one_line(flag.advice))

    def _turn(self, turn: Said) -> Text:
        mine = turn.speaker == "candidate"
        name = self._texts.say("lanes", turn.speaker, self._tongue)
        text = self._corrected(turn) if mine and turn.first is not None else turn.text
        return Text.assemble((f"{mmss(turn.start):>7}  ", "dim"), (f"{name}: ", "cyan" if mine else "green"), one_line(text))

    def _corrected(self, turn: Said) -> str:
        """The words of a turn as the user says they should read."""
        assert turn.first is not None
        assert turn.last is not None
        return text_of(self._words[turn.first : turn.last + 1])


def _scores(scores: Mapping[str, Any], texts: ReviewTexts, tongue: Tongue) -> Iterator[RenderableType]:
    """The scores of `score --json`, as far as they are there, else why there are none."""
    overall, reasons = scores.get("overall"), scores.get("reasons")
    if isinstance(overall, Mapping):
        yield Text(texts.say("page", "level", tongue, level=overall.get("level", "-")), style="bold")
    elif isinstance(reasons, list) and reasons:
        yield Text(one_line(texts.say("page", "not_scored", tongue, reasons="; ".join(map(str, reasons)))))
    for dimension in _items(scores, "dimensions"):
        level, name = dimension.get("level"), dimension.get("title", dimension.get("id", ""))
        why = one_line(f"{name}  {dimension.get('why', '')}")
        yield Text.assemble((f"{'-' if level is None else level}  ", "bold"), why)
        for item in _items(dimension, "evidence"):
            start = item.get("start")
            at = Media(float(start) if isinstance(start, int | float) else 0.0)
            yield _quote(Evidence("", str(item.get("quote", "")), at, at))


def _items(document: Mapping[str, Any], name: str) -> Sequence[Mapping[str, Any]]:
    found = document.get(name)
    return [item for item in found if isinstance(item, Mapping)] if isinstance(found, list) else []


def _advice(each: Advice) -> Text:
    drills = "".join(f"  voiceprep drill {one}" for one in each.drills[:1])
    return Text.assemble(f"• {one_line(each.text)}", (drills, "dim"))


def _quote(quote: Evidence) -> RenderableType:
    return _indented(Text.assemble((f"{mmss(quote.start):>7}  ", "dim"), (f"“{one_line(quote.quote)}”", QUOTE_STYLE)))


def _indented(body: RenderableType, by: int = 2) -> Padding:
    return Padding(body, (0, 0, 0, by))
