"""What the candidate said: cuts speech into segments, asks for their transcripts, and commits words that stay.

A segment opens when speech begins. At each lull, the first moment of silence, a quick draft of it is asked for: whether the
turn is over is decided by that. It is decoded in pieces of a few seconds, so that the last one is known soon however long the
answer is. If speech resumes soon and the segment is short, it grows, since the recogniser hears long stretches better;
otherwise it is closed and decoded with the full window, off the critical path, and those words are committed. Live captions
are another machine's (`captions.py`).
"""

from __future__ import annotations

from voiceprep.core.events import (
    Draft,
    DraftReady,
    EchoDropped,
    EdgeFailed,
    Event,
    FloorYielded,
    PauseSpeaking,
    QuietPoint,
    ResumeSpeaking,
    SessionClosing,
    Transcribe,
    TranscriptReady,
    TurnEnded,
    TurnHandedOver,
    TurnStarted,
    VoiceLulled,
    VoiceStarted,
    VoiceStopped,
    Word,
    WordsCommitted,
    WordsHeard,
)
from voiceprep.core.listening.echo import OwnVoice
from voiceprep.core.listening.segment import Piece, Segment, clamp
from voiceprep.core.policy import Policy
from voiceprep.core.units import At, Media, MediaClock, Span

RECENT = 0.8
"""Seconds before the interviewer falls silent in which the sound that silenced it began, padding included."""
SILENCE_LEVEL = -120.0
"""dBFS given to the middle of a real gap, so that it beats any quiet point inside speech."""


class Hearing:
    """Facts of voice activity and transcripts in; decode commands and words out."""

    def __init__(self, policy: Policy, clock: MediaClock, listening: frozenset[str] = frozenset()) -> None:
        """`listening`: what people say to show that they listen; from the interviewer's mouth it is no word of an answer."""
        self._policy = policy
        self._clock = clock
        self._turn = 0
        self._handed_over = False
        """This answer is over by key, and nobody has gone on since."""
        self._count = 0
        self._open: Segment | None = None
        self._closed: list[Segment] = []
        self._own = OwnVoice(listening)
        self._sound_from = Media(0.0)
        """Where a sound over the interviewer may have begun at the earliest."""
        self._over = not policy.recogniser

    # --- when to be woken -----------------------------------------------------------------------------------------------

    @property
    def deadline(self) -> At | None:
        segment = self._open
        if segment is None or self._over:
            return None
        if segment.voiced_from is None:
            return self._clock.at(Media(segment.end + self._policy.settle))
        return self._clock.at(Media(segment.start + self._policy.segment_max))

    def wake(self, at: At) -> list[Event]:
        segment = self._open
        assert segment is not None
        return self._close(segment, at) if segment.voiced_from is None else self._split(segment, at)

    # --- facts ----------------------------------------------------------------------------------------------------------

    def handle(self, event: Event) -> list[Event]:
        self._own.handle(event)
        match event:
            case _ if self._over:
                return self._answered(event)
            case VoiceStarted(speaker="candidate"):
                return self._voice_started(event)
            case VoiceStopped(speaker="candidate"):
                return self._voice_stopped(event)
            case VoiceLulled() if self._open is not None and self._open.voiced_from is not None:
                return self._draft_asked(self._open, event.media, event.at, eager=True)
            case QuietPoint():
                if self._open is not None:
                    self._open.quiet.append((event.media, event.level))
            case TurnStarted(speaker="candidate"):
                self._turn, self._handed_over = event.turn, False
                if self._open is not None and not self._open.turn:
                    self._open.turn = event.turn
            case FloorYielded():  # most likely all was said: have it written down while the reply is prepared
                return self._close_all(event.at)
            case TurnEnded(speaker="candidate"):
                out = self._close_all(event.at)
                self._turn, self._handed_over = 0, False
                return out
            case TurnHandedOver() if not self._handed_over:  # one press is enough: a second one would cut a word in two
                self._handed_over = True
                return self._hand_over(event.at)
            case PauseSpeaking():
                self._sound_from = Media(self._clock.media(event.at) - RECENT)
            case ResumeSpeaking():
                return self._set_aside(event.at)
            case SessionClosing():
                out = self._close_all(event.at, final=True)
                self._over = True
                return out
            case _:
                return self._answered(event)
        return []

    def _answered(self, event: Event) -> list[Event]:
        """Answers are taken to the very end: the last words are committed while the session closes."""
        match event:
            case DraftReady():
                return self._draft(event)
            case TranscriptReady():
                return self._transcript(event.of, event.words, trusted=event.trusted, at=event.at)
            case EdgeFailed() if event.of:
                return self._failed(event)
            case _:
                return []

    def _voice_started(self, event: VoiceStarted) -> list[Event]:
        out: list[Event] = []
        self._handed_over = False
        segment = self._open
        if segment is not None and segment.regions and segment.end - segment.start >= self._policy.segment_enough:
            out += self._close(segment, event.at)
            segment = None
        if segment is None:
            before = self._closed[-1].end if self._closed else Media(0.0)
            start = Media(max(before, event.media - self._policy.pad, 0.0))
            segment = self._open = Segment(start=start, turn=self._turn)
        elif segment.regions:
            gap = Media((segment.end + event.media) / 2)
            segment.quiet.append((gap, SILENCE_LEVEL))
        segment.voiced_from = event.media
        return out

    def _voice_stopped(self, event: VoiceStopped) -> list[Event]:
        segment = self._open
        if segment is None or segment.voiced_from is None:
            return []
        if event.media <= segment.start:  # it was begun, by key or split, behind the true end of speech: it holds none
            self._open = None
            return []
        segment.regions.append(Span(segment.voiced_from, Media(max(segment.voiced_from, event.media))))
        segment.voiced_from = None
        return [] if segment.drafted_until(segment.end) else self._draft_asked(segment, segment.end, event.at)

    # --- segments -------------------------------------------------------------------------------------------------------

    def _draft_asked(self, segment: Segment, end: Media, at: At, *, eager: bool = False) -> list[Event]:
        """Have the speech up to `end` drafted. An eager draft is of speech that may go on: one of those at a time."""
        last = segment.pieces[-1] if segment.pieces else None
        if not self._policy.drafts or (eager and last is not None and last.words is None):
            return []
        start, before = segment.start if last is None else last.start, tuple[Word, ...]()
        kept = last is not None and last.words is not None and last.end - last.start >= self._policy.draft_enough
        if last is not None and kept:
            start = segment.voice_after(last.end, self._policy.pad)
        if end <= start:  # the detector is late: that end lies before the place where this stretch was begun
            return []
        if last is not None and not kept:
            before = last.before if last.words is None else last.words
            segment.pieces.pop()
        piece = Piece(self._id("d"), start, end, before)
        segment.pieces.append(piece)
        padded = Media(end + self._policy.pad)
        return [Draft(at=at, id=piece.draft, start=start, end=padded, turn=self._turn_of(segment))]

    def _split(self, segment: Segment, at: At) -> list[Event]:
        """Unbroken speech has become too long for the recogniser's window: cut it where it is quietest."""
        latest = Media(segment.start + self._policy.segment_max)
        cut = segment.quietest(Media(latest - self._policy.segment_search), latest)
        rest = segment.cut(cut)
        out = self._close(segment, at, end=cut)
        self._open = rest
        return out

    def _close(self, segment: Segment, at: At, end: Media | None = None) -> list[Event]:
        """Nothing will be added to this segment any more: have its words of record decoded."""
        if self._open is segment:
            self._open = None
        if end is None:
            end = Media(segment.end + self._policy.pad)
        segment.transcript = self._id("t")
        self._closed.append(segment)
        return [Transcribe(at=at, id=segment.transcript, start=segment.start, end=end, turn=self._turn_of(segment))]

    def _hand_over(self, at: At) -> list[Event]:
        """The answer is over by key. What is decided next needs its words now; what still sounds is kept for the record."""
        segment = self._open
        if segment is None:
            return []
        out = self._close_all(at)
        return out if segment.drafted_until(segment.end) else [*self._draft_asked(segment, segment.end, at), *out]

    def _close_all(self, at: At, *, final: bool = False) -> list[Event]:
        """Close the open segment. Speech that still sounds goes on in a new one, unless nothing is heard any more.

        One that was begun just now, shorter than the padding, holds no word: it stays open, or is dropped in the end.
        """
        segment = self._open
        if segment is None:
            return []
        voiced = segment.voiced_from
        if voiced is None:
            return self._close(segment, at)
        now = Media(max(voiced, self._clock.media(at)))
        if now - segment.start < self._policy.pad:
            if final:
                self._open = None
            return []
        segment.regions.append(Span(voiced, now))
        segment.voiced_from = None
        out = self._close(segment, at, end=now)
        if not final:
            self._open = Segment(start=now, turn=segment.turn, voiced_from=now)
        return out

    def _turn_of(self, segment: Segment) -> int:
        return 0 if segment.aside else segment.turn or self._turn

    def _set_aside(self, at: At) -> list[Event]:
        """The interviewer goes on: the sound that it fell silent for is kept in the record, and is nobody's answer."""
        segment = self._open
        if segment is None or segment.voiced_from is not None or segment.start < self._sound_from:
            return []
        segment.aside = True
        return self._close(segment, at)

    def _id(self, kind: str) -> str:
        self._count += 1
        return f"{kind}{self._count}"

    # --- words ----------------------------------------------------------------------------------------------------------

    def _draft(self, event: DraftReady) -> list[Event]:
        for segment in [*self._closed, *([self._open] if self._open is not None else [])]:
            for piece in segment.pieces:
                if piece.draft == event.of:
                    piece.words = self._own.left(clamp(event.words, segment.voiced_in(piece)))
                    return self._heard(self._turn_of(segment), event.at)
        return []  # the segment has grown since: a newer draft will come

    def _heard(self, turn: int, at: At) -> list[Event]:
        """What of this turn is known and not committed."""
        segments = [*self._closed, *([self._open] if self._open is not None else [])]
        mine = [s for s in segments if self._turn_of(s) == turn]
        words = [word for s in mine for word in (s.drafted if s.words is None else s.words)]
        return [WordsHeard(at=at, words=tuple(words), turn=turn)]

    def _transcript(self, of: str, words: tuple[Word, ...] | None, *, trusted: bool, at: At) -> list[Event]:
        """The words of record of a segment are here, or will never be (None): then its draft is all there is.

        Committed from the oldest on: order is never given up.
        """
        out: list[Event] = []
        for segment in self._closed:
            if segment.transcript == of:
                heard = segment.drafted if words is None else clamp(words, segment.regions)
                segment.words = self._own.left(heard)
                segment.trusted = trusted
                if len(segment.words) < len(heard):
                    echo = tuple(word for word in heard if word not in segment.words)
                    out.append(EchoDropped(at=at, words=echo, turn=self._turn_of(segment)))
        while self._closed and self._closed[0].words is not None:
            done = self._closed.pop(0)
            turn = self._turn_of(done)
            if done.words:
                out.append(WordsCommitted(at=at, words=done.words, turn=turn, trusted=done.trusted))
            out += self._heard(turn, at)
        return out

    def _failed(self, event: EdgeFailed) -> list[Event]:
        """A decode failed: the recording still has the words, and what comes after is not held up."""
        for segment in [*self._closed, *([self._open] if self._open is not None else [])]:
            for piece in segment.pieces:
                if piece.draft == event.of:
                    piece.words = piece.before
        return self._transcript(event.of, None, trusted=False, at=event.at)
