"""Who may speak: turn-taking between the candidate and the interviewer.

Two clocks run on every silence of the candidate. How long it has lasted is *measured* (flags/long_pause.py). Whether the
interviewer takes the floor is *decided* here, by a silence that is graded between the persona's two patiences: long while
the answer has hardly begun, short once it sounds finished. Until then the silence is a breath or thinking, and the floor
stays with the candidate.
"""

from __future__ import annotations

from voiceprep.core.events import (
    AudioGap,
    Draft,
    DraftReady,
    EdgeFailed,
    Event,
    FloorYielded,
    Interrupted,
    PauseSpeaking,
    ResumeSpeaking,
    SessionClosing,
    SilenceChanged,
    Speak,
    SpeakingFinished,
    SpeakingStarted,
    StopSpeaking,
    TurnAssessed,
    TurnEnded,
    TurnHandedOver,
    TurnStarted,
    VoiceStarted,
    VoiceStopped,
    WordsCommitted,
    WordsHeard,
)
from voiceprep.core.pack import Persona
from voiceprep.core.policy import Policy
from voiceprep.core.units import At, Media, MediaClock, Seconds


def patience(completeness: float, persona: Persona) -> Seconds:
    """The silence after which this interviewer speaks: from long to short as the answer becomes complete, without a step.

    Geometric, because silences are felt in ratios: from 2 to 4 seconds is as far as from 20 to 40.
    """
    share = min(1.0, max(0.0, completeness))
    return float(persona.patience_long ** (1.0 - share) * persona.patience_short**share)


class Floor:
    """One of: nobody has the floor (`_turn == 0`), the candidate has it, the interviewer has it or is about to.

    A turn of the candidate's that was yielded ends when the interviewer is first heard. Speech that resumes before takes the
    line back, and is the same turn.
    """

    def __init__(self, policy: Policy, clock: MediaClock, persona: Persona) -> None:
        self._policy = policy
        self._clock = clock
        self._persona = persona
        self._count = 0
        self._ended = False
        # the candidate
        self._turn = 0
        self._yielded = ""
        """Why the candidate's turn is over, once it is, until the interviewer sounds."""
        self._voiced_from: Media | None = None
        self._silent_from: Media | None = None
        self._spoken: Seconds = 0.0
        self._longest: Seconds = 0.0
        """The longest pause in this turn after which the candidate went on."""
        self._thinking = False
        self._completeness = 0.0
        self._has_words = False
        self._blind = False
        """A draft failed in this turn: nobody knows all that was said."""
        self._decoding: set[str] = set()
        self._handed_over: At | None = None
        # the interviewer
        self._utterance = ""
        self._prompting = False
        self._sounding = False
        self._interviewer_turn = 0
        self._paused = False
        self._stopping = False

    # --- when to be woken -----------------------------------------------------------------------------------------------

    @property
    def deadline(self) -> At | None:
        moments = [m for m in (self._barge_at(), self._thinking_at(), self._yield_at()) if m is not None]
        return min(moments) if moments and not self._ended else None

    def _barge_at(self) -> At | None:
        """When speech over the interviewer has lasted too long to be a cough, the detector's lateness allowed for."""
        if not self._paused or self._voiced_from is None:
            return None
        return self._clock.at(Media(self._voiced_from + self._policy.barge_in + self._policy.hangover))

    def _thinking_at(self) -> At | None:
        if not self._turn or self._yielded or self._silent_from is None or self._thinking:
            return None
        return self._clock.at(Media(self._silent_from + self._policy.thinking))

    def _yield_at(self) -> At | None:
        """When the candidate's turn is over unless speech resumes."""
        if not self._turn or self._yielded:
            return None
        if self._handed_over is not None:
            return At(self._handed_over + (self._policy.transcript_wait if self._decoding else 0.0))
        if self._silent_from is None:
            return None
        wait = self._wanted_silence()
        if self._decoding:
            wait = max(wait, self._policy.soft_end) + self._policy.transcript_wait
        return self._clock.at(Media(self._silent_from + wait))

    def _wanted_silence(self) -> Seconds:
        if not self._policy.recogniser or self._blind:
            return self._policy.unheard_patience
        if not self._has_words:
            return self._policy.unheard_patience if self._spoken > self._policy.wordless else self._policy.cough_settles
        wanted = patience(self._completeness, self._persona)
        if self._completeness < 1.0:  # this speaker has gone on after a silence of that length before
            wanted = max(wanted, min(self._policy.pause_allowance * self._longest, self._policy.pause_allowance_most))
        return wanted

    def wake(self, at: At) -> list[Event]:
        barge, thinking = self._barge_at(), self._thinking_at()
        if barge is not None and barge <= at:
            return self._barge_in(at)
        if thinking is not None and thinking <= at:
            self._thinking = True
            assert self._silent_from is not None
            return [SilenceChanged(at=at, state="thinking", media=self._silent_from)]
        return self._yield(at)

    # --- events ---------------------------------------------------------------------------------------------------------

    def handle(self, event: Event) -> list[Event]:
        if self._ended:
            return []
        match event:
            case VoiceStarted(speaker="candidate"):
                return self._voice_started(event)
            case VoiceStopped(speaker="candidate"):
                return self._voice_stopped(event)
            case Draft() if self._turn:
                self._decoding.add(event.id)
            case DraftReady() | EdgeFailed() if event.of in self._decoding:
                self._decoding.discard(event.of)
                self._blind |= isinstance(event, EdgeFailed)
            case WordsHeard() | WordsCommitted() if event.turn == self._turn and event.words:
                self._has_words = True
            case TurnAssessed() if event.turn == self._turn:
                self._completeness = event.completeness
            case AudioGap() if self._silent_from is not None:
                self._silent_from = max(self._silent_from, event.end)  # nobody knows what was said there
            case TurnHandedOver() if self._turn and not self._yielded:
                self._handed_over = event.at
            case Speak():
                self._utterance, self._prompting = event.id, event.move == "prompt"
                self._sounding = self._paused = self._stopping = False
            case SpeakingStarted() if event.of == self._utterance:
                return self._speaking_started(event)
            case SpeakingFinished() if event.of == self._utterance:
                return self._speaking_over(event.at, event.media, complete=event.complete)
            case EdgeFailed() if event.of == self._utterance and event.of:
                return self._speaking_over(event.at, self._clock.media(event.at), complete=True)
            case SessionClosing():
                return self._end(event)
            case _:
                pass
        return []

    # --- the candidate --------------------------------------------------------------------------------------------------

    def _voice_started(self, event: VoiceStarted) -> list[Event]:
        self._voiced_from = event.media
        if self._turn and self._silent_from is not None:
            self._longest = max(self._longest, event.media - self._silent_from)
        self._silent_from = None
        self._thinking = False
        out: list[Event] = []
        if self._utterance and not self._stopping:
            if self._sounding and not self._prompting:
                self._paused = True
                return [PauseSpeaking(at=event.at, id=f"pause-{self._utterance}-{event.at:.3f}", of=self._utterance)]
            if not self._prompting and not self._turn:
                return []  # the opening line is still being rendered: it is asked all the same
            # A prompt gives way at once, and a line that has not sounded yet is taken back: the same turn goes on.
            self._stopping = True
            out.append(StopSpeaking(at=event.at, id=f"stop-{self._utterance}", of=self._utterance))
        self._yielded = ""
        self._handed_over = None
        return out if self._turn else [*out, *self._take(event.at, event.media)]

    def _voice_stopped(self, event: VoiceStopped) -> list[Event]:
        if self._voiced_from is not None:
            self._spoken += max(0.0, event.media - self._voiced_from)
        self._voiced_from = None
        if self._paused:
            self._paused = False
            return [ResumeSpeaking(at=event.at, id=f"resume-{self._utterance}-{event.at:.3f}", of=self._utterance)]
        if not self._turn:
            return []
        self._silent_from = event.media
        return [] if self._yielded else [SilenceChanged(at=event.at, state="breath", media=event.media)]

    def _take(self, at: At, media: Media) -> list[Event]:
        """The candidate has the floor now."""
        self._count += 1
        self._turn = self._count
        self._completeness, self._has_words, self._blind = 0.0, False, False
        self._thinking, self._yielded, self._handed_over = False, "", None
        self._spoken, self._longest = 0.0, 0.0
        self._decoding.clear()
        return [TurnStarted(at=at, speaker="candidate", turn=self._turn, media=media)]

    def _yield(self, at: At) -> list[Event]:
        since = self._silent_from if self._silent_from is not None else self._clock.media(at)
        out: list[Event] = [SilenceChanged(at=at, state="yielded", media=since)]
        known = self._policy.recogniser and not self._blind and not self._decoding
        cough = known and not self._has_words and self._spoken <= self._policy.wordless
        if self._handed_over is not None:
            self._voiced_from = None  # what still sounds is the tail of the answer, not an interruption
            self._silent_from = since
            self._yielded = "handed-over"
        elif cough:  # or a door: nobody answers it, and the question stands
            return [*out, self._turn_ended(at, since, "no-words")]
        else:
            self._yielded = "yielded"
        return [*out, FloorYielded(at=at, turn=self._turn, media=since, reason=self._yielded)]

    def _turn_ended(self, at: At, media: Media, reason: str) -> TurnEnded:
        turn, self._turn, self._yielded, self._handed_over = self._turn, 0, "", None
        return TurnEnded(at=at, speaker="candidate", turn=turn, media=media, reason=reason)

    def _barge_in(self, at: At) -> list[Event]:
        """The candidate speaks over the interviewer, and means it."""
        self._paused, self._stopping = False, True
        assert self._voiced_from is not None
        return [
            Interrupted(at=at, who="interviewer", by="candidate", media=self._voiced_from, reason="barge-in"),
            StopSpeaking(at=at, id=f"stop-{self._utterance}", of=self._utterance),
        ]

    # --- the interviewer ------------------------------------------------------------------------------------------------

    def _speaking_started(self, event: SpeakingStarted) -> list[Event]:
        self._sounding = True
        if self._prompting:
            return []
        out: list[Event] = []
        if self._turn:
            since = self._silent_from if self._silent_from is not None else event.media
            out.append(self._turn_ended(event.at, since, self._yielded or "yielded"))
        self._count += 1
        self._interviewer_turn = self._count
        return [*out, TurnStarted(at=event.at, speaker="interviewer", turn=self._count, media=event.media)]

    def _speaking_over(self, at: At, media: Media, *, complete: bool) -> list[Event]:
        was_prompt, sounded = self._prompting, self._sounding
        self._utterance, self._sounding, self._prompting, self._paused = "", False, False, False
        out: list[Event] = []
        if was_prompt:
            return out
        if self._turn and not sounded and complete:  # no voice to say it with: it stands on the screen
            since = self._silent_from if self._silent_from is not None else media
            out.append(self._turn_ended(at, since, self._yielded or "yielded"))
        if self._interviewer_turn:
            reason = "finished" if complete else "interrupted"
            out.append(TurnEnded(at=at, speaker="interviewer", turn=self._interviewer_turn, media=media, reason=reason))
            self._interviewer_turn = 0
        if not self._turn and self._voiced_from is not None:
            out += self._take(at, self._voiced_from)
        return out

    # --- the end --------------------------------------------------------------------------------------------------------

    def _end(self, event: SessionClosing) -> list[Event]:
        self._ended = True
        out: list[Event] = []
        media = self._clock.media(event.at)
        if self._turn:
            out.append(self._turn_ended(event.at, media, "session-ended"))
        if self._utterance:
            out.append(StopSpeaking(at=event.at, id=f"stop-{self._utterance}", of=self._utterance))
        if self._interviewer_turn:
            out.append(
                TurnEnded(at=event.at, speaker="interviewer", turn=self._interviewer_turn, media=media, reason="session-ended")
            )
        return out
