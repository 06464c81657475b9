"""A session as a file for people or for other programs: one format a module."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from voiceprep.exporters import (
    audacity,
    flags_csv,
    html,
    json_document,
    markdown,
    pdf,
    plain_text,
    subrip,
    textgrid,
    webvtt,
)
from voiceprep.exporters.subject import Subject

__all__ = ["EXPORTERS", "Exporter", "Subject"]


class Exporter(Protocol):
    """A module that writes one format. `NAME` is what the user asks for, `SUFFIX` how such a file's name ends (`.md`)."""

    NAME: str
    SUFFIX: str

    def render(self, subject: Subject) -> str | bytes:
        """The whole file: text, to be written as UTF-8, or bytes. Any session can be rendered, an empty one too."""
        ...


EXPORTERS: Mapping[str, Exporter] = {
    module.NAME: module
    for module in (
        markdown,
        json_document,
        html,
        pdf,
        flags_csv,
        webvtt,
        subrip,
        textgrid,
        audacity,
        plain_text,
    )
}
"""Every format by its name."""
