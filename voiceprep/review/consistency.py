"""Whether one story is told alike from session to session: figures, dates, deciders, and why this company.

What is one session's own stands in its ledger (core/claims/ledger); here sessions of one user are held against each other,
which needs more care: nobody says that two sessions tell the same story, so only claims whose subjects are the same are
compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from voiceprep.core.claims.ledger import Claim, Difference, compare, ledger_of, repeats
from voiceprep.core.events import Event, Language
from voiceprep.store.header import Header

LEAST_CONFIDENCE = 0.5
"""Lower than within a session, since what is found is put as "read them side by side"."""


@dataclass(frozen=True, slots=True)
class Told:
    """The claims of one session. `company` groups rounds that ask for one "why us": a loop's, or the first word of the ids."""

    session: str
    company: str
    language: Language
    claims: tuple[Claim, ...]
    within: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class Across:
    """A difference and the sessions of its two claims: one and the same, or an earlier and a later one."""

    first_session: str
    second_session: str
    difference: Difference

    def document(self) -> dict[str, Any]:
        """As plain values."""
        found = self.difference.document()
        found["first"]["session"] = self.first_session
        found["second"]["session"] = self.second_session
        return found


def told(header: Header, events: Iterable[Event]) -> Told:
    """What was claimed in one session."""
    ledger = ledger_of(events)
    company = header.loop_run or header.round.partition("-")[0]
    return Told(header.id, company, header.language, ledger.claims(), ledger.differences())


def across(sessions: Sequence[Told]) -> tuple[Across, ...]:
    """What was told differently, within each session and from one to a later one; `sessions` in order of time."""
    found: list[Across] = []
    for number, later in enumerate(sessions):
        found += [Across(later.session, later.session, one) for one in later.within]
        for earlier in sessions[:number]:
            found += [Across(earlier.session, later.session, one) for one in _between(earlier, later)]
    return tuple(found)


def _between(earlier: Told, later: Told) -> Iterator[Difference]:
    """At most one difference of a later claim: the first that it has to an earlier one."""
    for second in later.claims:
        for first in earlier.claims:
            if first.kind == "reason" and not (earlier.company == later.company != "" and earlier.language == later.language):
                continue  # another company has other reasons, and another language other words
            found = compare(first, second, apart=True)
            if found and found.confidence >= LEAST_CONFIDENCE and not repeats(second, first, earlier.claims, apart=True):
                yield found
                break
