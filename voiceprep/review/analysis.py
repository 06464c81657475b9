"""What any recording shows: words, pauses, fillers, speech rates and pacing flags, without a live session."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from voiceprep.audio.base import Samples
from voiceprep.audio.files import AudioFile, decode, probe
from voiceprep.content import load_rubrics
from voiceprep.core.events import (
    AudioProgress,
    EdgeFailed,
    Event,
    FlagRaised,
    Language,
    QuietPoint,
    SessionStarted,
    Transcribe,
    TranscriptReady,
    Word,
    WordsCommitted,
)
from voiceprep.core.listening.filled_pauses import find_fillers
from voiceprep.core.listening.fillers import Filler
from voiceprep.core.listening.pauses import Pause, time_without_pauses
from voiceprep.core.listening.rates import LONG_PAUSE, SHORTEST, Rates, measure_rates
from voiceprep.core.pack import Content, PacingRule, Question, tongue_of
from voiceprep.core.text import text_of
from voiceprep.core.timeline import Timeline, fold
from voiceprep.core.units import At, Span
from voiceprep.flags.fillers import ID as FILLERS
from voiceprep.flags.fillers import of_recording
from voiceprep.flags.words import needs_words
from voiceprep.review.exchange import Line
from voiceprep.review.listening import Listener, listen
from voiceprep.review.pauses import find_pauses, outside
from voiceprep.review.quality import Doubts, Quality, judge_transcript
from voiceprep.speech.fillers import HeldSound, HeldSounds
from voiceprep.speech.stt.base import Recogniser, RecogniserInfo
from voiceprep.speech.vad.base import VoiceActivity


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """Everything a recording shows. All times are media seconds from its first sample.

    Attributes:
        audio: the file; `duration` is what was really decoded.
        model: the recogniser that ran, or None.
        fillers: an estimate, from the words and from the sound.
        fillers_per_minute: of speaking, long pauses left out; None where there is too little speech to tell, or where the
            recogniser's poor text says that it may not have been speech.
    """

    audio: AudioFile
    language: Language
    model: RecogniserInfo | None
    words: tuple[Word, ...]
    speech: tuple[Span, ...]
    pauses: tuple[Pause, ...]
    fillers: tuple[Filler, ...]
    fillers_per_minute: float | None
    rates: Rates
    flags: tuple[FlagRaised, ...]
    quality: Quality

    @property
    def text(self) -> str:
        return text_of(self.words)


async def analyze(
    path: str | Path,
    *,
    recogniser: Recogniser | None,
    language: Language,
    content: Content | None = None,
    pacing: Mapping[str, PacingRule] | None = None,
    activity: VoiceActivity | None = None,
    progress: Callable[[float, str], None] | None = None,
    on_event: Callable[[Event], None] | None = None,
    on_samples: Callable[[Samples], None] | None = None,
    sound: Iterator[Samples] | None = None,
    lines: Sequence[Line] = (),
    question: str = "",
) -> Analysis:
    """Analyze an audio file of any kind and length, in bounded memory.

    Args:
        path: the recording; all of it counts as one answer, unless there are `lines`.
        recogniser: started already; None finds speech, pauses and flags without words.
        language: of the speech; nothing is guessed.
        content: the round whose thresholds apply; None takes the common ones.
        pacing: thresholds in place of those, such as the user's own.
        activity: the detector; None makes the usual one.
        progress: called with the share done, 0..1, and what is being done.
        on_event: gets every event in order, ready for a session's log.
        on_samples: gets all the sound, float32 at 16 kHz, block by block.
        sound: the one speaker of the file to listen to, at 16 kHz; None takes all that is in it.
        lines: what the interviewer said in it.
        question: id of the question of `content` that it answers; "" where that is not known, and no rule asks for it.

    Raises:
        BadInputError: the file, or a rubric, cannot be used.
    """
    audio = probe(path)
    if activity is None:
        from voiceprep.speech.vad.silero import SileroActivity

        activity = SileroActivity()
    started = SessionStarted(
        at=At(0.0),
        round=content.round.id if content else "",
        persona=content.round.persona.id if content else "",
        language=language,
    )
    if pacing is None:
        pacing = content.pacing if content else load_rubrics().pacing
    notes = _Notes(on_event)
    held = HeldSounds()

    def take_samples(samples: Samples) -> None:
        held.feed(samples)
        if on_samples is not None:
            on_samples(samples)

    duration = await listen(
        decode(path) if sound is None else sound,
        Listener(
            activity=activity,
            recogniser=recogniser,
            pacing=pacing,
            started=started,
            on_event=notes.take,
            on_samples=take_samples,
            on_progress=lambda media: progress(media / max(audio.duration, media, 1e-9), "listening") if progress else None,
            lines=lines,
            question=_question(content, question),
            answers=content,
        ),
    )
    info = recogniser.info if recogniser is not None else None
    found = _conclude(replace(audio, duration=duration), language, info, notes, held.flush(), alone=not lines)
    return replace(found, flags=_flags(found, pacing, outside(found.speech, notes.untrusted)))


def _question(content: Content | None, wanted: str) -> Question | None:
    known = content.round.questions if content is not None else ()
    return next((each for each in known if each.id == wanted), None)


def _flags(found: Analysis, pacing: Mapping[str, PacingRule], speech: Sequence[Span]) -> tuple[FlagRaised, ...]:
    """The flags of the recording: those of words only where its text is trusted as a whole; without words, fillers by ear."""
    rule = pacing.get(FILLERS) if found.model is None else None
    timed = [flag for flag in found.flags if found.quality.trusted or not needs_words(flag)]
    counted: tuple[FlagRaised, ...] = ()
    if rule is not None and found.fillers_per_minute is not None:
        counted = of_recording(rule, tongue_of(found.language), found.fillers, speech)
    return tuple(sorted((*timed, *counted), key=lambda flag: flag.at))


@dataclass(slots=True)
class _Notes:
    """The events that conclusions are drawn from. Those that come every second are not kept: a recording may last hours."""

    forward: Callable[[Event], None] | None
    events: list[Event] = field(default_factory=list)
    trusted: list[Word] = field(default_factory=list)
    untrusted: list[Span] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    asked: dict[str, Transcribe] = field(default_factory=dict)

    def take(self, event: Event) -> None:
        if self.forward is not None:
            self.forward(event)
        match event:
            case AudioProgress() | QuietPoint():
                return
            case Transcribe():
                self.asked[event.id] = event
                return
            case TranscriptReady():
                asked = self.asked.pop(event.of)
                self.reasons += [f"{_place(asked)}: {reason}" for reason in event.reasons]
                return
            case EdgeFailed() if event.of in self.asked:
                self.failed.append(f"{_place(self.asked.pop(event.of))} could not be transcribed: {event.message}")
            case WordsCommitted(trusted=True):
                self.trusted += event.words
            case WordsCommitted():
                self.untrusted.append(Span(event.words[0].start, max(word.end for word in event.words)))
            case _:
                pass
        self.events.append(event)


def _place(asked: Transcribe) -> str:
    return f"{asked.start:.1f} s to {asked.end:.1f} s"


def _conclude(
    audio: AudioFile,
    language: Language,
    info: RecogniserInfo | None,
    notes: _Notes,
    held: tuple[HeldSound, ...],
    *,
    alone: bool,
) -> Analysis:
    timeline: Timeline = fold(notes.events)
    doubts = Doubts(notes.untrusted, notes.reasons, notes.failed)
    quality = judge_transcript(timeline.words, timeline.speech, doubts, recognised=info is not None)
    # Numbers are made from trusted words and the time they took; from a transcript that is poor as a whole, none are made.
    speech = outside(timeline.speech, notes.untrusted)
    duration = audio.duration - sum(span.duration for span in notes.untrusted)
    fillers = find_fillers(notes.trusted, held, speech, language=language, recognised=info is not None)
    speaking = time_without_pauses(speech, LONG_PAUSE)
    countable = speaking >= SHORTEST and (quality.trusted or info is None)
    return Analysis(
        audio=audio,
        language=language,
        model=info,
        words=timeline.words,
        speech=timeline.speech,
        pauses=find_pauses(timeline.speech, audio.duration) if alone else timeline.pauses,
        fillers=fillers,
        fillers_per_minute=len(fillers) * 60.0 / speaking if countable else None,
        rates=measure_rates(notes.trusted if quality.trusted else (), speech, duration, language),
        flags=timeline.flags,
        quality=quality,
    )
