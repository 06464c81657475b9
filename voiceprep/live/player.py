"""Plays the interviewer's utterances on the session's tick, and knows what of them has sounded."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from voiceprep.audio.base import VOICE_RATE, Samples
from voiceprep.core.turns.speaking import heard_text
from voiceprep.core.units import Seconds


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an utterance ended."""

    of: str
    heard: str
    seconds: Seconds
    complete: bool
    floor: bool = True
    """It leaves the floor to the candidate. A sound of listening does not: they had it all along."""


@dataclass
class _Part:
    """One rendered sentence."""

    text: str
    samples: Samples


class Player:
    """One utterance at a time, its sentences added as they are rendered. `pull` never blocks: what is not there is silence."""

    def __init__(self) -> None:
        self.of = ""
        """The utterance that is playing or about to, or ""."""
        self.sounding = False
        self._parts: list[_Part] = []
        self._complete = False
        self._played = 0
        self._paused = False
        self._whole = True
        self._floor = True

    @property
    def busy(self) -> bool:
        return bool(self.of)

    @property
    def audible(self) -> bool:
        """It sounds just now: begun, and not paused."""
        return self.sounding and not self._paused

    def begin(self, of: str, *, floor: bool = True) -> None:
        """A new utterance; what was left of an earlier one is gone. `floor`: see `Outcome`."""
        self.of, self.sounding, self._floor = of, False, floor
        self._parts, self._complete, self._played, self._paused = [], False, 0, False

    def add(self, of: str, text: str, samples: Samples) -> None:
        """Append a sentence, unless that utterance was stopped meanwhile."""
        if of == self.of:
            self._parts.append(_Part(text, samples))

    def complete(self, of: str, *, whole: bool = True) -> None:
        """No more sentences will be added; not `whole` when some could not be rendered."""
        if of == self.of:
            self._complete, self._whole = True, whole

    def pause(self, of: str, dropped: int = 0) -> None:
        """Fall silent, and go on from here later. `dropped` samples had been pulled but did not reach the ear."""
        if of == self.of:
            self._paused = True
            self._played = max(0, self._played - dropped)

    def resume(self, of: str) -> None:
        if of == self.of:
            self._paused = False

    def pull(self, count: int) -> tuple[Samples, str, Outcome | None]:
        """The next `count` samples, the id of an utterance that begins in them ("" if none), and one that ended in them."""
        out = np.zeros(count, dtype=np.float32)
        if self._paused or (not self._parts and not self._complete):
            return out, "", None
        begun = ""
        if self._parts and not self.sounding:
            self.sounding, begun = True, self.of
        filled, skipped = 0, self._played
        for part in self._parts:
            if skipped >= len(part.samples):
                skipped -= len(part.samples)
                continue
            piece = part.samples[skipped : skipped + count - filled]
            out[filled : filled + len(piece)] = piece
            filled += len(piece)
            skipped = 0
            if filled == count:
                break
        self._played += filled
        if self._complete and self._played >= sum(len(p.samples) for p in self._parts):
            return out, begun, self._finish(0)
        return out, begun, None

    def stop(self, of: str, dropped: int = 0) -> Outcome | None:
        """Fall silent. `dropped` samples had been pulled but did not reach the ear. None when `of` is not playing.

        Since a pause only silence has been pulled: what is dropped of that takes nothing from what was heard.
        """
        return self._finish(0 if self._paused else dropped) if of == self.of else None

    def _finish(self, dropped: int) -> Outcome:
        played = max(0, self._played - dropped)
        total = sum(len(p.samples) for p in self._parts)
        done = self._complete and self._whole and played >= total
        left, heard = played, []
        for part in self._parts:
            share = 1.0 if len(part.samples) <= left else left / max(1, len(part.samples))
            heard.append(heard_text(part.text, share))
            left = max(0, left - len(part.samples))
        text = "".join(h if h == p.text else h.rstrip() for h, p in zip(heard, self._parts, strict=True))
        outcome = Outcome(self.of, text.strip(), played / VOICE_RATE, done, self._floor)
        self.of, self.sounding, self._parts, self._complete, self._paused = "", False, [], False, False
        return outcome
