"""What came of a take, and two takes side by side, for the terminal and as JSON."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from voiceprep.core.drills.take import CriterionResult, DrillResult, Outcome
from voiceprep.core.text import mmss, shortened
from voiceprep.review.takes import Comparison, answered, thought
from voiceprep.store.drills import Kept

MARKS: Mapping[Outcome, tuple[str, str]] = {
    "met": ("✓", "green"),
    "not_met": ("✗", "red"),
    "not_heard": ("·", "yellow"),
    "not_measured": ("–", "dim"),
}
SAID: Mapping[Outcome, str] = {"met": "met", "not_met": "not met", "not_heard": "not heard", "not_measured": "not measured"}
NEEDS = {
    "words": "no recogniser ran",
    "trusted-words": "the transcript is too poor",
    "speech": "nothing was said there",
    "earlier-take": "there is no earlier take to hold it against",
    "floor": "it was not reached",
    "fillers": "nobody counted fillers",
    "more-speech": "too little speech for a rate",
    "ending": "the take was over before the answer was",
}
QUOTE = 90
"""Letters of a quote that are shown."""


def page(kept: Kept) -> RenderableType:
    """The result of a take: each thing that was asked for, with what was measured and the candidate's own words."""
    result = kept.result
    verdict = {True: ("passed", "bold green"), False: ("not yet", "bold red"), None: ("not measured", "bold yellow")}
    said, style = verdict[result.passed]
    if not kept.complete:
        said, style = "broken off", "bold yellow"
    took = answered(kept)
    began = thought(kept)
    head = Text.assemble((said, style), f"  you spoke for {mmss(took)}" if took else "  nobody spoke")
    if began is not None:
        head.append(f", after {began:.1f} s of thinking")
    rows: list[RenderableType] = [head, _criteria(result)]
    rows += [Text(f"next time: {advice}") for advice in result.next_time]
    return Group(*rows)


def _criteria(result: DrillResult) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold", ratio=3)
    table.add_column(overflow="fold", ratio=4)
    for one in result.criteria:
        mark, style = MARKS[one.outcome]
        table.add_row(Text(mark, style=style), Text(one.asked), Text.assemble(*_found(one)))
    return table


def _found(one: CriterionResult) -> list[tuple[str, str]]:
    """What was measured against what was asked, then the words that show it."""
    parts = [(figures(one) or SAID[one.outcome], MARKS[one.outcome][1])]
    if one.outcome == "not_measured":
        count = f"{figures(one)}, " if one.measured is not None else ""
        parts = [(f"{count}not measured: {NEEDS.get(one.why, one.why)}", "dim")]
    quote = next((evidence for evidence in one.evidence if evidence.quote), None)
    if quote is not None:
        place = f" ({mmss(quote.start)})" if quote.start >= 0 else ""
        parts.append((f'  "{shortened(quote.quote, QUOTE)}"{place}', "default"))
    return parts


def figures(one: CriterionResult) -> str:
    """``41.5 s (at most 30 s)``; "" where there is no figure."""
    if one.measured is None:
        return ""
    bounds = []
    if one.low is not None:
        bounds.append(f"at least {_figure(one.low, one)}")
    if one.high is not None:
        bounds.append(f"at most {_figure(one.high, one)}")
    return _figure(one.measured, one) + (f" ({', '.join(bounds)})" if bounds else "")


def _figure(value: float, one: CriterionResult) -> str:
    match one.unit:
        case "s":
            return f"{value:.1f} s"
        case "share":
            return f"{value:.0%}"
        case "per_minute":
            return f"{value:.0f} a minute"
        case _:
            return f"{value:g}"


def side_by_side(compared: Comparison) -> RenderableType:
    """Two takes: each criterion in both, then what was added, what is still missing, and the times."""
    table = Table(box=None, padding=(0, 2), pad_edge=False)
    for name in ("", "take before", "this take", ""):
        table.add_column(name, overflow="fold", header_style="dim")
    for pair in compared.criteria:
        before = _short(pair.earlier) if pair.earlier is not None else ("–", "dim")
        arrow = {"better": ("better", "green"), "worse": ("worse", "red")}.get(pair.change, ("", ""))
        table.add_row(Text(pair.asked), Text(*before), Text(*_short(pair.later)), Text(*arrow))
    table.add_row("length", mmss(compared.seconds[0]), mmss(compared.seconds[1]), "")
    table.add_row("thinking", *(f"{one:.1f} s" if one is not None else "–" for one in compared.thinking), "")
    rows: list[RenderableType] = [table]
    rows += [Text(f'added: "{shortened(said, QUOTE)}"', style="green") for said in compared.added[:3]]
    lacking = dict.fromkeys(pair.asked for pair in compared.criteria if pair.later.missing and pair.later.outcome != "met")
    if lacking:
        rows.append(Text(f"still missing: {'; '.join(lacking)}", style="yellow"))
    return Group(*rows)


def _short(one: CriterionResult) -> tuple[str, str]:
    mark, style = MARKS[one.outcome]
    value = _figure(one.measured, one) if one.measured is not None else SAID[one.outcome]
    return f"{mark} {value}", style
