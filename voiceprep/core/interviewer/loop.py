"""A loop: all rounds of one company, over days. Pure: what a round amounted to, what that does to the next, what is decided.

A gate, not an average: no strong round makes up for a weak one. A weak round raises the bar of every round after it, and a
label that blocks ends the loop whatever else was said.
"""

from __future__ import annotations

from collections import Counter
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

    It is given once any of `traps`, or an alarm (level fail) of any of `flags`, was met in `least` places that are no smaller
    a `share` of the answers, and none of `missing` was heard although it was asked for. What is left empty asks for nothing.
    `rounds`: where it is looked for; none named: in all. The share is there because an hour has room for a few of everything.
    """

    id: str
    name: Mapping[Tongue, str]
    practise: Mapping[Tongue, str]
    traps: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    least: int = 1
    share: float = 0.0
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
    """What came after a follow-up that went after `target`. `said` is how it began, verbatim, in turn `turn`."""

    target: str
    answered: bool
    said: Evidence
    turn: int = 0


@dataclass(frozen=True, slots=True)
class Topic:
    """One question of a round: what it and its follow-ups went after, the most valuable first, and what of it was heard."""

    question: str
    wanted: tuple[str, ...]
    heard: frozenset[str]

    @property
    def missing(self) -> tuple[str, ...]:
        return tuple(signal for signal in self.wanted if signal not in self.heard)


@dataclass(frozen=True, slots=True)
class Findings:
    """What the recording of one round shows.

    Attributes:
        topics: its questions, in order.
        shown: the first evidence of each signal that was heard.
        faults: one piece of evidence for each turn and trap.
        replies: to follow-ups, in order.
        alarms: pacing flags of level fail.
        answers: so many turns of the candidate had words.
        spoken: how long the candidate was heard.
        doubts: why it must not be judged, in plain words; none: it may be.
        trusted: False when the transcript itself is in doubt. Too little that was heard well is still worth quoting.
    """

    topics: tuple[Topic, ...] = ()
    shown: tuple[Evidence, ...] = ()
    faults: tuple[Evidence, ...] = ()
    replies: tuple[Reply, ...] = ()
    alarms: tuple[FlagRaised, ...] = ()
    answers: int = 0
    spoken: Seconds = 0.0
    doubts: tuple[str, ...] = ()
    trusted: bool = True

    @property
    def wanted(self) -> tuple[str, ...]:
        """Everything that was gone after, once each, the most valuable first."""
        return tuple(dict.fromkeys(signal for topic in self.topics for signal in topic.wanted))

    @property
    def missing(self) -> tuple[str, ...]:
        """What was wanted and not heard: that which is missing under most questions first.

        What was heard under as many questions as it is missing under is no lack of this candidate's.
        """
        missing = Counter(signal for topic in self.topics for signal in topic.missing)
        heard = Counter(signal for topic in self.topics for signal in topic.heard)
        return tuple(signal for signal, count in missing.most_common() if count > heard[signal])

    @property
    def coverage(self) -> float:
        """Share of what a question goes after that was heard under it, 0..1, as a mean over the questions.

        Under it, not anywhere: in an hour everybody says everything once.
        """
        shares = [1 - len(topic.missing) / len(topic.wanted) for topic in self.topics if topic.wanted]
        return sum(shares) / len(shares) if shares else 0.0

    @property
    def survival(self) -> float | None:
        """Share of the follow-ups that got what they asked for, 0..1; None where nobody followed up."""
        return sum(reply.answered for reply in self.replies) / len(self.replies) if self.replies else None

    @property
    def fault_rate(self) -> float:
        """Faults for each answer."""
        return len(self.faults) / self.answers if self.answers else 0.0


@dataclass(frozen=True, slots=True)
class Bar:
    """What a round is held against, until graded sessions say better.

    Labelled single answers of the levels strong no hire, no hire, hire and strong hire showed 5, 13, 42 and 57 % of what such
    a question goes after, with 1.9, 1.5, 0.2 and 0.1 faults each. In whole rounds a strong simulated candidate showed 46-71 %
    and answered 32-52 % of the follow-ups, a lecturing one 19-31 % and 15-32 %. The numbers here lie between.
    """

    strong_coverage: float = 0.5
    weak_coverage: float = 0.33
    strong_survival: float = 0.35
    weak_survival: float = 0.2
    ladder: int = 3
    """Fewer follow-ups than this are no ladder to fall from."""
    strong_fault_rate: float = 0.2
    weak_fault_rate: float = 0.6
    weak_alarms: int = 2

    def raised(self, severity: int) -> Bar:
        """The bar after so many weak rounds."""
        step = 0.05 * severity
        return replace(
            self,
            strong_coverage=self.strong_coverage + step,
            weak_coverage=self.weak_coverage + step,
            strong_survival=self.strong_survival + step,
            weak_survival=self.weak_survival + step,
            strong_fault_rate=self.strong_fault_rate / (1 + 0.5 * severity),
            weak_fault_rate=self.weak_fault_rate / (1 + 0.5 * severity),
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
    alarms, survival = len(found.alarms), found.survival
    laddered = len(found.replies) >= bar.ladder
    weak = {
        "coverage": found.coverage < bar.weak_coverage,
        "survival": laddered and survival is not None and survival < bar.weak_survival,
        "faults": found.fault_rate >= bar.weak_fault_rate,
        "alarms": alarms >= bar.weak_alarms,
    }
    if any(weak.values()):
        return Verdict("weak", tuple(name for name, it_is in weak.items() if it_is))
    short = {
        "coverage": found.coverage < bar.strong_coverage,
        "survival": survival is None or survival < bar.strong_survival,
        "faults": found.fault_rate > bar.strong_fault_rate,
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
    if (label.traps or label.flags) and len(faults) + len(alarms) < max(label.least, label.share * found.answers):
        return None
    if label.missing:
        asked = tuple(reply.said for reply in found.replies if reply.target in label.missing and not reply.answered)
        if not asked or any(item.signal in label.missing for item in found.shown):
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
