"""Everything voiceprep raises on purpose.

VoiceprepError
├── UsageError            exit 2   the command line or a setting is wrong
├── MissingError          exit 3   something is not here: a model, a device, a library, a server
└── BadInputError         exit 4   a file or a pack that was given is bad

Every error says what happened (`message`), has a stable `code` that logs and the page use, and a `hint`: the thing the
user can do. An exception that is none of these is a defect, and exits 1.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class VoiceprepError(Exception):
    """What happened, and what to do about it.

    Args:
        message: one sentence without a trailing full stop, naming the file, device or model.
        code: stable identifier in kebab-case, e.g. ``"no-microphone"``.
        hint: one line the user can act on; often a command.
    """

    exit_code = 1

    def __init__(self, message: str, *, code: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}. {self.hint}" if self.hint else self.message


class UsageError(VoiceprepError):
    """The command line or a setting is wrong."""

    exit_code = 2


class MissingError(VoiceprepError):
    """Something that is needed is not on this machine; the hint names the command that mends it."""

    exit_code = 3


class BadInputError(VoiceprepError):
    """A file that was given is bad; the message names the file and what is wrong with it."""

    exit_code = 4


def one_of(wanted: str, known: Iterable[str]) -> str:
    """The hint where `wanted` is none of the known names: the one that was probably meant, or else all of them."""
    names = list(known)
    near = get_close_matches(wanted, names, n=1)
    return f"Did you mean {near[0]}?" if near else f"choose one of: {', '.join(names)}"
