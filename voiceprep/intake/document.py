"""A CV or a job description as lines of text, whatever file it came in.

The file is only ever read; no error or log quotes it. PDF and Word files are taken apart in a process of their own (`child`),
with little memory and little time: a file that somebody else made must not be able to harm a session.
"""

from __future__ import annotations

import hashlib
import unicodedata
from dataclasses import dataclass
from pathlib import Path

from voiceprep.errors import BadInputError
from voiceprep.files import read_at_most
from voiceprep.intake import child, markup, plain
from voiceprep.intake.limits import MOST_BYTES, MOST_CHARACTERS, TooMuchError, UnreadableError

LEAST_LETTERS = 20
"""A file with fewer letters than this says nothing that could be asked about."""

FORMATS = "text, Markdown, HTML, PDF and Word (.docx)"

_HINTS = {
    "empty": "Check that it is the file you meant",
    "encrypted": "Open it with its password and save a copy without one",
    "scanned": "Its pages are pictures: export it from the program that wrote it, or run text recognition over it first",
    "damaged": "Open it in the program that wrote it and save it again, or give its text as a .txt file",
    "format": f"It can be {FORMATS}: save it as one of these",
    "too-large": "Give the pages that matter, or their text as a .txt file",
}
_REASONS = {
    "empty": "holds no text",
    "encrypted": "is protected by a password",
    "scanned": "has pages without any text in them",
    "damaged": "is damaged and cannot be read",
    "format": "is of a kind that cannot be read",
    "too-large": "is too large",
}


@dataclass(frozen=True, slots=True)
class Document:
    """What was in a file.

    Attributes:
        name: the file's name, without its folder.
        sha256: of its bytes.
        lines: its text in reading order, top to bottom and column by column; an empty line stands between blocks.
    """

    name: str
    sha256: str
    lines: tuple[str, ...]


def read_document(path: Path) -> Document:
    """Read a file, whatever its kind: that is told from its first bytes, not from its name.

    Raises BadInputError with one of these codes, the message naming the file: `document-missing`, `document-empty`,
    `document-encrypted`, `document-scanned`, `document-damaged`, `document-format`, `document-too-large`.
    """
    data = file_bytes(path)
    try:
        text = _text(data, path)
        if len(text) > MOST_CHARACTERS:
            raise TooMuchError(f"it has more than {MOST_CHARACTERS:,} characters")
    except UnreadableError as error:
        raise _refused(path, error.kind, error.detail) from error
    lines = tuple(_clean(line) for line in text.splitlines())
    if sum(character.isalpha() for line in lines for character in line) < LEAST_LETTERS:
        raise _refused(path, "empty", "")
    return Document(path.name, hashlib.sha256(data).hexdigest(), lines)


def file_bytes(path: Path) -> bytes:
    """All of a file that is not too large. Raises BadInputError."""
    try:
        if path.is_dir():
            raise BadInputError(f"{path} is a folder", code="document-missing", hint="Name a file in it")
        data = read_at_most(path, MOST_BYTES)
    except OSError as error:
        raise BadInputError(
            f"{path} cannot be read: {error.strerror}", code="document-missing", hint="Check its name"
        ) from error
    if len(data) > MOST_BYTES:
        raise _refused(path, "too-large", f"it has more than {MOST_BYTES // 1_000_000} MB")
    if not data.strip(b"\0 \t\r\n"):
        raise _refused(path, "empty", "")
    return data


def _text(data: bytes, path: Path) -> str:
    head = data[:1024].lstrip()
    if b"%PDF-" in data[:1024]:
        return child.text_of("pdf", data)
    if head.startswith(b"PK\x03\x04"):
        return child.text_of("docx", data)
    if head.startswith(b"\xd0\xcf\x11\xe0"):  # the old Office container: a .doc, or a .docx under a password
        if b"E\0n\0c\0r\0y\0p\0t\0e\0d" in data:
            raise UnreadableError("encrypted")
        raise UnreadableError("format", "it is a Word file of before 2007")
    if head.startswith(b"{\\rtf"):
        raise UnreadableError("format", "it is rich text")
    text = plain.decoded(data)
    looks_html = head[:200].lower().startswith((b"<!doctype html", b"<html")) or path.suffix.lower() in {".html", ".htm"}
    if looks_html:
        return child.text_of("html", data)
    return markup.markdown_text(text) if path.suffix.lower() in {".md", ".markdown"} else text


def _refused(path: Path, kind: str, detail: str) -> BadInputError:
    said = f"{path} {_REASONS[kind]}{': ' + detail if detail else ''}"
    return BadInputError(said, code=f"document-{kind}", hint=_HINTS[kind])


def _clean(line: str) -> str:
    """The line without what cannot be seen, and with ligatures and radicals as the letters that they stand for."""
    return "".join(_letter(character) for character in line.replace("\t", " ")).rstrip()


def _letter(character: str) -> str:
    if character.isascii() and character.isprintable():
        return character
    if "\u2e80" <= character <= "\u2fdf" or "\ufb00" <= character <= "\ufb06" or "\uff10" <= character <= "\uff5a":
        return unicodedata.normalize("NFKC", character)
    category = unicodedata.category(character)
    if category == "Co":
        return "•"  # what symbol fonts of word processors make of their list marks
    if category in {"Cc", "Cf", "Cs", "Cn"}:
        return "" if category == "Cf" else " "
    return " " if character.isspace() else character
