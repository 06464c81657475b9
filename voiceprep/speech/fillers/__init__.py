"""Filled pauses in the sound."""

from voiceprep.core.events import HeldSound
from voiceprep.speech.fillers.detector import HeldSounds, held_sounds
from voiceprep.speech.fillers.stretch import held_in

__all__ = ["HeldSound", "HeldSounds", "held_in", "held_sounds"]
