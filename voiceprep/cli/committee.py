"""A loop as people and programs read it: its picture in the terminal, the committee's page, and both as JSON."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from voiceprep.content.committee import Committee
from voiceprep.core.events import Evidence
from voiceprep.core.interviewer.loop import Loop, Mark, Raised
from voiceprep.core.pack import Tongue
from voiceprep.exporters.markdown import clock, escape
from voiceprep.review.debrief import Debrief, Standing
from voiceprep.review.debrief_documents import Following, Packs, interviewer_of

Audio = Callable[[str], str]
"""Where a session's recording lies, for a link."""

BARS: Mapping[Mark | None, tuple[str, str]] = {
    "strong": ("●●●", "green"),
    "hold": ("●●○", "yellow"),
    "weak": ("●○○", "red"),
    "unheard": ("○○○", "dim"),
    None: ("   ", "dim"),
}
RAISED = "▲"


# --- the picture ---------------------------------------------------------------------------------------------------------


def picture(loop: Loop, made: Debrief, following: Following, packs: Packs, words: Committee, tongue: Tongue) -> RenderableType:
    """Rounds, when, how strong, bar raised."""
    table = Table(box=None, pad_edge=False, show_header=False)
    for _ in range(6):
        table.add_column(overflow="fold")
    for place in made.standings:
        bar, style = BARS[place.mark]
        table.add_row(
            str(place.number),
            Text(_title(place, packs, tongue), style="bold" if following and following[0].number == place.number else ""),
            Text(place.started[:10]),
            Text(bar, style=style),
            Text(_state(place, words, tongue), style=style if place.mark else "dim"),
            Text(_raised(place, following, words, tongue), style="red"),
        )
    held = sum(place.state == "held" for place in made.standings)
    head = Text.assemble((loop.title[tongue], "bold"), f"\n{made.run.id}, {made.run.started[:10]}, {held}/{len(loop.rounds)}\n")
    blocking = [
        Text(f"{words.page['blocking'][tongue]}: {_labels(place, tongue)}", style="red") for place, _ in made.blocking[:1]
    ]
    return Group(head, table, *blocking)


def _title(place: Standing, packs: Packs, tongue: Tongue) -> str:
    pack = packs.get(place.round)
    return f"{pack.title[tongue]} ({place.round})" if pack is not None else place.round


def _state(place: Standing, words: Committee, tongue: Tongue) -> str:
    if place.mark is not None:
        told = words.marks[place.mark][tongue]
        return f"{told} · {_labels(place, tongue)}" if place.labels else told
    return words.page[place.state][tongue]


def _labels(place: Standing, tongue: Tongue) -> str:
    return ", ".join(raised.label.name[tongue] for raised in place.labels)


def _raised(place: Standing, following: Following, words: Committee, tongue: Tongue) -> str:
    """How hard the round was; of those to come, only the next one's bar is known."""
    known = place.state == "held" or (following is not None and following[0].number == place.number)
    severity = place.severity if place.state == "held" else following[2] if following else 0
    return f"{RAISED * severity} {words.page['severity'][tongue]}" if known and severity else ""


# --- the committee's page ------------------------------------------------------------------------------------------------


def page(loop: Loop, made: Debrief, packs: Packs, words: Committee, tongue: Tongue) -> RenderableType:
    """The debrief for a terminal."""
    parts: list[RenderableType] = [
        Text.assemble((f"{words.page['title'][tongue]}: {loop.title[tongue]}", "bold"), f"\n{made.run.id}\n")
    ]
    for note in made.notes:
        bar, style = BARS[note.standing.mark]
        who = interviewer_of(note.standing, packs, tongue)
        parts.append(Text.assemble((f"{bar} ", style), (who, "bold"), f"  {note.sentence}"))
        parts += [_quoted(item, note.standing, words, tongue) for item in note.evidence]
    for place, raised in made.blocking:
        parts.append(Text(f"\n{words.page['blocking'][tongue]}: {raised.label.name[tongue]}", style="bold red"))
        parts += [_quoted(item, place, words, tongue) for item in raised.evidence]
        parts += [Padding(Text(_alarm(raised, index)), (0, 0, 0, 4)) for index in range(len(raised.alarms))]
    parts.append(Text(f"\n{words.page['decision'][tongue]}: {words.decisions[made.decision][tongue]}", style="bold"))
    if made.practise:
        parts.append(Text(f"\n{words.page['practise'][tongue]}", style="bold"))
        parts += [Padding(Text(f"{n}. {advice}"), (0, 0, 0, 2)) for n, advice in enumerate(made.practise, start=1)]
    return Group(*parts)


def _quoted(item: Evidence, place: Standing, words: Committee, tongue: Tongue) -> RenderableType:
    line = Text.assemble(
        (f"{clock(item.start)} ", "cyan"), f"{_named(item, place, words, tongue)}: “{item.quote}” ", (place.session, "dim")
    )
    return Padding(line, (0, 0, 0, 4))


def _named(item: Evidence, place: Standing, words: Committee, tongue: Tongue) -> str:
    """What a quote stands for. A reply that did not answer stands for what it lacks."""
    if place.findings is not None and item in place.findings.shown:
        return words.have[item.signal][tongue]
    return words.lack[item.signal][tongue] if item.signal in words.lack else words.page["missing"][tongue]


def _alarm(raised: Raised, index: int) -> str:
    alarm = raised.alarms[index]
    return f"{clock(alarm.start)}-{clock(alarm.end)} {alarm.rule}: {alarm.advice}"


def markdown(loop: Loop, made: Debrief, packs: Packs, words: Committee, tongue: Tongue, audio: Audio) -> str:
    """The debrief as a page of Markdown; each quote leads to its place in the recording."""

    def quotes(place: Standing, evidence: tuple[Evidence, ...]) -> Iterator[str]:
        for item in evidence:
            link = f"[{clock(item.start)}](<{audio(place.session)}#t={item.start:.1f}>)"
            yield f"  - {link} {escape(_named(item, place, words, tongue))}: “{escape(item.quote)}”"

    lines = [f"# {words.page['title'][tongue]}: {escape(loop.title[tongue])}", "", f"- {made.run.id}", ""]
    lines += [f"**{words.page['decision'][tongue]}: {words.decisions[made.decision][tongue]}**", ""]
    lines += [f"## {words.page['rounds'][tongue]}", ""]
    for note in made.notes:
        mark = words.marks[note.standing.mark or "unheard"][tongue]
        who = escape(interviewer_of(note.standing, packs, tongue))
        lines += [f"- **{who}** ({mark}): {escape(note.sentence)}", *quotes(note.standing, note.evidence)]
    lines += [
        f"- {escape(_title(place, packs, tongue))}: {words.page[place.state][tongue]}"
        for place in made.standings
        if place.verdict is None
    ]
    if made.blocking:
        lines += ["", f"## {words.page['blocking'][tongue]}", ""]
        for place, raised in made.blocking:
            lines += [f"- **{escape(raised.label.name[tongue])}**", *quotes(place, raised.evidence)]
            lines += [f"  - {escape(_alarm(raised, index))}" for index in range(len(raised.alarms))]
    if made.practise:
        lines += ["", f"## {words.page['practise'][tongue]}", ""]
        lines += [f"{n}. {escape(advice)}" for n, advice in enumerate(made.practise, start=1)]
    return "\n".join(lines) + "\n"


def audio_beside(page_file: Path | None, recordings: Path) -> Audio:
    """Links from a page in this file to the recordings; without a file, as from a page in the recordings folder."""

    def link(session: str) -> str:
        path = recordings / session / "candidate.flac"
        start = recordings if page_file is None else page_file.absolute().parent
        return quote(os.path.relpath(path, start).replace(os.sep, "/"))

    return link


def json_text(document: Mapping[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=False, allow_nan=False, indent=2) + "\n"
