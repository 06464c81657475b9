"""Whether the interviewer's voice comes back at the microphone, and what is done about it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from voiceprep.audio.base import Sink, Source
from voiceprep.audio.cancelling import Cancelling
from voiceprep.audio.echo import EchoControl, HalfDuplex
from voiceprep.audio.sink_file import FileSink
from voiceprep.audio.sink_null import NullSink
from voiceprep.audio.webrtc import EchoRemover
from voiceprep.errors import MissingError

Wanted = Literal["auto", "full", "cancel", "half"]

_WORN = re.compile(
    r"head-?\s?(set|phone)|ear-?\s?(phone|bud|piece|pod)|air\s?pods|buds\d*\b|hands-?free|耳机|耳麦|耳塞", re.IGNORECASE
)
_LOUD = re.compile(r"speaker|扬声器|音箱|音响", re.IGNORECASE)
"""Cards that have both call their one output "Speakers/Headphones": then it may be the speakers."""


@dataclass(frozen=True, slots=True)
class Duplex:
    """`control` is None where there is no echo: the candidate is always heard. `reason` is for people, and for the log."""

    control: EchoControl | None
    reason: str


def worn(name: str) -> bool:
    """Whether a speaker of this name is on somebody's head. A name that says nothing, Bluetooth or not, is a loudspeaker's."""
    return bool(_WORN.search(name)) and not _LOUD.search(name)


def choose_duplex(wanted: Wanted, source: Source, sink: Sink) -> Duplex:
    """What this session does about echo. Where cancellation is not possible it is half duplex, and the reason says so."""
    if source.on_demand or isinstance(sink, (NullSink, FileSink)):
        return Duplex(None, "none, nothing sounds in the room")
    if wanted == "full":
        return Duplex(None, "none, full duplex as set")
    if wanted == "auto" and worn(sink.name):
        return Duplex(None, f"none, full duplex on {sink.name}")
    if wanted == "half":
        return Duplex(HalfDuplex(), "half duplex as set: you are heard when the interviewer has finished")
    try:
        return Duplex(Cancelling(EchoRemover()), "cancelled, you can interrupt the interviewer")
    except MissingError as error:
        return Duplex(HalfDuplex(), f"half duplex, wear headphones to interrupt the interviewer ({error.message})")
