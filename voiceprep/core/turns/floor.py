"""Who may speak: turn-taking between the candidate and the interviewer.

Two clocks run on every silence of the candidate. How long it has lasted is *measured* (flags/long_pause.py). Whether the
interviewer takes the floor is *decided* here: by a wait that is graded by what was said, how it sounded, this persona and
this speaker (`patience.py`). Until then the silence is a breath or thinking, and the floor stays with the candidate.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from voiceprep.core.events import (
    AudioGap,
    EdgeFailed,
    Event,
    FloorYielded,
    Interrupted,
    InterruptionDue,
    Language,
    PauseSpeaking,
    ReplyExpected,
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
    VoiceLulled,
    VoiceStarted,
    VoiceStopped,
    VoiceSuspected,
    Word,
    WordsCommitted,
    WordsHeard,
)
from voiceprep.core.pack import Endings, Persona
from voiceprep.core.policy import Policy
from voiceprep.core.text import text_of
from voiceprep.core.turns.barge_in import BargeIn, Verdict, sign_of_listening
from voiceprep.core.turns.own_level import BACKGROUND, OwnLevel
from voiceprep.core.turns.patience import Patience
from voiceprep.core.units import At, Media, MediaClock


@dataclass(slots=True)
class _Line:
    """What the interviewer says, or is about to."""

    of: str
    prompt: bool
    """It takes no turn."""
    cutting_in: bool
    """It goes out over the candidate, who may keep talking through it."""
    since: At | None = None
    """When it began to sound."""
    media: Media | None = None
    """... and where in the recording that was."""
    stopping: bool = False
    turn: int = 0
    """Its number, once it has one."""

    @property
    def sounding(self) -> bool:
        return self.since is not None


class Floor:
    """One of: nobody has the floor (`_turn == 0`), the candidate has it, the interviewer has it or is about to.

    A turn of the candidate's that was yielded ends when the interviewer has been heard for a moment. Speech that resumes before
    takes the line back and is the same turn: two people who begin at once are no change of turns.
    """

    def __init__(self, policy: Policy, clock: MediaClock, persona: Persona, endings: Endings, language: Language) -> None:
        self._policy = policy
        self._clock = clock
        self._means_it: Callable[[Sequence[Word]], bool] = partial(_means_it, signs=endings.listening)
        self._count = 0
        self._ended = False
        # the candidate
        self._patience = Patience(policy, persona, language)
        self._level = OwnLevel()
        self._turn = 0
        self._yielded = ""
        """Why the candidate's turn is over, once it is, until the interviewer sounds."""
        self._voiced_from: Media | None = None
        self._silent_from: Media | None = None
        self._suspected: Media | None = None
        """Where the last sound began that may have been a voice, and has not turned out to be one."""
        self._thinking = False
        self._expected = False
        self._handed_over: At | None = None
        # the interviewer
        self._line: _Line | None = None
        self._barge_in: BargeIn | None = None
        self._sounds = 0
        """Over the interviewer's lines, so far."""
        self._claimed: tuple[Media, Media] | None = None
        """Where the short words were with which the candidate took the floor."""
        self._due: InterruptionDue | None = None

    # --- when to be woken -----------------------------------------------------------------------------------------------

    @property
    def deadline(self) -> At | None:
        barge_in = self._barge_in.deadline if self._barge_in is not None else None
        moments = [
            m for m in (barge_in, self._thinking_at(), self._cut_in_at(), self._yield_at(), self._settle_at()) if m is not None
        ]
        return min(moments) if moments and not self._ended else None

    def _thinking_at(self) -> At | None:
        if not self._turn or self._yielded or self._silent_from is None or self._thinking:
            return None
        return self._clock.at(Media(self._silent_from + self._policy.thinking))

    def _cut_in_at(self) -> At | None:
        """When the interviewer cuts in over the speech, no micro-pause having come."""
        if self._due is None or self._line is not None:
            return None  # a prompt is still being said: the interjection comes after it
        return At(self._due.at + self._policy.cut_in_within)

    def _settle_at(self) -> At | None:
        """When a line that sounds is a turn."""
        line = self._line
        if line is None or line.since is None or line.turn or line.prompt or line.stopping or self._barge_in is not None:
            return None
        return At(line.since + self._policy.false_start)

    def _yield_at(self) -> At | None:
        """When the candidate's turn is over unless speech resumes."""
        if not self._turn or self._yielded or (self._line is not None and (self._line.cutting_in or self._line.prompt)):
            return None
        if self._handed_over is not None:
            return At(self._handed_over + self._patience.wait_for_words)
        wait = self._patience.silence + self._patience.wait_for_words
        if self._level.alone_since is not None:  # somebody else talks on: that makes the candidate's answer no longer
            over = Media(self._level.alone_since + max(wait, BACKGROUND))
        elif self._silent_from is not None:
            over = Media(self._silent_from + wait)
        else:
            return None
        if self._suspected is not None:  # just now something sounds that may be the candidate going on
            over = max(over, Media(self._suspected + self._policy.suspicion))
        return self._clock.at(over)

    def wake(self, at: At) -> list[Event]:
        barge_in, thinking, cut_in = self._barge_in, self._thinking_at(), self._cut_in_at()
        if barge_in is not None and barge_in.deadline <= at:
            return self._decide(barge_in, barge_in.expired(), at)
        if thinking is not None and thinking <= at:
            self._thinking = True
            assert self._silent_from is not None
            return [SilenceChanged(at=at, state="thinking", media=self._silent_from)]
        if cut_in is not None and cut_in <= at:
            return self._cut_in(at)
        settle = self._settle_at()
        if settle is not None and settle <= at:
            assert self._line is not None
            return self._settled(self._line, at)
        return self._yield(at)

    # --- events ---------------------------------------------------------------------------------------------------------

    def handle(self, event: Event) -> list[Event]:
        if self._ended:
            return []
        if self._barge_in is not None:
            out = self._decide(self._barge_in, self._verdict(self._barge_in, event), event.at)
            return [*out, *self._handle(event)]
        return self._handle(event)

    def _verdict(self, sound: BargeIn, event: Event) -> Verdict:
        if isinstance(event, VoiceStarted) and not sound.voiced and self._level.is_far(event):
            return Verdict.NOTHING
        return sound.handle(event)

    def _handle(self, event: Event) -> list[Event]:
        self._patience.handle(event)
        match event:
            case VoiceSuspected(speaker="candidate"):
                self._suspected = event.media
                return self._sound_over_us(event.media, event.at)
            case VoiceStarted(speaker="candidate"):
                return self._voice_started(event)
            case VoiceLulled(speaker="candidate"):
                return self._cut_in(event.at) if self._due is not None and self._line is None else []
            case VoiceStopped(speaker="candidate"):
                return self._voice_stopped(event)
            case WordsHeard() | WordsCommitted() if event.turn == self._turn and event.words:
                self._level.heard(event.words)
            case TurnAssessed() if event.turn == self._turn:
                self._expected = False
                return self._expect(event.at)
            case AudioGap() if self._silent_from is not None:
                self._silent_from = max(self._silent_from, event.end)  # nobody knows what was said there
            case TurnHandedOver() if self._turn and not self._yielded and self._handed_over is None:
                self._handed_over = event.at
            case InterruptionDue() if self._turn and not self._yielded:
                self._due = event
                return self._cut_in(event.at) if self._silent_from is not None and self._line is None else []
            case SessionClosing():
                return self._end(event)
            case _:
                return self._about_line(event)
        return []

    # --- the candidate --------------------------------------------------------------------------------------------------

    def _voice_started(self, event: VoiceStarted) -> list[Event]:
        self._voiced_from, self._suspected = event.media, None
        self._level.began(event, self._silent_from if self._turn else None)
        if self._turn and self._silent_from is not None and not self._level.far:
            self._patience.resumed(event.media - self._silent_from)
        self._silent_from = None
        self._thinking = self._expected = False
        line, out = self._line, list[Event]()
        if line is not None and line.stopping and not line.prompt and (line.turn or not self._turn):
            return []  # what was heard of it is about to be told: then the candidate has the floor
        if line is not None and not line.stopping and not line.prompt and self._level.far:
            return []  # somebody in the background
        if line is not None and not line.stopping and not self._level.far:
            if line.sounding and not line.prompt:
                return self._sound_over_us(event.media, event.at, voice=True)
            if line.cutting_in or (not line.prompt and not self._turn):
                return []  # the opening line is still being rendered: it is asked all the same
            # A prompt gives way at once, and a line that has not sounded yet is taken back: the same turn goes on.
            line.stopping = True
            out.append(StopSpeaking(at=event.at, id=f"stop-{line.of}", of=line.of))
        self._yielded = ""
        self._handed_over = None
        return out if self._turn else [*out, *self._take(event.at, event.media)]

    def _voice_stopped(self, event: VoiceStopped) -> list[Event]:
        if self._voiced_from is not None and not self._level.far:
            self._patience.spoken += max(0.0, event.media - self._voiced_from)
        self._voiced_from = None
        if not self._turn:
            return []
        self._silent_from = event.media
        if self._yielded:
            return []
        breath = SilenceChanged(at=event.at, state="breath", media=event.media)
        return [breath, *(self._cut_in(event.at) if self._due is not None and self._line is None else self._expect(event.at))]

    def _expect(self, at: At) -> list[Event]:
        """Have the reply prepared where the floor will pass soon unless speech resumes."""
        if self._silent_from is None or self._yielded or self._expected:
            return []
        if self._patience.decoding or not self._patience.has_words:
            return []
        wait = self._patience.silence
        if wait > self._policy.prepare_within:
            return []
        self._expected = True
        return [ReplyExpected(at=at, turn=self._turn, media=self._silent_from, after=wait)]

    def _take(self, at: At, media: Media) -> list[Event]:
        """The candidate has the floor now."""
        self._count += 1
        self._turn = self._count
        self._patience.begin(self._turn)
        self._thinking, self._expected, self._yielded, self._handed_over = False, False, "", None
        return [TurnStarted(at=at, speaker="candidate", turn=self._turn, media=media)]

    def _yield(self, at: At) -> list[Event]:
        since = self._silent_from if self._silent_from is not None else self._clock.media(at)
        if self._level.alone_since is not None:
            since, self._voiced_from = self._level.alone_since, None
            self._silent_from = since
        out: list[Event] = [SilenceChanged(at=at, state="yielded", media=since)]
        self._due = None  # the reply comes now: nothing need be cut into
        if self._handed_over is not None:
            self._voiced_from = None  # what still sounds is the tail of the answer, not an interruption
            self._silent_from = since
            self._yielded = "handed-over"
        elif self._patience.cough:  # or a door: nobody answers it, and the question stands
            return [*out, self._turn_ended(at, since, "no-words")]
        else:
            self._yielded = "yielded"
        return [*out, FloorYielded(at=at, turn=self._turn, media=since, reason=self._yielded)]

    def _turn_ended(self, at: At, media: Media, reason: str) -> TurnEnded:
        turn, self._turn, self._yielded, self._handed_over, self._due = self._turn, 0, "", None, None
        self._patience.end()
        self._level.alone_since = None
        return TurnEnded(at=at, speaker="candidate", turn=turn, media=media, reason=reason)

    # --- the interviewer cuts in ----------------------------------------------------------------------------------------

    def _cut_in(self, at: At) -> list[Event]:
        """Now is the moment: a micro-pause, or none came. The round says its line on this."""
        due, self._due = self._due, None
        assert due is not None
        media = self._clock.media(at)
        return [Interrupted(at=at, who="candidate", by="interviewer", media=media, reason=due.interjection)]

    # --- the candidate breaks in ----------------------------------------------------------------------------------------

    def _sound_over_us(self, media: Media, at: At, *, voice: bool = False) -> list[Event]:
        """Fall silent on the first hint of a voice; what it was is decided later."""
        line = self._line
        if line is None or self._barge_in is not None or not line.sounding or line.stopping or line.prompt or line.cutting_in:
            return []
        self._barge_in = BargeIn(self._policy, self._clock, self._means_it, media, voiced=voice)
        self._sounds += 1
        return [PauseSpeaking(at=at, id=f"pause-{line.of}-{self._sounds}", of=line.of)]

    def _decide(self, sound: BargeIn, verdict: Verdict, at: At) -> list[Event]:
        line = self._line
        if verdict is Verdict.OPEN or line is None:
            return []
        self._barge_in = None
        if verdict is Verdict.NOTHING:
            return [ResumeSpeaking(at=at, id=f"resume-{line.of}-{self._sounds}", of=line.of)]
        line.stopping = True
        if not line.turn:
            self._patience.began_too_early()
        if sound.stopped is not None:
            self._claimed = (sound.since, sound.stopped)
        return [
            Interrupted(
                at=at, who="interviewer", by="candidate", media=sound.since, reason="barge-in" if line.turn else "false-start"
            ),
            StopSpeaking(at=at, id=f"stop-{line.of}", of=line.of),
        ]

    # --- the interviewer's line -----------------------------------------------------------------------------------------

    def _about_line(self, event: Event) -> list[Event]:
        line = self._line
        match event:
            case Speak(move="backchannel" | "cue"):
                pass  # it is heard over the candidate's silence or speech, and nobody gives way to the other
            case Speak():
                prompt = event.move == "prompt"
                self._barge_in = self._claimed = None
                self._line = _Line(event.id, prompt, cutting_in=not prompt and bool(self._turn) and not self._yielded)
            case SpeakingStarted() if line is not None and event.of == line.of:
                return self._speaking_started(line, event)
            case SpeakingFinished() if line is not None and event.of == line.of:
                return self._speaking_over(line, event.at, event.media, complete=event.complete)
            case EdgeFailed() if line is not None and event.of == line.of:
                return self._speaking_over(line, event.at, self._clock.media(event.at), complete=True)
            case _:
                pass
        return []

    def _speaking_started(self, line: _Line, event: SpeakingStarted) -> list[Event]:
        line.since, line.media = event.at, event.media
        if line.prompt or (self._turn and not line.cutting_in):
            return []
        return self._settled(line, event.at)

    def _settled(self, line: _Line, at: At) -> list[Event]:
        """The line is a turn."""
        assert line.media is not None
        out, media = list[Event](), line.media
        if self._turn:
            out.append(self._candidate_over(line, at, media))
        self._count += 1
        line.turn = self._count
        return [*out, TurnStarted(at=at, speaker="interviewer", turn=self._count, media=media)]

    def _candidate_over(self, line: _Line, at: At, media: Media) -> TurnEnded:
        """The interviewer is heard, or stands on the screen: that ends the candidate's turn."""
        since = self._silent_from if self._silent_from is not None else media
        return self._turn_ended(at, since, "interrupted" if line.cutting_in else self._yielded or "yielded")

    def _speaking_over(self, line: _Line, at: At, media: Media, *, complete: bool) -> list[Event]:
        self._line = self._barge_in = None
        if line.prompt:
            return []
        out: list[Event] = []
        if complete and line.sounding and not line.turn:
            out += self._settled(line, at)
        if self._turn and complete:  # no voice to say it with: it stands on the screen
            out.append(self._candidate_over(line, at, media))
        if line.turn:
            reason = "finished" if complete else "interrupted"
            out.append(TurnEnded(at=at, speaker="interviewer", turn=line.turn, media=media, reason=reason))
        if self._turn:  # it was taken back
            self._yielded, self._handed_over = "", None
            return out
        if self._voiced_from is not None and not self._level.far:
            out += self._take(at, self._voiced_from)
        elif self._claimed is not None:
            begun, self._silent_from = self._claimed
            out += self._take(at, begun)
            self._patience.has_words = True
        self._claimed = None
        return out

    # --- the end --------------------------------------------------------------------------------------------------------

    def _end(self, event: SessionClosing) -> list[Event]:
        self._ended = True
        out: list[Event] = []
        media, line = self._clock.media(event.at), self._line
        if self._turn:
            out.append(self._turn_ended(event.at, media, "session-ended"))
        if line is not None:
            out.append(StopSpeaking(at=event.at, id=f"stop-{line.of}", of=line.of))
            if line.turn:
                over = TurnEnded(at=event.at, speaker="interviewer", turn=line.turn, media=media, reason="session-ended")
                out.append(over)
        return out


def _means_it(words: Sequence[Word], signs: frozenset[str]) -> bool:
    return not sign_of_listening(text_of(words), signs)
