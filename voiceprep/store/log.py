"""The event log on the disk: appended line by line, and read back even when its last line is torn."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path

from voiceprep.core.events import Event
from voiceprep.errors import BadInputError
from voiceprep.store import codec, disk, header
from voiceprep.store.header import Header
from voiceprep.store.migrations import migrate

NAME = "events.jsonl"


class EventLog:
    """Appends events, one line each."""

    def __init__(self, path: Path, first: Header, relief: Callable[[], bool] = lambda: False) -> None:
        """A new log with its header. The file appears with the header whole, or not at all. `relief`: see Appender.

        Raises OSError.
        """
        disk.replace_file(path, f"{header.encode(first)}\n".encode())
        self.file = disk.Appender(path, relief)
        self.last: Event | None = None

    def append(self, event: Event) -> None:
        """Write one event. Raises MissingError (`disk-full`, `recordings-unwritable`); the log then ends before it."""
        self.file.append(f"{codec.encode(event)}\n".encode())
        self.last = event


@dataclass(frozen=True, slots=True)
class Log:
    """What a log file holds.

    Attributes:
        header: its first line.
        events: the rest, in order.
        size: bytes of the file that are whole lines; beyond lies only what a crash tore.
        complete: False when the last whole line lacks nothing but its line end.
    """

    header: Header
    events: tuple[Event, ...]
    size: int
    complete: bool


def read(path: Path) -> Log:
    """Read a log of any known schema, also one that is being written or whose last line is torn.

    Raises BadInputError (`bad-log`, `newer-log`), naming the file and the line.
    """
    try:
        return _parsed(disk.read(path))
    except OSError as error:
        raise BadInputError(f"cannot read {path}: {error.strerror or error}", code="bad-log") from error
    except BadInputError as error:
        raise BadInputError(f"{path}: {error.message}", code=error.code, hint=error.hint) from error


def pick(path: Path, kinds: Collection[str]) -> tuple[Event, ...]:
    """The events of these kinds alone, in order: a hundredth of the work where they are few. A torn last line is passed over.

    Raises BadInputError as `read`.
    """
    marks = [f'"kind":"{kind}"'.encode() for kind in kinds]
    try:
        first, *lines = disk.read(path).split(b"\n")
    except OSError as error:
        raise BadInputError(f"cannot read {path}: {error.strerror or error}", code="bad-log") from error
    if f'"schema":{header.SCHEMA},'.encode() not in first:  # an older log may say the same otherwise
        return tuple(event for event in read(path).events if type(event).__name__ in kinds)
    wanted = [(number, line) for number, line in enumerate(lines[:-1], start=2) if any(mark in line for mark in marks)]
    events = (codec.decode(_text(line, number), number) for number, line in wanted)
    return tuple(event for event in events if type(event).__name__ in kinds)  # a note may quote a kind


def _parsed(data: bytes) -> Log:
    *whole, rest = data.split(b"\n")
    texts = [_text(line, number) for number, line in enumerate(whole, start=1)]
    last = _unended(rest, len(whole) + 1)
    texts = migrate(texts if last is None else [*texts, last])
    return Log(
        header=header.decode(texts[0]),
        events=tuple(codec.decode(line, number) for number, line in enumerate(texts[1:], start=2)),
        size=len(data) - len(rest) if last is None else len(data),
        complete=last is None,
    )


def _unended(rest: bytes, number: int) -> str | None:
    """What follows the last line end, if it is a line that lost nothing but its own. Torn elsewhere, it is no JSON object."""
    try:
        line = _text(rest, number)
        codec.parse(line, number)
    except BadInputError:
        return None
    return line


def _text(line: bytes, number: int) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadInputError(f"line {number} of the event log is bad: it is not UTF-8", code="bad-log") from error
