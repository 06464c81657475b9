"""Web pages and Markdown as lines of text."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser

_BLOCKS = frozenset(
    [
        "address",
        "article",
        "br",
        "dd",
        "div",
        "dl",
        "dt",
        "footer",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "li",
        "p",
    ]
) | {"main", "ol", "pre", "section", "table", "td", "th", "tr", "ul"}
_UNSEEN = frozenset(["script", "style", "head", "template", "noscript", "svg"])
_HEADINGS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])


class _Lines(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._unseen = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002  (the library's signature)
        if tag in _UNSEEN:
            self._unseen += 1
        elif tag == "li":
            self.parts.append("\n- ")
        elif tag in _HEADINGS:
            self.parts.append("\n\n")
        elif tag in _BLOCKS:
            self.parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in _UNSEEN:
            self._unseen = max(0, self._unseen - 1)
        elif tag in _BLOCKS:
            self.parts.append("\n\n" if tag in {"p", *_HEADINGS} else "\n")

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self.parts.append(re.sub(r"\s+", " ", data))


def html_text(page: str) -> str:
    """What a reader of the page sees, a line for each block."""
    lines = _Lines()
    lines.feed(page)
    lines.close()
    return "".join(lines.parts)


def markdown_text(text: str) -> str:
    """The text without the marks for emphasis, links and code; headings and list marks stay, as they say what a line is."""
    # No pattern looks past the next beginning of its own kind: a page of nothing but "[" must not take minutes.
    text = re.sub(r"<!--(?:(?!<!--).)*?-->", "", text, flags=re.DOTALL)
    text = re.sub(r"!\[[^\[\]\n]*\]\([^()\n]*\)", "", text)
    text = re.sub(r"\[([^\[\]\n]+)\]\([^()\n]*\)", r"\1", text)
    text = re.sub(r"(?<!\w)(\*\*\*|\*\*|\*|___|__|_|`)(?=\S)([^*_`\n]+?)(?<=\S)\1(?!\w)", r"\2", text)
    return unescape(text)
