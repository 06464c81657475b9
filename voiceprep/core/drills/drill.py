"""A drill as it is played: stands where a round stands in the conductor. Asks, keeps the clock of each reply, moves on, ends.

The clock of a reply begins with the candidate's first speech after the interviewer's line, or with the end of the line where
they talked over it: what it took to begin is thinking time, and is measured apart. A drill ends when its last reply is over,
when its time is up, by a key, or when nobody answers at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from voiceprep.core.answers.classifier import Asked
from voiceprep.core.drills.pack import PROMPT, Drill, Prompt
from voiceprep.core.drills.script import Choice, Script, question_of
from voiceprep.core.events import (
    ClockStarted,
    EdgeFailed,
    Event,
    FloorYielded,
    Interrupted,
    InterruptionDue,
    Language,
    MoveChosen,
    MoveWithdrawn,
    PrepareSpeech,
    QuestionAsked,
    ReplyExpected,
    SessionClosing,
    SessionStarted,
    Speak,
    SpeakingFinished,
    TurnEnded,
    TurnHandedOver,
    TurnStarted,
    VoiceStarted,
    VoiceStopped,
)
from voiceprep.core.interviewer.answer import Answer
from voiceprep.core.pack import Content, Persona, RoundPack, Section, tongue_of
from voiceprep.core.units import At, Media, MediaClock, Seconds

TIME_UP = "time-up"
"""The drill's limit was reached: the reason of the session's end, and of the interruption that brings it."""
REPLY_UP = "reply-up"
"""A reply's limit was reached: the interviewer breaks in with what comes next."""
NOBODY = "no-answer"
"""Nobody said anything to the prompt."""
NO_ANSWER: Seconds = 120.0
"""Silence after the prompt that no plan needs,"""
NO_REPLY: Seconds = 60.0
"""... and after a later line: the drill goes on without the reply."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrillContent(Content):
    """All that a take needs to know. `round` is the drill in the shape of one: for screens, voices and lists of lines."""

    drill: Drill
    prompt: Prompt
    brief: bool = False
    """The candidate knows the drill: only its prompt is said."""
    step: str = ""
    """The step at which an interrupted take is taken up again, or "": it begins with the prompt."""
    used: Seconds = 0.0
    """How much of the drill's time was used up before that."""


class DrillRound:
    """The interviewer's side of a take. Closes it (`SessionClosing`) when it is over."""

    def __init__(self, content: DrillContent, clock: MediaClock, language: Language, seed: int) -> None:
        self._content = content
        self._drill = content.drill
        self._clock = clock
        self._tongue = tongue_of(language)
        self._script = Script(content.drill, content.prompt, content.endings, self._tongue, seed, content.step)
        self._answer = Answer(content.drill.detectors or content.detectors, content.endings, language, clock)
        self._count = 0
        self._over = False
        # our line
        self._line: Choice | None = None
        self._of = self._said_as = ""
        """The utterance that says it, until it is over; and the same for good."""
        self._prompting = ""
        """... that says it once more because nothing was answered: it takes no turn."""
        self._settled = False
        self._cut = False
        self._closing = ""
        """Why the drill is over, once it is."""
        # the reply
        self._asked_until = Media(0.0)
        self._since: Media | None = None
        """Where the clock of this reply began."""
        self._began: Media | None = None
        """... and that of the drill."""
        self._replied = False
        """A turn of this reply was an answer, not a cough."""
        self._silent_from: Media | None = None
        self._cutting_in = False

    # --- waking: breaking in, time, and nobody there --------------------------------------------------------------------

    @property
    def deadline(self) -> At | None:
        due = self._due()
        return due[0] if due is not None and not self._over else None

    def _due(self) -> tuple[At, str] | None:
        """When something is to be done that nobody's words bring about, and what."""
        if self._of or self._prompting or self._cutting_in or self._closing:
            return None
        moments = list[tuple[Media, str]]()
        if self._began is not None:
            moments.append((Media(self._began + self._drill.limit), TIME_UP))
        if self._answer.number and self._since is not None:
            step, upcoming = self._script.step, self._script.upcoming
            if step is not None and step.limit is not None:
                moments.append((Media(self._since + step.limit), REPLY_UP))
            if upcoming is not None and upcoming.at is not None:
                moments.append((Media(self._since + upcoming.at), upcoming.id))
        elif self._silent_from is not None:
            moments.append((Media(self._silent_from + (NO_ANSWER if self._began is None else NO_REPLY)), NOBODY))
        at, what = min(moments, key=lambda item: item[0], default=(None, ""))
        return (self._clock.at(at), what) if at is not None else None

    def wake(self, at: At) -> list[Event]:
        due = self._due()
        assert due is not None
        what = due[1]
        if self._answer.number:
            self._cutting_in = True
            return [InterruptionDue(at=at, interjection=what, reason=_WHY.get(what, "the drill breaks in here"))]
        self._silent_from = None
        if what == NOBODY and self._began is not None:
            return self._go_on(self._script.advance("nobody replied"), at)
        return self._close(what, at)

    # --- events ---------------------------------------------------------------------------------------------------------

    def handle(self, event: Event) -> list[Event]:
        if self._over:
            return []
        if self._answer.handle(event):
            first, asks = self._script.step is None, self._drill.dialogue != "none"
            return [self._answer.assess(event.at, self._asked(), None, first=first, asks=asks)]
        match event:
            case SessionStarted():
                return self._say(self._script.open(brief=self._content.brief), event.at)
            case TurnStarted(speaker="candidate"):
                return self._turn_started(event)
            case TurnStarted(speaker="interviewer"):
                self._settle()
            case VoiceStarted(speaker="candidate"):
                self._silent_from = None
            case VoiceStopped(speaker="candidate") if not self._answer.number and not self._of:
                self._silent_from = event.media
            case ReplyExpected():
                return self._prepare(event.at)
            case FloorYielded():
                return self._reply(event.at)
            case Interrupted(by="interviewer"):
                return self._cut_in(event)
            case TurnEnded(speaker="candidate"):
                return self._turn_ended(event)
            case SpeakingFinished() | EdgeFailed() if event.of and event.of == self._prompting:
                self._prompting, self._silent_from = "", self._clock.media(event.at)
            case TurnHandedOver() if not self._answer.number and not self._of and self._line is not None:
                return self._prompt(self._line, event.at)
            case SpeakingFinished() if event.of == self._of:
                return self._spoken_out(event.at, event.media, complete=event.complete)
            case EdgeFailed() if event.of and event.of == self._of:
                return self._spoken_out(event.at, self._clock.media(event.at), complete=True)
            case SessionClosing():
                self._over = True
            case _:
                pass
        return []

    # --- the candidate --------------------------------------------------------------------------------------------------

    def _turn_started(self, event: TurnStarted) -> list[Event]:
        self._answer.begin(event)
        self._silent_from = None
        if self._since is not None:
            return []
        self._since = Media(max(event.media, self._asked_until))
        step = self._script.step
        if step is None or self._began is None:
            self._began = Media(self._since - self._content.used)
        if step is None:
            budget, limit = self._drill.budget, self._drill.limit
        else:
            budget, limit = step.budget or 0.0, step.limit or 0.0
        name = PROMPT if step is None else step.id
        return [ClockStarted(at=event.at, step=name, media=self._since, budget=budget, limit=limit)]

    def _turn_ended(self, event: TurnEnded) -> list[Event]:
        self._answer.end()
        self._cutting_in = False
        if event.reason != "no-words":
            self._replied = True
            return []
        if not self._replied:  # a cough, a door: nothing was answered yet, and the clock stands still again
            self._began = None if self._script.step is None else self._began
            self._since = None
        if self._cut and self._line is not None:
            return self._say(self._line, event.at)  # what it cut short is said again
        self._silent_from = event.media
        return []

    def _asked(self) -> Asked:
        prompt = self._content.prompt.line.phrasings[self._tongue][0]
        said = self._line.text if self._line is not None and self._script.step is not None else ""
        return Asked(prompt, said)

    # --- the interviewer ------------------------------------------------------------------------------------------------

    def _reply(self, at: At) -> list[Event]:
        self._cutting_in = False
        return self._go_on(self._choose(), at)

    def _choose(self) -> Choice | None:
        known = bool(self._answer.words) and not self._answer.blind
        return self._script.reply(self._answer.text, self._answer.ids, known=known)

    def _prepare(self, at: At) -> list[Event]:
        """What would be said if the reply were over now. It is chosen again when it is."""
        choice = self._choose()
        self._script.undo()
        return [PrepareSpeech(at=at, id=self._id("p"), text=choice.text, language=self._tongue)] if choice is not None else []

    def _cut_in(self, event: Interrupted) -> list[Event]:
        """The floor has found the moment to break in."""
        self._cutting_in = False
        if event.reason == TIME_UP:
            return self._close(TIME_UP, event.at)
        return self._go_on(self._script.advance("breaks in"), event.at)

    def _go_on(self, choice: Choice | None, at: At) -> list[Event]:
        if choice is None:
            return self._close("completed", at)
        if choice.move == "close":
            self._closing = "completed"
        return self._say(choice, at)

    def _close(self, reason: str, at: At) -> list[Event]:
        choice = self._script.close(reason) if reason != "completed" else None
        if choice is None:
            return [SessionClosing(at=at, reason=reason)]
        self._closing = reason
        return self._say(choice, at)

    def _settle(self) -> None:
        """Our line is a turn: what follows replies to it."""
        if self._settled or self._line is None:
            return
        self._settled = True
        if self._line.step or self._line.again:
            self._since, self._replied = None, False

    def _spoken_out(self, at: At, media: Media, *, complete: bool) -> list[Event]:
        self._of = ""
        self._cut = not complete
        if not complete and self._answer.number and not self._settled:  # the candidate went on, and it was no turn
            self._script.undo()
            self._closing = ""
            return [MoveWithdrawn(at=at, of=self._said_as)]
        self._settle()
        self._asked_until = media
        if self._closing:
            return [SessionClosing(at=at, reason=self._closing)]
        if not self._answer.number and self._answer.voiced_from is None:
            self._silent_from = media
        return []

    def _say(self, choice: Choice, at: At) -> list[Event]:
        self._line = choice
        self._of = self._said_as = self._id("s")
        self._cut = self._settled = False
        self._silent_from = None
        out: list[Event] = [
            MoveChosen(at=at, move=choice.move, target=choice.target, phrase=choice.phrase, reason=choice.reason, of=self._of)
        ]
        if choice.step:
            out.append(QuestionAsked(at=at, question=choice.step, text=choice.text, of=self._of))
        return [*out, Speak(at=at, id=self._of, text=choice.text, language=self._tongue, move=choice.move)]

    def _prompt(self, choice: Choice, at: At) -> list[Event]:
        """Say the line once more to who hands over a turn that they never took."""
        if self._prompting:
            return []
        of = self._prompting = self._id("s")
        reason = "nothing was said yet"
        chosen = MoveChosen(at=at, move="prompt", target="", phrase=choice.phrase, reason=reason, of=of)
        return [chosen, Speak(at=at, id=of, text=choice.text, language=self._tongue, move="prompt")]

    def _id(self, kind: str) -> str:
        self._count += 1
        return f"{kind}{self._count}"


_WHY = {TIME_UP: "the drill's time is up", REPLY_UP: "the reply's time is up"}


def as_round(drill: Drill, prompt: Prompt, persona: Persona) -> RoundPack:
    """The drill in the shape of a round: whoever shows a session, or renders its lines ahead, needs no other."""
    spare = drill.closing or prompt.line
    parts = tuple(Section(part.id, part.title, part.budget, "questions") for part in drill.parts)
    whole = Section(PROMPT, drill.title, drill.budget, "questions")
    return RoundPack(
        id=drill.id,
        title=drill.title,
        tests=drill.goal,
        minutes=(ceil(drill.budget / 60), ceil(drill.limit / 60)),
        source=drill.source,
        requirements=drill.requirements,
        persona=persona,
        opening=drill.opening or prompt.line,
        sections=(whole, *parts),
        questions=(question_of(prompt),),
        pushbacks=(),
        interjections=(),
        deeper=(),
        invite=prompt.line,
        answers=(),
        unknown_answer=prompt.assume or spare,
        more=spare,
        closing=spare,
    )
