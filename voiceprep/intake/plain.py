"""Text whose encoding nobody told us."""

from __future__ import annotations

import codecs
import unicodedata

from charset_normalizer import from_bytes

from voiceprep.intake.limits import UnreadableError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_LIKELY = ("gb18030", "big5", "cp1252", "utf_16_le", "utf_16_be", "shift_jis", "euc_kr", "cp1251")
"""What CVs are written in when they are not UTF-8. Fewer candidates, fewer wrong guesses for a page of text."""
_CHAOS = 0.2
"""More disorder than this (0..1) and it is no text at all."""


_CONTROL = 0.02
"""A text may have a stray control character or two."""


def decoded(data: bytes) -> str:
    """The text of `data`. Raises UnreadableError (`format`) for bytes that are no text."""
    text = _decoded(data)
    control = sum(unicodedata.category(character) == "Cc" and character not in "\n\r\t\f" for character in text)
    if control > _CONTROL * len(text) + 2:
        raise UnreadableError("format", "it is no text")
    return text


def _decoded(data: bytes) -> str:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data.decode(encoding, errors="replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    best = from_bytes(data, cp_isolation=list(_LIKELY), threshold=_CHAOS).best()
    if best is None:
        raise UnreadableError("format", "it is no text")
    return str(best)
