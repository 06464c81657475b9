"""How a criterion of a drill is measured: one small value a kind, all of them frozen (core/drills/judge measures).

`of` names the floors that count (ids of steps, `prompt` for the first answer); none: all of the take. Ids that are listened
for are signals and traps of the vocabulary, or cues of drills. Times are seconds on the recording's clock. None as `low` or
`high`: no bound on that side; both are inclusive.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from voiceprep.core.events import Level
from voiceprep.core.pack import Tongue
from voiceprep.core.units import Seconds

Of = tuple[str, ...]
Group = tuple[str, ...]
"""Ids any of which will do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Length:
    """How long each of the floors lasted, first speech to its end; of all floors (`of` empty): first to last speech."""

    of: Of = ()
    low: Seconds | None = None
    high: Seconds | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Onset:
    """Thinking time: from the end of the interviewer's line to the first speech, for each of the floors."""

    of: Of
    low: Seconds | None = None
    high: Seconds | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """At least `least` of the groups are heard (0: all of them), within `by` seconds.

    With `each`, every one of the floors must show them, on a clock of its own; else they are listened to as one, and `by`
    counts from the beginning of the first.
    """

    groups: tuple[Group, ...]
    of: Of = ()
    least: int = 0
    by: Seconds | None = None
    each: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Unheard:
    """None of these faults is heard, unless one of `unless` is heard in the same floor.

    A detector of faults errs more often than one of signals: who says what is kept and what is cut has not given in.
    """

    ids: Group
    unless: Group = ()
    of: Of = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """In how many different sentences any of the ids is heard, and none of `but`, within `by` seconds."""

    ids: Group
    but: Group = ()
    of: Of = ()
    low: int | None = None
    high: int | None = None
    by: Seconds | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """The groups are heard one after the other; what comes at the same time is in order."""

    groups: tuple[Group, ...]
    of: Of = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """Every part of the drill is reached, and none takes more than `slack` times its budget."""

    slack: float = 1.25


@dataclass(frozen=True, slots=True, kw_only=True)
class Layers:
    """How many replies in a row add a layer: one of `ids` that no earlier answer showed, or what their step went after."""

    ids: Group
    of: Of
    least: int = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Differs:
    """Against the last take: at most `most` of the wording is the same again. Without one there is nothing to measure."""

    most: float
    of: Of = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Consistent:
    """Against the last take: at least `least` of the ids that were heard then are heard again."""

    ids: Group
    least: float
    of: Of = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Hush:
    """The longest silence without a filler, in the floors or before their first word, lasts so long."""

    of: Of = ()
    low: Seconds | None = None
    high: Seconds | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fillers:
    """At most `high` fillers a minute. An estimate."""

    high: float
    of: Of = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """Narration rate (pauses of two seconds and more left out): words a minute in English, characters in Chinese."""

    between: Mapping[Tongue, tuple[float, float]]
    of: Of = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Steady:
    """No floor is spoken more than `most` (a share) faster than the first of them."""

    of: Of
    most: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """Of the ids that the first of the floors showed, at least the share `least` is still in the last."""

    ids: Group
    of: Of
    least: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Yielded:
    """Each of the floors was handed over by the candidate, not taken by the interviewer or ended by the clock."""

    of: Of = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """The longest stretch of the floors, their beginning and end included, in which none of the ids is heard."""

    ids: Group
    high: Seconds
    of: Of = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What the interviewer's micro-signals meant was read rightly: of both cues, the one that is true is heard first."""

    on_track: Group
    off_track: Group
    of: Of = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Unflagged:
    """None of these pacing rules was crossed at `level` or above."""

    rules: Group
    level: Level = "warning"


Measure = (
    Length
    | Onset
    | Heard
    | Unheard
    | Count
    | Order
    | Parts
    | Layers
    | Differs
    | Consistent
    | Hush
    | Fillers
    | Rate
    | Steady
    | Kept
    | Yielded
    | Gap
    | Reading
    | Unflagged
)
