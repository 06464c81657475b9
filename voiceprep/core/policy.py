"""The numbers by which the core decides. They stand in the log's header, so a replay decides by the same ones."""

from __future__ import annotations

from dataclasses import dataclass

from voiceprep.core.units import Seconds

GRACE: Seconds = 60.0
"""How long over the time an interviewer of ours lets somebody talk: `Policy.grace` of sessions held now."""


@dataclass(frozen=True, slots=True)
class Policy:
    """Who may speak when, and how speech is cut for the recogniser."""

    recogniser: bool = True
    """False: a session without words. The floor then passes by silence and by key alone."""
    captions: bool = True
    """Ask for live hypotheses of unfinished speech."""
    drafts: bool = True
    """Ask for drafts at lulls. A recording that nobody answers needs none."""
    draft_enough: Seconds = 4.0
    """A drafted piece of this length is not decoded again when speech goes on."""
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
    caption_every: Seconds = 0.5
    """New speech before captions are decoded again,"""
    caption_share: float = 0.7
    """... or more: captions may keep the recogniser busy for this share of the time."""
    caption_window: Seconds = 6.0
    """Captions are decoded from about so much speech, twice as much at most,"""
    caption_window_least: Seconds = 3.0
    """... and from no less than this where the machine is slow."""
    record_patience: Seconds = 10.0
    """A transcript of record that is later than this is told as being behind."""
    barge_in: Seconds = 0.5
    """Speech over the interviewer that is more than a cough or an "mm-hm"."""
    false_start: Seconds = 1.5
    """A line over which the candidate goes on within this time was no turn: both began at once."""
    after_false_start: float = 3.0
    """Each of them makes the interviewer so many times more reluctant for the rest of the turn."""
    suspicion: Seconds = 0.3
    """A sound that has not turned out to be a voice by then was none."""
    verdict_wait: Seconds = 1.5
    """How long words decide whether a short sound was an interruption; without them it was none."""
    cut_in_within: Seconds = 2.0
    """The interviewer waits so long for a micro-pause to cut in at."""
    cut_in_after: Seconds = 20.0
    """Nobody is cut short who has hardly begun to answer."""
    prepare_within: Seconds = 3.0
    """A reply that is due within this silence is prepared ahead."""
    lull: Seconds = 0.25
    """How late, as a rule, the detector tells that speech may have ended,"""
    hangover: Seconds = 0.35
    """... and that it has."""
    wordless: Seconds = 1.5
    """Sound without a recognised word that is longer than this was speech that nobody understood, not a cough."""
    cough_settles: Seconds = 2.0
    """Silence after which a shorter one is forgotten."""
    unheard_patience: Seconds = 60.0
    """Silence before the floor passes when nobody knows what was said."""
    transcript_wait: Seconds = 8.0
    """How long the floor waits for a late transcript beyond the silence it asked for."""
    reword: bool = False
    """Have a language model word those moves that may be worded."""
    reword_wait: Seconds = 1.5
    """How long after the floor was yielded its words are waited for before the bank's are said."""
    farewell_wait: Seconds = 30.0
    """How long the end of a session waits for outstanding answers."""
    backchannels: bool = False
    """The interviewer makes sounds of listening, if its persona has any. Off unless said otherwise: older logs have none."""
    all_rules: bool = False
    """Every pacing rule is in force. Off unless said otherwise: older logs have flags of four rules alone."""
    own_rate: float = 0.0
    """The speaker's own narration rate (core/listening/baseline), in the units of the session's language a minute. 0: not
    known."""
    grace: Seconds | None = None
    """So long past the time for the candidate's questions, or for the end, the interviewer breaks into whatever is being said.
    None: it waits for its turn, as it does in older logs."""
