"""What the user says of findings in a score: kept beside the session, append-only, the latest word on a finding counts.

A finding is a signal or trap in one answer, named `TURN.LABEL` (`3.tradeoff`): it holds when the session is scored again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from voiceprep.errors import BadInputError, UsageError
from voiceprep.store import codec, disk

NAME = "corrections.jsonl"
FINDING = re.compile(r"\d{1,6}\.[a-z0-9_]{1,60}")
LONGEST = 2_000
"""Characters of a note or a quote."""
Verdict = Literal["wrong", "heard", "withdrawn"]
"""`wrong`: it is not there. `heard`: it is, and was missed. `withdrawn`: as if nothing had been said."""


@dataclass(frozen=True, slots=True)
class Correction:
    """One word of the user's. `at` is UTC, ISO-8601; `quote` the words of the answer that show what was missed."""

    finding: str
    verdict: Verdict
    note: str = ""
    quote: str = ""
    at: str = ""

    @property
    def turn(self) -> int:
        return int(self.finding.partition(".")[0])

    @property
    def label(self) -> str:
        return self.finding.partition(".")[2]


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def check(correction: Correction, answers: Mapping[int, str]) -> None:
    """See that a correction points at something. `answers`: what was said, by turn. Raises UsageError (`bad-correction`).

    One that takes an earlier one back may point at anything: the words may have been decoded again since.
    """
    if not FINDING.fullmatch(correction.finding) or correction.verdict == "withdrawn":
        return  # `append` refuses the first
    said = answers.get(correction.turn)
    if said is None:
        hint = f"Your answers are the turns {', '.join(str(turn) for turn in answers) or '(none)'}"
        raise UsageError(f"turn {correction.turn} is no answer of yours", code="bad-correction", hint=hint)
    if correction.verdict == "heard" and correction.quote not in said:
        hint = "Quote the transcript word for word, as the replay shows it"
        raise UsageError(f"those words are not in turn {correction.turn}", code="bad-correction", hint=hint)


def append(folder: Path, correction: Correction, clock: Callable[[], str] = now) -> Correction:
    """Keep a correction; returns it with its time. Raises UsageError (`bad-correction`), or MissingError of the disk."""
    if not FINDING.fullmatch(correction.finding):
        hint = "a finding is TURN.LABEL, like 3.tradeoff"
        raise UsageError(f"{correction.finding!r} names no finding", code="bad-correction", hint=hint)
    if max(len(correction.note), len(correction.quote)) > LONGEST:
        raise UsageError("that is too long for a correction", code="bad-correction", hint=f"{LONGEST} characters are the most")
    made = Correction(correction.finding, correction.verdict, correction.note, correction.quote, clock())
    with disk.writing(folder):
        disk.append_line(folder / NAME, codec.adapter(Correction).dump_json(made))
    return made


def read(folder: Path) -> tuple[Correction, ...]:
    """What counts now, in the order in which it was first said. Lines that were cut off are passed over.

    Raises BadInputError (`bad-corrections`) for a file that cannot be read.
    """
    try:
        data = disk.read(folder / NAME)
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise BadInputError(f"cannot read {folder / NAME}: {error.strerror or error}", code="bad-corrections") from error
    latest: dict[str, Correction] = {}
    for line in data.split(b"\n"):
        try:
            one = codec.adapter(Correction).validate_json(line, strict=True)
        except ValidationError:
            continue
        if FINDING.fullmatch(one.finding):
            latest[one.finding] = one
    return tuple(one for one in latest.values() if one.verdict != "withdrawn")
