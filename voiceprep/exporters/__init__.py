"""A session as a file for people or for other programs: one format a module."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from voiceprep.core.timeline import Timeline
from voiceprep.exporters import json_document, markdown
from voiceprep.intake.backing import Backing
from voiceprep.store.header import Header


class Exporter(Protocol):
    """A module that writes one format. `NAME` is what the user asks for, `SUFFIX` how such a file's name ends (`.md`)."""

    NAME: str
    SUFFIX: str

    def render(self, header: Header, timeline: Timeline, claims: Sequence[Backing] = ()) -> str:
        """The whole file. Any timeline can be rendered, an empty one too. `claims`: what became of those of the CV."""
        ...


EXPORTERS: Mapping[str, Exporter] = {module.NAME: module for module in (markdown, json_document)}
"""Every format by its name."""
