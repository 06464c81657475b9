"""What a drill does by its clock alone: cues at their marks, the parts of the answer, micro-signals. Pure.

It follows the clocks that the drill starts (`ClockStarted`), says nothing that takes a turn, and needs no words except to see
that a part was begun early or late.
"""

from __future__ import annotations

from dataclasses import dataclass

from voiceprep.core.drills.pack import PROMPT, Drill, Mark, Part, Prompt, Shown
from voiceprep.core.events import (
    ClockStarted,
    CueGiven,
    Event,
    MoveChosen,
    SectionChanged,
    SessionClosing,
    SignalGiven,
    Speak,
    TurnAssessed,
    TurnEnded,
)
from voiceprep.core.pack import Tongue
from voiceprep.core.units import At, Media, MediaClock, Seconds


@dataclass(slots=True)
class _Clock:
    """One step's clock, and what it still has to tell."""

    since: Media
    marks: list[Mark]
    shows: list[Shown]

    def due(self) -> tuple[Seconds, Mark | Shown] | None:
        first: list[Mark | Shown] = [*self.marks[:1], *self.shows[:1]]
        waiting = [(one.at, one) for one in first]
        return min(waiting, key=lambda item: item[0], default=None)


class Agenda:
    """A machine beside the drill itself. The prompt's clock runs on to the end; a step's ends when another step begins."""

    def __init__(self, drill: Drill, prompt: Prompt, clock: MediaClock, tongue: Tongue) -> None:
        self._drill = drill
        self._prompt = prompt
        self._clock = clock
        self._tongue: Tongue = tongue
        self._clocks: dict[str, _Clock] = {}
        self._given: set[str] = set()
        self._part = -1
        self._part_from = Media(0.0)
        self._step = ""
        """Whose clock was started last,"""
        self._replied = False
        """... and whether more than a cough has been heard since."""
        self._over = False

    # --- when to be woken -----------------------------------------------------------------------------------------------

    @property
    def deadline(self) -> At | None:
        due = self._due()
        return due[0] if due is not None and not self._over else None

    def _due(self) -> tuple[At, _Clock, Mark | Shown] | None:
        waiting = [
            (self._clock.at(Media(running.since + due[0])), running, due[1])
            for running in self._clocks.values()
            if (due := running.due()) is not None
        ]
        return min(waiting, key=lambda item: item[0], default=None)

    def wake(self, at: At) -> list[Event]:
        due = self._due()
        assert due is not None
        _, running, what = due
        if isinstance(what, Shown):
            running.shows.remove(what)
            meant = self._prompt.meant or "on-track"
            return [SignalGiven(at=at, signal=what.sign, meant=meant, reason=f"the drill shows it at {what.at:g} s")]
        running.marks.remove(what)
        self._given.add(what.id)
        text, of = what.text[self._tongue], f"k{len(self._given)}" if what.spoken else ""
        media = Media(running.since + what.at)
        out: list[Event] = [CueGiven(at=at, cue=what.id, mark=what.at, media=media, text=text, of=of)]
        return [*out, Speak(at=at, id=of, text=text, language=self._tongue, move="cue")] if of else out

    # --- events ---------------------------------------------------------------------------------------------------------

    def handle(self, event: Event) -> list[Event]:
        match event:
            case ClockStarted():
                return self._start(event)
            case TurnAssessed() if self._clocks:
                return self._opened(event)
            case TurnEnded(speaker="candidate", reason="no-words") if not self._replied:
                self._clocks.pop(self._step, None)
            case TurnEnded(speaker="candidate"):
                self._replied = True
            case MoveChosen(move="close") | SessionClosing():
                self._over = True
            case _:
                pass
        return []

    def _start(self, event: ClockStarted) -> list[Event]:
        self._clocks = {step: running for step, running in self._clocks.items() if step == PROMPT}
        marks = [mark for mark in self._drill.marks if mark.step == event.step and mark.id not in self._given]
        shows = list(self._prompt.shows) if event.step == PROMPT else []
        self._step, self._replied = event.step, False
        self._clocks[event.step] = _Clock(
            event.media, sorted(marks, key=lambda mark: mark.at), sorted(shows, key=lambda one: one.at)
        )
        for number, part in enumerate(self._drill.parts):
            if part.step == event.step or (number == 0 and event.step == PROMPT and not part.step):
                return self._reach(number, part, event.media, event.at)
        return []

    def _opened(self, event: TurnAssessed) -> list[Event]:
        """The next part, if what opens it has been heard since this one began."""
        following = self._part + 1
        if not 0 < following < len(self._drill.parts):
            return []
        part = self._drill.parts[following]
        heard = [item.start for item in event.evidence if item.signal in part.opens and item.start > self._part_from]
        return self._reach(following, part, min(heard), event.at) if heard else []

    def _reach(self, number: int, part: Part, media: Media, at: At) -> list[Event]:
        self._part, self._part_from = number, media
        return [SectionChanged(at=at, section=part.id, budget=part.budget)]
