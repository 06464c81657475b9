"""The first line of an event log: what the session was, and under which settings it ran."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal

from voiceprep.core.events import Language
from voiceprep.errors import BadInputError
from voiceprep.store import codec

SCHEMA = 4
"""The log format that this version writes. A change of it comes with a migration (see migrations.py)."""

KIND = "Header"


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What stands in the log's first line.

    Attributes:
        schema: the log format.
        id: the session's id and the name of its folder; "" until the folder is made.
        version: of voiceprep.
        started: the moment of session time 0, UTC, ISO-8601: ``2026-11-30T09:05:12Z``.
        round: id of the round, or "" for a recording that belongs to none.
        persona: id of the interviewer, or "".
        source: where the candidate's voice came from.
        clock: ``audio`` where the source can wait (a file), ``wall`` where it cannot (a device).
        models: which model did what: ``{"stt": "base cpu int8", "voice": "hibari"}``.
        policy: the core's policy (`core/policy.py`). The persona's and the rules' own numbers are fixed by `content`.
        content: sha256 of the packs that were used.
        intake: sha256 of the session's intake.json, or "": no CV and no job description was taken in.
        loop: id of the loop that the session is a round of, or "".
        loop_run: which passage through that loop (see `store/loops.py`), or "".
        loop_round: the round's number in the loop, from 1; 0 outside of one.
        severity: how hard the interviewer was, 0..2 (see `core/interviewer/loop.py`).
        lens: id of the company's lens that the round was seen through, or "".
        question: id of the one question of the round that was asked, or "": all of it.
        drill: id of the drill that this is a take of, or "": a take belongs to no round.
        drill_prompt: which of the drill's prompts was given, from 1; 0 outside of a drill.
        drill_brief: the candidate knew the drill: its prompt alone was said.
        resumes: id of the session that broke off and whose round, or take, goes on in this one, or "".
        drill_step: the step at which it does, or "": from the beginning.
        drill_used: seconds of the drill's time that were used up before.
    """

    schema: int = SCHEMA
    id: str = ""
    version: str
    started: str
    round: str
    persona: str
    language: Language
    mode: Literal["coach", "exam"]
    source: Literal["microphone", "file", "demo", "browser"]
    clock: Literal["audio", "wall"]
    models: dict[str, str] = field(default_factory=dict)
    policy: dict[str, float | bool | str | None] = field(default_factory=dict)
    seed: int = 0
    content: str = ""
    intake: str = ""
    loop: str = ""
    loop_run: str = ""
    loop_round: int = 0
    severity: int = 0
    lens: str = ""
    question: str = ""
    drill: str = ""
    drill_prompt: int = 0
    drill_brief: bool = False
    resumes: str = ""
    drill_step: str = ""
    drill_used: float = 0.0

    @property
    def moment(self) -> datetime:
        """`started` as a moment in UTC. Raises ValueError where it is none."""
        moment = datetime.fromisoformat(self.started)
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)

    @property
    def demonstration(self) -> bool:
        """Whether the demonstration's candidate spoke, and not the user: it tells nothing of the user."""
        return self.source == "demo"

    @property
    def analysed(self) -> bool:
        """Whether it is a recording that was analysed: no interviewer of ours spoke, as one does to `--mic FILE`."""
        return self.source == "file" and "voice" not in self.models

    @property
    def about(self) -> str:
        """Id of what was practised: of the drill, else of the round; "" for a recording."""
        return self.drill or self.round

    @property
    def title(self) -> str:
        """What lists call the session: ``gpu-hm-screen, 2026-11-30 09:05``."""
        who = ", demonstration" if self.demonstration else ""
        return f"{self.about or 'recording'}, {self.moment:%Y-%m-%d %H:%M}{who}"


def encode(header: Header) -> str:
    """The header as the log's first line, without a line end.

    Raises BadInputError where it could not be read back: better no session than one that nobody can open.
    """
    line = codec.encode_as(KIND, 0.0, header)
    decode(line)
    return line


def decode(line: str) -> Header:
    """The header on a log's first line, of this version's schema. Raises BadInputError (`bad-log`)."""
    if codec.parse(line, 1)["kind"] != KIND:
        raise BadInputError("the event log does not begin with a header", code="bad-log")
    header = codec.check(Header, line, 1)
    try:
        _ = header.moment
    except ValueError as error:
        raise BadInputError(
            "line 1 of the event log is bad: Header: started is not a moment in ISO-8601", code="bad-log"
        ) from error
    return header


def id_of(header: Header) -> str:
    """The id for a session of this header, from its start and its round or drill: ``2026-11-30T09-05-12-gpu-hm-screen``."""
    name = re.sub(r"[^a-z0-9]+", "-", header.about.lower()).strip("-")[:60].rstrip("-")
    return f"{header.moment:%Y-%m-%dT%H-%M-%S}-{name or 'recording'}"
