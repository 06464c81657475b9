"""Moves in the interviewer's own words, from a language model that nobody has to wait for.

The director decides what is asked and has a line of the bank for it. At the soft end of an answer, while the floor is still
the candidate's, that line is sent to be reworded (`ask`). Once the floor was yielded the new words are said if they are here,
waited for a moment if they are on their way (`settle`); after that the bank's line is said (`release`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from voiceprep.core.events import EdgeFailed, MoveKind, Reword, Reworded
from voiceprep.core.interviewer.director import Choice
from voiceprep.core.pack import Tongue
from voiceprep.core.policy import Policy
from voiceprep.core.text import joined
from voiceprep.core.units import At

WORDED: frozenset[MoveKind] = frozenset({"followup", "pushback", "curveball", "probe_detail", "forced_choice", "answer"})
"""Moves that may be worded. What opens, turns or closes a round is said as it was written."""


@dataclass(slots=True)
class _Request:
    """What was asked for. `text` is None until it is answered, and "" where nothing usable came."""

    of: str
    choice: Choice
    text: str | None = None


class Wording:
    """At most one request counts: that for the line which would be said now."""

    def __init__(self, policy: Policy, tongue: Tongue) -> None:
        self._on = policy.reword
        self._patience = policy.reword_wait
        self._tongue: Tongue = tongue
        self._request: _Request | None = None
        self._held: tuple[Choice, At] | None = None
        """What is to be said once its words are here, and when it is said without them."""

    @property
    def deadline(self) -> At | None:
        """When the bank's line is said in place of words that have not come; None while nothing waits for any."""
        return self._held[1] if self._held is not None else None

    def has(self, choice: Choice) -> bool:
        """Whether this line was sent already."""
        return self._request is not None and self._request.choice.text == choice.text

    def wants(self, choice: Choice) -> bool:
        """Whether this line is to be worded, and has not been sent yet."""
        return self._on and choice.move in WORDED and not self.has(choice)

    def ask(self, choice: Choice, turn: int, at: At, id: str) -> Reword:  # noqa: A002  (the field's own name)
        """Send this line: whatever was asked for before does not count any more."""
        self._request = _Request(id, choice)
        text = _own(choice)
        return Reword(at=at, id=id, move=choice.move, target=choice.target, text=text, language=self._tongue, turn=turn)

    def settle(self, choice: Choice, at: At) -> Choice | None:
        """The floor was yielded: what is said now, or None while its words are waited for."""
        request = self._request
        if request is None or not self.has(choice):
            return choice
        if request.text is None:
            self._held = choice, At(at + self._patience)
            return None
        return _in(request.text, choice)

    def answered(self, event: Reworded | EdgeFailed) -> bool:
        """Take the answer. False where it belongs to nothing that is still wanted."""
        request = self._request
        if request is None or request.of != event.of:
            return False
        request.text = event.text if isinstance(event, Reworded) else ""
        return True

    @property
    def line(self) -> str:
        """The whole line that would be said now in its new words, or "" where there are none."""
        request = self._request
        return _in(request.text, request.choice).text if request is not None and request.text else ""

    def release(self) -> Choice | None:
        """What was waited for, in the words that are here by now or in the bank's; None where nothing was waited for."""
        if self._held is None:
            return None
        choice, self._held = self._held[0], None
        text = self._request.text if self._request is not None else None
        return _in(text, choice) if text else choice

    def discard(self) -> bool:
        """The answer goes on: nothing that was asked for counts. True where a line was waiting to be said."""
        waiting = self._held is not None
        self._request = self._held = None
        return waiting


def _own(choice: Choice) -> str:
    """The line without the sign that it begins with: that is said as it is."""
    return choice.text.removeprefix(choice.lead).strip()


def _in(text: str, choice: Choice) -> Choice:
    return replace(choice, text=joined((choice.lead, text))) if text else choice
