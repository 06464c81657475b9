"""What a session is held for and with, as its caller says: the user's plan, what a server brings along, and the result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from voiceprep.audio.base import Sink
from voiceprep.content.drill_content import TakePlan
from voiceprep.core.interviewer.loop import Seat
from voiceprep.speech.stt.base import Recogniser
from voiceprep.speech.tts.engine import Engine

Pace = Literal["live", "fast"]
Progress = Callable[[str], None]
"""Told, in a short sentence, what is being prepared."""


@dataclass(frozen=True, slots=True)
class Result:
    """A session that is over."""

    session: str
    folder: Path
    ended: str


@dataclass(frozen=True, slots=True)
class Plan:
    """What the user asked for."""

    round: str
    pace: Pace = "live"
    demo: bool = False
    """Let the demonstration candidate of the round speak instead of a microphone."""
    seat: Seat | None = None
    """Which round of which loop this is, if it is one."""
    severity: int = 0
    """How many steps harder than usual the interviewer is, 0..2."""
    lens: str = ""
    """Id of the company's lens that the round is seen through, or ""."""
    keep_files: bool = False
    """Keep a copy of the CV and the job description with the session."""
    browser: bool = False
    """The candidate speaks into a page."""
    question: str = ""
    """Ask this question of the round alone, and what follows from it."""
    resumes: str = ""
    """Id of the session whose round goes on in this one, or ""."""
    take: TakePlan | None = None
    """The take of a drill that is held in place of a round (`round` is "")."""


@dataclass(frozen=True, slots=True)
class Brought:
    """What a server brings along, in place of what the settings name.

    Attributes:
        sink: the interviewer sounds there.
        recogniser: stays open afterwards, for the next session.
        engines: of the voices, by name: those that are there are used, and all stay open as well. None: nothing is shared.
        listens_to_signals: whether Ctrl-C and a polite kill are the session's; a server has them itself.
        saved: told as soon as all that was recorded is safe: scores and review of a long session take seconds more.
    """

    sink: Sink | None = None
    recogniser: Recogniser | None = None
    engines: dict[str, Engine] | None = None
    listens_to_signals: bool = True
    saved: Callable[[Result], None] = lambda _: None


NOTHING = Brought()
