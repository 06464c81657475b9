"""What every door of the program owes to bad input, and how often each is tried."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from hypothesis import HealthCheck, settings

from voiceprep.errors import BadInputError, MissingError, UsageError, VoiceprepError

T = TypeVar("T")

USUALLY = 200
WANTED = int(os.environ.get("VOICEPREP_FUZZ", "0"))
"""How many times each door is tried; unset: a few hundred times, and the same ones in every run."""
CPU_SECONDS = 20.0
"""For one input; a machine that is busy with other things does not count."""


def fuzz(usually: int = USUALLY, *, among: int = 1, most: int = 10**9) -> Callable[[T], T]:
    """So many examples of a test, or its part of as many as `VOICEPREP_FUZZ` says.

    `among`: how many tests, or inputs of one example, share that number; `most`: for what is too slow for its part.
    """
    made: Any = settings(
        max_examples=min(-(-WANTED // among), most) if WANTED else usually,
        deadline=None,
        derandomize=not WANTED,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    return made  # type: ignore[no-any-return]


def answered(run: Callable[[], T]) -> T | VoiceprepError:
    """What comes of it: a value, or a refusal that says what is wrong. Anything else is a finding."""
    with _in_time():
        try:
            return run()
        except VoiceprepError as error:
            refused(error)
            return error


def refused(error: VoiceprepError) -> None:
    """Whether it is an error that somebody can read and act on."""
    assert isinstance(error, UsageError | MissingError | BadInputError), repr(error)
    assert error.exit_code in {2, 3, 4}
    assert error.message.strip()
    assert error.code == error.code.strip().lower() != ""
    assert len(str(error)) < 20_000, "nobody reads that"


@contextmanager
def _in_time() -> Iterator[None]:
    def late(*_: object) -> None:
        raise TimeoutError(f"more than {CPU_SECONDS} CPU seconds for one input")

    before = signal.signal(signal.SIGVTALRM, late)
    signal.setitimer(signal.ITIMER_VIRTUAL, CPU_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
