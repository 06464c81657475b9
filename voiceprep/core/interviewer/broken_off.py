"""Where a round broke off, from its log: it goes on there in a session of its own, which asks nothing twice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from voiceprep.core.answers.answering import Answering
from voiceprep.core.events import (
    AskedAgain,
    Event,
    MoveChosen,
    MoveWithdrawn,
    QuestionAsked,
    SectionChanged,
    Speak,
    TurnAssessed,
    TurnStarted,
    WordsCommitted,
)
from voiceprep.core.pack import RoundPack, Stopped, Told
from voiceprep.core.units import Seconds

NOWHERE = Stopped("", "", 0.0, 0.0, frozenset(), frozenset())


def stopped_at(events: Iterable[Event], before: Stopped | None = None) -> Stopped | None:
    """Where this session of a round broke off; None where nothing had been asked, or nothing is left to ask.

    `before`: where the round had broken off already when this session began.
    """
    log = tuple(events)
    here = before or NOWHERE
    began = here.used
    withdrawn = {event.of for event in log if isinstance(event, MoveWithdrawn)}
    section, closed = here.section, False
    for event in log:
        match event:
            case SectionChanged():  # of the move that follows, which may be withdrawn
                section = event.section
            case MoveChosen() if event.of in withdrawn:
                section = here.section
            case MoveChosen():
                if section != here.section:
                    here = _on_to(here, section, began + event.at)
                closed = event.move == "close"
                here = replace(here, asked=here.asked | {event.phrase, event.phrase.rpartition(".")[2]})
            case QuestionAsked() if event.of not in withdrawn:
                used = here.used if event.question == here.question else began + event.at
                here = replace(here, question=event.question, used=used, asked=here.asked | {event.question})
            case AskedAgain() if event.of not in withdrawn:
                here = replace(here, asked=here.asked | {f"again.{event.quote}"})
            case Speak() if event.id not in withdrawn:
                here = replace(here, said=here.said | {event.text})
            case _:
                pass
    return replace(here, told=(*here.told, *_told(log))) if here.section and not closed else None


def _told(log: Iterable[Event]) -> Iterator[Told]:
    """The candidate's turns, each with what it answered."""
    answering = Answering()
    turns: dict[int, Told] = {}
    for event in log:
        answering.handle(event)
        match event:
            case TurnStarted(speaker="candidate", turn=turn):
                turns[turn] = Told(answering.of(turn).question, answering.of(turn).text)
            case TurnAssessed(turn=turn) if turn in turns:
                turns[turn] = replace(turns[turn], signals=frozenset(item.signal for item in event.evidence))
            case WordsCommitted(turn=turn) if (known := turns.get(turn)) is not None:
                turns[turn] = replace(known, words=known.words + event.words, trusted=known.trusted and event.trusted)
            case _:
                pass
    yield from turns.values()


def _on_to(here: Stopped, section: str, second: Seconds) -> Stopped:
    """The next section begins at this second of the round."""
    past = (*here.past, (here.section, second - here.since)) if here.section else here.past
    return replace(here, section=section, question="", used=second, since=second, past=past)


def goes_on(pack: RoundPack, stopped: Stopped) -> bool:
    """Whether the place where it broke off is in the round still: its files may have changed meanwhile."""
    there = any(section.id == stopped.section for section in pack.sections)
    return there and (not stopped.question or any(question.id == stopped.question for question in pack.questions))
