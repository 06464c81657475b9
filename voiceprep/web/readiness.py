"""How far the server is with what every session needs, as pages are told: it loads that before anybody asks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any, Literal

State = Literal["idle", "loading", "ready", "missing", "failed"]
STEPS = 2
"""The recogniser, and the interviewer's voice."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where the loading stands.

    Attributes:
        state: `idle` nothing is loaded; `loading` ahead, or for a session; `ready`; `missing` a model must be fetched first,
            which the first session does; `failed` and `what` says why: the next session tries again.
        what: a short sentence: what is being done, or what is wrong.
        done, of: steps.
    """

    state: State = "idle"
    what: str = ""
    done: int = 0
    of: int = STEPS


class Readiness:
    """Told by who loads, asked by pages; whoever waits for the loading hears each step."""

    def __init__(self) -> None:
        self.standing = Standing()
        self._waiting: list[Callable[[str], None]] = []

    def tell(self, state: State, what: str = "", done: int | None = None) -> None:
        """Where it stands now. Without `done` no step was finished."""
        self.standing = Standing(state, what, self.standing.done if done is None else done)
        if what:
            for each in self._waiting:
                each(what)

    @contextmanager
    def heard_by(self, progress: Callable[[str], None]) -> Iterator[None]:
        """Have every step told to this one as well, beginning with the one that is under way."""
        if self.standing.state == "loading":
            progress(self.standing.what)
        self._waiting.append(progress)
        try:
            yield
        finally:
            self._waiting.remove(progress)

    def document(self) -> dict[str, Any]:
        """`{"state", "what", "done", "of"}`."""
        return asdict(self.standing)
