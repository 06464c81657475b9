"""Sessions to export: a real log, an empty one, and one with all that makes formats stumble."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from tests.store.samples import HEADER
from voiceprep.core.events import (
    AudioProgress,
    Event,
    FlagRaised,
    NoteAdded,
    Speak,
    SpeakingFinished,
    SpeakingStarted,
    TurnEnded,
    TurnStarted,
    VoiceStarted,
    VoiceStopped,
    Word,
    WordsCommitted,
)
from voiceprep.core.timeline import fold
from voiceprep.core.units import At, Media
from voiceprep.exporters import Subject
from voiceprep.intake.backing import Backing
from voiceprep.store import log
from voiceprep.store.header import Header

DATA = Path(__file__).parents[1] / "data"
LOG = log.read(DATA / "session-schema-1" / "events.jsonl")
SAID = (
    "我们用 Kubernetes 做滚动更新，p99 从 250 毫秒降到了 100 毫秒，代价是吞吐下降了百分之十二（这是我自己决定的）。"
    "后来产品经理不同意 --> 我说 a < b && {\\an8} <b>不</b>，坚持了下来。"
)
NOTE = "\u202eleft \u202bשלום\u202c \x1b[31m\n<script>alert(1)</script>"
HOUR = 3600.0


def subject(events: Sequence[Event], header: Header = HEADER, claims: tuple[Backing, ...] = ()) -> Subject:
    return Subject(header=header, timeline=fold(events), events=tuple(events), claims=claims)


def spoken(text: str, start: float, step: float = 0.25) -> tuple[Word, ...]:
    """The text as words, one each `step` seconds."""
    pieces = re.findall(r"[a-zA-Z0-9]+|\S", text)
    return tuple(
        Word(piece, Media(round(start + n * step, 3)), Media(round(start + n * step + 0.2, 3)), 0.9)
        for n, piece in enumerate(pieces)
    )


def hard() -> Subject:
    """Chinese and Latin over an hour into the recording, the interviewer over it, and texts that want to be code."""
    words = spoken(SAID, HOUR + 2.0)
    end = words[-1].end
    line = 'Stop there. "Who" decided --> you, or <i>them</i>?'
    events: list[Event] = [
        TurnStarted(at=At(HOUR), speaker="candidate", turn=1, media=Media(HOUR + 2)),
        VoiceStarted(at=At(HOUR + 2), speaker="candidate", media=Media(HOUR + 2)),
        Speak(at=At(HOUR + 5), id="s1", text=line, language="en", move="backchannel"),
        SpeakingStarted(at=At(HOUR + 5), of="s1", media=Media(HOUR + 5)),
        SpeakingFinished(at=At(HOUR + 8), of="s1", media=Media(HOUR + 8), heard=line, seconds=3.0, complete=True),
        WordsCommitted(at=At(end), words=words, turn=1),
        VoiceStopped(at=At(end), speaker="candidate", media=end),
        TurnEnded(at=At(end), speaker="candidate", turn=1, media=end, reason="session-ended"),
        FlagRaised(
            at=At(HOUR + 4),
            rule="=cmd|' /C calc'!A0",
            level="warning",
            start=Media(HOUR + 2),
            end=Media(HOUR + 4),
            advice='先说结论，"再说理由"',
            evidence="@SUM(1;2)\n\t-2",
        ),
        FlagRaised(at=At(HOUR + 4), rule="monologue", level="fail", start=Media(HOUR), end=Media(HOUR + 4), advice="+1"),
        NoteAdded(at=At(HOUR + 4), media=Media(HOUR + 4), text=NOTE),
        AudioProgress(at=At(HOUR + 40), media=Media(HOUR + 40)),
    ]
    return subject(events, replace(HEADER, id="hard", language="zh", persona="infra-expert"))


def real() -> Subject:
    """The oldest session there is; the number of the log's format is left out of the comparison."""
    return subject(LOG.events, replace(LOG.header, schema=2))


SUBJECTS: dict[str, Callable[[], Subject]] = {"english": real, "hard": hard, "empty": lambda: subject([])}
