"""What the rules that need words share. Each waits for words of record, and is silent where they are not trusted."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from math import inf

from voiceprep.core.events import Event, FlagRaised, SessionClosing, TurnEnded, VoiceStarted, WordsHeard
from voiceprep.core.pack import PacingRule, Tongue
from voiceprep.core.units import At, Media, MediaClock, Seconds
from voiceprep.flags.record import Answer, Record
from voiceprep.flags.rule import CONFIRM, flag

SENTENCE: Seconds = 5.0
"""What was begun before a crossing decides about it, so it is waited for: a sentence takes about so long."""


FROM_WORDS = "from words of record"
"""How the evidence of a flag ends that words decided."""


def needs_words(flag: FlagRaised) -> bool:
    """Whether this flag stands on words, so that it is no better than the transcript."""
    return FROM_WORDS in flag.evidence


class WordRule:
    """Judges the answers on record anew whenever something was added to them."""

    def __init__(self, rule: PacingRule, tongue: Tongue, clock: MediaClock, record: Record) -> None:
        self.rule = rule
        self.tongue: Tongue = tongue
        self.clock = clock
        self.record = record
        self._seen = 0

    @abstractmethod
    def judge(self, answer: Answer, at: At) -> Iterator[FlagRaised]:
        """The flags of a trusted answer that were not raised yet."""

    @property
    def deadline(self) -> At | None:
        return None

    def wake(self, at: At) -> list[Event]:
        return self._judged(at)

    def handle(self, event: Event) -> list[Event]:
        # `WordsHeard` follows every transcript of record, once all that it brought is committed.
        if isinstance(event, WordsHeard) and self.record.version != self._seen:
            self._seen = self.record.version
            return self._judged(event.at)
        return []

    def _judged(self, at: At) -> list[Event]:
        trusted = (answer for answer in self.record.answers if self.record.trusted(answer))
        return [raised for answer in trusted for raised in self.judge(answer, at)]

    def raised(self, number: int, at: At, start: Media, end: Media, evidence: str) -> FlagRaised:
        """The flag of this rule's threshold of this number."""
        return flag(self.rule, self.rule.thresholds[number], self.tongue, at, (start, end), f"{evidence}; {FROM_WORDS}")


class WordCrossing(WordRule):
    """A stretch that words begin and end, and the levels that it crosses, each raised once an answer.

    A crossing is known when all words up to it are on record: at once in a silence, else a little after they were said.
    """

    def __init__(self, rule: PacingRule, tongue: Tongue, clock: MediaClock, record: Record) -> None:
        super().__init__(rule, tongue, clock, record)
        self._next: dict[Media, int] = {}
        self._due: Media | None = None

    @abstractmethod
    def stretch(self, answer: Answer) -> tuple[Media, float] | None:
        """Where it begins and ends in this answer (infinity: it has not ended), or None: there is none."""

    @property
    def deadline(self) -> At | None:
        return self.clock.at(self._due) if self._due is not None else None

    def wake(self, at: At) -> list[Event]:
        self._due = None
        return super().wake(at)

    def handle(self, event: Event) -> list[Event]:
        match event:
            case VoiceStarted(speaker="candidate") | TurnEnded(speaker="candidate") | SessionClosing():
                self._due = None  # what is being said decides, and will be on record soon
            case _:
                pass
        return super().handle(event)

    def judge(self, answer: Answer, at: At) -> Iterator[FlagRaised]:
        found = self.stretch(answer)
        if found is None:
            return
        start, ends = found
        now = self.clock.media(at)
        known, over = self.record.known_until(now), min(ends, inf if answer.end is None else answer.end)
        number = self._next.get(answer.opening, 0)
        for threshold in self.rule.thresholds[number:]:
            crossing = Media(start + threshold.value + self.record.lost.inside(start, threshold.value))
            if crossing >= over:
                break
            if crossing > known:
                if known == now and answer.end is None:
                    self._due = Media(crossing + CONFIRM)
                break
            if known < min(now, crossing + SENTENCE):  # what was being said at the crossing is not on record to its end
                break
            if not self.holds(answer, crossing):
                break
            self._next[answer.opening] = number + 1
            yield self.raised(number, at, start, crossing, self.evidence(threshold.value))
            number += 1

    def holds(self, answer: Answer, crossing: Media) -> bool:  # noqa: ARG002 - for rules whose words may be taken back
        """Whether the words before the crossing bear it out: the last look, once all of them are on record."""
        return True

    def evidence(self, seconds: float) -> str:
        return f"{seconds:g} s"
