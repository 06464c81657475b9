"""A round as it is played: listens to turns, assesses how finished an answer sounds, and lets the director answer it."""

from __future__ import annotations

from dataclasses import replace

from voiceprep.core.answers.classifier import Asked
from voiceprep.core.answers.repeats import Repeats
from voiceprep.core.claims.ledger import Ledger
from voiceprep.core.events import (
    AskedAgain,
    AudioGap,
    EdgeFailed,
    Event,
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
    TurnEnded,
    TurnHandedOver,
    TurnStarted,
    VoiceStarted,
    VoiceStopped,
    WordsCommitted,
)
from voiceprep.core.interviewer.answer import Answer
from voiceprep.core.interviewer.director import CONSISTENCY, Choice, Director, Heard
from voiceprep.core.interviewer.micro_signals import MicroSignal, MicroSignals
from voiceprep.core.interviewer.unheard import AGAIN_AFTER, ASIDE, rest_of
from voiceprep.core.interviewer.wording import Wording
from voiceprep.core.listening.lost import Lost
from voiceprep.core.pack import Content, Interjection, tongue_of
from voiceprep.core.policy import Policy
from voiceprep.core.text import text_of
from voiceprep.core.turns.patience import at_most
from voiceprep.core.units import At, Media, MediaClock, Seconds

NO_WORDS_AFTER: Seconds = 10.0
"""So much sound without a word is answered by what was asked, once more."""
TIME_UP = "time-up"
"""Why the interviewer breaks in, where no interjection of the pack is the reason."""


class Round:
    """The interviewer's side of the session. Closes it (`SessionClosing`) when the round is through."""

    def __init__(self, content: Content, policy: Policy, clock: MediaClock, language: Language, seed: int) -> None:
        self._content = content
        self._policy = policy
        self._clock = clock
        self._language: Language = language
        self._director = Director(content.round, content.endings, tongue_of(language), seed)
        self._signs = MicroSignals(content.round)
        self._lost = Lost()
        self._ledger = Ledger()
        self._answers = Repeats()
        if (stopped := content.round.stopped) is not None:
            self._ledger.remember(stopped.told)
            for told in stopped.told:
                if told.question != stopped.question:  # that one is answered anew
                    self._answers.keep(text_of(told.words))
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
        """It was cut short,"""
        self._unheard = ""
        """... and this is what nobody heard of it."""
        # the candidate's turn
        self._answer = Answer(content.detectors, content.endings, language, clock)
        self._records: set[str] = set()
        self._floor_from = Media(0.0)
        self._cutting_in = False
        """An interjection is on its way."""
        # a long silence
        self._silent_from: Media | None = None
        self._prompted = False
        self._coughed = 0
        """The turn that ended as one without words."""

    # --- waking: one encouragement into a long silence, and interjections -----------------------------------------------

    @property
    def deadline(self) -> At | None:
        if self._over:
            return None
        moments = [m for m in (self._wording.deadline, self._prompt_at(), self._interjection_at()) if m is not None]
        return min(moments, default=None)

    def _prompt_at(self) -> At | None:
        if self._silent_from is None or self._prompted or self._of or self._prompting:
            return None
        if self._spoke_aside:
            return self._clock.at(Media(self._silent_from + AGAIN_AFTER))
        after = self._content.round.persona.prompt_after
        if after is None:
            return None
        if self._answer.assessed is not None:
            after = at_most(after, self._answer.assessed)
        return self._clock.at(Media(self._silent_from + after))

    @property
    def _spoke_aside(self) -> bool:
        """Our line was spoken over before it was whole, and what was said over it is no answer to it."""
        answer = self._answer
        if not self._unheard or not answer.words or answer.ids or answer.spoken > ASIDE:
            return False
        return answer.assessed is not None and not answer.assessed.thinking

    def _interjection_at(self) -> At | None:
        """When the interviewer next wants to break into this answer, as far as is known now."""
        return min((at for at, _, _ in self._interjections()), default=None)

    def _interjections(self) -> list[tuple[At, str, str]]:
        """When, which, and why."""
        if not self._answer.number or self._of or self._cutting_in or self._wording.deadline is not None:
            return []
        since = {"round": self._began, "section": self._section_from}
        earliest = self._counted(self._floor_from, self._policy.cut_in_after) + self._policy.cut_in_after
        heard = self._answer.ids

        def counted_from(one: Interjection) -> At:
            if one.measured in since:
                return since[one.measured]
            if one.measured == "floor":
                return self._counted(self._floor_from, one.after)
            return self._counted(min(self._answer.first_heard[signal] for signal in one.when if signal in heard), one.after)

        offered = () if self._thinks else self._director.interjections(heard)
        due = [(counted_from(one) + one.after, one.id, f"the {one.measured} has lasted {one.after:g} s") for one in offered]
        if self._policy.grace is not None and (time_up := self._director.time_up()) is not None:
            due.append((self._began + time_up + self._policy.grace, TIME_UP, "the time is up"))
        return [(At(max(at, earliest)), what, reason) for at, what, reason in due]

    @property
    def _thinks(self) -> bool:
        """Time was asked for, and is taken: that silence is nobody's to break, as long as there is time."""
        return self._silent_from is not None and self._answer.assessed is not None and self._answer.assessed.thinking

    def _counted(self, start: Media, seconds: Seconds) -> At:
        """Where a clock of `seconds` that began at this place would have begun, had nothing been lost since."""
        return At(self._clock.at(start) + self._lost.inside(start, seconds))

    def wake(self, at: At) -> list[Event]:
        if self._wording.deadline is not None and self._wording.deadline <= at:
            return self._say_worded(at)
        prompt = self._prompt_at()
        if prompt is not None and prompt <= at:
            self._prompted = True
            choice = self._once_more() if self._spoke_aside else self._director.prompt()
            return self._prompt(choice, at) if choice is not None else []
        _, due, reason = min(self._interjections(), key=lambda item: item[0])
        self._cutting_in = True
        return [InterruptionDue(at=at, interjection=due, reason=reason)]

    def _interject(self, event: Interrupted) -> list[Event]:
        """The floor has found the moment to break in."""
        if event.reason == TIME_UP:
            return self._say(self._director.break_off(event.at - self._began), event.at)
        return self._say(self._director.interject(event.reason, self._answer.ids), event.at)

    # --- events ---------------------------------------------------------------------------------------------------------

    def handle(self, event: Event) -> list[Event]:
        if self._over:
            return []
        self._ledger.handle(event)
        if self._answer.handle(event):
            return self._assess(event.at)
        match event:
            case SessionStarted():
                self._began = self._section_from = event.at
                out = self._say(self._director.open(), event.at)
                if (stopped := self._content.round.stopped) is not None:  # round and section began in the session before
                    self._began = At(event.at - stopped.used)
                    self._section_from = self._section_before = At(self._began + stopped.since)
                return out
            case TurnStarted(speaker="candidate"):
                self._begin_turn(event)
            case TurnStarted(speaker="interviewer"):
                self._settled = True
            case VoiceStarted(speaker="candidate"):
                self._silent_from = None
                self._go_on()
            case VoiceStopped(speaker="candidate") if self._answer.number and not self._of:
                self._silent_from = event.media
            case AudioGap():
                self._miss(event)
            case SilenceChanged(state="thinking") if self._answer.number and not self._of:
                return self._signal(self._signs.pausing(self._answer.ids, self._director.question, event.at), event.at)
            case Reworded() | EdgeFailed() if self._wording.answered(event):
                return self._worded(event.at)
            case Transcribe() if event.turn == self._answer.number:
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
            case TurnHandedOver() if not self._answer.number and not self._of and self._line is not None:
                return self._prompt(self._line, event.at)  # nothing was said: the candidate wants to hear it again
            case SpeakingFinished() if event.of == self._of:
                if not event.complete and self._line is not None:
                    self._unheard = rest_of(self._line.text, event.heard)
                return self._spoken_out(event.at, event.media, complete=event.complete)
            case EdgeFailed() if event.of and event.of == self._of:
                return self._spoken_out(event.at, self._clock.media(event.at), complete=True)
            case WordsCommitted() if event.turn == self._coughed and event.words and self._silent_from is not None:
                self._coughed = 0  # it was no cough: nobody understood it in time, and nobody answers it
                return self._prompt(self._line, event.at) if self._line is not None else []
            case SessionClosing():
                self._over = True
            case _:
                pass
        return []

    # --- the candidate's turn -------------------------------------------------------------------------------------------

    def _begin_turn(self, event: TurnStarted) -> None:
        self._answer.begin(event)
        self._records.clear()
        self._floor_from, self._cutting_in = event.media, False
        self._silent_from, self._prompted = None, False

    def _miss(self, gap: AudioGap) -> None:
        """Nobody knows what was said there: it is no silence, and no part of an answer."""
        self._lost.take(gap)
        self._signs.lost(gap.at)
        if self._silent_from is not None:
            self._silent_from = Media(max(self._silent_from, gap.end))

    def _nothing_understood(self, at: At) -> list[Event]:
        """Sound goes on, and the thorough decode finds no word in it: talk in the background, or a device that fails."""
        unanswered = not self._answer.words and self._answer.voiced_from is not None
        about_to = self._of or self._prompting or self._wording.deadline is not None
        if not unanswered or about_to or self._prompted or self._line is None or self._answer.spoken_until(at) < NO_WORDS_AFTER:
            return []
        self._prompted = True
        return self._prompt(self._line, at)

    def _assess(self, at: At) -> list[Event]:
        question = self._director.question
        first = question is not None and not self._director.following_up
        assessed = self._answer.assess(at, self._asked(), question, first=first)
        return [assessed, *self._signal(self._signs.speaking(self._answer.ids, question, at), at)]

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
        answer = self._answer
        known = self._policy.recogniser and not answer.blind and bool(answer.words)
        text, again = answer.text, self._ledger.ask_again() if self._goes_over() else ()
        repeated = known and self._answers.has(text)
        return Heard(text, answer.ids, known=known, repeated=repeated, likely=answer.likely(self._asked()), again=again)

    def _goes_over(self) -> bool:
        """Whether earlier answers are gone over now: only then is it worth looking through them."""
        return self._director.question is not None and self._director.question.kind == CONSISTENCY

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
        return [self._wording.ask(choice, self._answer.number, at, self._id("r"))] if self._wording.wants(choice) else []

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
        self._answer.end()
        if event.reason != "no-words":
            self._answers.keep(self._answer.text)
            self._silent_from = None
            return []
        if self._cut and self._line is not None:
            return self._say(replace(self._line, section=None), event.at)  # a laugh, a door: what it cut short is said again
        self._silent_from, self._coughed = event.media, event.turn  # the question stands, and the silence goes on
        return []

    # --- speaking -------------------------------------------------------------------------------------------------------

    def _spoken_out(self, at: At, media: Media, *, complete: bool) -> list[Event]:
        """Our line is over: the candidate's silence counts from here; after the closing one the round is through."""
        of, self._of = self._of, ""
        self._cut = not complete
        if not complete and self._answer.number and not self._settled:  # the candidate went on, and it was no turn
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
        if not self._answer.number and self._answer.voiced_from is None:
            self._silent_from = media
        return []

    def _say(self, choice: Choice, at: At) -> list[Event]:
        self._line, self._of = choice, self._id()
        self._cut = self._prompted = self._settled = False
        self._silent_from, self._unheard, self._coughed = None, "", 0
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

    def _once_more(self) -> Choice | None:
        """The rest of our line, which was not heard."""
        rest, self._unheard = self._unheard, ""
        return replace(self._line, text=rest, reason="it was spoken over") if self._line is not None else None

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
