"""A whole round on paper, answered as it is asked, and kept as a session folder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

from tests.fakes.table import Table, of_kind
from voiceprep.core.events import Event, Language, MoveChosen, Speak, SpeakingFinished
from voiceprep.core.pack import Content
from voiceprep.core.policy import Policy
from voiceprep.core.timeline import fold
from voiceprep.core.units import At
from voiceprep.store.codec import as_logged
from voiceprep.store.folder import SessionFolder
from voiceprep.store.header import Header
from voiceprep.store.locks import free

WORDS_A_SECOND = {"en": 2.5, "zh": 4.0, "mixed": 3.0}
LONGEST = 300.0
"""No interviewer waits longer than this for an answer that is over."""


Candidate = Callable[[MoveChosen], str | None]
"""Answers what was asked; None: the candidate leaves."""


def in_turn(answers: Iterable[str]) -> Candidate:
    """Gives these answers, whatever is asked."""
    given = iter(answers)
    return lambda _: next(given, None)


def hold(content: Content, candidate: Candidate, language: Language = "en", seed: int = 1) -> list[Event]:
    """The log of a round, each answer a second after the interviewer has finished."""
    table = Table(content, language=language, seed=seed, policy=Policy(captions=False))
    table.start()
    while _until_our_turn(table):
        answer = candidate(of_kind(table.log, MoveChosen)[-1])
        if answer is None:
            break
        text = " ".join(answer) if language == "zh" else answer
        begin = table.now + 1.0
        table.say(begin, begin + max(2.0, len(text.split()) / WORDS_A_SECOND[language]), text)
        spoken = len(of_kind(table.log, Speak))
        limit = begin + LONGEST
        while not table.conductor.ended and len(of_kind(table.log, Speak)) == spoken and table.now < limit:
            table.run(until=_ahead(table))
    if not table.conductor.ended:
        _until_our_turn(table)
        table.stop(table.now + 1.0, "audio-ended")
        table.run()
    return table.log


def _until_our_turn(table: Table) -> bool:
    """Run until the interviewer's last line is over; False once the session is."""
    while not table.conductor.ended:
        lines, over = of_kind(table.log, Speak), {event.of for event in of_kind(table.log, SpeakingFinished)}
        if lines and lines[-1].id in over:
            return True
        table.run(until=_ahead(table))
    return False


def _ahead(table: Table) -> float:
    table.now = At(table.now + 0.5)
    return table.now


def keep(recordings: Path, header: Header, events: Sequence[Event], *, crashed: bool = False) -> str:
    """Write a session as the shell does; returns its id. `crashed`: the process died before its end."""
    folder = SessionFolder.create(recordings, header)
    for event in events:
        folder.log.append(as_logged(event))
    folder.candidate.write_silence(round(fold(events).duration * folder.candidate.rate))
    if crashed:  # what the kernel does for a process that was killed: files and the lock are let go, nothing is finished
        folder._close_files()
        free(folder._lock)
    else:
        folder.close("completed")
    return folder.header.id


def header(round_id: str, persona: str, started: str, **more: object) -> Header:
    """A header as a session on paper has it."""
    first: dict[str, object] = {
        "version": "0",
        "started": started,
        "round": round_id,
        "persona": persona,
        "language": "en",
        "mode": "coach",
        "source": "file",
        "clock": "audio",
        "models": {"stt": "paper", "voice": "none"},
        "policy": asdict(Policy(captions=False)),
        "seed": 1,
    }
    return Header(**(first | more))  # type: ignore[arg-type]  # the caller names the header's own fields
