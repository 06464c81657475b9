"""Plays a recording to the same machines that a live session runs, without an interviewer.

The recording is one floor: it belongs to the candidate from the first speech to the end, unless it is known what an
interviewer said in it (`exchange.py`). Time is media time, as in a session
that listens to a file, so speech is cut, transcribed and flagged at the same places.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from voiceprep.audio.base import BLOCK, RATE, Samples
from voiceprep.audio.blocks import BlockCutter
from voiceprep.audio.recent import Recent
from voiceprep.core.conductor import Conductor
from voiceprep.core.events import (
    AudioProgress,
    EdgeFailed,
    Event,
    Fact,
    Language,
    QuietPoint,
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
from voiceprep.core.pack import Content, PacingRule, Question, tongue_of
from voiceprep.core.policy import Policy
from voiceprep.core.units import At, Media, MediaClock, Seconds
from voiceprep.errors import VoiceprepError
from voiceprep.flags import recording_rules
from voiceprep.review.asked import KnownQuestion
from voiceprep.review.exchange import Line, SharedFloor
from voiceprep.speech.fillers import held_in
from voiceprep.speech.stt.base import Recogniser
from voiceprep.speech.vad.base import Activity, VoiceActivity

BATCH = 64
"""Blocks that are decoded and searched for speech in one go, off the event loop: two seconds of sound."""


def ignore(_: object) -> None:
    """Take something and do nothing with it."""


def policy_for(*, recogniser: bool) -> Policy:
    """The policy of a session, less the live captions that nobody sees."""
    return Policy(recogniser=recogniser, captions=False, drafts=False)


class WholeFloor:
    """The candidate has the floor from the first speech to the end of the recording."""

    def __init__(self, clock: MediaClock) -> None:
        self._clock = clock
        self._taken = False

    @property
    def deadline(self) -> At | None:
        return None

    def wake(self, at: At) -> list[Event]:
        raise AssertionError(f"woken at {at} without having asked for it")

    def handle(self, event: Event) -> list[Event]:
        match event:
            case VoiceStarted() if not self._taken:
                self._taken = True
                return [TurnStarted(at=event.at, speaker="candidate", turn=1, media=event.media)]
            case SessionClosing() if self._taken:
                media = self._clock.media(event.at)
                return [TurnEnded(at=event.at, speaker="candidate", turn=1, media=media, reason="session-ended")]
            case _:
                return []


@dataclass(frozen=True, slots=True)
class Listener:
    """What a recording is listened to with.

    Attributes:
        recogniser: started already, or None: speech is found and flagged, but not written down.
        pacing: the thresholds of the pacing rules, by rule.
        started: the first event, at 0.
        on_event: gets every event in order, as a session's log does.
        on_samples: gets every block of the recording, float32 at `RATE`.
        on_progress: gets the media seconds done so far, a few times a minute of audio.
        lines: what the interviewer said, where the recording has one; the sound is then the candidate's alone.
        question: what it answers, of the round `answers`; None where nobody said.
    """

    activity: VoiceActivity
    recogniser: Recogniser | None
    pacing: Mapping[str, PacingRule]
    started: SessionStarted
    on_event: Callable[[Event], None]
    on_samples: Callable[[Samples], None] = ignore
    on_progress: Callable[[Seconds], None] = ignore
    lines: Sequence[Line] = ()
    question: Question | None = None
    answers: Content | None = None


async def listen(sound: Iterator[Samples], listener: Listener) -> Seconds:
    """Listen to `sound` (pieces of any length at `RATE`) to its end. Returns its duration.

    Raises what reading `sound` raises (BadInputError); a recogniser that fails on a stretch is an `EdgeFailed` event.
    """
    run = _Run(listener)
    await run.take(listener.started)
    batches = _batches(sound, listener.activity)
    while (batch := await asyncio.to_thread(next, batches, None)) is not None:
        for heard in batch:
            await run.hear(heard)
        listener.on_progress(run.media)
    await run.finish()
    return run.media


@dataclass(frozen=True, slots=True)
class _Heard:
    """A block and what the detector noticed in it. Only its first `real` samples are of the recording, the rest is padding."""

    block: Samples | None
    """None at the very end: the detector had something left to say."""
    real: int
    activities: list[Activity]


def _batches(sound: Iterator[Samples], activity: VoiceActivity) -> Iterator[list[_Heard]]:
    """Blocks of the recording with what the detector noticed in each; a last one, which may be short, with its flush."""
    cutter = BlockCutter()
    batch: list[_Heard] = []
    samples = 0
    for piece in sound:
        samples += len(piece)
        for block in cutter.feed(piece):
            batch.append(_Heard(block.samples, BLOCK, activity.feed(block.samples)))
            if len(batch) == BATCH:
                yield batch
                batch = []
    # The detector and the recogniser get whole blocks, as in a session; times end where the recording does.
    batch += [_Heard(block.samples, samples % BLOCK, activity.feed(block.samples)) for block in cutter.flush()]
    batch.append(_Heard(None, 0, activity.flush()))
    yield batch


class _Run:
    """One pass over a recording."""

    def __init__(self, listener: Listener) -> None:
        clock = MediaClock()
        policy = policy_for(recogniser=listener.recogniser is not None)
        language = listener.started.language
        machines: list[Machine] = [
            Hearing(policy, clock),
            SharedFloor(clock, listener.lines, tongue_of(language)) if listener.lines else WholeFloor(clock),
        ]
        if listener.question is not None:
            machines.append(KnownQuestion(listener.question, tongue_of(language), listener.lines))
        answers = listener.answers if listener.question is not None else None
        machines += recording_rules(listener.pacing, language, clock, answers=answers)
        self._conductor = Conductor(machines, clock, policy)
        self._listener = listener
        self._language: Language = language
        self._recent = Recent()
        self._samples = 0
        self._progress = 0.0
        self._begun = 0
        self._sounding: deque[tuple[str, Line]] = deque()

    @property
    def media(self) -> Media:
        """The place in the recording that has been reached."""
        return Media(self._samples / RATE)

    async def take(self, fact: Fact) -> None:
        """Handle a fact, and the answers to what it asks for, before time goes on."""
        await self._carry_out(self._conductor.handle(fact))

    async def hear(self, heard: _Heard) -> None:
        if heard.block is not None:
            self._recent.append(heard.block)
            self._samples += heard.real
            self._listener.on_samples(heard.block[: heard.real])
        at = At(self.media)
        await self._lines_over(at)
        await self._carry_out(self._conductor.advance(at))
        if self.media - self._progress >= 1.0:
            self._progress = self.media
            await self.take(AudioProgress(at=at, media=self.media))
        for activity in heard.activities:
            media = Media(min(activity.media, self.media))
            match activity.kind:
                case "started":
                    await self.take(VoiceStarted(at=at, speaker="candidate", media=media))
                case "stopped":
                    await self.take(VoiceStopped(at=at, speaker="candidate", media=media))
                case "quiet":
                    await self.take(QuietPoint(at=at, media=media, level=activity.level))

    async def finish(self) -> None:
        at = At(self.media)
        await self.take(AudioProgress(at=at, media=self.media))
        await self._lines_over(at, all_of_them=True)
        await self.take(StopRequested(at=at, reason="audio-ended"))
        assert self._conductor.ended

    async def _carry_out(self, events: list[Event]) -> None:
        for event in events:
            self._listener.on_event(event)
        for event in events:
            match event:
                case Transcribe():
                    await self.take(await self._transcribe(event))
                case Speak():
                    line = self._listener.lines[self._begun]
                    self._begun += 1
                    self._sounding.append((event.id, line))
                    await self.take(SpeakingStarted(at=self._conductor.now, of=event.id, media=line.start))

    async def _lines_over(self, at: At, *, all_of_them: bool = False) -> None:
        """A line that has sounded to its end by now is over."""
        while self._sounding and (all_of_them or self._sounding[0][1].end <= at):
            of, line = self._sounding.popleft()
            end = Media(min(line.end, self.media))
            await self.take(
                SpeakingFinished(at=at, of=of, media=end, heard=line.text, seconds=line.end - line.start, complete=True)
            )

    async def _transcribe(self, command: Transcribe) -> Fact:
        at = self._conductor.now
        assert self._listener.recogniser is not None
        samples = self._recent.between(command.start, command.end)
        try:
            heard, held = await asyncio.gather(
                self._listener.recogniser.transcribe(samples, self._language), held_in(self._recent, command)
            )
        except VoiceprepError as error:
            return EdgeFailed(at=at, code=error.code, message=error.message, of=command.id)
        words = tuple(
            Word(w.text, Media(w.start + command.start), Media(w.end + command.start), w.confidence) for w in heard.words
        )
        return TranscriptReady(at=at, of=command.id, words=words, trusted=heard.trusted, reasons=heard.reasons, held=held)
