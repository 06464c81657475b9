"""Which line of a TOML file a key stands on.

`tomllib` gives values without places. Our files are written one key a line, so a walk over headers and `key =` lines finds
almost every place; where it does not, the nearest enclosing one is named. It never fails and never parses values.
"""

from __future__ import annotations

import re
from collections import Counter

from voiceprep.content.problems import Key

_HEADER = re.compile(r"^\s*(\[\[?)\s*([\w.\-]+)\s*\]\]?\s*(?:#.*)?$")
_ENTRY = re.compile(r"^\s*([\w\-]+(?:\.[\w\-]+)*)\s*=\s*(.*)$")
_ELEMENT = re.compile(r"""^\s*(?:["'{])""")


class Places:
    """Looks up the line of a key in one file's text. `skipped` lines stand before the text."""

    def __init__(self, text: str, skipped: int = 0) -> None:
        self._lines: dict[Key, int] = {(): 1 + skipped}
        self._counts: Counter[Key] = Counter()
        table: Key = ()
        array: Key | None = None
        for number, line in enumerate(text.splitlines(), start=1 + skipped):
            if array is not None:
                array = self._element(array, line, number)
            elif header := _HEADER.match(line):
                table = self._open(header[2].split("."), repeated=header[1] == "[[")
                self._lines.setdefault(table, number)
            elif entry := _ENTRY.match(line):
                key = (*table, *entry[1].split("."))
                self._lines.setdefault(key, number)
                if entry[2].startswith("[") and "]" not in entry[2]:
                    array = key

    def line(self, key: Key) -> int | None:
        """The line of this key, or of the nearest thing around it that was found."""
        while key not in self._lines:
            key = key[:-1]
        return self._lines[key] if key else None

    def _element(self, array: Key, line: str, number: int) -> Key | None:
        if line.strip().startswith("]"):
            return None
        if _ELEMENT.match(line):
            self._lines[(*array, self._counts[array])] = number
            self._counts[array] += 1
        return array

    def _open(self, names: list[str], *, repeated: bool) -> Key:
        """The full key of a header: every array of tables on the way means its latest member."""
        key: Key = ()
        for position, name in enumerate(names):
            key = (*key, name)
            last = position == len(names) - 1
            if last and repeated:
                self._counts[key] += 1
            if self._counts[key]:
                key = (*key, self._counts[key] - 1)
        return key
