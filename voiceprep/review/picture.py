"""A session in one picture: who spoke, where it was silent, parts against their budgets, flags, and how deep it went."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from voiceprep.content.review import ReviewTexts, load_review
from voiceprep.core.events import Level
from voiceprep.core.text import has_hanzi, mmss
from voiceprep.core.units import Seconds, Span
from voiceprep.review.document import Review, SectionTime
from voiceprep.review.figure import GREEN, INK, PURPLE, RED, YELLOW, Kind, Theme, bare, chinese_font, drawn, tongue_drawn

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SHOWN_PAUSE: Seconds = 2.0
"""Shorter silences are the rhythm of speech, and would fill the lane."""
STEPS: tuple[Seconds, ...] = (10, 30, 60, 120, 300, 600, 1200, 3600)
"""Distances between two times of the axis,"""
MOST_TICKS = 12
"""... of which there are at most so many."""
LEAST_SHOWN = 1 / 600
"""Of the whole: what is shorter is drawn this long, else it would not be seen."""

MARKS: dict[Level, tuple[str, str]] = {"notice": ("o", YELLOW), "warning": ("^", PURPLE), "fail": ("X", RED)}
"""Shape and colour: neither alone tells the level."""

LANES = ("candidate", "interviewer", "silence", "sections", "flags", "depth", "notes")


def picture(review: Review, kind: Kind = "png", theme: Theme = "light", texts: ReviewTexts | None = None) -> bytes:
    """The picture as a file: `png` or `svg`, on light or dark paper."""
    texts = texts or load_review()
    lanes = [lane for lane in LANES if lane != "notes" or _stars(review)]
    return drawn((11.0, 0.6 + 0.5 * len(lanes)), theme, kind, lambda figure: _Drawing(review, theme, texts, lanes).on(figure))


def _stars(review: Review) -> list[float]:
    return [each.anchor.start for each in review.annotations if each.layer == "user"]


class _Drawing:
    """One picture while it is being drawn. Lanes are rows of one plot, counted from above; x is media seconds."""

    def __init__(self, review: Review, theme: Theme, texts: ReviewTexts, lanes: Sequence[str]) -> None:
        self._review = review
        self._ink = INK[theme]
        self._texts = texts
        self._tongue = tongue_drawn(review.tongue)
        self._lanes = lanes
        self._length = max(review.facts.duration, 1.0)

    def on(self, figure: Figure) -> None:
        from matplotlib.ticker import FuncFormatter, MultipleLocator

        axes = figure.subplots()
        axes.set_xlim(0.0, self._length)
        axes.set_ylim(len(self._lanes) - 0.4, -0.6)
        axes.set_yticks(range(len(self._lanes)), [self._say(lane) for lane in self._lanes])
        axes.set_xlabel(self._say("place"))
        step = next((step for step in STEPS if self._length / step <= MOST_TICKS), STEPS[-1])
        axes.xaxis.set_major_locator(MultipleLocator(step))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda seconds, _: mmss(seconds)))
        axes.grid(axis="x", linewidth=0.6)
        axes.set_axisbelow(True)
        bare(axes)
        review = self._review
        self._bars(axes, "candidate", review.speech, self._ink["you"])
        theirs = [Span(turn.start, turn.end) for turn in review.turns if turn.speaker == "interviewer"]
        self._bars(axes, "interviewer", theirs, self._ink["them"])
        silences = [Span(pause.start, pause.end) for pause in review.pauses if pause.duration >= SHOWN_PAUSE]
        self._bars(axes, "silence", silences, self._ink["faint"])
        self._sections(axes)
        self._flags(axes)
        self._depth(axes)
        if "notes" in self._lanes:
            at = _stars(review)
            axes.scatter(at, [self._row("notes")] * len(at), marker="*", s=60, color=self._ink["ink"], linewidths=0)
        if axes.get_legend_handles_labels()[0]:
            axes.legend(
                loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=4, frameon=False, fontsize=8, labelcolor=self._ink["ink"]
            )

    def _say(self, name: str) -> str:
        return self._texts.say("lanes", name, self._tongue)

    def _row(self, lane: str) -> int:
        return self._lanes.index(lane)

    def _bars(self, axes: Axes, lane: str, spans: Iterable[Span], colour: str) -> None:
        least = self._length * LEAST_SHOWN
        bars = [(span.start, max(span.duration, least)) for span in spans]
        axes.broken_barh(bars, (self._row(lane) - 0.32, 0.64), facecolors=colour, linewidth=0)

    def _sections(self, axes: Axes) -> None:
        """Each part as a bar with its title; what lies beyond its budget is hatched."""
        row = self._row("sections")
        late = False
        for number, section in enumerate(self._review.sections):
            within = min(section.end, section.start + section.budget) if section.budget else section.end
            shade = 0.55 if number % 2 else 0.85
            axes.barh(row, (within - section.start), 0.64, section.start, color=GREEN, alpha=shade)
            if within < section.end:
                label = None if late else self._say("past_budget")
                axes.barh(
                    row,
                    (section.end - within),
                    0.64,
                    within,
                    color="none",
                    edgecolor=RED,
                    hatch="////",
                    linewidth=0.8,
                    label=label,
                )
                late = True
            self._title(axes, section, within, row)

    def _title(self, axes: Axes, section: SectionTime, within: Seconds, row: int) -> None:
        """The part's title where there is room for it."""
        title = section.section if has_hanzi(section.title) and chinese_font() is None else section.title
        room = (within - section.start) / self._length
        if room * 90 > len(title) * (2 if has_hanzi(title) else 1):
            axes.text((section.start + within) / 2, row, title, ha="center", va="center", fontsize=8, color=self._ink["ink"])

    def _flags(self, axes: Axes) -> None:
        """At the place where each was raised, by shape and colour."""
        row = self._row("flags")
        for level, (marker, colour) in MARKS.items():
            at = [flag.end for flag in self._review.flags if flag.level == level]
            if at:
                axes.scatter(
                    at, [row] * len(at), marker=marker, s=46, color=colour, edgecolors=self._ink["ink"], linewidths=0.6,
                    label=self._say(level), zorder=3,
                )  # fmt: skip

    def _depth(self, axes: Axes) -> None:
        """How many follow-ups deep each answer was, as steps: the deeper, the higher."""
        row = self._row("depth")
        answers = [turn for turn in self._review.turns if turn.speaker == "candidate" and turn.depth]
        deepest = max((turn.depth for turn in answers), default=0)
        for turn in answers:
            height = 0.7 * turn.depth / deepest
            axes.barh(
                row + 0.35 - height / 2, max(turn.end - turn.start, self._length * LEAST_SHOWN), height,
                turn.start, color=PURPLE, alpha=0.85, linewidth=0,
            )  # fmt: skip
            if height:
                middle = (turn.start + turn.end) / 2
                axes.text(middle, row + 0.33, str(turn.depth), ha="center", va="bottom", fontsize=7, color=self._ink["ink"])
