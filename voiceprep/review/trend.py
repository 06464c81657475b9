"""How practice develops: each drill and each pacing rule over the sessions, readiness by round, and where the time went.

All of it is made from the sessions' folders and the user's own statements. The values are what the page draws and what
`voiceprep progress` prints.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from voiceprep.core.drills.take import Outcome
from voiceprep.core.events import FlagRaised
from voiceprep.core.units import Seconds
from voiceprep.errors import BadInputError
from voiceprep.review.questions import dimensions_of, level_of, schedule_of, scored_answers, scores_of
from voiceprep.review.results import keep_missing_results
from voiceprep.review.takes import answered, kept_takes
from voiceprep.store import log, summary
from voiceprep.store.drills import Kept, header_in
from voiceprep.store.figures import figures
from voiceprep.store.practice_log import TimeSpent, statements
from voiceprep.store.schedule import Due

TARGETED = 0.8
"""The share of preparation time that should go to targeted practice (demand G-C8)."""


@dataclass(frozen=True, slots=True)
class TakePoint:
    """One take of a drill: when, whether it passed, how many of what was required were met, and each criterion's outcome."""

    session: str
    started: str
    passed: bool | None
    met: int
    asked: int
    seconds: Seconds
    outcomes: Mapping[str, Outcome]
    measured: Mapping[str, float | None]


@dataclass(frozen=True, slots=True)
class DrillTrend:
    """A drill over its takes, oldest first."""

    drill: str
    takes: tuple[TakePoint, ...]


LEAST_MINUTES = 5.0
"""A rate an hour of less recording than this says nothing: one flag in a minute would be sixty."""


@dataclass(frozen=True, slots=True)
class RulePoint:
    """How often a pacing rule was crossed in one session, by level, and in how many minutes of recording."""

    session: str
    started: str
    about: str
    notices: int
    warnings: int
    fails: int
    minutes: float

    @property
    def per_hour(self) -> float:
        """Warnings and fails an hour; 0 for an empty recording."""
        return (self.warnings + self.fails) * 60.0 / self.minutes if self.minutes else 0.0

    @property
    def rate(self) -> float | None:
        """`per_hour`; None where the recording is too short for one."""
        return self.per_hour if self.minutes >= LEAST_MINUTES else None


@dataclass(frozen=True, slots=True)
class RuleTrend:
    """A pacing rule over all sessions since it was first crossed, oldest first."""

    rule: str
    points: tuple[RulePoint, ...]


@dataclass(frozen=True, slots=True)
class LevelPoint:
    """What a session's answers were worth, 1..4; None: none of them was scored. `dimensions`: of those that were heard."""

    session: str
    started: str
    level: float | None
    dimensions: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RoundTrend:
    """A round over its sessions, oldest first."""

    round: str
    points: tuple[LevelPoint, ...]


@dataclass(frozen=True, slots=True)
class Ledger:
    """Where the time went, in seconds.

    Attributes:
        rounds: of mock interviews, and what the user states, by round.
        drills: of takes, by drill.
        by_round: mock interviews, takes and stated time together, by the round they were for; a take counts for its drill's
            rounds in equal parts.
        other: recordings that belong to no round, and time that the user spent on nothing in particular.
        share: of all, how much was targeted; None while there is none.
    """

    rounds: Mapping[str, Seconds]
    drills: Mapping[str, Seconds]
    by_round: Mapping[str, Seconds]
    other: Seconds
    share: float | None
    wanted: float = TARGETED

    @property
    def total(self) -> Seconds:
        return sum(self.by_round.values()) + self.other


@dataclass(frozen=True, slots=True)
class Progress:
    """All of it. `due` holds what is to be practised again, the soonest first."""

    drills: tuple[DrillTrend, ...]
    rules: tuple[RuleTrend, ...]
    rounds: tuple[RoundTrend, ...]
    ledger: Ledger
    due: tuple[Due, ...]


def progress(recordings: Path, rounds_of: Mapping[str, Sequence[str]]) -> Progress:
    """What the recordings folder shows. `rounds_of`: the rounds that each drill belongs to.

    Raises MissingError where the folder cannot be read or written (takes without their result get it now).
    """
    kept = kept_takes(recordings)
    sessions = _sessions(recordings)
    return Progress(
        drills=drill_trends(kept),
        rules=rule_trends(sessions),
        rounds=_round_trends(sessions),
        ledger=ledger(
            [session.length for session in sessions if session.practised],
            [said for said in statements(recordings) if isinstance(said, TimeSpent)],
            rounds_of,
        ),
        due=tuple(sorted(schedule_of(recordings).values(), key=lambda due: (due.due, due.item))),
    )


# --- sessions -----------------------------------------------------------------------------------------------------------

SCHEMA = 3
"""Of `Session`: raise it with every change of what is kept of a session, or of how that is made."""


@dataclass(frozen=True, slots=True)
class Length:
    """How long a session was, and what it practised: a round, a drill, or neither."""

    round: str
    drill: str
    seconds: Seconds


@dataclass(frozen=True, slots=True)
class Session:
    """What the trends need of one session.

    Attributes:
        practised: whether somebody asked: a recording that was only analyzed, a telephone call say, is no practice.
        flags: how often each pacing rule was crossed, by rule and level.
        level, dimensions: see `readiness` and `questions.dimensions_of`.
    """

    id: str
    started: str
    moment: float
    round: str
    drill: str
    practised: bool
    seconds: Seconds
    flags: Mapping[str, Mapping[str, int]]
    level: float | None
    dimensions: Mapping[str, float]

    @property
    def length(self) -> Length:
        return Length(self.round, self.drill, self.seconds)


def _sessions(recordings: Path) -> list[Session]:
    """Every session of the user's that is over, oldest first. One with a bad log is left out; nothing of it is changed."""
    found = figures(recordings, SCHEMA, Session, _session, settle=keep_missing_results)
    named = (replace(session, id=name) for name, session in found.items())
    return sorted(named, key=lambda session: (session.moment, session.id))


def _session(folder: Path) -> Session | None:
    head, told = header_in(folder), summary.read(folder)
    if head is None or told is None or head.demonstration:
        return None
    flags: dict[str, dict[str, int]] = {}
    try:
        for event in log.pick(folder / log.NAME, {"FlagRaised"}):
            if isinstance(event, FlagRaised):
                levels = flags.setdefault(event.rule, {})
                levels[event.level] = levels.get(event.level, 0) + 1
    except BadInputError:
        return None
    return Session(
        id=folder.name,
        started=head.started,
        moment=head.moment.timestamp(),
        round=head.round,
        drill=head.drill,
        practised=head.source != "file" or "voice" in head.models,
        seconds=told.duration,
        flags=flags,
        level=readiness(folder),
        dimensions=dimensions_of(folder),
    )


# --- trends -------------------------------------------------------------------------------------------------------------


def drill_trends(kept: Iterable[Kept]) -> tuple[DrillTrend, ...]:
    """The takes that are over, by drill, the one that was practised last first."""
    by_drill: dict[str, list[TakePoint]] = {}
    for one in kept:
        if one.complete:
            by_drill.setdefault(one.result.drill, []).append(_take_point(one))
    trends = (DrillTrend(drill, tuple(points)) for drill, points in by_drill.items())
    return tuple(sorted(trends, key=lambda trend: trend.takes[-1].started, reverse=True))


def _take_point(kept: Kept) -> TakePoint:
    required = [one for one in kept.result.criteria if one.required and one.outcome != "not_measured"]
    return TakePoint(
        session=kept.session,
        started=kept.started,
        passed=kept.result.passed,
        met=sum(one.outcome == "met" for one in required),
        asked=len(required),
        seconds=answered(kept),
        outcomes={one.id: one.outcome for one in kept.result.criteria},
        measured={one.id: one.measured for one in kept.result.criteria},
    )


def rule_trends(sessions: Sequence[Session]) -> tuple[RuleTrend, ...]:
    """Each rule that was ever crossed, over every session since, those without a crossing included."""
    rules = {rule for session in sessions for rule in session.flags}
    return tuple(RuleTrend(rule, tuple(_rule_points(rule, sessions))) for rule in sorted(rules))


def _rule_points(rule: str, sessions: Sequence[Session]) -> Iterator[RulePoint]:
    began = False
    for session in sessions:
        levels = session.flags.get(rule, {})
        began = began or bool(levels)
        if began:
            yield RulePoint(
                session=session.id,
                started=session.started,
                about=session.drill or session.round,
                notices=levels.get("notice", 0),
                warnings=levels.get("warning", 0),
                fails=levels.get("fail", 0),
                minutes=session.seconds / 60.0,
            )


def _round_trends(sessions: Iterable[Session]) -> tuple[RoundTrend, ...]:
    by_round: dict[str, list[LevelPoint]] = {}
    for session in sessions:
        if session.round:
            point = LevelPoint(session.id, session.started, session.level, session.dimensions)
            by_round.setdefault(session.round, []).append(point)
    return tuple(RoundTrend(name, tuple(points)) for name, points in sorted(by_round.items()))


def readiness(folder: Path) -> float | None:
    """What a session's answers were worth: the level of the whole where it has one, else the mean of its answers."""
    whole = level_of(scores_of(folder))
    if whole is not None:
        return float(whole)
    levels = [level for answer in scored_answers(folder) if (level := level_of(answer)) is not None]
    return sum(levels) / len(levels) if levels else None


# --- the ledger ---------------------------------------------------------------------------------------------------------


def ledger(sessions: Iterable[Length], spent: Iterable[TimeSpent], rounds_of: Mapping[str, Sequence[str]]) -> Ledger:
    """Where the time of these sessions, and what the user states besides, went."""
    rounds: dict[str, Seconds] = {}
    drills: dict[str, Seconds] = {}
    by_round: dict[str, Seconds] = {}
    other = 0.0
    for one in sessions:
        if one.round:
            rounds[one.round] = rounds.get(one.round, 0.0) + one.seconds
            by_round[one.round] = by_round.get(one.round, 0.0) + one.seconds
        elif one.drill:
            drills[one.drill] = drills.get(one.drill, 0.0) + one.seconds
            belongs = rounds_of.get(one.drill) or ("",)
            for name in belongs:
                by_round[name] = by_round.get(name, 0.0) + one.seconds / len(belongs)
        else:
            other += one.seconds
    for said in spent:
        if said.round:
            rounds[said.round] = rounds.get(said.round, 0.0) + said.minutes * 60.0
            by_round[said.round] = by_round.get(said.round, 0.0) + said.minutes * 60.0
        else:
            other += said.minutes * 60.0
    targeted = sum(by_round.values())
    return Ledger(
        rounds=rounds,
        drills=drills,
        by_round=by_round,
        other=other,
        share=targeted / (targeted + other) if targeted + other else None,
    )
