"""Progress in one picture: levels, follow-ups survived, flags, pace and fillers over the sessions, by round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from voiceprep.content.review import ReviewTexts, load_review
from voiceprep.core.pack import Tongue
from voiceprep.review.development import SessionPoint
from voiceprep.review.figure import BLUE, GREEN, INK, ORANGE, PURPLE, RED, SKY, Kind, Theme, drawn, tongue_drawn

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = (BLUE, ORANGE, GREEN, PURPLE, SKY, RED)
MARKERS = "osD^vPX*"
"""A round is told by its colour and its mark: neither alone."""
COLUMNS = 3
SURVIVE = 3
"""Chained follow-ups that a claim should survive (demand G-X1)."""
MOST_DATES = 6
MOST_DIMENSIONS = 10
"""Those that were measured most often; more rows cannot be read."""
DAY = 10
"""Letters of a date."""

Value = Callable[[SessionPoint], float | None]
PANELS: Mapping[str, Value] = {
    "levels": lambda point: point.level,
    "survived": lambda point: point.survived,
    "flags": lambda point: point.flags_per_hour,
    "pace": lambda point: point.narration,
    "fillers": lambda point: point.fillers_per_minute,
}


def progress_picture(
    points: Sequence[SessionPoint],
    kind: Kind = "png",
    theme: Theme = "light",
    tongue: Tongue = "en",
    texts: ReviewTexts | None = None,
) -> bytes:
    """The picture as a file. `points` in order of time; a panel without a number says that nothing was measured."""
    texts = texts or load_review()
    drawing = _Drawing(points, theme, tongue_drawn(tongue), texts)
    return drawn((11.0, 6.0), theme, kind, drawing.on)


class _Drawing:
    def __init__(self, points: Sequence[SessionPoint], theme: Theme, tongue: Tongue, texts: ReviewTexts) -> None:
        self._points = points
        self._ink = INK[theme]
        self._tongue = tongue
        self._texts = texts
        self._rounds = sorted({point.round for point in points})

    def on(self, figure: Figure) -> None:
        rows = -(-(len(PANELS) + 1) // COLUMNS)
        cells = list(figure.subplots(rows, COLUMNS).flat)
        for axes, (name, value) in zip(cells, PANELS.items(), strict=False):
            self._panel(axes, name, value)
        self._dimensions(cells[len(PANELS)])
        handles, labels = cells[0].get_legend_handles_labels()
        if handles:
            figure.legend(
                handles, labels, loc="outside lower center", ncols=4, frameon=False, fontsize=8, labelcolor=self._ink["ink"]
            )

    def _say(self, name: str) -> str:
        return self._texts.say("progress", name, self._tongue)

    def _panel(self, axes: Axes, name: str, value: Value) -> None:
        """One measure over the sessions, a line for each round."""
        self._frame(axes, name)
        seen = False
        for number, round_id in enumerate(self._rounds):
            told = [(at, value(point)) for at, point in enumerate(self._points) if point.round == round_id]
            known = [(at, height) for at, height in told if height is not None]
            seen = seen or bool(known)
            colour, marker = COLOURS[number % len(COLOURS)], MARKERS[number % len(MARKERS)]
            (line,) = axes.plot(
                [at for at, _ in known],
                [height for _, height in known],
                color=colour,
                marker=marker,
                markersize=5,
                linewidth=1.4,
                label=round_id,
                clip_on=False,  # a mark on the axis is whole
            )
            line.set_in_layout(False)
        if name == "levels":
            axes.set_ylim(0.8, 4.2)
            axes.set_yticks([1, 2, 3, 4])
        elif seen:
            axes.set_ylim(bottom=0.0)
        if name == "survived" and seen:
            axes.axhline(SURVIVE, color=self._ink["faint"], linestyle="--", linewidth=1.0)
            axes.set_ylim(top=max(SURVIVE + 0.4, axes.get_ylim()[1]))
        if not seen:
            self._nothing(axes)

    def _dimensions(self, axes: Axes) -> None:
        """Dimensions of the sessions as dots: the larger, the better; those without a level are not drawn."""
        self._frame(axes, "dimensions")
        counts = Counter(name for point in self._points for name in point.dimensions)
        names = sorted(name for name, _ in counts.most_common(MOST_DIMENSIONS))
        dots = [
            (at, names.index(name), level)
            for at, point in enumerate(self._points)
            for name, level in point.dimensions.items()
            if name in names
        ]
        axes.set_yticks(range(len(names)), [name.replace("_", " ") for name in names], fontsize=7)
        axes.set_ylim(-0.7, max(0.7, len(names) - 0.3))
        if not dots:
            self._nothing(axes)
            return
        axes.scatter(
            [at for at, _, _ in dots], [row for _, row, _ in dots], s=[12.0 * level**2 for _, _, level in dots],
            color=GREEN, alpha=0.8, linewidths=0,
        )  # fmt: skip

    def _frame(self, axes: Axes, name: str) -> None:
        axes.set_title(self._say(name), fontsize=9, loc="left")
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(axis="y", linewidth=0.6)
        axes.set_axisbelow(True)
        axes.tick_params(length=0, labelsize=8)
        step = -(-len(self._points) // MOST_DATES) or 1
        shown = range(0, len(self._points), step)
        axes.set_xticks(list(shown), [self._points[at].started[5:DAY] for at in shown])
        axes.set_xlim(-0.5, max(0.5, len(self._points) - 0.5))

    def _nothing(self, axes: Axes) -> None:
        axes.set_yticks([])
        axes.text(0.5, 0.5, self._say("nothing"), transform=axes.transAxes, ha="center", va="center", color=self._ink["faint"])
