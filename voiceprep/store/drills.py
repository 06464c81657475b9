"""Takes of drills on the disk: which sessions are takes, what came of each, and when to come back to what.

A take's result stands in `drill.json` in its folder. `schedule.json` beside the sessions only repeats what those files, the
reviews and the user's own statements say; torn, or taken away, it is made again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from filelock import FileLock, Timeout
from pydantic import ValidationError

from voiceprep.core.drills.take import DrillResult, FloorEnd
from voiceprep.core.units import Media
from voiceprep.errors import BadInputError, UsageError
from voiceprep.files import parse_json
from voiceprep.store import codec, corrections, disk, header, log, review_file, summary, transcripts
from voiceprep.store.archive import SCHEDULE, sessions_in
from voiceprep.store.header import Header
from voiceprep.store.locks import free
from voiceprep.store.migrations import migrate
from voiceprep.store.practice_log import Overruled, statements
from voiceprep.store.schedule import Due, Grade, Review, drill_item, dues

NAME = "drill.json"
LOCK = ".drill.lock"
SCHEMA = 1
SCHEDULED = 2
"""Of schedule.json: raise it with every change of what sessions say of items."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptFloor:
    """When a step was asked and answered, in media seconds of the take (below 0: in the take that it takes up again).

    `spoken` is where the candidate's last speech in it ended, None where there was none.
    """

    step: str
    asked: Media
    start: Media | None
    end: Media
    reason: FloorEnd
    spoken: Media | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What is kept of a take besides its log.

    Attributes:
        ended: the session's reason.
        complete: False for one that was broken off: it can be taken up again, and counts for nothing until then.
        grade: what the result amounts to in the words of spaced repetition; None: nothing could be measured.
        text: what the candidate said, for comparing takes.
    """

    schema: int = SCHEMA
    session: str
    started: str
    ended: str
    complete: bool
    result: DrillResult
    floors: tuple[KeptFloor, ...]
    grade: Grade | None
    text: str = ""


@dataclass(frozen=True, slots=True)
class TakeFolder:
    """A session that is a take of a drill."""

    path: Path
    header: Header

    @property
    def finished(self) -> bool:
        """Whether its session is over, and the folder final."""
        return summary.read(self.path) is not None


def takes(recordings: Path, drill: str = "") -> tuple[TakeFolder, ...]:
    """Every take, oldest first, of this drill or of all. A session whose log cannot be read is left out."""
    found = (TakeFolder(folder, head) for folder in sessions_in(recordings) if (head := header_in(folder)) is not None)
    mine = (take for take in found if take.header.drill and drill in {"", take.header.drill})
    return tuple(sorted(mine, key=lambda take: (take.header.started, take.path.name)))


def header_in(folder: Path) -> Header | None:
    """The header of the session in this folder, or None where its log has none that can be read."""
    with suppress(BadInputError, OSError, UnicodeDecodeError), (folder / log.NAME).open(encoding="utf-8") as file:
        return header.decode(migrate([file.readline().rstrip("\n")])[0])
    return None


def read(folder: Path) -> Kept | None:
    """What is kept of a take, or None where it is not there or cannot be used: it is then made again."""
    try:
        kept = codec.adapter(Kept).validate_json(disk.read(folder / NAME))
    except (OSError, ValidationError):
        return None
    return replace(kept, session=folder.name) if kept.schema == SCHEMA else None


def write(folder: Path, kept: Kept) -> None:
    """Raises MissingError where the disk refuses."""
    with disk.writing(folder):
        disk.replace_json(folder / NAME, codec.adapter(Kept).dump_python(kept, mode="json"))


@contextmanager
def alone(recordings: Path) -> Iterator[None]:
    """Hold the drills of a recordings folder: one take at a time. Raises UsageError (`drill-live`).

    Two candidates in one room would hear each other's cues. The system frees it when the process dies.
    """
    with disk.writing(recordings):
        recordings.mkdir(parents=True, exist_ok=True, mode=disk.FOLDER_MODE)
        lock = FileLock(recordings / LOCK, mode=disk.FILE_MODE, thread_local=False)
    try:
        lock.acquire(blocking=False)
    except Timeout as error:
        raise UsageError(
            "another drill is being held in this recordings folder",
            code="drill-live",
            hint="End it first, or set VOICEPREP_RECORDINGS to another folder",
        ) from error
    try:
        yield
    finally:
        free(lock)


# --- the schedule -------------------------------------------------------------------------------------------------------

Reviews = Callable[[Path, Header], Iterable[Review]]
"""What a session, given its folder and its header, says of items that were practised in it."""


def reviews_of_take(folder: Path, head: Header) -> Iterator[Review]:
    """A take says how its drill went; one that was broken off, or that nobody could judge, says nothing."""
    kept = read(folder) if head.drill else None
    if kept is not None and kept.complete and kept.grade is not None:
        yield Review(drill_item(head.drill), head.moment.isoformat(), kept.grade, folder.name)


@dataclass(frozen=True, slots=True)
class _Session:
    """What a session said, and the state of the files that said it."""

    stamp: str
    reviews: tuple[Review, ...]


def schedule(recordings: Path, sources: Iterable[Reviews]) -> dict[str, Due]:
    """When each practised item is due, the user's own grades over the measured ones. Rewrites schedule.json where it differs.

    Raises MissingError where the recordings folder cannot be read or written.
    """
    told = _remembered(recordings)
    found: dict[str, _Session] = {}
    for folder in sessions_in(recordings):
        stamp, known = _stamp(folder), told.get(folder.name)
        if known is not None and known.stamp == stamp:
            found[folder.name] = known
        elif summary.read(folder) is not None and (head := header_in(folder)) is not None:
            found[folder.name] = _Session(stamp, tuple(review for source in sources for review in source(folder, head)))
    if found != told:
        _remember(recordings, found)
    return dues(_overruled(recordings, found))


def _stamp(folder: Path) -> str:
    """Changes when a result of the session does, or what its results rest on."""
    stamps = []
    newest = transcripts.newest(folder)
    for name in (NAME, review_file.NAME, summary.NAME, corrections.NAME, *([newest.name] if newest else [])):
        with suppress(OSError):
            stat = (folder / name).stat()
            stamps.append(f"{name} {stat.st_size} {stat.st_mtime_ns}")
    return "; ".join(stamps)


def _overruled(recordings: Path, found: Mapping[str, _Session]) -> Iterator[Review]:
    """What the sessions say, with the user's grades in place of theirs, also where a session had none of its own."""
    own = {(said.session, said.item): said.grade for said in statements(recordings) if isinstance(said, Overruled)}
    for session in found.values():
        for review in session.reviews:
            yield replace(review, grade=own.pop((review.session, review.item), review.grade))
    for (name, item), grade in own.items():
        if name in found and (head := header_in(recordings / name)) is not None:
            yield Review(item, head.moment.isoformat(), grade, name)


def _remembered(recordings: Path) -> dict[str, _Session]:
    """What schedule.json says, or nothing where it is torn: all is then looked up again."""
    try:
        document = parse_json((recordings / SCHEDULE).read_bytes())
        if document["schema"] != SCHEDULED:
            return {}
        return codec.adapter(dict[str, _Session]).validate_python(document["sessions"])
    except (OSError, ValueError, KeyError, TypeError, ValidationError):
        return {}


def _remember(recordings: Path, found: dict[str, _Session]) -> None:
    due = dues(review for session in found.values() for review in session.reviews)
    document = {
        "schema": SCHEDULED,
        "sessions": {name: asdict(session) for name, session in sorted(found.items())},
        "due": {item: asdict(one) for item, one in sorted(due.items())},
    }
    with disk.writing(recordings):
        disk.replace_json(recordings / SCHEDULE, document)
