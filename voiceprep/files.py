"""Reading a file that somebody else named: it may be no file, or never end."""

from __future__ import annotations

import errno
import json
import math
import os
import stat
import tomllib
from pathlib import Path
from typing import Any, NoReturn


def read_at_most(path: Path, most: int) -> bytes:
    """The bytes of a regular file; ``most + 1`` of them where there are more, so that the caller can tell.

    Raises OSError, with a `strerror` for people, for what cannot be read: a folder, a pipe or a device too, which might
    hold up the reader for ever, and a name that none can have.
    """
    # Opened without waiting and asked afterwards: the name may lead elsewhere a moment after one looked at it.
    waiting_for_nobody = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        with open(path, "rb", opener=lambda name, _: os.open(name, waiting_for_nobody)) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise OSError(errno.EINVAL, "it is a pipe or a device, not a file")
            return file.read(most + 1)
    except ValueError:
        raise OSError(errno.EINVAL, "it is no file's name") from None


def parse_toml(text: str) -> dict[str, Any]:
    """`tomllib.loads`, for which deep brackets and numbers of thousands of digits are bad input like any other.

    Raises tomllib.TOMLDecodeError.
    """
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise tomllib.TOMLDecodeError("it nests too deeply") from None
    except tomllib.TOMLDecodeError:
        raise
    except (ValueError, OverflowError) as error:  # of a number or a date: not of the parser
        raise tomllib.TOMLDecodeError(str(error)) from None


def parse_json(text: str | bytes) -> Any:
    """A document of JSON, as it stands in files of ours: its numbers can be reckoned with, and it does not nest thousands deep.

    Raises ValueError for everything else. Python's parser takes NaN for a number, makes whole ones that no float can hold, and
    ends deep brackets by a RecursionError.
    """
    try:
        return json.loads(text, parse_constant=_refused, parse_float=_finite, parse_int=_whole)
    except RecursionError:
        raise ValueError("it nests too deeply") from None


def _refused(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number")


def _finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _refused(text)


def _whole(text: str) -> int:
    number = int(text)
    return number if -(2**63) <= number < 2**63 else _refused(f"{text[:20]}...")
