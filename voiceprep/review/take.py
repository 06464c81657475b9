"""A take of a drill, from its log: what was said to which step and when, and what came of it.

The log and the recording are all that is needed, so a take that a crash left without its result gets it later.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import soundfile  # type: ignore[import-untyped]

from voiceprep.audio.base import RATE
from voiceprep.core.drills.drill import REPLY_UP, TIME_UP
from voiceprep.core.drills.take import Floor, FloorEnd, Raised, Take
from voiceprep.core.events import (
    ClockStarted,
    CueGiven,
    Event,
    Interrupted,
    MoveChosen,
    MoveWithdrawn,
    QuestionAsked,
    SessionEnded,
    SpeakingFinished,
    SpeakingStarted,
    TranscriptReady,
    TurnEnded,
    TurnStarted,
    WordsCommitted,
)
from voiceprep.core.listening.filled_pauses import find_fillers
from voiceprep.core.text import text_of
from voiceprep.core.timeline import Timeline, fold
from voiceprep.core.units import Media, Seconds, Span
from voiceprep.review.quality import Doubts, judge_transcript
from voiceprep.speech.fillers import HeldSound, HeldSounds
from voiceprep.store import track
from voiceprep.store.header import Header

EARLY: Seconds = 0.5
"""A word may be placed so much before the voice that says it."""


@dataclass(slots=True)
class _Line:
    """A line of the interviewer's that opened a step, or the closing one (`step` is "")."""

    step: str
    text: str
    begun: Media
    over: Media | None = None


@dataclass(slots=True)
class _Notes:
    """What the log says of the interviewer's lines and of how replies ended."""

    media: Media = Media(0.0)  # noqa: RUF009 - a number
    lines: dict[str, _Line] = field(default_factory=dict)
    clocks: dict[str, Media] = field(default_factory=dict)
    ends: list[tuple[Media, FloorEnd]] = field(default_factory=list)
    cues: list[tuple[str, Media]] = field(default_factory=list)
    untrusted: list[Span] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)

    def take(self, event: Event) -> None:
        self.media = max(self.media, getattr(event, "media", self.media))
        match event:
            case QuestionAsked():
                self.lines = {of: line for of, line in self.lines.items() if line.step != event.question}
                self.lines[event.of] = _Line(event.question, event.text, self.media)
            case MoveChosen(move="close"):
                self.lines[event.of] = _Line("", "", self.media)
            case MoveWithdrawn():
                self.lines.pop(event.of, None)
            case SpeakingStarted() if event.of in self.lines:
                self.lines[event.of].begun = event.media
            case SpeakingFinished() if event.of in self.lines:
                self.lines[event.of].over = event.media
            case ClockStarted():
                self.clocks[event.step] = event.media
            case CueGiven():
                self.cues.append((event.cue, event.media))
            case TranscriptReady():
                self.doubts += event.reasons
            case WordsCommitted(trusted=False) if event.words:
                self.untrusted.append(Span(event.words[0].start, max(word.end for word in event.words)))
            case _:
                self._end(event)

    def _end(self, event: Event) -> None:
        match event:
            case Interrupted(by="interviewer"):
                self.ends.append((event.media, "limit" if event.reason in {TIME_UP, REPLY_UP} else "interrupted"))
            case TurnStarted(speaker="candidate"):  # who goes on has not ended the answer yet, whatever ended the turn before
                self.ends.append((event.media, ""))
            case TurnEnded(speaker="candidate", reason="no-words") if self.ends and not self.ends[-1][1]:
                self.ends.pop()
            case TurnEnded(speaker="candidate", reason="yielded"):
                self.ends.append((event.media, "yielded"))
            case TurnEnded(speaker="candidate", reason="handed-over"):
                self.ends.append((event.media, "key"))
            case SessionEnded(reason="audio-ended"):
                self.ends.append((self.media, "audio-ended"))
            case SessionEnded(reason="completed"):
                self.ends.append((self.media, "yielded"))
            case SessionEnded(reason="time-up"):
                self.ends.append((self.media, "limit"))
            case _:
                pass


def take_of(
    header: Header,
    events: Sequence[Event],
    prompt: str,
    *,
    sounds: Sequence[HeldSound] = (),
    prior: str | None = None,
    earlier: Take | None = None,
) -> Take:
    """What a take is judged by.

    Args:
        header: of its log.
        events: of its log, as far as they go.
        prompt: id of the prompt that was given.
        sounds: the held sounds of the recording: fillers that no recogniser wrote down.
        prior: what was said in the take before, where there is one.
        earlier: the interrupted take that this one takes up again: its floors come first, at times below 0.
    """
    notes = _Notes()
    for event in events:
        notes.take(event)
    timeline = fold(events)
    recognised = bool(header.policy.get("recogniser", True))
    floors = tuple(_floors(notes, timeline))
    spoken = [region for floor in floors for region in floor.speech]
    said = [word for floor in floors for word in floor.words]
    quality = judge_transcript(said, spoken, Doubts(notes.untrusted, notes.doubts), recognised=recognised)
    found = find_fillers(timeline.words, sounds, timeline.speech, language=header.language, recognised=recognised)
    take = Take(
        prompt=prompt,
        language=header.language,
        floors=floors,
        cues=tuple(notes.cues),
        flags=tuple(Raised(rule=flag.rule, level=flag.level, span=Span(flag.start, flag.end)) for flag in timeline.flags),
        fillers=tuple(Span(one.start, one.end) for one in found) if recognised or sounds else None,
        recognised=recognised,
        trusted=quality.trusted,
        prior=prior,
    )
    return take if earlier is None else joined(earlier, take)


def joined(earlier: Take, take: Take) -> Take:
    """A take that was taken up again: what came before stands at times below 0, its last moment at 0."""
    again = {floor.step for floor in take.floors}
    length = max((floor.end for floor in earlier.floors), default=Media(0.0))
    before = tuple(_moved(floor, length) for floor in earlier.floors if floor.step not in again)
    fillers = None if take.fillers is None else take.fillers
    if fillers is not None and earlier.fillers is not None:
        fillers = (*(_shifted(one, length) for one in earlier.fillers), *fillers)
    return replace(
        take,
        floors=(*before, *take.floors),
        cues=(*((cue, Media(at - length)) for cue, at in earlier.cues), *take.cues),
        flags=(*(replace(flag, span=_shifted(flag.span, length)) for flag in earlier.flags), *take.flags),
        fillers=fillers,
        trusted=take.trusted and earlier.trusted,
    )


def said_in(take: Take) -> str:
    """All that the candidate said in a take."""
    return text_of([word for floor in take.floors for word in floor.words])


def held_sounds_of(folder: Path) -> tuple[HeldSound, ...]:
    """The held sounds of a session's recording; none where it has no recording. Bounded in memory, a thread's work."""
    path = track.audio(folder, "candidate")
    if path is None:
        return ()
    held = HeldSounds()
    for block in soundfile.blocks(str(path), blocksize=RATE * 10, dtype="float32"):
        held.feed(block)
    return held.flush()


# --- floors -------------------------------------------------------------------------------------------------------------


def _floors(notes: _Notes, timeline: Timeline) -> Iterator[Floor]:
    lines = sorted(notes.lines.values(), key=lambda line: line.begun)
    for number, line in enumerate(lines):
        if not line.step or line.over is None:
            continue  # the closing line, or one that the session did not live to hear the end of
        following = lines[number + 1] if number + 1 < len(lines) else None
        end = Media(max(line.over, following.begun if following is not None else notes.media))
        start = notes.clocks.get(line.step)
        speech = tuple(_inside(timeline.speech, start, end)) if start is not None else ()
        # Who is broken into may finish the sentence over the line: those words still belong to this floor.
        until = following.over if following is not None and following.over is not None else end
        words = tuple(
            word
            for word in timeline.words
            if start is not None and start - EARLY <= (word.start + word.end) / 2 < max(end, until)
        )
        yield Floor(
            step=line.step,
            question=line.text,
            asked=line.over,
            start=start,
            end=end,
            words=words,
            speech=speech,
            reason=_reason(notes.ends, line.over, end),
        )


def _inside(regions: Iterable[Span], start: Media, end: Media) -> Iterator[Span]:
    for region in regions:
        low, high = max(region.start, start), min(region.end, end)
        if low < high:
            yield Span(low, high)


def _reason(ends: Sequence[tuple[Media, FloorEnd]], asked: Media, end: Media) -> FloorEnd:
    """How the floor ended: what was told first of the interviewer's breaking in, else what was told last."""
    inside = [reason for at, reason in ends if asked <= at <= end]
    taken = next((reason for reason in inside if reason in {"interrupted", "limit"}), None)
    return taken or (inside[-1] if inside else "")


def _shifted(span: Span, by: Seconds) -> Span:
    return Span(Media(span.start - by), Media(span.end - by))


def _moved(floor: Floor, by: Seconds) -> Floor:
    return replace(
        floor,
        asked=Media(floor.asked - by),
        start=Media(floor.start - by) if floor.start is not None else None,
        end=Media(floor.end - by),
        words=tuple(replace(word, start=Media(word.start - by), end=Media(word.end - by)) for word in floor.words),
        speech=tuple(_shifted(region, by) for region in floor.speech),
    )
