"""Everything that happens in a session, as small frozen values.

Three kinds, and nothing else, go through the conductor and into the log:

- a **Fact** is what the outside world did, in the past tense. It is stamped and queued by the inbox (`live/inbox.py`).
- a **Decision** is what the pure core concluded from facts.
- a **Command** asks the shell to do something. It carries an id, and is answered by exactly one fact whose `of` is that
  id: its own answer, or `EdgeFailed`. Only those that name a `Speak` (`PauseSpeaking`, `ResumeSpeaking`, `StopSpeaking`)
  have no answer of their own.

`at` is the session clock, `media`, `start` and `end` are places in the candidate's recording (see `core/units.py`).
docs/protocol.md lists every event and is checked against this module.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from voiceprep.core.units import At, Media, Seconds

Speaker = Literal["candidate", "interviewer"]
Level = Literal["notice", "warning", "fail"]
Language = Literal["en", "zh", "mixed"]
Silence = Literal["breath", "thinking", "yielded"]
Sign = Literal["nod", "interesting", "silence", "notes"]
"""A micro-signal of an interviewer. Nods and "interesting" are meant as off track, silence and note-taking as on track."""
Meant = Literal["on-track", "off-track"]
MoveKind = Literal[
    "question",
    "followup",
    "pushback",
    "curveball",
    "probe_detail",
    "forced_choice",
    "yield",
    "move_on",
    "answer",
    "prompt",
    "backchannel",
    "cue",
    "close",
]
NO_TURN: frozenset[MoveKind] = frozenset({"prompt", "backchannel", "cue"})
"""Moves that take no turn: an encouragement into a silence, a sound of listening, the time in a drill."""


@dataclass(frozen=True, slots=True)
class Word:
    """One recognised word (Chinese: one character or one Latin word).

    `confidence` is the recogniser's probability, 0..1.
    """

    text: str
    start: Media
    end: Media
    confidence: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """A verbatim piece of what the candidate said that shows a signal or a trap."""

    signal: str
    quote: str
    start: Media
    end: Media


@dataclass(frozen=True, slots=True)
class Ending:
    """The last moments of a stretch of speech, against this speaker's own voice. None where it cannot be told."""

    pitch_change: float | None
    """Semitones from the beginning to the end of the last 0.3 s: below 0 it fell. None when that is not voiced enough."""
    pitch: float | None
    """Semitones of the last voiced 0.4 s above this speaker's median. None in a creaky end, or a voice not known yet."""
    level: float | None
    """dB of the last voiced 0.8 s above this speaker's mean. None for a voice that is not known yet."""
    level_fall: float
    """dB by which the last 0.2 s of speech are softer than the 0.35 s before them; below 0 it grew louder."""
    steady: Seconds
    """Length of the vowel that the speech ended with, while its pitch, its level and its colour stayed as they were."""


@dataclass(frozen=True, slots=True)
class HeldSound:
    """A voiced sound that is held, `start` to `end` in seconds of the recording: a filled pause, or a drawn-out word.

    `odds` is the natural logarithm of the odds that it is a filled pause, as far as the sound tells when no word was
    recognised there.
    """

    start: Seconds
    end: Seconds
    odds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something at a moment of the session clock, in seconds."""

    at: At


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact(Event):
    """What the outside world did."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision(Event):
    """What the core concluded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command(Event):
    """What the shell is asked to do. `id` is unique within the session."""

    id: str


# --- facts: the session -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionStarted(Fact):
    """The first fact. Everything else that the session was started with stands in the log's header."""

    round: str
    persona: str
    language: Language
    mode: Literal["coach", "exam"] = "coach"


@dataclass(frozen=True, slots=True, kw_only=True)
class StopRequested(Fact):
    """The session must end now: `audio-ended`, `user`, `interrupted`, or an error's code."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteAdded(Fact):
    """The candidate or the page left a note at a place in the recording."""

    media: Media
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnHandedOver(Fact):
    """The candidate said by key, not by voice, that the answer is finished."""

    media: Media


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionPaused(Fact):
    """Session and recording stand still from `media` on: `asked`, or `away` (no page was connected)."""

    media: Media
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionResumed(Fact):
    """Session and recording go on."""

    media: Media


# --- facts: audio and voice activity ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class AudioProgress(Fact):
    """The recording has reached `media` at session time `at`. Logged about once a second."""

    media: Media


@dataclass(frozen=True, slots=True, kw_only=True)
class AudioGap(Fact):
    """Capture lost this stretch, and the recording holds silence there.

    `reason`: `overflow`, `stalled`, `asleep`, `muted`, `network` or `unknown`.
    """

    start: Media
    end: Media
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VoiceStarted(Fact):
    """Speech began at `media`; known a little later, at `at`.

    `level` is that of its loudest moment so far in dBFS, None where it was not measured.
    """

    speaker: Speaker
    media: Media
    level: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class VoiceStopped(Fact):
    """Speech ended at `media`; known a hangover later, at `at`."""

    speaker: Speaker
    media: Media


@dataclass(frozen=True, slots=True, kw_only=True)
class VoiceSuspected(Fact):
    """A sound began at `media` that may become speech. `VoiceStarted` follows, or nothing. `level` as there."""

    speaker: Speaker
    media: Media
    level: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class VoiceLulled(Fact):
    """A short silence began at `media` that may become the end of the speech. `VoiceStopped` follows, or speech goes on."""

    speaker: Speaker
    media: Media


@dataclass(frozen=True, slots=True, kw_only=True)
class EndingHeard(Fact):
    """How the speech before the lull at `media` sounded at its end: pitch, level, and how long its last vowel was held."""

    media: Media
    ending: Ending


@dataclass(frozen=True, slots=True, kw_only=True)
class QuietPoint(Fact):
    """The quietest place of the last second of unbroken speech: where long speech may be split. `level` in dBFS."""

    media: Media
    level: float


# --- facts: answers to commands -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class HypothesisReady(Fact):
    """What the recogniser thinks of unfinished speech, after the words it was told. Answers `Hypothesize`.

    `skipped`: it had something more important to do, and nothing was decoded.
    """

    of: str
    words: tuple[Word, ...]
    skipped: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftReady(Fact):
    """The quick text of speech that may be over: good enough to decide by. Answers `Draft`."""

    of: str
    words: tuple[Word, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptReady(Fact):
    """The transcript of record of a span. Answers `Transcribe`. Untrusted text says why (`reasons`).

    `held`: the sounds in it that may be fillers, whatever was written down there.
    """

    of: str
    words: tuple[Word, ...]
    trusted: bool = True
    reasons: tuple[str, ...] = ()
    held: tuple[HeldSound, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reworded(Fact):
    """The move in the interviewer's own words, or "" with the reason why there are none (`refused`). Answers `Reword`.

    What it took is told in tokens, and as `cost` in the user's currency where the user gave prices.
    """

    of: str
    text: str
    refused: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeechPrepared(Fact):
    """The first sentence is ready to sound. Answers `PrepareSpeech`."""

    of: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeakingStarted(Fact):
    """The first sample of utterance `of` went to the speaker, which takes `latency` seconds to the ear (None: not told)."""

    of: str
    media: Media
    latency: Seconds | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeakingFinished(Fact):
    """Utterance `of` is over. Answers `Speak`.

    `heard` is the part of its text that really sounded, `seconds` how long it sounded, `complete` whether that was all.
    """

    of: str
    media: Media
    heard: str
    seconds: Seconds
    complete: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeFailed(Fact):
    """Something outside failed. `of` is the command it was to answer, or "" when none. `message` is a plain sentence."""

    code: str
    message: str
    of: str = ""


# --- commands -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Hypothesize(Command):
    """Decode the unfinished speech from `start` to `end`, quickly, for captions.

    `known` is how it begins, as firm captions have it: the answer goes on from there.
    """

    start: Media
    end: Media
    known: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft(Command):
    """Decode the speech from `start` to `end` quickly and next: whether the turn is over may depend on it."""

    start: Media
    end: Media
    turn: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcribe(Command):
    """Decode a finished span with the full window: the transcript of record."""

    start: Media
    end: Media
    turn: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Speak(Command):
    """Say this aloud, in the persona's voice. `text` is what is shown; the voice makes it fit for the ear."""

    text: str
    language: Literal["en", "zh"]
    move: MoveKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Reword(Command):
    """Put this move into the interviewer's own words: `text` is the bank's, `turn` the answer that it replies to.

    A later `Reword` takes its place.
    """

    move: MoveKind
    target: str
    text: str
    language: Literal["en", "zh"]
    turn: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PrepareSpeech(Command):
    """Have this ready: it will most likely be said next. Nothing sounds of it; a later `PrepareSpeech` takes its place."""

    text: str
    language: Literal["en", "zh"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PauseSpeaking(Command):
    """Fall silent now, and keep the rest of utterance `of`: somebody speaks over it, and may mean it. Has no answer."""

    of: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ResumeSpeaking(Command):
    """It was a cough: go on with utterance `of` where it stopped. Has no answer."""

    of: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StopSpeaking(Command):
    """Fall silent for good. The utterance `of` is then answered by `SpeakingFinished` with what was heard."""

    of: str


# --- decisions: the floor -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnStarted(Decision):
    """`speaker` has the floor. Turns of both are numbered together from 1."""

    speaker: Speaker
    turn: int
    media: Media


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnEnded(Decision):
    """`speaker` has given up the floor at `media`; for the candidate that is certain a moment after the interviewer sounds.

    `reason`: `yielded`, `handed-over`, `no-words`, `finished`, `interrupted`, `session-ended`.
    """

    speaker: Speaker
    turn: int
    media: Media
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorYielded(Decision):
    """The candidate's turn is over unless speech resumes before the interviewer sounds: `yielded` or `handed-over`."""

    turn: int
    media: Media
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyExpected(Decision):
    """The silence since `media` will yield the floor when it has lasted `after` seconds: the reply is worth preparing."""

    turn: int
    media: Media
    after: Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class SilenceChanged(Decision):
    """The candidate's silence since `media` now counts as a breath, as thinking (floor kept) or as yielding."""

    state: Silence
    media: Media


@dataclass(frozen=True, slots=True, kw_only=True)
class Interrupted(Decision):
    """`by` broke into the speech of `who`: `barge-in`, `false-start` (both began), or the id of an interjection."""

    who: Speaker
    by: Speaker
    media: Media
    reason: str


# --- decisions: words ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptionChanged(Decision):
    """Live text of all speech whose record is not here yet: `tentative` words may change with every hypothesis.

    `firm` words stay as they are until a draft or the record, which hear more, take their place.
    """

    firm: tuple[Word, ...]
    tentative: tuple[Word, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptionsBehind(Decision):
    """What can be read is this many seconds behind what is being said, in steps; 0: it has caught up. No speech is dropped."""

    seconds: Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class WordsHeard(Decision):
    """All words of the turn that are not committed yet, as drafts have them: good enough to decide by.

    Replaced by the next `WordsHeard` of the turn.
    """

    words: tuple[Word, ...]
    turn: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WordsCommitted(Decision):
    """Words of record, in order, inside voiced regions. Once committed, words never change."""

    words: tuple[Word, ...]
    turn: int
    trusted: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class EchoDropped(Decision):
    """These words were what the interviewer was just saying, heard back: they are nobody's answer, and not among the words."""

    words: tuple[Word, ...]
    turn: int


# --- decisions: the round -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionChanged(Decision):
    """The round moved to this section; `budget` is its planned length in seconds."""

    section: str
    budget: Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnAssessed(Decision):
    """How finished the answer sounds so far, with what it showed. Drives the floor's patience.

    `completeness` is the probability that this is its end, the silence that follows left aside, `log_odds` the same as natural
    logarithm of the odds. `roundness` (0..1) is how complete its last clause is; `thinking`: time to think was asked for;
    `first`: it answers a question that was just raised, not a follow-up, and people are given room for that.
    """

    turn: int
    completeness: float
    evidence: tuple[Evidence, ...]
    log_odds: float = 0.0
    roundness: float = 1.0
    thinking: bool = False
    first: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class InterruptionDue(Decision):
    """The interviewer wants to cut in with this interjection of the round: at the next micro-pause, or soon without one."""

    interjection: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveChosen(Decision):
    """The director's choice, and why. `target` is the signal or trap it goes after, or "". It goes out as `of`."""

    move: MoveKind
    target: str
    phrase: str
    reason: str
    of: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionAsked(Decision):
    """A question of the pack, or a follow-up to it, goes out as `of`."""

    question: str
    text: str
    of: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedAgain(Decision):
    """What goes out as `of` asks once more for what was claimed in `start`..`end` (`quote`); `claim`: its key in the ledger."""

    of: str
    claim: str
    quote: str
    start: Media
    end: Media


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveWithdrawn(Decision):
    """The move that was to be said as `of` is taken back: the candidate went on before, or as, it began to sound."""

    of: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalGiven(Decision):
    """The interviewer gave a micro-signal: shown, or with "interesting" said at the beginning of utterance `of`.

    `meant` is what it stood for and `reason` why: the truth that a later quiz holds the candidate's reading against.
    """

    signal: Sign
    meant: Meant
    reason: str
    of: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockStarted(Decision):
    """A drill's clock for the reply to `step` runs from `media` on, where the candidate began to speak.

    `budget` is what the reply may take, `limit` where it is ended; 0: no such bound. Given again for a step, the later one
    counts: what had been taken for speech was a cough.
    """

    step: str
    media: Media
    budget: Seconds
    limit: Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class CueGiven(Decision):
    """A drill's clock reached `mark` seconds: `text` is shown, and said as utterance `of` unless that is ""."""

    cue: str
    mark: Seconds
    media: Media
    text: str
    of: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FlagRaised(Decision):
    """A pacing threshold was crossed: `start`..`end` is the stretch up to the crossing, `at` at most 0.25 s later."""

    rule: str
    level: Level
    start: Media
    end: Media
    advice: str
    evidence: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionClosing(Decision):
    """Nothing new begins: outstanding answers are waited for, then the session ends with this reason."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionEnded(Decision):
    """Nothing follows: `completed`, `audio-ended`, `user`, `interrupted`, `failed`, or an error's code.

    A drill also ends with `time-up`, `no-answer` or `paused`.
    """

    reason: str


KINDS: dict[str, type[Event]] = {
    name: kind
    for name, kind in list(globals().items())
    if isinstance(kind, type) and issubclass(kind, Event) and kind not in {Event, Fact, Decision, Command}
}
"""Every event by the name that the log's `kind` uses."""
