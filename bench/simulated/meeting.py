"""A whole interview on the virtual clock: a written candidate before the real core, edges that always answer.

The recogniser hears every word, the voices speak at a natural pace, and time jumps from one event to the next.
"""

from __future__ import annotations

import heapq
import re
from dataclasses import dataclass

from bench.simulated.characters import ASKS, Asked, Character, Chooser
from bench.truth import PauseKind, Text
from tests.fakes.table import Table
from voiceprep.content import load_content
from voiceprep.core.events import (
    NO_TURN,
    AudioProgress,
    Event,
    Interrupted,
    Language,
    MoveChosen,
    MoveKind,
    QuestionAsked,
    SessionStarted,
    Speak,
    SpeakingFinished,
    SpeakingStarted,
    StopRequested,
    VoiceLulled,
    VoiceStarted,
    VoiceStopped,
)
from voiceprep.core.pack import Content
from voiceprep.core.policy import GRACE, Policy
from voiceprep.core.text import HANZI
from voiceprep.core.units import At, Media, Seconds
from voiceprep.live.candidate import tongue_in

SENTENCE: tuple[Seconds, Seconds] = (0.35, 0.7)
FILLER: tuple[Seconds, Seconds] = (0.3, 0.45)
GIVE_UP: Seconds = 170.0
"""Nobody has said anything for so long: the candidate adds something."""
REACTION: Seconds = 0.2
"""Who hears the other begin within this time before their own next word can no longer hold it back."""
TICK: Seconds = 5.0
OVERTIME: Seconds = 900.0
"""A round that is not over so long after its longest end is stopped."""
_PIECE = re.compile(rf"[“‘《（]?[{HANZI}][，。？！；：、…”’》）]*|[^\s{HANZI}]+")


BEGINNING = At(0.0)


@dataclass
class Said:
    """An answer as it was given: what of its text was spoken, and whether that was all."""

    asked: Asked
    text: Text
    at: At
    spoken: int = 0
    """Sounds of it that were spoken."""
    ended: At = BEGINNING

    @property
    def complete(self) -> bool:
        return self.spoken == len(self.text.sounds)


@dataclass(frozen=True, slots=True)
class CutIn:
    """The interviewer began to speak while the candidate had more to say."""

    at: At
    pause: PauseKind | None
    """The silence that it began in; None: over speech."""
    meant: bool
    """It was an interjection of the round."""
    after: str
    """What the candidate had said last."""


class Meeting(Table):
    """`hold` plays the round; `log`, `said` and `cut_ins` tell how it went."""

    def __init__(self, content: Content, character: Character, language: Language, seed: int = 1) -> None:
        super().__init__(content, language=language, policy=Policy(captions=False, grace=GRACE), seed=seed)
        self.content, self.character, self.language = content, character, language
        self.said: list[Said] = []
        self.cut_ins: list[CutIn] = []
        self._chooser = Chooser(character, language, seed)
        self._kinds = {question.id: question.kind for question in content.round.questions}
        self._move: MoveKind = "question"
        self._target = self._question = ""
        self._lines: dict[str, Speak] = {}
        self._sounding = ""
        self._meant = False
        self._now: Said | None = None
        self._due: float | None = None
        """When the sound began, or begins, that is the last one on its way."""
        self._quiet_since = 0.0

    def hold(self) -> list[Event]:
        """The log of the whole session."""
        pack = self.content.round
        limit = pack.minutes[1] * 60 + OVERTIME
        start = SessionStarted(at=At(0), round=pack.id, persona=pack.persona.id, language=self.language)
        self.put(0.0, start)
        self.put(0.0, AudioProgress(at=At(0), media=Media(0)))
        moment = 0.0
        while not self.conductor.ended and moment < limit:
            moment += TICK
            self.put(moment, AudioProgress(at=At(0), media=Media(moment)))
            self.run(moment)
            self._wait_no_longer(moment)
        if not self.conductor.ended:
            self.put(moment, StopRequested(at=At(0), reason="audio-ended"))
            self.run()
        return self.log

    # --- listening ------------------------------------------------------------------------------------------------------

    def _take(self, events: list[Event]) -> None:
        super()._take(events)
        for event in events:
            self._listen(event)

    def _listen(self, event: Event) -> None:
        match event:
            case MoveChosen() if event.move not in NO_TURN:
                self._chosen(event)
            case QuestionAsked():
                self._question = event.question
            case Speak() if event.move not in NO_TURN:
                self._lines[event.id] = event
            case Interrupted(by="interviewer"):
                self._meant = True
            case SpeakingStarted() if event.of in self._lines:
                self._sounding = event.of
                self._broken_into(event.at)
            case SpeakingFinished() if event.of in self._lines:
                self._line_over(event)
            case VoiceStopped(speaker="candidate"):
                self._due = None
                self._quiet_since = event.at
                if not self._sounding:
                    self._go_on(event.at)
            case _:
                pass

    def _chosen(self, event: MoveChosen) -> None:
        if event.move == "move_on":
            self._question = ""  # unless one follows: then the candidate may ask
        # A fact that was asked for leaves the question open.
        self._move = "question" if event.move == "answer" and self._question else event.move
        self._target = event.target

    def _broken_into(self, at: At) -> None:
        """The interviewer begins: who has not begun the next sound yet keeps it to themselves."""
        now = self._now
        if now is not None and self._due is not None and at < self._due - REACTION:
            self._take_back(now)
        if now is not None and now.spoken and not now.complete:
            pause = None if self._due is not None else now.text.holds[now.spoken - 1]
            self.cut_ins.append(CutIn(at, pause, self._meant, now.text.sounds[now.spoken - 1].text))
        self._meant = False

    def _take_back(self, now: Said) -> None:
        due = self._due
        assert due is not None
        now.spoken -= 1
        self._words = [word for word in self._words if word.start < due]
        self._queue = [item for item in self._queue if not isinstance(item[2], VoiceStarted | VoiceLulled | VoiceStopped)]
        heapq.heapify(self._queue)
        self._due = None

    def _line_over(self, event: SpeakingFinished) -> None:
        line, self._sounding = self._lines[event.of], ""
        self._quiet_since = event.at
        if not event.complete:  # taken back: what was being said goes on
            if self._due is None:
                self._go_on(event.at)
            return
        if line.move == "close":
            self._now = None
            return
        kind = self._kinds.get(self._question, ASKS)
        self._answer_to(Asked(line.text, self._move, self._target, self._question, kind), event.at)

    def _wait_no_longer(self, moment: float) -> None:
        """An answer that nobody replies to is followed by another."""
        last = self.said[-1] if self.said else None
        if last is None or self._due is not None or self._sounding or moment - self._quiet_since < GIVE_UP:
            return
        self._answer_to(last.asked, At(moment))

    # --- speaking -------------------------------------------------------------------------------------------------------

    def _answer_to(self, asked: Asked, at: At) -> None:
        text = self._chooser.next(asked)
        wait = self._chooser.between(*self.character.before)
        self._now = Said(asked, text, At(at + wait))
        self.said.append(self._now)
        self._sound(at + wait)

    def _go_on(self, at: At) -> None:
        now = self._now
        if now is None or now.complete:
            return
        hold = now.text.holds[now.spoken - 1] if now.spoken else "sentence"
        spans: dict[PauseKind, tuple[Seconds, Seconds]] = {"hesitation": self.character.thinking, "filler": FILLER}
        self._sound(at + self._chooser.between(*spans.get(hold, SENTENCE)) - 0.3)  # `VoiceStopped` is known 0.3 s late

    def _sound(self, start: float) -> None:
        """The next sound of the answer begins at `start`."""
        now = self._now
        assert now is not None
        sound = now.text.sounds[now.spoken]
        pieces = pieces_of(sound.text)
        rate = self.character.pace[tongue_in(sound.text)]
        end = start + max(0.3, len(pieces) / rate)
        now.spoken += 1
        now.ended = At(end)
        self._due = start
        self.say(start, end, " ".join(pieces))


def pieces_of(text: str) -> list[str]:
    """Words as a recogniser gives them: one Chinese character or one Latin word, marks with what they follow."""
    return _PIECE.findall(text)


def hold(round_id: str, character: Character, language: Language, seed: int = 1) -> Meeting:
    """One round with one candidate, played to its end."""
    meeting = Meeting(load_content(round_id), character, language, seed)
    meeting.hold()
    return meeting
