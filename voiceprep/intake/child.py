"""Takes a PDF, a Word file or a web page apart in a process of its own, with little memory and little time.

python -P -m voiceprep.intake.child pdf BYTES SECONDS < FILE        prints {"text": ...} or {"kind": ..., "detail": ...}
"""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import suppress
from typing import Literal, cast

from voiceprep.intake import limits
from voiceprep.intake.limits import TooMuchError, UnreadableError

Packed = Literal["pdf", "docx", "html"]

_TOO_LONG = "it takes too much time or memory to read"


def text_of(kind: Packed, data: bytes) -> str:
    """The text of a file of this kind. Raises UnreadableError."""
    try:
        done = subprocess.run(  # noqa: S603  (our own module, and no shell)
            # -P: a CV lies among downloads, and no file there may be imported because it is named like a library.
            [sys.executable, "-P", "-m", "voiceprep.intake.child", kind, str(limits.CHILD_BYTES), str(limits.CHILD_SECONDS)],
            input=data,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # libraries quote what they stumble over, and that is somebody's CV
            timeout=limits.CHILD_SECONDS * 6,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise TooMuchError(_TOO_LONG) from None
    if done.returncode != 0:  # killed by its limits, or by a defect of a library that no exception tells of
        raise TooMuchError(_TOO_LONG) if done.returncode < 0 else UnreadableError("damaged")
    answer = json.loads(done.stdout)
    if "text" not in answer:
        raise UnreadableError(answer["kind"], answer["detail"])
    return str(answer["text"])


def extract(kind: Packed, data: bytes) -> str:
    """The same, here. Raises UnreadableError for whatever is wrong with the file, MemoryError where it is too much."""
    from voiceprep.intake import markup, pdf, plain, word

    try:
        if kind == "html":  # a page of nothing but "<" takes the parser minutes
            return markup.html_text(plain.decoded(data))
        return pdf.text(data) if kind == "pdf" else word.text(data)
    except (UnreadableError, MemoryError):
        raise
    except RecursionError as error:
        raise TooMuchError(_TOO_LONG) from error
    except Exception as error:  # parsers of hostile files raise anything at all, and all of it means this
        raise UnreadableError("damaged") from error


def _limit(size: int, seconds: int) -> None:
    """Where the system can: Windows has no such limits, and only the time-out of the parent holds."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main() -> None:
    _limit(int(sys.argv[2]), int(sys.argv[3]))
    answer: dict[str, str]
    try:
        answer = {"text": extract(cast(Packed, sys.argv[1]), sys.stdin.buffer.read())}
    except UnreadableError as error:
        answer = {"kind": error.kind, "detail": error.detail}
    except MemoryError:
        answer = {"kind": "too-large", "detail": _TOO_LONG}
    sys.stdout.write(json.dumps(answer))


if __name__ == "__main__":
    main()
