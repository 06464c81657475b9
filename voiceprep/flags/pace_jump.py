"""pace_jump: the reply to a push-back is faster than the speaker's own pace. Needs words, and the speaker's own rate."""

from __future__ import annotations

from collections.abc import Iterator

from voiceprep.core.events import FlagRaised
from voiceprep.core.pack import PacingRule, Tongue
from voiceprep.core.units import At, MediaClock, Seconds
from voiceprep.flags.record import Answer, Record
from voiceprep.flags.window import first
from voiceprep.flags.words import WordRule

ID = "pace_jump"

OWN_LEAST: Seconds = 60.0
"""Speaking in this session from which a pace of one's own is known where no earlier session tells it."""


class PaceJump(WordRule):
    """Over the first minute of a reply. `own`: the rate of earlier sessions; 0 takes that of this session's calm answers."""

    def __init__(self, rule: PacingRule, tongue: Tongue, clock: MediaClock, record: Record, *, own: float = 0.0) -> None:
        super().__init__(rule, tongue, clock, record)
        self._own = own
        self._calm: dict[int, tuple[float, Seconds]] = {}
        """Rate and seconds of speaking of the answers to anything but a push-back, by turn."""
        self._next: dict[int, int] = {}

    def judge(self, answer: Answer, at: At) -> Iterator[FlagRaised]:
        pushed = answer.awaited.move == "pushback"
        window = first(self.record, answer, self.rule.window if pushed else OWN_LEAST * 10, self.rule.least)
        rate = window.rate(self.record.language) if window is not None else None
        if window is None or rate is None:
            return
        if not pushed:
            self._calm[answer.number] = (rate, window.seconds)
            return
        own = self._own or self._own_here(answer.number)
        if not own:
            return
        number = self._next.get(answer.number, 0)
        for threshold in self.rule.thresholds[number:]:
            if rate < own * (1 + threshold.value):
                break
            self._next[answer.number] = number + 1
            evidence = f"{rate:.0f} against your own {own:.0f} (+{100 * (rate / own - 1):.0f} %)"
            yield self.raised(number, at, window.start, window.end, evidence)
            number += 1

    def _own_here(self, before: int) -> float:
        calm = [found for turn, found in self._calm.items() if turn < before]
        seconds = sum(length for _, length in calm)
        return sum(rate * length for rate, length in calm) / seconds if seconds >= OWN_LEAST else 0.0
