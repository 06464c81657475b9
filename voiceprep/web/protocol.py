"""What page and server say to each other over the live socket, besides the session's events (`web/events.py`).

Text messages are JSON with a `kind`. Binary messages are sound, each with a header of 16 bytes, little-endian:

    up    u8 1, u8 0, u16 0, u32 sequence number,  u64 position of the first sample; then PCM16 at 16 kHz, mono
    down  u8 2, u8 0, u16 0, u32 utterance number, u64 position of the first sample; then PCM16 at 24 kHz, mono

Positions up count the samples of the recording from its start, positions down those of the interviewer's track.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Annotated, Literal, Self

from pydantic import Field, SerializeAsAny, TypeAdapter, ValidationError, model_validator

from voiceprep.audio.base import RATE
from voiceprep.core.events import Language
from voiceprep.errors import BadInputError
from voiceprep.web.events import Wire, WireEvent

VERSION = 1
"""Raised with every change that an older page would not understand."""

SUBPROTOCOL = "voiceprep.v1"
ID = r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}"
"""Of a session, a round, a drill, a tab: nothing that leads out of a folder."""

Id = Annotated[str, Field(pattern=rf"^{ID}$", max_length=200)]
Text = Annotated[str, Field(max_length=2_000)]

LONGEST_TEXT = 16_384
"""Bytes of a text message."""
FRAME_SAMPLES = RATE
"""Samples of one frame of sound at most: one second."""

_HEADER = struct.Struct("<BBHIQ")
UP, DOWN = 1, 2
LONGEST_FRAME = _HEADER.size + 2 * FRAME_SAMPLES


# --- the page says --------------------------------------------------------------------------------------------------------


class Hello(Wire):
    """The first message, within five seconds. Begins a session, or goes on with one after a drop, a reload, from another tab.

    `tab` is a name that the page makes up once a tab. Exactly one of `round`, `drill`, `loop` and `session` is given. `loop`
    holds the next round of this passage; with a loop's own id, of the passage last worked on, or the first of a new one. With
    `session`, `acked` is the position up to which this page knows its sound to have arrived, or null: it was loaded anew and
    has none.
    """

    kind: Literal["hello"] = "hello"
    version: int
    token: str = Field(max_length=200)
    tab: Id
    round: Id | None = None
    drill: Id | None = None
    session: Id | None = None
    acked: int | None = Field(default=None, ge=0)
    take_over: bool = False
    """Another tab holds the session: take it from there."""
    lang: Language | None = None
    mode: Literal["coach", "exam"] | None = None
    audio: Literal["browser", "device"] = "browser"
    """Whose microphone and speaker: the page's, or those that the settings name on the machine of the server."""
    page: Literal["en", "zh"] | None = None
    """The language of the page: advice is told in it. None: in the session's."""
    headphones: bool = False
    severity: int = Field(default=0, ge=0, le=2)
    lens: Id | None = None
    loop: Id | None = None
    anew: bool = False
    """With `loop`: begin it anew."""
    question: Id | None = None
    """With `round`: this question of it alone."""
    resumes: Id | None = None
    """With `round`: it goes on where it broke off in this session, held as it was, in the language and mode said here."""
    take: Literal["new", "again", "resume"] = "new"
    """With `drill`: its next prompt, the prompt of the last take once more, or the take that was broken off."""
    prompt: int | None = Field(default=None, ge=1, le=1_000)
    """With `drill` and a new take: this prompt of it, from 1."""

    @model_validator(mode="after")
    def _one_wish(self) -> Self:
        if sum(wish is not None for wish in (self.round, self.drill, self.loop, self.session)) != 1:
            raise ValueError("exactly one of round, drill, loop and session is given")
        return self


class HandOver(Wire):
    """My answer is finished."""

    kind: Literal["hand_over"] = "hand_over"


class Mute(Wire):
    """From here on the microphone counts as off, or on again. While it is off the recording has a gap, reason `muted`."""

    kind: Literal["mute"] = "mute"
    on: bool


class Talk(Wire):
    """Push-to-talk: while the key is up (`on` false) the recording holds silence, and that is the candidate's own."""

    kind: Literal["talk"] = "talk"
    on: bool


class Pause(Wire):
    """The session stands still: nothing is recorded, no clock runs, the interviewer is silent."""

    kind: Literal["pause"] = "pause"


class Resume(Wire):
    kind: Literal["resume"] = "resume"


class Note(Wire):
    """Mark this moment. `text` may be empty."""

    kind: Literal["note"] = "note"
    text: Text = ""


class End(Wire):
    """`later`: a take of a drill is broken off, to be taken up again."""

    kind: Literal["end"] = "end"
    later: bool = False


class Heard(Wire):
    """Where in the interviewer's track the page's speaker is: everything before `position` has sounded.

    `latency`: seconds from a sample's arrival at the page to the ear. Four times a second while something sounds, and at
    once when it stops. Without it the server guesses, and an interrupted line is logged less exactly.
    """

    kind: Literal["heard"] = "heard"
    position: int = Field(ge=0)
    latency: float = Field(default=0.0, ge=0.0, le=5.0)


class Ping(Wire):
    """Is anybody there? `sent` comes back in the pong."""

    kind: Literal["ping"] = "ping"
    sent: float = 0.0


ClientMessage = Annotated[
    Hello | HandOver | Mute | Talk | Pause | Resume | Note | End | Heard | Ping, Field(discriminator="kind")
]
CLIENT: TypeAdapter[ClientMessage] = TypeAdapter(ClientMessage)


# --- the server says ------------------------------------------------------------------------------------------------------


class Preparing(Wire):
    """What is being loaded before a new session can begin."""

    kind: Literal["preparing"] = "preparing"
    what: str


class Welcome(Wire):
    """The session is there. Send sound from `position` on.

    After a drop, what the page still has from there is sent again. A page that has nothing of it, or whose own count is behind,
    goes on counting at `position`: what was lost meanwhile is in the recording as silence, and told by `audio_gap`.
    """

    kind: Literal["welcome"] = "welcome"
    version: int = VERSION
    session: str
    position: int
    resumed: bool
    round: str
    """Its id, or "" in a take of a drill."""
    drill: str
    language: Language
    mode: Literal["coach", "exam"]
    audio: Literal["browser", "device"]
    rate: int
    voice_rate: int
    paused: bool = False
    pausable: bool = True
    """Whether it can stand still: where a recording speaks in place of the server's own microphone, it cannot."""
    muted: bool = False
    spent: dict[str, float] = Field(default_factory=dict)
    """Seconds by section that a round which goes on had used before this session; empty for any other."""
    echo: str = ""
    """What is done about the interviewer's voice in the microphone, for people."""


class Refused(Wire):
    """No session for this page; the socket closes. `busy` and `other-tab` name the `session` that is held."""

    kind: Literal["refused"] = "refused"
    code: str
    message: str
    hint: str = ""
    session: str = ""


class TakenOver(Wire):
    """Another tab goes on with the session; the socket closes, and this page must not come back by itself."""

    kind: Literal["taken_over"] = "taken_over"


class Ack(Wire):
    """All sound before `position` is kept: the page may forget it."""

    kind: Literal["ack"] = "ack"
    position: int


class Number(Wire):
    """The sound of the utterance `of` comes in frames with this number."""

    kind: Literal["utterance"] = "utterance"
    of: str
    number: int


class VoiceStop(Wire):
    """Throw away the interviewer's sound that has not sounded yet, and all frames whose position is below `position`."""

    kind: Literal["voice_stop"] = "voice_stop"
    position: int


class Clock(Wire):
    """The time, four times a second: `at` of the session, `media` of the recording."""

    kind: Literal["clock"] = "clock"
    at: float
    media: float


class MicrophoneLevel(Wire):
    """How loud the last block was, ten times a second."""

    kind: Literal["level"] = "level"
    dbfs: float


class History(Wire):
    """After `welcome` of a session that goes on: what happened so far, without live captions and voices."""

    kind: Literal["history"] = "history"
    events: tuple[SerializeAsAny[WireEvent], ...]


class Muted(Wire):
    kind: Literal["muted"] = "muted"
    on: bool


class Saved(Wire):
    """The last message: the session is on the disk and can be looked at."""

    kind: Literal["saved"] = "saved"
    session: str
    ended: str


class Pong(Wire):
    kind: Literal["pong"] = "pong"
    sent: float


class Warned(Wire):
    """The page sent something that was passed over.

    `no-pause`: this session cannot stand still. `no-mute`: the microphone is the server's own; no key of the page shuts it.
    """

    kind: Literal["warned"] = "warned"
    code: str
    message: str


CONTROL: tuple[type[Wire], ...] = (
    Preparing,
    Welcome,
    Refused,
    TakenOver,
    Ack,
    Number,
    VoiceStop,
    Clock,
    MicrophoneLevel,
    History,
    Muted,
    Saved,
    Pong,
    Warned,
)
"""Everything the server says that is no event of the session."""

CLOSE_REFUSED, CLOSE_TAKEN_OVER, CLOSE_TOO_MUCH, CLOSE_BAD, CLOSE_LATE, CLOSE_GOING = 4000, 4001, 4002, 4003, 4004, 1001
"""Why a socket closes: refused, taken over, more than allowed, not understood, no hello in time, the server stops."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A binary message: sound from `position` on; `number` is the sequence number (up) or the utterance's (down)."""

    number: int
    position: int
    pcm: bytes


def pack(frame: Frame, direction: int) -> bytes:
    """A frame as a binary message."""
    return _HEADER.pack(direction, 0, 0, frame.number & 0xFFFFFFFF, frame.position) + frame.pcm


def unpack(data: bytes, direction: int = UP) -> Frame:
    """A binary message as a frame. Raises BadInputError (``bad-frame``)."""
    if not _HEADER.size < len(data) <= LONGEST_FRAME or len(data) % 2:
        raise BadInputError(f"a message of {len(data)} bytes is no frame of sound", code="bad-frame")
    kind, flags, reserved, number, position = _HEADER.unpack_from(data)
    if kind != direction or flags or reserved or position > 2**52:
        raise BadInputError("that is no frame of sound", code="bad-frame")
    return Frame(number, position, data[_HEADER.size :])


def understood(text: str) -> ClientMessage:
    """A text message of the page. Raises BadInputError (``bad-message``), which names the place and quotes nothing."""
    try:
        return CLIENT.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False, include_context=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "the message"
        raise BadInputError(f"{place}: {first['msg'].lower()}", code="bad-message") from error
