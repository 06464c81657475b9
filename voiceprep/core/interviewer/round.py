"""A round as it is played: listens to turns, assesses how finished an answer sounds, and lets the director answer it."""

from __future__ import annotations

import math
from dataclasses import replace

from voiceprep.core.answers.classifier import Asked
from voiceprep.core.answers.coverage import assess, finished, on_topic
from voiceprep.core.answers.repeats import Repeats
from voiceprep.core.claims.ledger import Ledger
from voiceprep.core.events import (
    AskedAgain,
    Draft,
    EdgeFailed,
    Event,
    Evidence,
    FloorYielded,
    Interrupted,
    InterruptionDue,
    Language,
    MoveChosen,
    MoveKind,
    MoveWithdrawn,
    PrepareSpeech,
    QuestionAsked,
    ReplyExpected,
    Reworded,
    SectionChanged,
    SessionClosing,
    SessionStarted,
    SignalGiven,
    SilenceChanged,
    Speak,
    SpeakingFinished,
    Transcribe,
    TranscriptReady,
    TurnAssessed,
    TurnEnded,
    TurnHandedOver,
    TurnStarted,
    VoiceStarted,
    VoiceStopped,
    Word,
    WordsCommitted,
    WordsHeard,
)
from voiceprep.core.interviewer.director import CONSISTENCY, Choice, Director, Heard
from voiceprep.core.interviewer.micro_signals import MicroSignal, MicroSignals
from voiceprep.core.interviewer.wording import Wording
from voiceprep.core.pack import Content, Interjection, tongue_of
from voiceprep.core.policy import Policy
from voiceprep.core.text import text_of
from voiceprep.core.units import At, Media, MediaClock, Seconds

NO_WORDS_AFTER: Seconds = 10.0
"""So much sound without a word is answered by what was asked, once more."""
TOPICAL = 3
"""A question of the candidate's own is never off the topic (see core/answers/coverage.py for the scale)."""


class Round:
    """The interviewer's side of the session. Closes it (`SessionClosing`) when the round is through."""

    def __init__(self, content: Content, policy: Policy, clock: MediaClock, language: Language, seed: int) -> None:
        self._content = content
        self._policy = policy
        self._clock = clock
        self._language: Language = language
        self._director = Director(content.round, content.endings, tongue_of(language), seed)
        self._signs = MicroSignals(content.round)
        self._ledger = Ledger()
        self._answers = Repeats()
        self._wording = Wording(policy, tongue_of(language))
        self._began = self._section_from = self._section_before = At(0.0)
        self._count = 0
        self._over = False
        # our line
        self._line: Choice | None = None
        """What was said last, prompts aside."""
        self._of = ""
        """The utterance that says it, until it is over."""
        self._prompting = ""
        """The utterance that prompts, until it is over: it takes no turn, and nothing else is prompted over it."""
        self._settled = False
        """It has become a turn."""
        self._cut = False
        """It was cut short."""
        # the candidate's turn
        self._turn = 0
        self._committed: tuple[Word, ...] = ()
        self._heard: tuple[Word, ...] = ()
        self._drafts: set[str] = set()
        self._records: set[str] = set()
        self._blind = False
        self._spoken: Seconds = 0.0
        self._voiced_from: Media | None = None
        self._floor_from = Media(0.0)
        self._cutting_in = False
        """An interjection is on its way."""
        self._evidence: tuple[Evidence, ...] = ()
        self._first_heard: dict[str, Media] = {}
        """Where in this turn each signal and trap was heard first."""
        self._assessed: tuple[Word, ...] = ()
        # a long silence
        self._silent_from: Media | None = None
        self._prompted = False

    # --- waking: one encouragement into a long silence, and interjections -----------------------------------------------

    @property
    def deadline(self) -> At | None:
        if self._over:
            return None
        moments = [m for m in (self._wording.deadline, self._prompt_at(), self._interjection_at()) if m is not None]
        return min(moments, default=None)

    def _prompt_at(self) -> At | None:
        after = self._content.round.persona.prompt_after
        if after is None or self._silent_from is None or self._prompted or self._of or self._prompting:
            return None
        return self._clock.at(Media(self._silent_from + after))

    def _interjection_at(self) -> At | None:
        """When the interviewer next wants to break into this answer, as far as is known now."""
        return min((at for at, _ in self._interjections()), default=None)

    def _interjections(self) -> list[tuple[At, Interjection]]:
        if not self._turn or self._of or self._cutting_in or self._wording.deadline is not None:
            return []
        floor = self._clock.at(self._floor_from)
        since = {"floor": floor, "round": self._began, "section": self._section_from}
        earliest = floor + self._policy.cut_in_after
        heard = self._ids()

        def counted_from(one: Interjection) -> At:
            if one.measured != "heard":
                return since[one.measured]
            return self._clock.at(min(self._first_heard[signal] for signal in one.when if signal in heard))

        return [(At(max(counted_from(one) + one.after, earliest)), one) for one in self._director.interjections(heard)]

    def wake(self, at: At) -> list[Event]:
        if self._wording.deadline is not None and self._wording.deadline <= at:
            return self._say_worded(at)
        prompt = self._prompt_at()
        if prompt is not None and prompt <= at:
            self._prompted = True
            choice = self._director.prompt()
            return self._prompt(choice, at) if choice is not None else []
        _, due = min(self._interjections(), key=lambda item: item[0])
        self._cutting_in = True
        return [InterruptionDue(at=at, interjection=due.id, reason=f"the {due.measured} has lasted {due.after:g} s")]

    def _interject(self, event: Interrupted) -> list[Event]:
        """The floor has found the moment to break in."""
        return self._say(self._director.interject(event.reason, self._ids()), event.at)

    # --- events ---------------------------------------------------------------------------------------------------------

    def handle(self, event: Event) -> list[Event]:
        if self._over:
            return []
        self._ledger.handle(event)
        match event:
            case SessionStarted():
                self._began = self._section_from = event.at
                return self._say(self._director.open(), event.at)
            case TurnStarted(speaker="candidate"):
                self._begin_turn(event)
            case TurnStarted(speaker="interviewer"):
                self._settled = True
            case VoiceStarted(speaker="candidate"):
                self._voiced_from = event.media
                self._silent_from = None
                self._go_on()
            case VoiceStopped(speaker="candidate"):
                self._voice_stopped(event)
            case SilenceChanged(state="thinking") if self._turn and not self._of:
                return self._signal(self._signs.pausing(self._ids(), self._director.question, event.at), event.at)
            case WordsHeard() if event.turn == self._turn and self._turn:
                self._heard = event.words
                return self._assess(event.at)
            case WordsCommitted() if event.turn == self._turn and self._turn:
                self._committed += event.words  # the `WordsHeard` that follows has what is left
            case Draft() if event.turn == self._turn:
                self._drafts.add(event.id)
            case Reworded() | EdgeFailed() if self._wording.answered(event):
                return self._worded(event.at)
            case EdgeFailed() if event.of in self._drafts:
                self._blind = True
            case Transcribe() if event.turn == self._turn:
                self._records.add(event.id)
            case TranscriptReady() if event.of in self._records and event.trusted and not event.words:
                return self._nothing_understood(event.at)
            case ReplyExpected():
                return self._prepare(event)
            case FloorYielded():
                return self._reply(event)
            case Interrupted(by="interviewer"):
                return self._interject(event)
            case TurnEnded(speaker="candidate"):
                return self._turn_ended(event)
            case SpeakingFinished() | EdgeFailed() if event.of and event.of == self._prompting:
                self._prompting = ""
                if self._silent_from is not None:  # the silence in which they answer counts from here
                    self._silent_from = self._clock.media(event.at)
            case TurnHandedOver() if not self._turn and not self._of and self._line is not None:
                return self._prompt(self._line, event.at)  # nothing was said: the candidate wants to hear it again
            case SpeakingFinished() if event.of == self._of:
                return self._spoken_out(event.at, event.media, complete=event.complete)
            case EdgeFailed() if event.of and event.of == self._of:
                return self._spoken_out(event.at, self._clock.media(event.at), complete=True)
            case SessionClosing():
                self._over = True
            case _:
                pass
        return []

    # --- the candidate's turn -------------------------------------------------------------------------------------------

    def _begin_turn(self, event: TurnStarted) -> None:
        self._turn = event.turn
        self._committed, self._heard, self._blind = (), (), False
        self._drafts.clear()
        self._records.clear()
        self._spoken, self._voiced_from = 0.0, event.media
        self._floor_from, self._cutting_in = event.media, False
        self._evidence, self._assessed = (), ()
        self._first_heard.clear()
        self._silent_from, self._prompted = None, False

    def _nothing_understood(self, at: At) -> list[Event]:
        """Sound goes on, and the thorough decode finds no word in it: talk in the background, or a device that fails."""
        unanswered = not self._committed and not self._heard and self._voiced_from is not None
        about_to = self._of or self._prompting or self._wording.deadline is not None
        if not unanswered or about_to or self._prompted or self._line is None or self._spoken_until(at) < NO_WORDS_AFTER:
            return []
        self._prompted = True
        return self._prompt(self._line, at)

    def _voice_stopped(self, event: VoiceStopped) -> None:
        if self._voiced_from is not None:
            self._spoken += max(0.0, event.media - self._voiced_from)
        self._voiced_from = None
        if self._turn and not self._of:
            self._silent_from = event.media

    def _assess(self, at: At) -> list[Event]:
        words = (*self._committed, *self._heard)
        if words == self._assessed:
            return []
        self._assessed = words
        self._evidence = assess(words, self._content.detectors, self._language, self._asked())
        for item in self._evidence:
            self._first_heard[item.signal] = min(item.start, self._first_heard.get(item.signal, item.start))
        text, question = text_of(words), self._director.question
        sounds = finished(
            text,
            self._spoken_until(at),
            self._evidence,
            on_topic(text, question, self._language) if question is not None else TOPICAL,
            self._content.endings,
            self._language,
            followup=self._director.following_up or question is None,
        )
        return [
            TurnAssessed(
                at=at,
                turn=self._turn,
                completeness=1 / (1 + math.exp(-max(-50.0, min(50.0, sounds.log_odds)))),
                evidence=self._evidence,
                log_odds=sounds.log_odds,
                roundness=sounds.roundness,
                thinking=sounds.thinking,
                first=question is not None and not self._director.following_up,
            ),
            *self._signal(self._signs.speaking(self._ids(), question, at), at),
        ]

    def _spoken_until(self, at: At) -> Seconds:
        """Speech of this turn, that which is going on (or has just lulled) included."""
        now = 0.0 if self._voiced_from is None else max(0.0, self._clock.media(at) - self._voiced_from)
        return self._spoken + now

    def _asked(self) -> Asked:
        """What this turn answers: the question itself, or what was last said about it."""
        question, tongue = self._director.question, tongue_of(self._language)
        line = question.line if question is not None else self._content.round.invite
        said = self._line.text if self._line is not None and self._director.following_up else ""
        return Asked(line.phrasings[tongue][0], said)

    def _reply(self, event: FloorYielded) -> list[Event]:
        self._silent_from = None
        choice = self._director.reply(self._what_was_heard(), event.at - self._began)
        out = self._reword(choice, event.at)
        if out:  # nobody had foreseen that it would be said: the bank's line is prepared, in case its new words do not come
            out = [self._prepared(choice.text, event.at), *out]
        said = self._wording.settle(choice, event.at)
        return [*out, *(self._say(said, event.at) if said is not None else [])]

    def _what_was_heard(self) -> Heard:
        words = (*self._committed, *self._heard)
        known = self._policy.recogniser and not self._blind and bool(words)
        text, again = text_of(words), self._ledger.ask_again() if self._goes_over() else ()
        return Heard(text, self._ids(), known=known, repeated=known and self._answers.has(text), again=again)

    def _goes_over(self) -> bool:
        """Whether earlier answers are gone over now: only then is it worth looking through them."""
        return self._director.question is not None and self._director.question.kind == CONSISTENCY

    def _ids(self) -> frozenset[str]:
        """The signals and traps heard in this turn so far."""
        return frozenset(item.signal for item in self._evidence)

    def _signal(self, given: MicroSignal | None, at: At, of: str = "") -> list[Event]:
        if given is None:
            return []
        return [SignalGiven(at=at, signal=given.signal, meant=given.meant, reason=given.reason, of=of)]

    def _prepare(self, event: ReplyExpected) -> list[Event]:
        """What would be said if the answer were over now. It is chosen again when it is."""
        choice = self._director.reply(self._what_was_heard(), event.at - self._began)
        self._director.undo()
        if self._wording.has(choice):
            return [self._prepared(self._wording.line or choice.text, event.at)]
        return [self._prepared(choice.text, event.at), *self._reword(choice, event.at)]

    def _prepared(self, text: str, at: At) -> PrepareSpeech:
        return PrepareSpeech(at=at, id=self._id("p"), text=text, language=tongue_of(self._language))

    # --- in the interviewer's own words -----------------------------------------------------------------------------------

    def _reword(self, choice: Choice, at: At) -> list[Event]:
        if choice.again is not None:  # said as it stands: new words might tell what the claim was
            return []
        return [self._wording.ask(choice, self._turn, at, self._id("r"))] if self._wording.wants(choice) else []

    def _worded(self, at: At) -> list[Event]:
        """The words came, or will not come: say them if they are waited for, else have them ready."""
        if self._wording.deadline is not None:
            return self._say_worded(at)
        return [self._prepared(self._wording.line, at)] if self._wording.line else []

    def _say_worded(self, at: At) -> list[Event]:
        choice = self._wording.release()
        return self._say(choice, at) if choice is not None else []

    def _go_on(self) -> None:
        """The candidate speaks: whatever was being worded was for another answer, and what waited to be said is taken back."""
        if self._wording.discard():
            self._director.undo()

    def _turn_ended(self, event: TurnEnded) -> list[Event]:
        self._turn = 0
        if event.reason != "no-words":
            self._answers.keep(text_of((*self._committed, *self._heard)))
            self._silent_from = None
            return []
        if self._cut and self._line is not None:
            return self._say(replace(self._line, section=None), event.at)  # a laugh, a door: what it cut short is said again
        self._silent_from = event.media  # nothing was said: the question stands, and the silence goes on
        return []

    # --- speaking -------------------------------------------------------------------------------------------------------

    def _spoken_out(self, at: At, media: Media, *, complete: bool) -> list[Event]:
        """Our line is over: the candidate's silence counts from here; after the closing one the round is through."""
        of, self._of = self._of, ""
        self._cut = not complete
        if not complete and self._turn and not self._settled:  # the candidate went on, and it was no turn
            section = self._director.undo()
            self._cutting_in = False
            out: list[Event] = [MoveWithdrawn(at=at, of=of)]
            if self._line is not None and self._line.section is not None:
                self._section_from = self._section_before
                out.append(SectionChanged(at=at, section=section.id, budget=section.budget))
            return out
        if complete and self._line is not None and self._line.move == "close":
            self._over = True
            return [SessionClosing(at=at, reason="completed")]
        if not self._turn and self._voiced_from is None:
            self._silent_from = media
        return []

    def _say(self, choice: Choice, at: At) -> list[Event]:
        self._line, self._of = choice, self._id()
        self._cut = self._prompted = self._settled = False
        self._silent_from = None
        out: list[Event] = []
        if choice.section is not None:
            self._section_before, self._section_from = self._section_from, at
            out.append(SectionChanged(at=at, section=choice.section.id, budget=choice.section.budget))
        out.append(
            MoveChosen(at=at, move=choice.move, target=choice.target, phrase=choice.phrase, reason=choice.reason, of=self._of)
        )
        out += self._signal(choice.signal, at, self._of)
        if choice.question:
            out.append(QuestionAsked(at=at, question=choice.question, text=choice.text, of=self._of))
        if (claim := choice.again) is not None:
            out.append(AskedAgain(at=at, of=self._of, claim=claim.key, quote=claim.quote, start=claim.start, end=claim.end))
        return [*out, self._speak(self._of, choice.text, choice.move, at)]

    def _prompt(self, choice: Choice, at: At) -> list[Event]:
        """Say something that takes no turn, unless such a thing is being said."""
        if self._prompting:
            return []
        of = self._prompting = self._id()
        chosen = MoveChosen(at=at, move="prompt", target="", phrase=choice.phrase, reason=choice.reason, of=of)
        return [chosen, self._speak(of, choice.text, "prompt", at)]

    def _speak(self, of: str, text: str, move: MoveKind, at: At) -> Speak:
        return Speak(at=at, id=of, text=text, language=tongue_of(self._language), move=move)

    def _id(self, kind: str = "s") -> str:
        self._count += 1
        return f"{kind}{self._count}"
