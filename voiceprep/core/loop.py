"""A loop: all rounds of one company, over days. Pure: what a round amounted to, what that does to the next, what is decided.

A gate, not an average: no strong round makes up for a weak one. A weak round raises the bar of every round after it, and a
label that blocks ends the loop whatever else was said.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from voiceprep.core.events import Evidence, FlagRaised
from voiceprep.core.pack import Persona, Tongue
from voiceprep.core.units import Seconds

Mark = Literal["strong", "hold", "weak", "unheard"]
"""What a round amounted to. `unheard`: too little was heard, or the transcript cannot be trusted: no verdict at all."""

Decision = Literal["hire", "hold", "no_hire", "open"]
"""The committee's. `open`: there is nothing to decide by yet."""

MOST_SEVERE = 2


@dataclass(frozen=True, slots=True)
class Seat:
    """Which round (`number`, from 1) of which loop a session is. `run` tells one passage through the loop from another."""

    loop: str
    run: str
    number: int


@dataclass(frozen=True, slots=True)
class Label:
    """A short name for a fault that blocks a hire.

    It is given once any of `traps`, or an alarm (level fail) of any of `flags`, was met in `least` places, and none of
    `missing` was heard although it was asked for. What is left empty asks for nothing. `rounds`: where it is looked for; none
    named: in all.
    """

    id: str
    name: Mapping[Tongue, str]
    practise: Mapping[Tongue, str]
    traps: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    least: int = 1
    rounds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Loop:
    """A company's rounds in order, and what blocks there."""

    id: str
    title: Mapping[Tongue, str]
    source: str
    requirements: tuple[str, ...]
    rounds: tuple[str, ...]
    labels: tuple[Label, ...]
    lens: str = ""
    """The company's lens, or "" where the rounds are written for it."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What came after a follow-up that went after `target`. `said` is how it began, verbatim."""

    target: str
    answered: bool
    said: Evidence


@dataclass(frozen=True, slots=True)
class Findings:
    """What the recording of one round shows.

    Attributes:
        wanted: signals that its questions and follow-ups went after, the most valuable first.
        shown: the first evidence of each signal that was heard.
        faults: one piece of evidence for each turn and trap.
        replies: to follow-ups, in order.
        alarms: pacing flags of level fail.
        spoken: how long the candidate was heard.
        doubts: why it must not be judged, in plain words; none: it may be.
    """

    wanted: tuple[str, ...] = ()
    shown: tuple[Evidence, ...] = ()
    faults: tuple[Evidence, ...] = ()
    replies: tuple[Reply, ...] = ()
    alarms: tuple[FlagRaised, ...] = ()
    spoken: Seconds = 0.0
    doubts: tuple[str, ...] = ()

    @property
    def heard(self) -> frozenset[str]:
        """The signals that were heard."""
        return frozenset(item.signal for item in self.shown)

    @property
    def missing(self) -> tuple[str, ...]:
        """What was wanted and not heard, the most valuable first."""
        return tuple(signal for signal in self.wanted if signal not in self.heard)

    @property
    def coverage(self) -> float:
        """Share of what was wanted that was heard, 0..1."""
        return 1 - len(self.missing) / len(self.wanted) if self.wanted else 0.0

    @property
    def survival(self) -> float | None:
        """Share of the follow-ups that got what they asked for, 0..1; None where nobody followed up."""
        return sum(reply.answered for reply in self.replies) / len(self.replies) if self.replies else None


@dataclass(frozen=True, slots=True)
class Bar:
    """What a round is held against. Our own numbers, until graded sessions say better ones."""

    strong_coverage: float = 0.6
    weak_coverage: float = 0.35
    strong_survival: float = 0.6
    weak_survival: float = 0.34
    survival_least: int = 3
    """Fewer follow-ups than this are no ladder to fall from."""
    strong_faults: int = 1
    weak_faults: int = 4
    """Turns with a fault: at most so many for strong, so many make it weak."""
    weak_alarms: int = 2

    def raised(self, severity: int) -> Bar:
        """The bar after so many weak rounds."""
        step = 0.08 * severity
        return replace(
            self,
            strong_coverage=self.strong_coverage + step,
            weak_coverage=self.weak_coverage + step,
            strong_survival=self.strong_survival + step,
            weak_survival=self.weak_survival + step,
            strong_faults=max(0, self.strong_faults - severity),
            weak_faults=max(2, self.weak_faults - severity),
            weak_alarms=max(1, self.weak_alarms - severity),
        )


@dataclass(frozen=True, slots=True)
class Verdict:
    """A round's mark, and what tipped it: ids of the measures (`coverage`, `survival`, `faults`, `alarms`, `doubts`)."""

    mark: Mark
    because: tuple[str, ...] = ()


def judge(found: Findings, severity: int) -> Verdict:
    """The mark of a round at this severity. One weak measure makes it weak; strong needs all of them."""
    if found.doubts:
        return Verdict("unheard", ("doubts",))
    bar = Bar().raised(severity)
    faults, alarms, survival = len(found.faults), len(found.alarms), found.survival
    laddered = survival is not None and len(found.replies) >= bar.survival_least
    weak = {
        "coverage": found.coverage < bar.weak_coverage,
        "survival": laddered and survival is not None and survival < bar.weak_survival,
        "faults": faults >= bar.weak_faults,
        "alarms": alarms >= bar.weak_alarms,
    }
    if any(weak.values()):
        return Verdict("weak", tuple(name for name, it_is in weak.items() if it_is))
    short = {
        "coverage": found.coverage < bar.strong_coverage,
        "survival": survival is None or survival < bar.strong_survival,
        "faults": faults > bar.strong_faults,
        "alarms": alarms > 0,
    }
    if any(short.values()):
        return Verdict("hold", tuple(name for name, it_is in short.items() if it_is))
    return Verdict("strong")


@dataclass(frozen=True, slots=True)
class Raised:
    """A label that a round has earned, with the words (or silences: see `alarms`) that earned it."""

    label: Label
    evidence: tuple[Evidence, ...]
    alarms: tuple[FlagRaised, ...] = ()


def labels_of(loop: Loop, round_id: str, found: Findings) -> tuple[Raised, ...]:
    """The blocking labels that a round has earned. Never any on a recording that must not be judged."""
    if found.doubts:
        return ()
    looked_for = (label for label in loop.labels if not label.rounds or round_id in label.rounds)
    return tuple(raised for label in looked_for if (raised := _raised(label, found)) is not None)


def _raised(label: Label, found: Findings) -> Raised | None:
    faults = tuple(fault for fault in found.faults if fault.signal in label.traps)
    alarms = tuple(alarm for alarm in found.alarms if alarm.rule in label.flags)
    if (label.traps or label.flags) and len(faults) + len(alarms) < label.least:
        return None
    if label.missing:
        asked = tuple(reply.said for reply in found.replies if reply.target in label.missing and not reply.answered)
        if not asked or not found.heard.isdisjoint(label.missing):
            return None
        faults += asked
    return Raised(label, faults, alarms)


# --- from one round to the next -----------------------------------------------------------------------------------------


def severity_after(marks: Iterable[Mark | None]) -> int:
    """How hard the round after these is: one step for each weak one, and no strong one takes a step back."""
    return min(MOST_SEVERE, sum(mark == "weak" for mark in marks))


def hardened(persona: Persona, severity: int) -> Persona:
    """The same interviewer after others have written "weak": more follow-ups, more objections, less room, no rescue."""
    if not severity:
        return persona
    rescues = severity < MOST_SEVERE
    return replace(
        persona,
        severity=persona.severity + severity,  # the director makes follow-ups and objections of it
        room=max(1.0, persona.room / (1 + 0.5 * severity)),
        patience_long=max(persona.patience_short, persona.patience_long / (1 + 0.25 * severity)),
        prompt_after=persona.prompt_after if rescues else None,
        prompt=persona.prompt if rescues else None,
    )


def decide(marks: Sequence[Mark | None], *, blocked: bool) -> Decision:
    """The committee's decision. `marks` has one entry a round of the loop, None for one not held (or deleted)."""
    if blocked:
        return "no_hire"
    weak = [number for number, mark in enumerate(marks) if mark == "weak"]
    if len(weak) > 1 or (weak and weak[-1] == len(marks) - 1):
        return "no_hire"
    if any(mark in {None, "unheard"} for mark in marks):
        return "open"
    if weak:  # one weak round is outlived only by passing the raised bar everywhere after it
        return "hire" if all(mark == "strong" for mark in marks[weak[0] + 1 :]) else "hold"
    return "hire" if "strong" in marks else "hold"
