"""Live captions: the text of speech whose transcript of record is not here yet.

Captions are only shown, nothing is decided by them. So they are a machine of their own, and derive what they need from what
every machine is handed: voice activity says when somebody speaks, `Draft` and `Transcribe` what is decoded for others.

Unfinished speech is decoded again and again. Words firm up where two hypotheses in a row agree (LocalAgreement-2), and stay
as they are until a draft or the record takes their place. The recogniser is told the firm words and goes on from there, so
none is doubled, and the window moves on behind them, so that a decode costs the same however long the speech is. Where the
machine is too slow for that, captions come more rarely, from shorter windows, and say how far they are behind.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from voiceprep.core.events import (
    CaptionChanged,
    CaptionsBehind,
    Draft,
    DraftReady,
    EdgeFailed,
    Event,
    HypothesisReady,
    Hypothesize,
    QuietPoint,
    SessionClosing,
    Transcribe,
    TranscriptReady,
    TurnStarted,
    VoiceStarted,
    VoiceStopped,
    Word,
)
from voiceprep.core.listening.backlog import Backlog
from voiceprep.core.listening.echo import OwnVoice
from voiceprep.core.listening.segment import clamp
from voiceprep.core.policy import Policy
from voiceprep.core.text import text_of
from voiceprep.core.units import At, Media, MediaClock, Seconds, Span

CHANCES = 3
"""Captions that fail in a row before no more are asked for."""
KNOWN = 2
"""Firm words that stay in the window at least: the recogniser finds the place from which to go on by them."""
GAP_LEVEL = -120.0
"""dBFS given to a real gap between two stretches of voice, so that it beats any quiet point inside speech."""
MARKS = ".,?!;:…，。？！；：、"


def agree(before: tuple[Word, ...], now: tuple[Word, ...]) -> int:
    """How many leading words two hypotheses have in common, whatever their case and punctuation."""
    count = 0
    for old, new in zip(before, now, strict=False):
        if _bare(old.text) != _bare(new.text):
            break
        count += 1
    return count


def _bare(text: str) -> str:
    return "".join(ch for ch in text.lower() if ch.isalnum())


def _middle(word: Word) -> float:
    return (word.start + word.end) / 2


def _before(words: tuple[Word, ...], place: Media) -> int:
    """How many leading words lie before this place."""
    return next((n for n, word in enumerate(words) if _middle(word) >= place), len(words))


@dataclass(frozen=True, slots=True)
class _Shown:
    """What was shown of a stretch whose transcript of record is on its way."""

    span: Span
    turn: int
    words: tuple[Word, ...]

    def drafted(self, span: Span, words: tuple[Word, ...]) -> _Shown:
        first, last = _before(self.words, span.start), _before(self.words, span.end)
        return replace(self, words=(*self.words[:first], *words, *self.words[last:]))


class Captions:
    """Facts of voice activity and decodes in; `Hypothesize`, `CaptionChanged` and `CaptionsBehind` out."""

    def __init__(self, policy: Policy, clock: MediaClock) -> None:
        self._policy = policy
        self._clock = clock
        self._over = not (policy.recogniser and policy.captions)
        self._turn = 0
        self._count = 0
        self._failures = 0
        self._recorded = Media(0.0)
        """Up to here transcripts of record have been asked for."""
        self._pending: dict[str, _Shown] = {}
        """By the ids of the transcripts."""
        self._drafts: dict[str, Span] = {}
        self._backlog = Backlog(policy)
        self._start: Media | None = None
        """Where the speech begins that no `Transcribe` covers; None when there is none."""
        self._voiced_from: Media | None = None
        self._stopped = Media(0.0)
        self._voiced: list[Span] = []
        """What was voiced from the window's start on, but for what `_voiced_from` begins."""
        self._from = Media(0.0)
        """Where the window begins that is decoded next."""
        self._places: list[tuple[float, Media]] = []
        """Quiet places of the window: level, place."""
        self._settled: tuple[Word, ...] = ()
        """Firm words before the window."""
        self._firm: tuple[Word, ...] = ()
        """... and those inside it."""
        self._tentative: tuple[Word, ...] = ()
        self._asked: Hypothesize | None = None
        """The hypothesis that is being decoded."""
        self._next = Media(0.0)
        """Where in the recording the next hypothesis is due."""
        self._took: Seconds = 0.0
        """How long hypotheses take just now."""
        self._own = OwnVoice()

    # --- when to be woken -----------------------------------------------------------------------------------------------

    @property
    def deadline(self) -> At | None:
        if self._over:
            return None
        due = min(self._due(), self._backlog.due(sounding=self._sounding))
        return self._clock.at(Media(due)) if due < float("inf") else None

    def wake(self, at: At) -> list[Event]:
        if at < self._clock.at(Media(self._due())):
            return self._tell(at)
        now = self._clock.media(at)
        self._shorten(now)
        self._count += 1
        known = text_of(self._firm).rstrip(MARKS)  # the last mark is a guess as long as the sentence may go on
        self._asked = Hypothesize(at=at, id=f"h{self._count}", start=self._from, end=now, known=known)
        self._next = Media(now + self._interval)
        return [self._asked]

    def _due(self) -> float:
        """A draft that is on its way says the same, and better: while one is, nothing is asked for."""
        return self._next if self._voiced_from is not None and self._asked is None and not self._drafts else float("inf")

    @property
    def _sounding(self) -> bool:
        return self._voiced_from is not None or bool(self._drafts)

    @property
    def _interval(self) -> Seconds:
        return max(self._policy.caption_every, self._took / self._policy.caption_share)

    # --- facts ----------------------------------------------------------------------------------------------------------

    def handle(self, event: Event) -> list[Event]:
        self._own.handle(event)
        match event:
            case VoiceStarted() | QuietPoint() if self._over:
                pass  # nothing is decoded any more, so nothing need be remembered
            case VoiceStarted(speaker="candidate"):
                self._voice_started(event.media)
            case VoiceStopped(speaker="candidate"):
                if self._voiced_from is not None:
                    self._voiced.append(Span(self._voiced_from, Media(max(self._voiced_from, event.media))))
                self._voiced_from = None
                self._stopped = event.media
            case QuietPoint() if self._start is not None:
                self._places.append((event.level, event.media))
            case Draft():
                self._drafts[event.id] = Span(event.start, Media(max(event.start, event.end)))
            case Transcribe():
                self._hand_over(event)
            case TurnStarted(speaker="candidate"):
                self._turn = event.turn
            case SessionClosing():
                self._over = True
            case _:
                return self._answered(event)
        return []

    def _answered(self, event: Event) -> list[Event]:
        match event:
            case HypothesisReady() if self._asked is not None and event.of == self._asked.id:
                return [] if self._over else self._hypothesis_ready(event, self._asked)
            case DraftReady() if event.of in self._drafts:
                return self._draft_ready(event)
            case TranscriptReady() | EdgeFailed() if event.of in self._pending:
                del self._pending[event.of]
                self._backlog.recorded(event.of)
                return [] if self._over else [self._changed(event.at), *self._tell(event.at)]
            case EdgeFailed():
                self._drafts.pop(event.of, None)
                if self._asked is not None and event.of == self._asked.id:
                    self._asked = None
                    self._failures += 1
                    self._over = self._over or self._failures >= CHANCES
        return []

    def _voice_started(self, media: Media) -> None:
        self._voiced_from = media
        if self._start is None:
            self._start = self._from = Media(max(self._recorded, media - self._policy.pad, 0.0))
            self._places = []
            self._next = Media(media + self._policy.caption_every)
        else:
            self._places.append((GAP_LEVEL, Media((self._stopped + media) / 2)))
            self._next = Media(max(self._next, media + self._policy.caption_every))
        self._backlog.speech(media, after=self._stopped)

    def _hand_over(self, event: Transcribe) -> None:
        """The record takes over up to the end of a stretch; what was shown of it is shown until the record is here."""
        self._recorded = Media(max(self._recorded, event.end))
        goes_on = self._voiced_from is not None or self._stopped > event.end
        place = self._recorded if goes_on else Media(float("inf"))
        self._pending[event.id] = _Shown(Span(event.start, event.end), event.turn, self._leave(place))
        self._backlog.ordered(event.id, event.end)
        self._start = self._recorded if goes_on else None

    def _leave(self, place: Media) -> tuple[Word, ...]:
        """Begin the window at this place or later. Returns the words before it, which are not the window's any more."""
        words = (*self._settled, *self._firm, *self._tentative)
        count = _before(words, place)
        if self._from < place:
            firm = len(self._settled) + len(self._firm)
            self._settled, self._firm, self._tentative = (), words[count:firm], words[max(count, firm) :]
            self._from = place
            self._asked = None  # its answer would go on from words that are gone
        else:
            self._settled = self._settled[count:]
        return words[:count]

    # --- words ----------------------------------------------------------------------------------------------------------

    def _hypothesis_ready(self, event: HypothesisReady, asked: Hypothesize) -> list[Event]:
        self._asked = None
        self._failures = 0
        if event.skipped:
            return []
        took = event.at - asked.at
        self._took = took if not self._took else (self._took + took) / 2
        told = self._tell(event.at, reached=asked.end)
        words = self._own.left(clamp(event.words, self._voiced_in(asked)))
        if not words:  # too unclear just now: what was shown stays
            return told
        count = agree(self._tentative, words)
        self._firm += words[:count]  # in the newer spelling: the older ended in mid-air
        self._tentative = words[count:]
        return [self._changed(event.at), *told]

    def _voiced_in(self, asked: Hypothesize) -> list[Span]:
        """Where words can be: the recogniser has the first of a window begin with the silence before it.

        With its place there, it would count as said before the draft that has it, and be shown beside it.
        """
        self._voiced = [region for region in self._voiced if region.end > self._from]
        going_on = [] if self._voiced_from is None else [Span(self._voiced_from, Media(max(self._voiced_from, asked.end)))]
        return [*self._voiced, *going_on]

    def _draft_ready(self, event: DraftReady) -> list[Event]:
        """A draft was decoded up to a pause: its words take the place of all that was shown of its stretch."""
        span = self._drafts.pop(event.of)
        if self._over:
            return []
        words = self._own.left(event.words)
        end = Media(max(span.start, span.end - self._policy.pad))
        owed = [(of, shown) for of, shown in self._pending.items() if shown.span.overlap(span) > span.duration / 2]
        for of, shown in owed:
            self._pending[of] = shown.drafted(span, words)
        if not owed and self._start is not None:
            shown_before = (*self._settled, *self._firm)
            kept = shown_before[: _before(shown_before, span.start)]
            self._leave(end)
            self._settled = (*kept, *words, *self._settled)
            self._next = Media(max(self._next, end + self._policy.caption_every))
        return [self._changed(event.at), *self._tell(event.at, reached=end)]

    def _shorten(self, now: Media) -> None:
        """Move the window's start to the quietest place behind firm words, so that it does not grow with the speech."""
        policy = self._policy
        pace = min(1.0, policy.caption_every / self._took) if self._took else 1.0
        window = max(policy.caption_window_least, policy.caption_window * pace)
        if now - self._from <= window:
            return
        latest = now - window / 2
        if len(self._firm) > KNOWN:
            latest = min(latest, self._firm[-KNOWN].start)
            fit = [place for place in self._places if self._from < place[1] <= latest]
            # the later half leaves a short window; the earlier is better than a word that is cut
            late = [place for place in fit if place[1] >= now - window] or fit
            if late:
                self._settle(min(late)[1])
        if now - self._from > 2 * policy.caption_window:  # nothing was understood: what is said next may be
            self._settle(Media(now - window))
            self._tentative = ()

    def _settle(self, place: Media) -> None:
        count = _before(self._firm, place)
        self._settled += self._firm[:count]
        self._firm = self._firm[count:]
        self._from = place
        self._places = [found for found in self._places if found[1] > place]

    # --- what is told ---------------------------------------------------------------------------------------------------

    def _changed(self, at: At) -> CaptionChanged:
        """Earlier answers are not shown any more, whether their record is here or not."""
        shown = [shown for shown in self._pending.values() if shown.turn in {0, self._turn}]
        before = tuple(word for part in shown for word in part.words)
        return CaptionChanged(at=at, firm=(*before, *self._settled, *self._firm), tentative=self._tentative)

    def _tell(self, at: At, reached: Media | None = None) -> list[Event]:
        seconds = self._backlog.told(self._clock.media(at), reached, sounding=self._sounding)
        return [] if seconds is None else [CaptionsBehind(at=at, seconds=seconds)]
