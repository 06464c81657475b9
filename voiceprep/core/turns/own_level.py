"""How loud this candidate speaks, so that a voice from across the room is not taken for theirs.

A laptop in a café, a colleague behind the door: the detector hears voices there too. They are kept in the recording and given
to the recogniser like any sound, but they do not silence the interviewer and are no attempt at an answer.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from statistics import fmean, median

from voiceprep.core.events import VoiceStarted, Word
from voiceprep.core.units import Media

FAR = 16.0
"""dB by which a voice begins softer than the candidate's does as a rule. Of 230 beginnings of rendered answers the softest lay
13 dB under the median of their language, and background talk 18 dB under the answers began 21 dB under it."""
FEWEST = 4
"""Stretches of speech without which nobody can say what is soft for this candidate."""
BACKGROUND = 10.0
"""Seconds for which far voices alone keep a turn from ending: the candidate may be muttering, which words would tell."""
CERTAIN = 0.75
"""Mean confidence of words that make a far voice the candidate's. Those that recognisers find in babble had 0.54 and 0.64, an
answer in the same noise 0.84 to 0.92."""
REMEMBERED = 20
"""Whoever leans back is followed: stretches with words count, however soft they began."""


class OwnLevel:
    """Follows the beginnings of speech. A stretch is learned from once a word was recognised in it."""

    def __init__(self) -> None:
        self._known: deque[float] = deque(maxlen=REMEMBERED)
        self._last: tuple[Media, float] | None = None
        self.far = False
        """The voice that began last is much softer than the candidate's: it is probably not theirs."""
        self.alone_since: Media | None = None
        """Since then nothing but far voices has been heard; None when the candidate spoke last."""

    def began(self, event: VoiceStarted, silent_from: Media | None = None) -> None:
        """A voice begins; where the candidate has the floor, in a silence that began at `silent_from`."""
        self.far = self.is_far(event)
        self._last = None if event.level is None else (event.media, event.level)
        self.alone_since = (self.alone_since or silent_from) if self.far else None

    def is_far(self, event: VoiceStarted) -> bool:
        return event.level is not None and len(self._known) >= FEWEST and event.level < median(self._known) - FAR

    def heard(self, words: Sequence[Word]) -> None:
        """Words were recognised in the candidate's turn."""
        if self.alone_since is not None:
            since = self.alone_since
            new = [word.confidence for word in words if word.start >= since]
            if new and fmean(new) >= CERTAIN:
                self.alone_since = None
        if self._last is not None and words and words[-1].end > self._last[0]:
            self._known.append(self._last[1])
            self._last = None
