"""A scripted interview with exact known times: what the interviewer says and when, and the candidate on paper or as audio.

The real hearing cuts and commits the words, the real rules judge them; turns follow from who speaks, as the script has it.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

from voiceprep.audio.base import BLOCK, RATE, Samples
from voiceprep.core.conductor import Conductor
from voiceprep.core.events import (
    AudioProgress,
    Event,
    Fact,
    FlagRaised,
    Language,
    MoveChosen,
    MoveKind,
    QuestionAsked,
    SectionChanged,
    SessionClosing,
    SessionStarted,
    Speak,
    SpeakingFinished,
    SpeakingStarted,
    StopRequested,
    Transcribe,
    TranscriptReady,
    TurnEnded,
    TurnStarted,
    VoiceStarted,
    VoiceStopped,
    Word,
)
from voiceprep.core.listening.hearing import Hearing
from voiceprep.core.machine import Machine
from voiceprep.core.pack import Content, tongue_of
from voiceprep.core.policy import Policy
from voiceprep.core.text import ONE_HANZI
from voiceprep.core.units import At, Media, MediaClock, Seconds
from voiceprep.flags import rules_of
from voiceprep.speech.vad.silero import SileroActivity

PACE: dict[Language, float] = {"en": 150.0, "zh": 240.0, "mixed": 220.0}
"""Words, or characters, a minute: in the middle of what nobody minds."""
ONSET, OFFSET, DECODE = 0.15, 0.3, 0.5
"""How late the detector tells of speech and of its end, and how long a decode takes, on paper."""


@dataclass(frozen=True, slots=True)
class Line:
    """Something the interviewer says from `start` to `end`."""

    start: Seconds
    end: Seconds
    move: MoveKind = "question"
    question: str = ""
    text: str = "Go on."
    section: str = ""
    budget: Seconds = 0.0


@dataclass(frozen=True, slots=True)
class Scene:
    """A session on paper. `voiced` are the stretches of the candidate's speech, `words` what is said in them."""

    lines: tuple[Line, ...]
    voiced: tuple[tuple[Seconds, Seconds], ...]
    words: tuple[Word, ...]
    end: Seconds
    language: Language = "en"
    own_rate: float = 0.0
    trusted: bool = True
    samples: Samples | None = None
    """Instead of `voiced`: the recording in which the detector is to find the speech."""


class Script:
    """Says the lines at their times; turns follow from who speaks."""

    def __init__(self, lines: Sequence[Line], language: Language) -> None:
        self._lines = list(lines)
        self._language = language
        self._said: dict[str, Line] = {}
        self._turn = 0
        self._open: int | None = None

    @property
    def deadline(self) -> At | None:
        return At(self._lines[0].start) if self._lines else None

    def wake(self, at: At) -> list[Event]:
        line = self._lines.pop(0)
        of = f"s{len(self._said)}"
        self._said[of] = line
        out: list[Event] = []
        if line.section:
            out.append(SectionChanged(at=at, section=line.section, budget=line.budget))
        out.append(MoveChosen(at=at, move=line.move, target="", phrase="", reason="script", of=of))
        if line.question:
            out.append(QuestionAsked(at=at, question=line.question, text=line.text, of=of))
        return [*out, Speak(at=at, id=of, text=line.text, language=tongue_of(self._language), move=line.move)]

    def line(self, of: str) -> Line:
        return self._said[of]

    def handle(self, event: Event) -> list[Event]:
        match event:
            case VoiceStarted() if self._open is None:
                self._turn += 1
                self._open = self._turn
                return [TurnStarted(at=event.at, speaker="candidate", turn=self._turn, media=event.media)]
            case SpeakingStarted() | SessionClosing() if self._open is not None:
                turn, self._open = self._open, None
                media = event.media if isinstance(event, SpeakingStarted) else Media(event.at)
                return [TurnEnded(at=event.at, speaker="candidate", turn=turn, media=media, reason="yielded")]
            case _:
                return []


def play(scene: Scene, content: Content) -> tuple[list[Event], list[FlagRaised]]:
    """The log of a scene and the flags in it. Session and media time are the same."""
    clock = MediaClock()
    policy = Policy(captions=False, drafts=False, all_rules=True, own_rate=scene.own_rate)
    script = Script(scene.lines, scene.language)
    machines: list[Machine] = [Hearing(policy, clock), script, *rules_of(content, policy, scene.language, clock)]
    conductor = Conductor(machines, clock, policy)
    queue: list[tuple[float, int, Fact]] = []
    order = itertools.count()

    def put(at: float, fact: Fact) -> None:
        heapq.heappush(queue, (round(at, 6), next(order), replace(fact, at=At(round(at, 6)))))

    def take(events: list[Event]) -> None:
        log.extend(events)
        for event in events:
            if isinstance(event, Transcribe):
                said = tuple(w for w in scene.words if event.start <= (w.start + w.end) / 2 < event.end)
                put(event.at + DECODE, TranscriptReady(at=At(0), of=event.id, words=said, trusted=scene.trusted))
            elif isinstance(event, Speak):
                line = script.line(event.id)
                heard, seconds = line.text, line.end - line.start
                put(line.start, SpeakingStarted(at=At(0), of=event.id, media=Media(line.start)))
                over = SpeakingFinished(
                    at=At(0), of=event.id, media=Media(line.end), heard=heard, seconds=seconds, complete=True
                )
                put(line.end, over)

    log: list[Event] = []
    put(0.0, SessionStarted(at=At(0), round=content.round.id, persona="", language=scene.language))
    put(0.0, AudioProgress(at=At(0), media=Media(0)))
    for fact in _voices(scene):
        put(fact.at, fact)
    put(scene.end, StopRequested(at=At(0), reason="audio-ended"))
    while queue and not conductor.ended:
        at, _, fact = heapq.heappop(queue)
        due = conductor.deadline
        if due is not None and due < at:
            heapq.heappush(queue, (at, next(order), fact))
            take(conductor.advance(due))
        else:
            take(conductor.handle(fact))
    return log, [event for event in log if isinstance(event, FlagRaised)]


def _voices(scene: Scene) -> list[Fact]:
    if scene.samples is None:
        facts: list[Fact] = []
        for start, end in scene.voiced:
            facts.append(VoiceStarted(at=At(start + ONSET), speaker="candidate", media=Media(start)))
            facts.append(VoiceStopped(at=At(end + OFFSET), speaker="candidate", media=Media(end)))
        return facts
    return heard(scene.samples)


def heard(samples: Samples) -> list[Fact]:
    """What the real detector tells of a recording, stamped with the end of the block in which it knows."""
    activity, facts = SileroActivity(), list[Fact]()
    for number, start in enumerate(range(0, len(samples) - BLOCK + 1, BLOCK), start=1):
        at = At(number * BLOCK / RATE)
        for each in activity.feed(samples[start : start + BLOCK]):
            if each.kind == "started":
                facts.append(VoiceStarted(at=at, speaker="candidate", media=Media(each.media)))
            elif each.kind == "stopped":
                facts.append(VoiceStopped(at=at, speaker="candidate", media=Media(each.media)))
    return facts


def spoken(
    text: str, start: Seconds, language: Language, pace: float = 0.0, pause: Seconds = 6.0
) -> tuple[tuple[tuple[Seconds, Seconds], ...], tuple[Word, ...]]:
    """Marked text (| is a pause) as voiced stretches and words from `start` on, evenly at `pace` a minute."""
    step = 60.0 / (pace or PACE[language])
    voiced: list[tuple[Seconds, Seconds]] = []
    words: list[Word] = []
    now = start
    for part in text.split("|"):
        pieces = _pieces(part, language)
        if not pieces:
            continue
        begin = now
        for piece in pieces:
            words.append(Word(piece, Media(round(now, 4)), Media(round(now + step * 0.95, 4)), 0.9))
            now += step
        voiced.append((begin, now))
        now += pause
    return tuple(voiced), tuple(words)


def _pieces(text: str, language: Language) -> list[str]:
    """Words as the recogniser gives them: Latin ones whole, Chinese a character each, marks with what they follow."""
    if language == "en":
        return text.split()
    pieces: list[str] = []
    latin = False
    for letter in text:
        if ONE_HANZI.match(letter):
            pieces.append(letter)
            latin = False
        elif letter.isalnum():
            if latin:
                pieces[-1] += letter
            else:
                pieces.append(letter)
            latin = True
        else:
            if pieces and not letter.isspace():
                pieces[-1] += letter
            latin = False
    return pieces
