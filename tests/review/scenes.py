"""Sessions for reviews: written down event by event, so that every time and every word in them is known."""

from __future__ import annotations

from pathlib import Path

from tests.fakes.committee_room import small_content
from tests.fakes.interview import header
from voiceprep.core.events import (
    AudioProgress,
    Event,
    Meant,
    MoveChosen,
    MoveKind,
    QuestionAsked,
    SessionEnded,
    SessionStarted,
    Sign,
    SignalGiven,
    Speak,
    SpeakingFinished,
    SpeakingStarted,
    TurnEnded,
    TurnStarted,
    VoiceStarted,
    VoiceStopped,
    Word,
    WordsCommitted,
)
from voiceprep.core.pack import Content
from voiceprep.core.units import At, Media
from voiceprep.review.document import Review
from voiceprep.review.material import Material, material_of
from voiceprep.review.page import made_of
from voiceprep.store.header import Header

HEAD = header("test-round", "hiring-manager", "2026-12-01T09:00:00Z")
QUESTION = small_content().round.questions[0].id
LINE = 2.0
"""Seconds of each line of the interviewer's."""


class Scene:
    """Writes a log as it would be: the interviewer says something, the candidate answers after a silence, at a pace."""

    def __init__(self, head: Header = HEAD) -> None:
        self.head = head
        self.now = 0.0
        self.turn = 0
        self.log: list[Event] = [
            SessionStarted(at=At(0.0), round=head.round, persona=head.persona, language=head.language),
            AudioProgress(at=At(0.0), media=Media(0.0)),
        ]

    def _at(self) -> tuple[At, Media]:
        return At(self.now), Media(self.now)

    def asks(self, move: MoveKind, target: str, text: str, question: str = "") -> None:
        at, media = self._at()
        self.turn += 1
        name = f"line-{self.turn}"
        self.log += [
            MoveChosen(at=at, move=move, target=target, phrase=name, reason="", of=name),
            QuestionAsked(at=at, question=question or QUESTION, text=text, of=name),
            Speak(at=at, id=name, text=text, language="en", move=move),
            TurnStarted(at=at, speaker="interviewer", turn=self.turn, media=media),
            SpeakingStarted(at=at, of=name, media=media),
        ]
        self.now += LINE
        at, media = self._at()
        self.log += [
            SpeakingFinished(at=at, of=name, media=media, heard=text, seconds=LINE, complete=True),
            TurnEnded(at=at, speaker="interviewer", turn=self.turn, media=media, reason="finished"),
        ]

    def answers(self, text: str, *, after: float = 1.0, rate: float = 2.5, trusted: bool = True) -> tuple[Word, ...]:
        self.now += after
        at, media = self._at()
        self.turn += 1
        step = 1.0 / rate
        words = tuple(
            Word(piece, Media(round(self.now + n * step, 3)), Media(round(self.now + (n + 0.9) * step, 3)), 0.9)
            for n, piece in enumerate(text.split())
        )
        self.log += [
            TurnStarted(at=at, speaker="candidate", turn=self.turn, media=media),
            VoiceStarted(at=at, speaker="candidate", media=media),
        ]
        self.now += len(words) * step
        at, media = self._at()
        self.log += [
            AudioProgress(at=at, media=media),
            VoiceStopped(at=at, speaker="candidate", media=media),
            WordsCommitted(at=at, words=words, turn=self.turn, trusted=trusted),
            TurnEnded(at=at, speaker="candidate", turn=self.turn, media=media, reason="yielded"),
        ]
        return words

    def shows(self, signal: Sign, meant: Meant, reason: str) -> None:
        self.log.append(SignalGiven(at=At(self.now), signal=signal, meant=meant, reason=reason))

    def ends(self) -> None:
        self.log.append(SessionEnded(at=At(self.now), reason="completed"))


def content(_: Path, __: Header) -> Content:
    return small_content()


def material(folder: Path, scene: Scene, tongue: str | None = None) -> Material:
    return material_of(folder, scene.head, scene.log, "zh" if tongue == "zh" else None, content)


def reviewed(folder: Path, scene: Scene, tongue: str | None = None) -> Review:
    return made_of(material(folder, scene, tongue))


def ladder() -> Scene:
    """One question, four follow-ups of which the first two are answered, an objection met fast."""
    scene = Scene()
    scene.asks("question", "", "What did you decide?")
    scene.answers("Well I decided to drop the second region and we measured it every week for the whole of that year")
    scene.asks("followup", "decision_owner", "Whose call was it?")
    scene.answers("In the end the owner is the platform lead and nobody else had to be asked about any of it at all")
    scene.asks("followup", "conflict_process", "And when two teams clash?")
    scene.answers("Then two teams escalate to her by noon and she says which of them waits until the next morning comes")
    scene.asks("followup", "abuse_guard", "Who games it?")
    scene.answers("I think that people are nice to each other and so it never really was any trouble for us there")
    scene.asks("pushback", "cost", "That is too expensive.")
    scene.answers(
        "So we rescoped it to one queue and kept the rest for the quarter that came after that one", after=0.4, rate=3.0
    )
    scene.ends()
    return scene


def quizzed() -> Scene:
    """Two answers, each met with a sign: one on track, one not."""
    scene = Scene()
    scene.asks("question", "", "What did you decide?")
    scene.answers("I decided to drop the second region and we measured it every week")
    scene.shows("notes", "on-track", "heard own_decision, metric")
    scene.asks("question", "", "And then?")
    scene.answers("obviously the kernel just reroutes all of that")
    scene.shows("nod", "off-track", "heard bluff")
    scene.ends()
    return scene
