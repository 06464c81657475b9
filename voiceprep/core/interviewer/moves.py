"""What the director decides by, and what it decides: a turn as it was heard, and one move of the interviewer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from voiceprep.core.claims.ledger import Claim
from voiceprep.core.events import MoveKind
from voiceprep.core.interviewer.micro_signals import MicroSignal
from voiceprep.core.pack import Section


@dataclass(frozen=True, slots=True)
class Heard:
    """What a turn of the candidate amounted to."""

    text: str
    signals: frozenset[str]
    """Ids of the signals and traps heard in this turn."""
    known: bool = True
    """False when there are no words to go by: no recogniser, or it failed."""
    repeated: bool = False
    """It says an earlier answer again, nearly word for word."""
    likely: Mapping[str, float] = field(default_factory=dict)
    """How probable each signal and trap is in this turn, heard or not; empty where nobody weighed them."""
    again: tuple[Claim, ...] = ()
    """What was claimed earlier in the session and may be asked for once more, the best first."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One move: what is said (`text`, for the log and the voice), what it goes after and why."""

    move: MoveKind
    text: str
    target: str
    phrase: str
    reason: str
    question: str
    section: Section | None = None
    """The section that this move enters, if it enters one."""
    lead: str = ""
    """What `text` begins with before the line itself: a micro-signal that is spoken."""
    signal: MicroSignal | None = None
    """... and what that signal means."""
    again: Claim | None = None
    """What it asks for a second time."""
