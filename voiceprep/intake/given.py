"""The files that a user gave for a session, read once, and what of them stays with it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from voiceprep.config import user_path
from voiceprep.core.events import Language
from voiceprep.intake.document import file_bytes
from voiceprep.intake.intake import Intake, take_in
from voiceprep.intake.kept import NAME, ORIGINALS, encoded, kept
from voiceprep.intake.probing import probes


class Keeper(Protocol):
    """Where the files of a session are kept (`store.folder.SessionFolder`)."""

    def keep(self, name: str, data: bytes) -> None: ...


@dataclass(frozen=True, slots=True)
class Given:
    """What was taken in, and the files to keep copies of, by the names of the copies; none unless that was asked for."""

    intake: Intake
    copies: dict[str, bytes]

    @classmethod
    def read(cls, cv: str, job: str, *, keep: bool = False) -> Given | None:
        """Read the files of these names, "" being none; None where there is neither. Raises BadInputError, UsageError."""
        paths = {name: user_path(given) for name, given in zip(ORIGINALS, (cv, job), strict=True) if given}
        if not paths:
            return None
        intake = take_in(paths.get("cv"), paths.get("job"))
        copies = {f"{name}{path.suffix.lower()}": file_bytes(path) for name, path in paths.items()} if keep else {}
        return cls(intake, copies)

    @classmethod
    def kept(cls, folder: Path) -> Given | None:
        """What was taken in for the session of this folder. Raises BadInputError (`bad-intake`)."""
        intake = kept(folder)
        return cls(intake, {}) if intake is not None else None

    def keep(self, folder: Keeper) -> None:
        """Write intake.json, and the copies. Raises MissingError."""
        folder.keep(NAME, encoded(self.intake))
        for name, data in self.copies.items():
            folder.keep(name, data)

    def told(self, language: Language) -> str:
        """One sentence for whoever waits, without a word of the files."""
        told = []
        if self.intake.cv is not None:
            told.append(f"CV: {_count(len(self.intake.claims), 'claim')} found")
        if self.intake.job is not None:
            missing = sum(not demand.backed and bool(demand.object) for demand in self.intake.demands)
            beside = f", {missing} not in the CV" if self.intake.cv is not None else ""
            told.append(f"job description: {_count(len(self.intake.demands), 'demand')}{beside}")
        if not probes(self.intake, language):
            told.append("nothing in them can be asked about aloud in this language")
        return "; ".join(told)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
