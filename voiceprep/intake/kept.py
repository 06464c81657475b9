"""The intake of a session on the disk: intake.json in its folder. It goes when the session goes, or earlier, by `forget`."""

from __future__ import annotations

import contextlib
import hashlib
import json
from pathlib import Path

from voiceprep.content import load_content
from voiceprep.content.drill_content import TakePlan, drill_content
from voiceprep.content.lenses import held_as
from voiceprep.content.own_pacing import NAME as OWN_PACING
from voiceprep.content.own_pacing import with_own_pacing
from voiceprep.core.pack import Content
from voiceprep.errors import BadInputError, UsageError
from voiceprep.intake.intake import Intake, as_document, from_document
from voiceprep.intake.probing import with_intake
from voiceprep.store import disk, review_file
from voiceprep.store.broken_off import taken_up, where_stopped
from voiceprep.store.folder import take
from voiceprep.store.header import Header
from voiceprep.store.locks import free

NAME = "intake.json"
ORIGINALS = ("cv", "job")
"""What copies of the files themselves are called, where the user asked for copies; each keeps its ending."""


def encoded(intake: Intake) -> bytes:
    """What intake.json holds: for people as much as for programs."""
    return (json.dumps(as_document(intake), ensure_ascii=False, indent=2) + "\n").encode()


def fingerprint(intake: Intake | None) -> str:
    """What the header of a session calls its intake by; "" without one."""
    return hashlib.sha256(encoded(intake)).hexdigest() if intake is not None else ""


def kept(folder: Path) -> Intake | None:
    """The intake of a session, or None: it had none, or it was forgotten. Raises BadInputError (`bad-intake`)."""
    path = folder / NAME
    try:
        data = disk.read(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BadInputError(
            f"{path} cannot be read: {error.strerror}", code="bad-intake", hint="Give yourself the right"
        ) from error
    return from_document(data, str(path))


def forget(folder: Path) -> bool:
    """Take intake.json, the copies, and what quotes them away; True where there was anything.

    Raises MissingError where the disk refuses, UsageError (`session-live`) while the session runs.
    """
    with disk.writing(folder):
        lock = take(folder)
        try:
            gone = [path for path in folder.iterdir() if path.name == NAME or (path.stem in ORIGINALS and path.is_file())]
            for path in gone:
                path.unlink(missing_ok=True)
            if gone:
                review_file.forget(folder)
        finally:
            free(lock)
    return bool(gone)


def keep_own_pacing(path: Path | None, folder: Path) -> None:
    """Put the thresholds in force beside the log, so that its flags can be recomputed whatever the user changes later.

    Raises MissingError where the disk refuses.
    """
    if path is not None:
        with disk.writing(folder):
            disk.replace_file(folder / OWN_PACING, path.read_bytes())


def plan_of(header: Header) -> TakePlan:
    """Which take of which drill a session is."""
    return TakePlan(
        drill=header.drill,
        prompt=header.drill_prompt,
        brief=header.drill_brief,
        resumes=header.resumes,
        step=header.drill_step,
        used=header.drill_used,
    )


def content_of(folder: Path, header: Header) -> Content:
    """The content by which a session was held: its round, with what was taken in for it, or its drill.

    Raises as `load_content`, `held_as` and `kept` do.
    """
    if header.drill:
        return drill_content(plan_of(header))
    own = folder / OWN_PACING
    held = held_as(load_content(header.round), header.severity, header.lens)
    content = with_own_pacing(held, None if own.is_symlink() else own)
    intake = kept(folder)
    content = content if intake is None else with_intake(content, intake, header.language)
    if header.resumes:
        with contextlib.suppress(UsageError, BadInputError):  # the one before is deleted or damaged, or the round has changed
            content = taken_up(content, where_stopped(folder.parent, header.resumes))
    return content
