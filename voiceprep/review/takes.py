"""What came of a take: judged, graded, kept; and two takes of one drill side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from pathlib import Path

from voiceprep.content.drill_content import drill_content
from voiceprep.core.answers.clauses import sentences
from voiceprep.core.drills.judge import judge
from voiceprep.core.drills.listening import same_share
from voiceprep.core.drills.pack import Drill
from voiceprep.core.drills.take import CriterionResult, DrillResult, Take
from voiceprep.core.events import SessionEnded
from voiceprep.core.units import Seconds
from voiceprep.errors import BadInputError, UsageError
from voiceprep.intake.kept import plan_of
from voiceprep.review.take import held_sounds_of, said_in, take_of
from voiceprep.store import drills, log
from voiceprep.store.drills import Kept, KeptFloor, TakeFolder
from voiceprep.store.schedule import Due, Grade, drill_item
from voiceprep.store.transcripts import read_session

BROKEN_OFF = frozenset({"interrupted", "user", "paused", "failed"})
"""How a take ends that is not over: by a crash, by a key. It can be taken up again."""
SAID_BEFORE = 0.6
"""A sentence that has so much of its wording in the earlier take was said there already."""
SHORTEST = 4
"""Letters of a sentence that is worth naming as new."""


# --- one take -----------------------------------------------------------------------------------------------------------


def keep(folder: Path) -> Kept:
    """Judge the take in this folder from its log and its recording, and write its drill.json. Work for a thread.

    Raises UsageError where the drill has no file any more, BadInputError for a bad log or pack, MissingError for the disk.
    """
    head, events = read_session(folder)
    content = drill_content(plan_of(head))
    recordings = folder.parent
    before = [take for take in drills.takes(recordings, head.drill) if _before(take, head.started, folder.name)]
    prior = next(
        (kept.text for take in reversed(before) if (kept := drills.read(take.path)) is not None and kept.complete), None
    )
    take = take_of(
        head,
        events,
        content.prompt.id,
        sounds=held_sounds_of(folder),
        prior=prior,
        earlier=_taken_up(recordings, head.resumes, content.prompt.id),
    )
    result = judge(content.drill, take)
    ended = next((event.reason for event in reversed(events) if isinstance(event, SessionEnded)), "interrupted")
    kept = Kept(
        session=folder.name,
        started=head.started,
        ended=ended,
        complete=ended in {"completed", "time-up", "no-answer", "audio-ended"},
        result=result,
        floors=tuple(
            KeptFloor(
                step=floor.step,
                asked=floor.asked,
                start=floor.start,
                end=floor.end,
                reason=floor.reason,
                spoken=floor.speech[-1].end if floor.speech else None,
            )
            for floor in take.floors
        ),
        grade=grade_of(result, last=_last_grade(before)),
        text=said_in(take),
    )
    drills.write(folder, kept)
    return kept


def kept_takes(recordings: Path, drill: str = "") -> tuple[Kept, ...]:
    """What is kept of every take that is over, oldest first. One that a crash left without its result is judged now."""
    return tuple(kept for take in drills.takes(recordings, drill) if take.finished and (kept := _kept(take)) is not None)


def _kept(take: TakeFolder) -> Kept | None:
    kept = drills.read(take.path)
    if kept is not None:
        return kept
    try:
        return keep(take.path)
    except (BadInputError, UsageError):  # its drill has no file any more: the session itself is still there to replay
        return None


def _before(take: TakeFolder, started: str, name: str) -> bool:
    return (take.header.started, take.path.name) < (started, name)


def _taken_up(recordings: Path, session: str, prompt: str) -> Take | None:
    """The interrupted take that is taken up again, as far as it is still there."""
    folder = recordings / session
    if not session or not (folder / log.NAME).is_file():
        return None
    head, events = read_session(folder)
    earlier = _taken_up(recordings, head.resumes, prompt) if head.resumes != session else None
    return take_of(head, events, prompt, sounds=held_sounds_of(folder), earlier=earlier)


def _last_grade(before: Sequence[TakeFolder]) -> tuple[str, Grade] | None:
    for take in reversed(before):
        kept = drills.read(take.path)
        if kept is not None and kept.complete and kept.grade is not None:
            return kept.started, kept.grade
    return None


def grade_of(result: DrillResult, last: tuple[str, Grade] | None = None) -> Grade | None:
    """What a result amounts to in the words of spaced repetition; None where nothing could be measured.

    All that was required is met: good, or easy where the take before it went well too. Half of it: hard. Less: again.
    """
    measured = [one for one in result.criteria if one.required and one.outcome != "not_measured"]
    if not measured:
        return None if result.passed is None else "again"
    met = sum(one.outcome == "met" for one in measured)
    if met == len(measured) and result.passed is not False:
        return "easy" if last is not None and last[1] in {"good", "easy"} else "good"
    return "hard" if 2 * met >= len(measured) and result.passed is not None and met else "again"


# --- two takes ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pair:
    """One criterion in an earlier take and in a later one; None: it was not asked for then."""

    id: str
    asked: str
    earlier: CriterionResult | None
    later: CriterionResult

    @property
    def change(self) -> str:
        """`better`, `worse` or ""."""
        before, now = self.earlier is not None and self.earlier.outcome == "met", self.later.outcome == "met"
        if self.earlier is None or before == now:
            return ""
        return "better" if now else "worse"


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A take against an earlier one.

    Attributes:
        added: sentences that the later take has and the earlier had not, verbatim.
        gained, lost: ids of what was heard in the one and not in the other.
        missing: ids that the later take still lacks.
        seconds: how long each was, first speech to the end of the last.
        thinking: how long each took to begin.
    """

    earlier: str
    later: str
    criteria: tuple[Pair, ...]
    added: tuple[str, ...]
    gained: tuple[str, ...]
    lost: tuple[str, ...]
    missing: tuple[str, ...]
    seconds: tuple[Seconds, Seconds]
    thinking: tuple[Seconds | None, Seconds | None]


def take_before(known: Sequence[Kept], mine: Kept) -> Kept | None:
    """The last whole take before this one of the same prompt in the same language, or None.

    What was said to another question is neither new in this take nor missing in it.
    """

    def alike(one: Kept) -> bool:
        theirs, ours = one.result, mine.result
        return (theirs.drill, theirs.prompt, theirs.language) == (ours.drill, ours.prompt, ours.language)

    before = [one for one in known if one.session != mine.session and one.started <= mine.started]
    return next((one for one in reversed(before) if one.complete and alike(one)), None)


def compare(earlier: Kept, later: Kept) -> Comparison:
    """Two takes of one prompt."""
    before = {one.id: one for one in earlier.result.criteria}
    had, has = set(earlier.result.heard), set(later.result.heard)
    missing = dict.fromkeys(one for criterion in later.result.criteria for one in criterion.missing)
    return Comparison(
        earlier=earlier.session,
        later=later.session,
        criteria=tuple(Pair(one.id, one.asked, before.get(one.id), one) for one in later.result.criteria),
        added=tuple(_new_sentences(earlier.text, later.text)),
        gained=tuple(sorted(has - had)),
        lost=tuple(sorted(had - has)),
        missing=tuple(missing),
        seconds=(answered(earlier), answered(later)),
        thinking=(thought(earlier), thought(later)),
    )


def answered(kept: Kept) -> Seconds:
    """From the first speech of a take to the end of the last; 0: nobody spoke."""
    spoken = [(floor.start, floor.spoken) for floor in kept.floors if floor.start is not None and floor.spoken is not None]
    return max(end for _, end in spoken) - min(start for start, _ in spoken) if spoken else 0.0


def thought(kept: Kept) -> Seconds | None:
    """How long the candidate thought before the first word, or None: there was none."""
    first = kept.floors[0] if kept.floors else None
    return max(0.0, first.start - first.asked) if first is not None and first.start is not None else None


def _new_sentences(earlier: str, later: str) -> list[str]:
    said = [later[start:end].strip() for start, end in sentences(later)]
    return [one for one in said if len(one) >= SHORTEST and same_share(one, earlier) < SAID_BEFORE]


# --- what next ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A drill that is worth holding next. `why`: `missing` (it trains the ids in `what`), `due`, `failed` or `new`."""

    drill: str
    why: str
    what: tuple[str, ...] = ()


def suggest(
    known: Sequence[Drill], kept: Sequence[Kept], due: dict[str, Due], now: datetime, *, but: str = ""
) -> list[Suggestion]:
    """What to practise next, the most useful first: what trains what is missing now, what went badly, what is due, what is new.

    `but` is the drill that was just held: it is offered anew by the retry key.
    """
    weak = _weak(kept)
    last = {one.result.drill: one for one in kept if one.complete}
    rounds = set(next((drill.rounds for drill in known if drill.id == but), ()))
    ranked: list[tuple[tuple[float, ...], Suggestion]] = []
    for drill in known:
        if drill.id == but:
            continue
        trains = tuple(one for one in weak if one in listened(drill))
        standing, near = due.get(drill_item(drill.id)), bool(rounds.intersection(drill.rounds))
        overdue = standing.overdue(now) if standing is not None else 0.0
        if trains and drill.id not in last:
            ranked.append(((0, -len(trains), -near), Suggestion(drill.id, "missing", trains)))
        elif standing is not None and overdue >= 0 and last.get(drill.id) is not None and last[drill.id].result.passed is False:
            ranked.append(((1, -overdue, -near), Suggestion(drill.id, "failed", trains)))
        elif standing is not None and overdue >= 0:
            ranked.append(((2, -overdue, -near), Suggestion(drill.id, "due", trains)))
        elif drill.id not in last:
            ranked.append(((3, -near), Suggestion(drill.id, "new")))
    return [suggestion for _, suggestion in sorted(ranked, key=lambda item: (item[0], item[1].drill))]


def _weak(kept: Sequence[Kept]) -> tuple[str, ...]:
    """What the latest take of each drill lacked, the newest first."""
    latest = {one.result.drill: one for one in kept if one.complete}
    groups = (
        one for take in reversed(list(latest.values())) for criterion in take.result.criteria for one in criterion.missing
    )
    return tuple(dict.fromkeys(one for group in groups for one in group.split("|")))


def listened(drill: Drill) -> frozenset[str]:
    """Every id that a drill's criteria listen for."""
    return frozenset(one for criterion in drill.criteria for one in _ids(criterion.measure))


def _ids(measure: object) -> Iterable[str]:
    for name in (field.name for field in fields(measure)):  # type: ignore[arg-type]  # every measure is a dataclass
        value = getattr(measure, name)
        if name == "groups":
            yield from (one for group in value for one in group)
        elif name in {"ids", "rules", "on_track", "off_track"}:
            yield from value
