"""voiceprep: a local, voice-based live mock interviewer."""

__version__ = "0.1.0"
