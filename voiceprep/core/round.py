"""A round as it is played: listens to turns, assesses how finished an answer sounds, and lets the director answer it."""

from __future__ import annotations

from voiceprep.core.coverage import assess, completeness, on_topic
from voiceprep.core.director import Choice, Director, Heard
from voiceprep.core.events import (
    Draft,
    EdgeFailed,
    Event,
    Evidence,
    FloorYielded,
    Language,
    MoveChosen,
    MoveKind,
    MoveWithdrawn,
    QuestionAsked,
    SectionChanged,
    SessionClosing,
    SessionStarted,
    Speak,
    SpeakingFinished,
    SpeakingStarted,
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
from voiceprep.core.pack import Content, tongue_of
from voiceprep.core.policy import Policy
from voiceprep.core.text import text_of
from voiceprep.core.units import At, Media, MediaClock, Seconds

TOPICAL = 3
"""A question of the candidate's own is never off the topic (see core/coverage.py for the scale)."""


class Round:
    """The interviewer's side of the session. Closes it (`SessionClosing`) when the round is through."""

    def __init__(self, content: Content, policy: Policy, clock: MediaClock, language: Language, seed: int) -> None:
        self._content = content
        self._policy = policy
        self._clock = clock
        self._language: Language = language
        self._director = Director(content.round, content.endings, tongue_of(language), seed)
        self._began = At(0.0)
        self._count = 0
        self._over = False
        # our line
        self._line: Choice | None = None
        """What was said last, prompts aside."""
        self._of = ""
        """The utterance that says it, until it is over."""
        self._sounded = False
        self._cut = False
        """It was cut short."""
        # the candidate's turn
        self._turn = 0
        self._committed: tuple[Word, ...] = ()
        self._heard: tuple[Word, ...] = ()
        self._drafts: set[str] = set()
        self._blind = False
        self._spoken: Seconds = 0.0
        self._voiced_from: Media | None = None
        self._evidence: tuple[Evidence, ...] = ()
        self._assessed: tuple[Word, ...] = ()
        # a long silence
        self._silent_from: Media | None = None
        self._prompted = False

    # --- waking: one encouragement into a long silence ------------------------------------------------------------------

    @property
    def deadline(self) -> At | None:
        after = self._content.round.persona.prompt_after
        if after is None or self._silent_from is None or self._prompted or self._over:
            return None
        return self._clock.at(Media(self._silent_from + after))

    def wake(self, at: At) -> list[Event]:
        self._prompted = True
        choice = self._director.prompt()
        return self._prompt(choice, at) if choice is not None else []

    # --- events ---------------------------------------------------------------------------------------------------------

    def handle(self, event: Event) -> list[Event]:
        if self._over:
            return []
        match event:
            case SessionStarted():
                self._began = event.at
                return self._say(self._director.open(), event.at)
            case TurnStarted(speaker="candidate"):
                self._begin_turn(event)
            case VoiceStarted(speaker="candidate"):
                self._voiced_from = event.media
                self._silent_from = None
            case VoiceStopped(speaker="candidate"):
                self._voice_stopped(event)
            case WordsHeard() if event.turn == self._turn and self._turn:
                self._heard = event.words
                return self._assess(event.at)
            case WordsCommitted() if event.turn == self._turn and self._turn:
                self._committed += event.words  # the `WordsHeard` that follows has what is left
            case Draft() if event.turn == self._turn:
                self._drafts.add(event.id)
            case EdgeFailed() if event.of in self._drafts:
                self._blind = True
            case FloorYielded():
                return self._reply(event)
            case TurnEnded(speaker="candidate"):
                return self._turn_ended(event)
            case TurnHandedOver() if not self._turn and not self._of and self._line is not None:
                return self._prompt(self._line, event.at)  # nothing was said: the candidate wants to hear it again
            case SpeakingStarted() if event.of == self._of:
                self._sounded = True
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
        self._spoken, self._voiced_from = 0.0, event.media
        self._evidence, self._assessed = (), ()
        self._silent_from, self._prompted = None, False

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
        self._evidence = assess(words, self._content.detectors, self._language)
        text, question = text_of(words), self._director.question
        finished = completeness(
            text,
            self._spoken,
            self._evidence,
            on_topic(text, question, self._language) if question is not None else TOPICAL,
            self._content.endings,
            self._language,
            followup=self._director.following_up or question is None,
        )
        return [TurnAssessed(at=at, turn=self._turn, completeness=finished, evidence=self._evidence)]

    def _reply(self, event: FloorYielded) -> list[Event]:
        self._silent_from = None
        words = (*self._committed, *self._heard)
        known = self._policy.recogniser and not self._blind and bool(words)
        heard = Heard(text_of(words), frozenset(item.signal for item in self._evidence), known=known)
        return self._say(self._director.reply(heard, event.at - self._began), event.at)

    def _turn_ended(self, event: TurnEnded) -> list[Event]:
        self._turn = 0
        if event.reason != "no-words":
            self._silent_from = None
            return []
        if self._cut and self._line is not None:
            return self._say(self._line, event.at)  # a laugh, a door: what it cut short is said again
        self._silent_from = event.media  # nothing was said: the question stands, and the silence goes on
        return []

    # --- speaking -------------------------------------------------------------------------------------------------------

    def _spoken_out(self, at: At, media: Media, *, complete: bool) -> list[Event]:
        """Our line is over: the candidate's silence counts from here; after the closing one the round is through."""
        of, self._of = self._of, ""
        self._cut = not complete
        if not complete and not self._sounded and self._turn:  # the candidate went on before a sound of it was heard
            section = self._director.undo()
            out: list[Event] = [MoveWithdrawn(at=at, of=of)]
            if self._line is not None and self._line.section is not None:
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
        self._sounded = self._cut = self._prompted = False
        out: list[Event] = []
        if choice.section is not None:
            out.append(SectionChanged(at=at, section=choice.section.id, budget=choice.section.budget))
        out.append(MoveChosen(at=at, move=choice.move, target=choice.target, phrase=choice.phrase, reason=choice.reason))
        if choice.question:
            out.append(QuestionAsked(at=at, question=choice.question, text=choice.text, of=self._of))
        return [*out, self._speak(self._of, choice.text, choice.move, at)]

    def _prompt(self, choice: Choice, at: At) -> list[Event]:
        """Say something that takes no turn."""
        chosen = MoveChosen(at=at, move="prompt", target="", phrase=choice.phrase, reason=choice.reason)
        return [chosen, self._speak(self._id(), choice.text, "prompt", at)]

    def _speak(self, of: str, text: str, move: MoveKind, at: At) -> Speak:
        return Speak(at=at, id=of, text=text, language=tongue_of(self._language), move=move)

    def _id(self) -> str:
        self._count += 1
        return f"s{self._count}"
