"""Filled pauses in the sound."""

from voiceprep.speech.fillers.detector import HeldSound, HeldSounds, held_sounds

__all__ = ["HeldSound", "HeldSounds", "held_sounds"]
