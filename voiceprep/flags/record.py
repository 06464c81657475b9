"""What of the candidate's words is on record, and up to where that is all: what the rules that need words stand on.

Words of record come seconds after they were said. A rule that needs them waits until everything up to the place in question is
written down, then fires with the place as its span; where a transcript is not trusted it does not fire at all.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf

from voiceprep.core.answers.answering import Answering, Awaited
from voiceprep.core.answers.classifier import Asked
from voiceprep.core.answers.clauses import sentences
from voiceprep.core.answers.coverage import assess
from voiceprep.core.answers.cues import cue_hits
from voiceprep.core.events import (
    NO_TURN,
    AudioGap,
    EdgeFailed,
    Event,
    Evidence,
    HeldSound,
    Language,
    Speak,
    SpeakingFinished,
    Transcribe,
    TranscriptReady,
    TurnEnded,
    TurnStarted,
    VoiceStarted,
    VoiceStopped,
    Word,
    WordsCommitted,
)
from voiceprep.core.listening.lost import Lost
from voiceprep.core.listening.trust import LEAST_CONFIDENCE, mean_confidence
from voiceprep.core.pack import Detector, Question, tongue_of
from voiceprep.core.text import placed
from voiceprep.core.units import At, Media, MediaClock, Span

KEPT = 3
"""Answers that words may still come for: a slow recogniser is an answer or two behind."""
BEGINNING = 240
"""Letters of a sentence in which what it begins with is looked for: one without marks may go on for minutes."""
PADDING = 0.3
"""Seconds by which a stretch that was sent to be written down may end before the detector says that speech did."""


@dataclass(slots=True)
class Answer:
    """A turn of the candidate, as far as it is on record."""

    number: int
    start: Media
    awaited: Awaited
    """What it answers."""
    asked_until: Media
    """Where the interviewer's line before it ended."""
    main: bool
    """It answers the question itself, not a follow-up: facts that were asked for and told in between change nothing."""
    opening: Media
    """Where the candidate first spoke to this question,"""
    earlier: tuple[Answer, ...] = ()
    """... in these answers, when this is not the first."""
    end: Media | None = None
    words: list[Word] = field(default_factory=list)
    trusted: bool = True
    speech: list[Span] = field(default_factory=list)
    held: list[HeldSound] = field(default_factory=list)
    """Sounds in it that may be fillers."""
    assessed: dict[int, tuple[Evidence, ...]] = field(default_factory=dict)
    """What its first so many words showed."""


class Record:
    """A fold that the word rules share: it stands before them among the machines, and says nothing itself."""

    def __init__(
        self,
        clock: MediaClock,
        language: Language,
        detectors: Sequence[Detector] = (),
        questions: Mapping[str, Question] | None = None,
    ) -> None:
        self.language: Language = language
        self.answers: list[Answer] = []
        self.lost = Lost()
        self.version = 0
        """Another one when something came onto the record."""
        self._clock = clock
        self._detectors = {one.id: one for one in detectors}
        self._questions = questions or {}
        self._answering = Answering()
        self._asides: set[str] = set()
        self._asked_until = Media(0.0)
        self._pending: dict[str, Transcribe] = {}
        self._unsent: Media | None = None
        """Where speech began that nobody was asked to write down yet."""
        self._voiced: Media | None = None

    # --- the fold -------------------------------------------------------------------------------------------------------

    @property
    def deadline(self) -> At | None:
        return None

    def wake(self, at: At) -> list[Event]:
        raise AssertionError(f"woken at {at} without having asked for it")

    def handle(self, event: Event) -> list[Event]:
        self._answering.handle(event)
        match event:
            case VoiceStarted(speaker="candidate") | VoiceStopped(speaker="candidate"):
                self._voice(event)
            case Transcribe():
                self._pending[event.id] = event
                if self._voiced is not None:
                    self._unsent = Media(max(self._voiced, event.end))
                elif self._unsent is not None and event.end >= self._unsent - PADDING:
                    self._unsent = None
            case TranscriptReady() | EdgeFailed() if event.of in self._pending:
                asked = self._pending.pop(event.of)
                if isinstance(event, TranscriptReady):
                    for answer in self._of(asked.turn):
                        answer.held += event.held
                self.version += 1
            case Speak() if event.move in NO_TURN:
                self._asides.add(event.id)
            case SpeakingFinished() if event.of not in self._asides:
                self._asked_until = event.media
            case TurnStarted(speaker="candidate"):
                self._begin(event)
            case TurnEnded(speaker="candidate"):
                for answer in self._of(event.turn):
                    answer.end = event.media
            case AudioGap():
                self.lost.take(event)
            case WordsCommitted():
                for answer in self._of(event.turn):
                    answer.words += event.words
                    answer.trusted = answer.trusted and event.trusted
                    self.version += 1
            case _:
                pass
        return []

    def _voice(self, event: VoiceStarted | VoiceStopped) -> None:
        if isinstance(event, VoiceStarted):
            self._voiced = event.media
            self._unsent = event.media if self._unsent is None else self._unsent
        elif self._voiced is not None:
            region = Span(self._voiced, Media(max(self._voiced, event.media)))
            self._voiced = None
            if self._unsent is not None and self._unsent >= region.end - PADDING:
                self._unsent = None
            if self.answers:
                self.answers[-1].speech.append(region)

    def _begin(self, event: TurnStarted) -> None:
        awaited, last = self._answering.now, self.answers[-1] if self.answers else None
        goes_on = awaited.move == "answer" and last is not None and last.main
        main = goes_on or awaited.move in {"question", "move_on"}
        new = Answer(event.turn, event.media, awaited, self._asked_until, main, event.media)
        if goes_on and last is not None:
            new.opening, new.earlier = last.opening, (*last.earlier, last)
        self.answers = [*self.answers, new][-KEPT:]

    def _of(self, turn: int) -> list[Answer]:
        return [answer for answer in self.answers if answer.number == turn]

    # --- what rules ask ---------------------------------------------------------------------------------------------------

    def known_until(self, now: Media) -> Media:
        """The place up to which everything that was said is on record, `now` at most."""
        bounds = [now, *(asked.start for asked in self._pending.values())]
        if self._unsent is not None:
            bounds.append(self._unsent)
        return min(bounds)

    def speech(self, answer: Answer) -> list[Span]:
        """Where it is voiced; what is being said now has no end yet."""
        goes_on = self._voiced is not None and answer is self.answers[-1]
        return [*answer.speech, *([Span(self._voiced, Media(inf))] if goes_on and self._voiced is not None else [])]

    def trusted(self, answer: Answer) -> bool:
        """Whether anything may be concluded from its words."""
        return answer.trusted and (not answer.words or mean_confidence(answer.words) >= LEAST_CONFIDENCE)

    def question(self, answer: Answer) -> Question | None:
        """The question of the pack that it answers; None where the candidate asks, or nobody did."""
        return self._questions.get(answer.awaited.question)

    def evidence(self, answer: Answer, until: float = inf) -> tuple[Evidence, ...]:
        """What its words of record show: those in sentences begun before `until`, as if nothing had followed."""
        count = len(answer.words) if until == inf else self._begun(answer, until)
        if count not in answer.assessed:
            found = assess(answer.words[:count], tuple(self._detectors.values()), self.language, self._asked(answer))
            answer.assessed[count] = found
        return tuple(item for item in answer.assessed[count] if item.start < until)

    def _begun(self, answer: Answer, until: float) -> int:
        """How many words the sentences have that began before this place."""
        text, offsets = placed(answer.words)
        count = bisect_left(answer.words, until, key=_start)
        for _, end in sentences(text):
            through = bisect_left(offsets, end)
            if through >= count:
                return through if count else 0
        return count

    def sentence_ends(self, answer: Answer, most: int) -> list[Media]:
        """Where its first sentences end, `most` of them at most."""
        text, offsets = placed(answer.words)
        ends = [end for _, end in sentences(text)][:most]
        return [answer.words[bisect_right(offsets, max(0, end - 1)) - 1].end for end in ends]

    def _asked(self, answer: Answer) -> Asked:
        question = self.question(answer)
        text = question.line.phrasings[tongue_of(self.language)][0] if question is not None else answer.awaited.text
        return Asked(text, "" if answer.main else answer.awaited.text)

    def cues(self, answer: Answer, ids: Sequence[str]) -> list[Span]:
        """Where, sentence by sentence, its words hold a cue of one of these detectors, wherever in the answer that is."""
        text, offsets = placed(answer.words)
        found = []
        for start, end in sentences(text):
            hits = (hit for each in ids if each in self._detectors for hit in self._hits(text[start:end], each))
            if (hit := min(hits, default=None)) is not None:
                first = answer.words[bisect_right(offsets, start + hit[0]) - 1]
                last = answer.words[bisect_right(offsets, max(start, end - 1)) - 1]
                found.append(Span(first.start, Media(max(first.start, last.end))))
        return found

    def said(self, answer: Answer, wanted: Callable[[str], bool], until: Media) -> Span | None:
        """Its first sentence, of those that end by `until`, that is as `wanted`, by what it begins with."""
        text, offsets = placed(answer.words)
        for start, end in sentences(text):
            last = answer.words[bisect_right(offsets, max(start, end - 1)) - 1]
            if last.end > until:
                return None
            if wanted(text[start : min(end, start + BEGINNING)]):
                first = answer.words[bisect_right(offsets, start) - 1]
                return Span(first.start, Media(max(first.start, last.end)))
        return None

    def _hits(self, sentence: str, detector: str) -> tuple[tuple[int, int], ...]:
        return cue_hits(sentence, self._detectors[detector], self.language)


def _start(word: Word) -> Media:
    return word.start
