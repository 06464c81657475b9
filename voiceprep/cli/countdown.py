"""A drill's time, to be read out of the corner of an eye: what is left, large, and the parts of the answer as one bar."""

from __future__ import annotations

from math import ceil

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from voiceprep.cli.scene import Scene
from voiceprep.core.drills.pack import PROMPT, Drill
from voiceprep.core.text import mmss
from voiceprep.core.units import Seconds

GLYPHS = {
    "0": ("█▀█", "█ █", "▀▀▀"),
    "1": ("▀█ ", " █ ", "▀▀▀"),
    "2": ("▀▀█", "█▀▀", "▀▀▀"),
    "3": ("▀▀█", " ▀█", "▀▀▀"),
    "4": ("█ █", "▀▀█", "  ▀"),
    "5": ("█▀▀", "▀▀█", "▀▀▀"),
    "6": ("█▀▀", "█▀█", "▀▀▀"),
    "7": ("▀▀█", "  █", "  ▀"),
    "8": ("█▀█", "█▀█", "▀▀▀"),
    "9": ("█▀█", "▀▀█", "▀▀▀"),
    ":": (" ", "▪", "▪"),
    "+": ("   ", "▄█▄", " ▀ "),
}
BAR = 48
"""Columns of the bar of parts."""
CUE_FOR: Seconds = 6.0


def countdown(drill: Drill, scene: Scene) -> RenderableType:
    """What is left of the reply that is being given, and where in the drill it stands. Before the first word, time stands."""
    budget, spent = _reply(drill, scene)
    left = budget - spent
    style = _style(left, budget)
    shown = mmss(ceil(left)) if left > 0 else f"+{mmss(-left)}"
    grid = Table.grid(padding=(0, 3))
    grid.add_column(no_wrap=True)
    grid.add_column(ratio=1)
    grid.add_row(Text("\n".join(large(shown)), style=style), Group(*_beside(drill, scene, budget)))
    return grid


def large(text: str) -> list[str]:
    """A time in three rows of blocks."""
    return [" ".join(GLYPHS[letter][row] for letter in text) for row in range(3)]


def _reply(drill: Drill, scene: Scene) -> tuple[Seconds, Seconds]:
    """What the reply may take, and how long it has taken: a step's own budget, else the drill's."""
    clock = scene.clock
    if clock is not None and clock.step != PROMPT and clock.budget:
        return clock.budget, max(0.0, scene.now - scene.offset - clock.media)
    began = scene.drill_began
    return drill.budget, max(0.0, scene.now - began) if began is not None else 0.0


def _style(left: Seconds, budget: Seconds) -> str:
    if left <= 0:
        return "bold red"
    return "bold yellow" if left < budget / 5 else "bold green"


def _beside(drill: Drill, scene: Scene, budget: Seconds) -> list[RenderableType]:
    waiting = "  begins with your first word" if scene.drill_began is None else ""
    rows: list[RenderableType] = [Text.assemble((f"of {mmss(budget)}", "dim"), (waiting, "dim"))]
    rows.append(_parts(drill, scene) if drill.parts else Text(""))
    cue = scene.cue
    fresh = cue is not None and scene.now - cue.at < CUE_FOR
    rows.append(Text(f"▸ {cue.text}", style="bold cyan") if cue is not None and fresh else Text(""))
    return rows


def _parts(drill: Drill, scene: Scene) -> Text:
    """Each part as wide as its budget; what is over is filled, the part that was reached is bright."""
    whole = sum(part.budget for part in drill.parts)
    spent = max(0.0, scene.now - scene.drill_began) if scene.drill_began is not None else 0.0
    bar, before = Text(), 0.0
    for number, part in enumerate(drill.parts):
        width = max(1, round(BAR * part.budget / whole))
        filled = round(width * min(1.0, max(0.0, (spent - before) / part.budget)))
        style = "bold green" if part.id == scene.section else "grey50"
        bar.append("█" * filled, style=style)
        bar.append("░" * (width - filled), style=style)
        bar.append("" if number + 1 == len(drill.parts) else "│", style="dim")
        before += part.budget
    return bar
