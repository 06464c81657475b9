"""The pacing flags as a table for a spreadsheet: CSV in UTF-8, times in media seconds but for `session_at`."""

from __future__ import annotations

import csv
import io

from voiceprep.core.text import mmss as clock
from voiceprep.exporters.subject import Subject
from voiceprep.exporters.writing import plain

NAME = "csv"
SUFFIX = ".csv"

COLUMNS = ("session", "rule", "level", "start", "end", "session_at", "place", "advice", "evidence")
_FORMULA = ("=", "+", "-", "@")
"""What a spreadsheet would run, were it the first character of a cell."""


def render(subject: Subject) -> str:
    """The whole file, its lines ended as RFC 4180 wants them; without a flag only the head."""
    out = io.StringIO()
    table = csv.writer(out)
    table.writerow(COLUMNS)
    for flag in subject.timeline.flags:
        times = (f"{seconds:.3f}" for seconds in (flag.start, flag.end, flag.at))
        texts = (cell(text) for text in (flag.advice, flag.evidence))
        table.writerow((cell(subject.header.id), cell(flag.rule), flag.level, *times, clock(flag.end), *texts))
    return out.getvalue()


def cell(text: str) -> str:
    """The text as a cell that no spreadsheet takes for a formula."""
    line = plain(text)
    return f"'{line}" if line.startswith(_FORMULA) else line
