"""The review of a session and its picture, made once of what they are made of, and kept in the session's folder.

A review of an hour takes seconds, and a page asks for it again and again. What is kept bears a digest in its name: of the log,
the transcript in force, what the user said of both, the scores, and the files that texts and rubrics are in. A changed one
makes another name, so nothing stale is ever read; and all of it can be taken away, and is made again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from filelock import Timeout

from voiceprep import __version__
from voiceprep.config import data_folder
from voiceprep.content.own_pacing import NAME as OWN_PACING
from voiceprep.core.pack import Tongue
from voiceprep.errors import MissingError
from voiceprep.files import parse_json
from voiceprep.intake.kept import NAME as INTAKE
from voiceprep.review.document import SCHEMA
from voiceprep.review.figure import Kind, Theme
from voiceprep.review.page import review_of, write
from voiceprep.review.results import keep_missing_results
from voiceprep.store import corrections, disk, drills, log, review_file, summary, transcripts
from voiceprep.store.annotations import NAME as ANNOTATIONS
from voiceprep.store.locks import acquire, free, lock_in
from voiceprep.store.review_file import DERIVED

LOCK = ".derived.lock"
PATIENCE = 120.0
"""Seconds to wait for somebody else who makes the same; then it is made beside them, and not kept."""
MADE_FROM = (log.NAME, ANNOTATIONS, corrections.NAME, INTAKE, OWN_PACING, drills.NAME, summary.NAME)


def kept_review(folder: Path, tongue: Tongue | None = None) -> dict[str, Any]:
    """The session's review as `Review.to_json` has it, in `tongue` or in its own language. Work for a thread.

    A session that is over and that nobody has judged is judged first. Raises BadInputError (`bad-log`, `bad-annotations`).
    """

    def make() -> bytes:
        made = review_of(folder, tongue)
        if tongue is None and summary.read(folder) is not None:
            with suppress(MissingError):  # somebody else's disk: it can be read all the same
                write(folder, made)
        return json.dumps(made.to_json(), ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode(errors="replace")

    data = _once(folder, f"review-{tongue or 'own'}", ".json", make)
    with suppress(ValueError, RecursionError):
        found = parse_json(data)
        if isinstance(found, dict) and found.get("schema") == SCHEMA and "words" in found:
            return found
    return review_of(folder, tongue).to_json()  # what was kept is spoiled


def kept_picture(folder: Path, kind: Kind, theme: Theme = "light", tongue: Tongue | None = None) -> bytes:
    """The session's picture as a file. Work for a thread: drawing takes a second. Raises as `kept_review`."""
    from voiceprep.review.picture import picture

    return _once(
        folder, f"picture-{theme}-{tongue or 'own'}", f".{kind}", lambda: picture(review_of(folder, tongue), kind, theme)
    )


def made_of(folder: Path) -> str:
    """A digest that changes with whatever the review of this session rests on. No file of the session is read for it."""
    newest = transcripts.newest(folder)
    files = [folder / name for name in (*MADE_FROM, *([newest.name] if newest else []))]
    shipped = (path for place in (data_folder("prompts"), data_folder("rubrics")) for path in sorted(place.rglob("*.*")))
    scores = json.dumps(review_file.kept(folder).get("scores"), sort_keys=True)
    told = [__version__, str(SCHEMA), folder.name, scores, *(_stamp(path) for path in (*files, *shipped))]
    return hashlib.sha256("\n".join(told).encode(errors="replace")).hexdigest()[:24]


def _stamp(path: Path) -> str:
    try:
        stat = path.stat()
    except OSError:
        return f"{path.name} -"
    return f"{path.name} {stat.st_size} {stat.st_mtime_ns}"


def _once(folder: Path, name: str, suffix: str, make: Callable[[], bytes]) -> bytes:
    """What is kept under this name, or what `make` makes; it makes one thing of a session at a time."""
    if summary.read(folder) is None:  # it is still growing
        return make()
    with _alone(folder) as alone:
        if alone:
            keep_missing_results(folder)
        if (folder / DERIVED).is_symlink():  # it came with a folder from elsewhere
            return make()
        file = folder / DERIVED / f"{name}-{made_of(folder)}{suffix}"
        with suppress(OSError):
            return disk.read(file)
        made = make()
        # Named by what it was made of at the beginning: what was changed meanwhile makes another name.
        if alone:
            with suppress(MissingError), disk.writing(folder):
                _keep(file, made, f"{name}-*{suffix}")
        return made


def _keep(file: Path, made: bytes, older: str) -> None:
    file.parent.mkdir(mode=disk.FOLDER_MODE, exist_ok=True)
    for old in file.parent.glob(older):
        old.unlink(missing_ok=True)
    disk.replace_file(file, made)


@contextmanager
def _alone(folder: Path) -> Iterator[bool]:
    """Whether nobody else makes anything of this session meanwhile; False where the folder cannot be locked."""
    lock = lock_in(folder, LOCK)
    try:
        acquire(lock, PATIENCE)
    except (OSError, Timeout):
        yield False
        return
    try:
        yield True
    finally:
        free(lock)
