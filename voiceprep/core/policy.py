"""The numbers by which the core decides. They stand in the log's header, so a replay decides by the same ones."""

from __future__ import annotations

from dataclasses import dataclass

from voiceprep.core.units import Seconds


@dataclass(frozen=True, slots=True)
class Policy:
    """Who may speak when, and how speech is cut for the recogniser."""

    recogniser: bool = True
    """False: a session without words. The floor then passes by silence and by key alone."""
    captions: bool = True
    """Ask for live hypotheses of unfinished speech."""
    drafts: bool = True
    """Ask for drafts at soft ends. A recording that nobody answers needs none."""
    soft_end: Seconds = 0.6
    """Silence after which the answer so far is drafted: the answer may be over."""
    thinking: Seconds = 1.0
    """Silence that is no longer a breath."""
    settle: Seconds = 2.0
    """Silence after which a segment is closed and decoded for the record; speech that resumes earlier extends it."""
    segment_enough: Seconds = 8.0
    """A segment this long is closed at the next soft end even when speech resumes at once."""
    segment_max: Seconds = 24.0
    """Unbroken speech is split by now; the recogniser's window is 30 s."""
    segment_search: Seconds = 8.0
    """... at the quietest place of this last stretch."""
    pad: Seconds = 0.2
    """Audio given to the recogniser around the voiced region, so that soft first and last sounds are there."""
    caption_every: Seconds = 0.7
    """New speech before captions are decoded again."""
    caption_window: Seconds = 10.0
    """The most unfinished speech that captions are decoded from."""
    barge_in: Seconds = 0.5
    """Speech over the interviewer that is more than a cough or an "mm-hm"."""
    pause_allowance: float = 1.5
    """The interviewer waits so many times the longest pause after which the candidate has gone on in this turn,"""
    pause_allowance_most: Seconds = 15.0
    """... but no longer than this on that account."""
    hangover: Seconds = 0.3
    """How late the detector tells that speech ended."""
    wordless: Seconds = 1.5
    """Sound without a recognised word that is longer than this was speech that nobody understood, not a cough."""
    cough_settles: Seconds = 2.0
    """Silence after which a shorter one is forgotten."""
    unheard_patience: Seconds = 60.0
    """Silence before the floor passes when nobody knows what was said."""
    transcript_wait: Seconds = 8.0
    """How long the floor waits for a late transcript beyond the silence it asked for."""
    farewell_wait: Seconds = 30.0
    """How long the end of a session waits for outstanding answers."""
