"""A session as it went, folded from its events: what exports, replay and the review look at.

The fold never fails: a log may be torn, or still growing, so an end may come without its start and a start without its end.
What is still open ends where the recording does, as far as the log knows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from voiceprep.core.claims.ledger import Difference, Ledger
from voiceprep.core.events import (
    AudioGap,
    AudioProgress,
    EdgeFailed,
    Event,
    FlagRaised,
    Interrupted,
    MoveKind,
    NoteAdded,
    QuestionAsked,
    SectionChanged,
    SessionEnded,
    Speak,
    Speaker,
    SpeakingFinished,
    SpeakingStarted,
    TurnEnded,
    TurnStarted,
    VoiceStarted,
    VoiceStopped,
    Word,
    WordsCommitted,
    WordsHeard,
)
from voiceprep.core.listening.pauses import Pause, merged, pauses
from voiceprep.core.text import joined, text_of
from voiceprep.core.units import At, Media, Seconds, Span

__all__ = ["Pause", "Question", "Section", "Timeline", "Turn", "Utterance", "fold", "text_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """Something the interviewer was to say.

    Attributes:
        heard: the part of `text` that really sounded; "" until the utterance is over.
        media: where its first sample sounded, or None: it never did.
        seconds: how long it sounded.
        complete: whether all of it sounded.
        turn: number of the turn that it is part of, or 0: an encouragement takes no turn.
    """

    id: str
    text: str
    move: MoveKind
    heard: str = ""
    media: Media | None = None
    seconds: Seconds = 0.0
    complete: bool = False
    turn: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One hold of the floor.

    Attributes:
        reason: why it ended (see `TurnEnded`), or "" for one that never did.
        words: of record; none for the interviewer.
        text: the candidate's words, or what was heard of the interviewer's utterances.
        trusted: False when the recogniser doubted some of the words.
    """

    speaker: Speaker
    number: int
    start: Media
    end: Media
    reason: str
    words: tuple[Word, ...]
    text: str
    trusted: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A part of the round: `budget` and `seconds` (how long it took) are session time, `start` and `end` media."""

    section: str
    budget: Seconds
    seconds: Seconds
    start: Media
    end: Media


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question or a follow-up, `of` the utterance that carried it. `media` is where that sounded, or None."""

    question: str
    text: str
    of: str
    media: Media | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """The whole session. Every tuple is in order of time.

    Attributes:
        words: all words of record; where the session broke off, also those that were heard last, untrusted in their turn.
        speech: voiced regions of the candidate, apart from each other.
        ended: the reason of `SessionEnded`, or "" while there is none.
        duration: of the recording, media seconds, as far as the log knows.
        elapsed: session time of the last event.
        differences: what was told twice, differently.
    """

    turns: tuple[Turn, ...]
    utterances: tuple[Utterance, ...]
    words: tuple[Word, ...]
    speech: tuple[Span, ...]
    pauses: tuple[Pause, ...]
    flags: tuple[FlagRaised, ...]
    sections: tuple[Section, ...]
    gaps: tuple[AudioGap, ...]
    interruptions: tuple[Interrupted, ...]
    notes: tuple[NoteAdded, ...]
    failures: tuple[EdgeFailed, ...]
    questions: tuple[Question, ...]
    ended: str
    duration: Seconds
    elapsed: Seconds
    differences: tuple[Difference, ...] = ()

    @property
    def text(self) -> str:
        """All that the candidate said."""
        return text_of(self.words)

    @property
    def spoken(self) -> Seconds:
        """How long the candidate's voice was heard."""
        return sum(region.duration for region in self.speech)


GRAVITY = {"notice": 0, "warning": 1, "fail": 2}


def gravest(flags: Iterable[FlagRaised]) -> tuple[FlagRaised, ...]:
    """The flags without those that a graver one of the same rule was raised beside, at the same place."""
    kept: dict[tuple[str, Media], FlagRaised] = {}
    for flag in flags:
        key = flag.rule, flag.end
        known = kept.get(key)
        if known is None or GRAVITY[flag.level] >= GRAVITY[known.level]:
            kept[key] = flag
    return tuple(kept.values())


def fold(events: Iterable[Event], *, compared: bool = True) -> Timeline:
    """The timeline of a session, or of any beginning of one.

    `compared`: with its `differences`, for which all claims are looked for: four fifths of the work.
    """
    folding = _Fold(ledger=Ledger() if compared else None)
    for event in events:
        folding.take(event)
    return folding.timeline()


TOUCHING = 0.1
"""Seconds between two losses of sound for one reason that are one loss."""
_BEGINNING = At(0.0)
_FIRST = Media(0.0)


@dataclass(slots=True)
class _OpenTurn:
    started: TurnStarted
    ended: TurnEnded | None = None
    words: list[Word] = field(default_factory=list)
    trusted: bool = True


@dataclass(slots=True)
class _Fold:
    """What the events said so far."""

    at: At = _BEGINNING
    media: Media = _FIRST
    ended: str = ""
    turns: dict[int, _OpenTurn] = field(default_factory=dict)
    utterances: dict[str, Utterance] = field(default_factory=dict)
    sounding: str | None = None
    words: list[Word] = field(default_factory=list)
    unsettled: WordsHeard | None = None
    speech: list[Span] = field(default_factory=list)
    voice_since: Media | None = None
    sections: list[tuple[SectionChanged, Media]] = field(default_factory=list)
    questions: list[QuestionAsked] = field(default_factory=list)
    flags: list[FlagRaised] = field(default_factory=list)
    gaps: list[AudioGap] = field(default_factory=list)
    interruptions: list[Interrupted] = field(default_factory=list)
    notes: list[NoteAdded] = field(default_factory=list)
    failures: list[EdgeFailed] = field(default_factory=list)
    ledger: Ledger | None = None

    def take(self, event: Event) -> None:
        self.at = max(self.at, event.at)
        if self.ledger is not None:
            self.ledger.handle(event)
        match event:
            case TurnStarted() | TurnEnded() | WordsCommitted():
                self._turn(event)
            case Speak() | SpeakingStarted() | SpeakingFinished():
                self._utterance(event)
            case VoiceStarted(speaker="candidate", media=media):
                self._reached(media)
                self.voice_since = media if self.voice_since is None else self.voice_since
            case VoiceStopped(speaker="candidate", media=media):
                self._reached(media)
                self.speech += self._voiced(media)
                self.voice_since = None
            case WordsHeard():
                self.unsettled = event
            case AudioProgress():
                self._reached(event.media)
            case SectionChanged():
                self.sections.append((event, self.media))
            case SessionEnded():
                self.ended = event.reason
            case _:
                self._list(event)

    def _list(self, event: Event) -> None:
        """Events that the timeline shows as they are."""
        match event:
            case QuestionAsked():
                self.questions.append(event)
            case FlagRaised():
                self.flags.append(event)
            case AudioGap():
                self._reached(event.end)
                last = self.gaps[-1] if self.gaps else None
                if last is not None and last.reason == event.reason and event.start <= last.end + TOUCHING:
                    self.gaps[-1] = replace(last, end=max(last.end, event.end))  # a lost device is told of second by second
                else:
                    self.gaps.append(event)
            case Interrupted():
                self.interruptions.append(event)
            case NoteAdded():
                self.notes.append(event)
            case EdgeFailed():
                self.failures.append(event)

    def _reached(self, media: Media) -> None:
        self.media = max(self.media, media)

    def _turn(self, event: TurnStarted | TurnEnded | WordsCommitted) -> None:
        turn = self.turns.get(event.turn)
        match event:
            case TurnStarted():
                self._reached(event.media)
                self.turns[event.turn] = turn or _OpenTurn(event)
                if event.speaker == "interviewer" and self.sounding is not None:
                    self._belongs(self.sounding)
            case TurnEnded():
                self._reached(event.media)
                if turn:
                    turn.ended = event
            case WordsCommitted():
                self.words += event.words
                if turn:
                    turn.words += event.words
                    turn.trusted = turn.trusted and event.trusted

    def _utterance(self, event: Speak | SpeakingStarted | SpeakingFinished) -> None:
        if isinstance(event, Speak):
            self.utterances[event.id] = Utterance(id=event.id, text=event.text, move=event.move)
            return
        self._reached(event.media)
        known = self.utterances.get(event.of)
        if known is None:
            return
        if isinstance(event, SpeakingStarted):
            self.sounding = known.id
            self.utterances[known.id] = replace(known, media=event.media)
            self._belongs(known.id)
        else:
            self.sounding = None
            self.utterances[known.id] = replace(known, heard=event.heard, seconds=event.seconds, complete=event.complete)

    def _belongs(self, utterance: str) -> None:
        """An utterance is part of the interviewer's turn that is open while it sounds."""
        for number, turn in reversed(self.turns.items()):
            if turn.started.speaker == "interviewer" and turn.ended is None:
                self.utterances[utterance] = replace(self.utterances[utterance], turn=number)
                return

    def _voiced(self, until: Media) -> list[Span]:
        since = self.voice_since
        return [Span(since, until)] if since is not None and until > since else []

    def _settle(self) -> None:
        """In a session that broke off, the words that were heard last were never committed: better doubtful than lost."""
        heard, self.unsettled = self.unsettled, None
        if heard is None or not heard.words or self.ended not in {"", "interrupted"}:
            return
        if all(word.end <= heard.words[0].start for word in self.words):
            self._turn(WordsCommitted(at=heard.at, words=heard.words, turn=heard.turn, trusted=False))

    def timeline(self) -> Timeline:
        self._settle()
        turns = tuple(
            sorted((self._finished(turn) for turn in self.turns.values()), key=lambda turn: (turn.start, turn.number))
        )
        speech = tuple(merged([*self.speech, *self._voiced(self.media)]))
        held = [Span(turn.start, turn.end) for turn in turns if turn.speaker == "interviewer"]
        lost = [Span(gap.start, Media(max(gap.start, gap.end))) for gap in self.gaps]
        return Timeline(
            turns=turns,
            utterances=tuple(self.utterances.values()),
            words=tuple(sorted(self.words, key=lambda word: word.start)),
            speech=speech,
            pauses=tuple(pauses(speech, held, self.media, lost=lost)),
            flags=gravest(self.flags),
            sections=tuple(self._sections()),
            gaps=tuple(self.gaps),
            interruptions=tuple(self.interruptions),
            notes=tuple(sorted(self.notes, key=lambda note: note.media)),
            failures=tuple(self.failures),
            questions=tuple(self._asked(asked) for asked in self.questions),
            ended=self.ended,
            duration=self.media,
            elapsed=self.at,
            differences=self.ledger.differences() if self.ledger is not None else (),
        )

    def _finished(self, turn: _OpenTurn) -> Turn:
        started, ended = turn.started, turn.ended
        words = tuple(sorted(turn.words, key=lambda word: word.start))
        heard = [said.heard for said in self.utterances.values() if said.turn == started.turn]
        return Turn(
            speaker=started.speaker,
            number=started.turn,
            start=started.media,
            end=Media(max(started.media, ended.media if ended else self.media)),
            reason=ended.reason if ended else "",
            words=words,
            text=text_of(words) if started.speaker == "candidate" else joined(heard),
            trusted=turn.trusted,
        )

    def _sections(self) -> Iterator[Section]:
        ends = [(changed.at, media) for changed, media in self.sections[1:]] + [(self.at, self.media)]
        for (changed, start), (at, end) in zip(self.sections, ends, strict=False):
            seconds = max(0.0, at - changed.at)
            yield Section(
                section=changed.section, budget=changed.budget, seconds=seconds, start=start, end=Media(max(start, end))
            )

    def _asked(self, asked: QuestionAsked) -> Question:
        said = self.utterances.get(asked.of)
        return Question(question=asked.question, text=asked.text, of=asked.of, media=said.media if said else None)
