"""A microphone that gives nothing but zeros: muted, or silent in its own way?"""

from __future__ import annotations

from typing import Literal

from voiceprep.core.units import Seconds

SILENT: Seconds = 3.0
"""Seconds of exact zeros after which a microphone counts as muted, or as not permitted to this program."""

SILENT_GATE: Seconds = 20.0
"""... one that is known to give zeros whenever nobody speaks."""

GATED: Seconds = 0.3
"""Zeros this long between two sounds are longer than any digital accident, and shorter than anybody mutes."""

STARTING: Seconds = 1.0
"""Drivers give zeros for up to this long before the first sound."""

Change = Literal["", "silent", "back"]


class Zeros:
    """Tells mute from silence, by what this microphone does in pauses.

    A real microphone hisses: exact zeros mean that it is switched off, and what is said meanwhile is lost. But some clean their
    silence to zeros (headsets and conference filters do), and there zeros are the candidate's own pause. So once zeros have
    been seen in a short pause, or in all that came before the first sound, they count as silence; until then, as loss.
    """

    def __init__(self) -> None:
        self._zeros: Seconds = 0.0
        self._heard = False
        self._gates = False
        self._told = False

    @property
    def lost(self) -> bool:
        """Whether what comes in now is no silence but the lack of sound."""
        return self._told and not self._gates

    def feed(self, seconds: Seconds, *, sounding: bool) -> Change:
        """The next `seconds` hold a sample that is not zero, or none. Says when sound ceases, and when it is back."""
        if sounding:
            if GATED <= self._zeros < SILENT if self._heard else self._zeros > STARTING:
                self._gates = True
            was_told, self._told, self._heard, self._zeros = self._told, False, True, 0.0
            return "back" if was_told else ""
        self._zeros += seconds
        if not self._told and self._zeros >= (SILENT_GATE if self._gates else SILENT):
            self._told = True
            return "silent"
        return ""
