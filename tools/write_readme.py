"""Hold the demonstration round of README.md anew: its printed lines and its picture (docs/images/practice.svg).

    python tools/write_readme.py

Takes about two minutes, since the round is held in real time. The lines go between the markers in README.md.
"""

from __future__ import annotations

import asyncio
import re
import tempfile
from io import StringIO
from pathlib import Path
from typing import Any

from rich.console import Console

from voiceprep import config
from voiceprep.cli.practice import KEYS
from voiceprep.cli.scene import Card, Scene, follow
from voiceprep.cli.screen import PlainScreen, frame
from voiceprep.core.events import CaptionChanged, Event, FlagRaised
from voiceprep.live.plan import Plan
from voiceprep.live.practice import practise

ROOT = Path(__file__).resolve().parent.parent
ROUND = "gpu-hm-screen"


class Camera:
    """Writes the plain lines of the session, and keeps the picture of its fullest moment."""

    def __init__(self, card: Card) -> None:
        self.card = card
        self.text = StringIO()
        self._plain = PlainScreen(card, Console(file=self.text, width=110))
        self._scene = Scene()
        self.picture: Scene | None = None
        self._flagged = False

    def show(self, event: Event) -> None:
        self._plain.show(event)
        self._scene = follow(self._scene, event)
        self._flagged |= isinstance(event, FlagRaised)
        if isinstance(event, CaptionChanged) and event.firm and event.tentative and self._flagged:
            self.picture = self.picture or self._scene

    def level(self, dbfs: float) -> None:
        self._scene = Scene(**{name: getattr(self._scene, name) for name in Scene.__slots__} | {"level": dbfs})

    def clock(self, at: float) -> None: ...


async def hold() -> Camera:
    cameras: list[Camera] = []

    def watch(content: Any, _session: Any) -> Camera:
        cameras.append(Camera(Card.of(content.round, "en", coach=True, keys=KEYS)))
        return cameras[0]

    places = config.places()
    with tempfile.TemporaryDirectory() as folder:
        own = config.Places(home=places.home, recordings=Path(folder))
        settings = config.load().with_arguments(speaker="none", language="en")
        await practise(Plan(ROUND, "live", demo=True), settings, own, watch, lambda _: None)
    return cameras[0]


def main() -> None:
    camera = asyncio.run(hold())
    readme = ROOT / "README.md"
    block = f"<!-- practice -->\n```\n$ make practice\n...\n{camera.text.getvalue().rstrip()}\n```\n<!-- /practice -->"
    text = readme.read_text(encoding="utf-8")
    new = re.sub(r"<!-- practice -->.*?<!-- /practice -->", lambda _: block, text, flags=re.DOTALL)
    readme.write_text(new, encoding="utf-8")
    console = Console(record=True, width=104, file=StringIO(), force_terminal=True)
    console.print(frame(camera.card, camera.picture or Scene()))
    console.save_svg(str(ROOT / "docs" / "images" / "practice.svg"), title=f"voiceprep practice {ROUND}")
    print("wrote README.md and docs/images/practice.svg")


if __name__ == "__main__":
    main()
