"""A session's log as if it had been decoded by another recogniser. Pure: the log stays as it is, this is a view of it.

Every word of record is replaced, and nothing else: turns, silences, flags and what the interviewer did are as they were, since
they happened. A passage that the first recogniser failed on, or never got to, has its words now.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from voiceprep.core.events import (
    EchoDropped,
    EdgeFailed,
    Event,
    HeldSound,
    SessionClosing,
    SessionEnded,
    Transcribe,
    TranscriptReady,
    TurnStarted,
    VoiceStarted,
    VoiceStopped,
    Word,
    WordsCommitted,
)
from voiceprep.core.listening.echo import OwnVoice
from voiceprep.core.listening.pauses import merged
from voiceprep.core.listening.segment import clamp
from voiceprep.core.units import At, Media, Seconds, Span

LONGEST: Seconds = 24.0
"""A passage fits the recogniser's window."""
SHORTEST: Seconds = 0.15
"""Speech outside of every passage that is worth one."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch to decode. `of` is the `Transcribe` that asked for it in the session, or "": nobody did."""

    of: str
    start: Media
    end: Media
    turn: int


@dataclass(frozen=True, slots=True)
class Decoded:
    """What was written down of a passage."""

    passage: Passage
    words: tuple[Word, ...]
    trusted: bool = True
    reasons: tuple[str, ...] = ()


def passages(events: Sequence[Event]) -> list[Passage]:
    """What there is to decode in a session, in order: what was decoded for the record, and voiced stretches that never were.

    A session that ran without a recogniser has only the latter.
    """
    committed = [event for event in events if isinstance(event, WordsCommitted)]
    asked = [Passage(each.id, each.start, each.end, _turn(each, committed)) for each in events if isinstance(each, Transcribe)]
    taken = [Span(each.start, Media(max(each.start, each.end))) for each in asked]
    turns = [event for event in events if isinstance(event, TurnStarted) and event.speaker == "candidate"]
    missed = [Passage("", part.start, part.end, _turn_at(part.start, turns)) for part in _outside(_speech(events), taken)]
    return sorted([*asked, *missed], key=lambda passage: passage.start)


def redecoded(events: Sequence[Event], decoded: Sequence[Decoded]) -> tuple[Event, ...]:
    """The events with these words of record in place of theirs."""
    return tuple(_replaced(events, {each.passage.of: each for each in decoded if each.passage.of}, decoded))


def _replaced(events: Sequence[Event], asked: dict[str, Decoded], decoded: Sequence[Decoded]) -> Iterator[Event]:
    speech = _speech(events)
    own = OwnVoice()
    waiting = dict(asked)
    missed = [each for each in decoded if not each.passage.of]
    for event in events:
        own.handle(event)
        match event:
            case WordsCommitted() | EchoDropped():
                continue
            case TranscriptReady() | EdgeFailed() if event.of in waiting:
                held = event.held if isinstance(event, TranscriptReady) else ()
                yield from _answer(waiting.pop(event.of), event.at, own, speech, held)
                continue
            case SessionClosing() | SessionEnded():
                late = [*waiting.values(), *missed]
                waiting.clear()
                missed = []
                for each in late:
                    yield from _answer(each, event.at, own, speech)
            case _:
                pass
        yield event
    last = events[-1].at if events else At(0.0)
    for each in (*waiting.values(), *missed):  # the log broke off
        yield from _answer(each, last, own, speech)


def _answer(found: Decoded, at: At, own: OwnVoice, speech: Sequence[Span], held: tuple[HeldSound, ...] = ()) -> Iterator[Event]:
    passage = found.passage
    inside = [span for span in speech if span.end > passage.start and span.start < passage.end]
    words = clamp(found.words, inside)
    if passage.of:
        yield TranscriptReady(at=at, of=passage.of, words=found.words, trusted=found.trusted, reasons=found.reasons, held=held)
    left = own.left(words)
    if len(left) < len(words):
        yield EchoDropped(at=at, words=tuple(word for word in words if word not in left), turn=passage.turn)
    if left:
        yield WordsCommitted(at=at, words=left, turn=passage.turn, trusted=found.trusted)


def _turn(asked: Transcribe, committed: Sequence[WordsCommitted]) -> int:
    """The turn that the words of this passage went to: a sound that was set aside belongs to none."""
    for event in committed:
        if event.words and asked.start <= event.words[0].start < asked.end:
            return event.turn
    return asked.turn


def _turn_at(media: Media, turns: Sequence[TurnStarted]) -> int:
    """The candidate's turn that this is in, or 0."""
    return next((event.turn for event in reversed(turns) if event.media <= media + SHORTEST), 0)


def _speech(events: Sequence[Event]) -> list[Span]:
    found: list[Span] = []
    since: Media | None = None
    for event in events:
        match event:
            case VoiceStarted(speaker="candidate"):
                since = event.media
            case VoiceStopped(speaker="candidate") if since is not None and event.media > since:
                found.append(Span(since, event.media))
                since = None
            case _:
                pass
    return merged(found)


def _outside(speech: Sequence[Span], taken: Sequence[Span]) -> Iterator[Span]:
    """Voiced stretches that no passage covers, cut to what a recogniser takes at once."""
    for span in speech:
        left = [span]
        for out in taken:
            left = [
                Span(start, end)
                for part in left
                for start, end in ((part.start, min(part.end, out.start)), (max(part.start, out.end), part.end))
                if start < end
            ]
        for part in left:
            if part.duration >= SHORTEST:
                yield from _cut(part)


def _cut(span: Span) -> Iterator[Span]:
    at = span.start
    while at < span.end:
        end = Media(min(span.end, at + LONGEST))
        yield replace(span, start=at, end=end)
        at = end
