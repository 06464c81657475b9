"""How much of a file is taken in, and what is said when that is not enough."""

from __future__ import annotations

from typing import Literal

MOST_BYTES = 10_000_000
MOST_PAGES = 40
MOST_CHARACTERS = 300_000
MOST_UNPACKED_BYTES = 60_000_000
"""All that a Word file may hold once it is unpacked."""
CHILD_SECONDS = 20
"""CPU time to take a file apart; a CV of two pages needs a tenth of a second."""
CHILD_BYTES = 800_000_000
"""Memory to take a file apart."""

Kind = Literal["empty", "encrypted", "scanned", "damaged", "format", "too-large"]


class UnreadableError(Exception):
    """Why a file's text cannot be had. `detail` is never text of the file."""

    def __init__(self, kind: Kind, detail: str = "") -> None:
        super().__init__(kind, detail)
        self.kind: Kind = kind
        self.detail = detail


class TooMuchError(UnreadableError):
    """There is more in the file than is taken in."""

    def __init__(self, detail: str) -> None:
        super().__init__("too-large", detail)
