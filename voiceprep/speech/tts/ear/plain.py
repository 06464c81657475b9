"""Written text without what is only there for the eye: markdown, lists, links, code, emoji."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

FENCE = re.compile(r"(?:```|~~~).*?(?:```|~~~|\Z)", re.DOTALL)
TABLE_RULE = re.compile(r"^[ \t]*\|?(?:[ \t]*:?-{2,}:?[ \t]*\|?)+[ \t]*$", re.MULTILINE)
RULE = re.compile(r"^[ \t]*(?:[-*_][ \t]*){3,}$", re.MULTILINE)
IMAGE = re.compile(r"!\[[^\]]*\]\([^)]*\)")
LINK = re.compile(r"\[([^\]]+)\]\([^)\s]*(?:\s+\"[^\"]*\")?\)")
ADDRESS = re.compile(r"(?:<)?(?:https?://|www\.)[^\s<>()（），。；！？、]+(?:>)?", re.IGNORECASE)
TAG = re.compile(r"</?[A-Za-z][A-Za-z0-9]*(?:\s[^<>]*)?/?>")
LINE_START = re.compile(r"^[ \t]*(?:#{1,6}[ \t]+|>+[ \t]?|[-*+•·][ \t]+(?:\[[ xX]\][ \t]+)?|\d{1,2}[.)、][ \t]+(?=\S))")
EMPHASIS = (
    re.compile(r"(\*{1,3})(?=\S)([^*\n]+?)(?<=\S)\1"),
    re.compile(r"(?<![A-Za-z0-9_])(_{1,3})(?=\S)([^_\n]+?)(?<=\S)\1(?![A-Za-z0-9_])"),
    re.compile(r"(~~)(?=\S)([^~\n]+?)(?<=\S)\1"),
    re.compile(r"(`+)([^`\n]+?)\1"),
)
SNAKE = re.compile(r"(?<=[A-Za-z0-9])_+(?=[A-Za-z0-9])")
CAMEL = re.compile(r"(?<![A-Za-z0-9])[a-z]+(?:[A-Z][a-z0-9]+)+(?![A-Za-z0-9])")
HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
EIGHT_X = re.compile(r"(?<=\d[x×])(?=[A-Z])")
"""Inside `8xH100`: a count and a name that were written as one."""
ENDS = ".!?:;,。！？：；，、…"
FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F) if chr(code) not in "！（），：；？．～"}
"""Full-width letters, digits and signs to the usual ones. Chinese punctuation stays: it carries the pauses."""


def plain(text: str, link: str, known: Callable[[str], bool]) -> str:
    """One line of sentences. `link` is said in place of an address; `known` tells terms with capitals inside that are names."""
    text = text.translate(FULL_WIDTH).replace("\r\n", "\n")
    text = FENCE.sub("\n", text)
    text = IMAGE.sub(" ", text)
    text = LINK.sub(r"\1", text)
    text = ADDRESS.sub(lambda found: f" {link}{_end_of(found.group())} ", text)
    text = TAG.sub(" ", text)
    text = RULE.sub("", TABLE_RULE.sub("", text))
    text = _joined(text)
    for pattern in EMPHASIS:
        text = pattern.sub(r"\2", text)
    text = CAMEL.sub(lambda found: found.group() if known(found.group()) else HUMP.sub(" ", found.group()), text)
    text = SNAKE.sub(" ", text)
    text = EIGHT_X.sub(" ", text)
    return "".join(map(_sounding, text))


def _end_of(address: str) -> str:
    """The full stop that ended the sentence, not the address."""
    address = address.rstrip(">")
    return address[-1] if address[-1] in ".,;!?" else ""


def _joined(text: str) -> str:
    """Lines into one: list items and headings become sentences, lines of a paragraph stay together."""
    pieces: list[str] = []
    for line in text.split("\n"):
        marker = LINE_START.match(line)
        content = (line[marker.end() :] if marker else line).strip()
        if content.startswith("|"):
            content, marker = re.sub(r"\s*\|\s*", ", ", content.strip("| ")), re.match("", "")
        starts_new = marker is not None or not content
        if starts_new and pieces and pieces[-1][-1] not in ENDS:
            pieces[-1] += "." if pieces[-1][-1].isascii() else "。"
        if content:
            if marker and content[-1] not in ENDS:
                content += "." if content[-1].isascii() else "。"
            pieces.append(content)
    return " ".join(pieces)


def _sounding(character: str) -> str:
    """The character, or a space for one that has no sound: pictures, controls, private use."""
    category = unicodedata.category(character)
    if character in "°℃→≠≤≥≈±×÷∞√" or category in {"Sm", "Sc"}:
        return character
    if category in {"So", "Sk", "Cc", "Co", "Cs", "Cn"} or character == "\N{ZERO WIDTH JOINER}":
        # Sk holds ^ and `: the first is an exponent.
        return character if character == "^" else " "
    return "" if category in {"Cf", "Me"} or "\ufe00" <= character <= "\ufe0f" else character
