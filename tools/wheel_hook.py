"""Puts the page's library into a wheel: it is installed at setup, never committed, and may be missing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LIBRARY = Path("node_modules/wavesurfer.js")
INSIDE = "voiceprep/web/vendor/wavesurfer"


class Vendored(BuildHookInterface):
    """Adds the ES modules and the licence. An editable install reads them where they are."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        folder = Path(self.root) / LIBRARY
        if version == "editable":
            return
        if not folder.is_dir():
            self.app.display_warning("wavesurfer.js is not installed (make setup): the page will have no waveform")
            return
        files = [folder / "LICENSE", *(folder / "dist").rglob("*.esm.js")]
        for file in files:
            inside = file.relative_to(folder / "dist") if file.is_relative_to(folder / "dist") else file.relative_to(folder)
            build_data["force_include"][str(file)] = f"{INSIDE}/{inside.as_posix()}"
