"""What the figures of reviews share: colours that colour-blind people tell apart, a font for Chinese, and a file at the end.

matplotlib is imported here alone and only when a figure is drawn: it takes half a second, and most commands need none.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from voiceprep.core.pack import Tongue

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Theme = Literal["light", "dark"]
Kind = Literal["png", "svg"]

DOTS = 150
"""A PNG's dots per inch."""

# The palette of Okabe and Ito: its colours differ for people with any kind of colour blindness.
BLUE, SKY, ORANGE, GREEN, RED, PURPLE, YELLOW = "#0072B2", "#56B4E9", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#F0E442"

INK: Mapping[Theme, Mapping[str, str]] = {
    "light": {"paper": "#ffffff", "ink": "#1c1c1c", "faint": "#6b6b6b", "rule": "#dddddd", "you": BLUE, "them": ORANGE},
    "dark": {"paper": "#16181c", "ink": "#ececec", "faint": "#a3a3a3", "rule": "#3a3d42", "you": SKY, "them": ORANGE},
}

_CHINESE = (
    *("Noto Sans CJK", "Source Han Sans", "Noto Sans SC", "PingFang", "Hiragino Sans GB", "Heiti SC", "Microsoft YaHei"),
    *("WenQuanYi", "SimHei", "Droid Sans Fallback", "Noto Serif CJK", "Source Han Serif", "Songti SC", "SimSun"),
)
"""Families of fonts with Chinese characters, by how their names begin. matplotlib's own fonts have none."""


@cache
def chinese_font() -> str | None:
    """The family of a font here that has Chinese characters, or None."""
    from matplotlib.font_manager import fontManager

    names = sorted({font.name for font in fontManager.ttflist})
    return next((name for wanted in _CHINESE for name in names if name.startswith(wanted)), None)


def tongue_drawn(tongue: Tongue) -> Tongue:
    """The language that labels can be drawn in: where no font has Chinese characters, English."""
    return "en" if tongue == "zh" and chinese_font() is None else tongue


def drawn(size: tuple[float, float], theme: Theme, kind: Kind, draw: Callable[[Figure], None]) -> bytes:
    """A figure of `size` inches as a file. The same figure gives the same bytes: no date is written."""
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with rc_context(_style(theme)):
        figure = Figure(figsize=size, layout="constrained")
        FigureCanvasAgg(figure)
        draw(figure)
        file = io.BytesIO()
        metadata: dict[str, Any] = {"Date": None, "Creator": "voiceprep"} if kind == "svg" else {"Software": "voiceprep"}
        figure.savefig(file, format=kind, dpi=DOTS, metadata=metadata)
    return file.getvalue()


def _style(theme: Theme) -> Any:  # matplotlib's own type lists each of its settings by name
    ink = INK[theme]
    font = chinese_font()
    return {
        "font.family": ["DejaVu Sans", *([font] if font else [])],
        "font.size": 9,
        "svg.hashsalt": "voiceprep",
        "figure.facecolor": ink["paper"],
        "savefig.facecolor": ink["paper"],
        "axes.facecolor": ink["paper"],
        "axes.edgecolor": ink["rule"],
        "axes.labelcolor": ink["faint"],
        "text.color": ink["ink"],
        "xtick.color": ink["faint"],
        "ytick.color": ink["ink"],
        "grid.color": ink["rule"],
        "hatch.linewidth": 0.8,
    }


def bare(axes: Axes) -> None:
    """Axes without a frame: the lanes are enough."""
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(length=0)
