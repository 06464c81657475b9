"""Which microphone, speaker or file is meant by what the user wrote."""

from __future__ import annotations

import os
from pathlib import Path

from voiceprep.audio import files, portaudio
from voiceprep.audio.base import Sink, Source
from voiceprep.audio.microphone import MicrophoneSource, Trouble
from voiceprep.audio.portaudio import WORDS, Device, Kind
from voiceprep.audio.sink_file import FileSink
from voiceprep.audio.sink_null import NullSink
from voiceprep.audio.source_file import FileSource, Pace
from voiceprep.audio.speaker import SpeakerSink
from voiceprep.config import user_path
from voiceprep.errors import MissingError, UsageError, VoiceprepError

__all__ = ["Device", "find", "has_microphone", "has_speaker", "inputs", "is_file", "open_sink", "open_source", "outputs"]

_OTHER_WAY: dict[Kind, str] = {
    "input": "Connect one, or give an audio file as the microphone",
    "output": "Connect one, or choose the speaker none",
}


def inputs() -> list[Device]:
    """The microphones. Raises MissingError without PortAudio."""
    return portaudio.devices("input")


def outputs() -> list[Device]:
    """The speakers. Raises MissingError without PortAudio."""
    return portaudio.devices("output")


def find(kind: Kind, wanted: str = "") -> Device:
    """The device whose name is or contains `wanted` (case does not matter), or the system's default for "".

    Raises:
        MissingError: there is none; the hint lists what there is.
    """
    word = WORDS[kind]
    there = portaudio.devices(kind)
    if not there:
        raise MissingError(f"this machine has no {word}", code=f"no-{word}", hint=_OTHER_WAY[kind])
    part = wanted.strip().casefold()
    named = [device for device in there if part in device.name.casefold()]
    if not named:
        names = ", ".join(device.name for device in there)
        raise MissingError(f"no {word} is called {wanted!r}", code=f"no-such-{word}", hint=f"There are: {names}")
    # The first of equals wins, so an exact name comes before the default, and the default before the order of the system.
    return min(named, key=lambda device: (device.name.casefold() != part, not device.default))


def open_source(wanted: str, pace: Pace, on_trouble: Trouble) -> Source:
    """What `wanted` means as a microphone: an audio file, a part of a device's name, or "" for the default device.

    Raises BadInputError for a bad file, MissingError for a device that is not there or cannot be opened.
    """
    if is_file(wanted):
        return FileSource(user_path(wanted), pace)
    return MicrophoneSource(find("input", wanted), on_trouble)


def check_source(wanted: str) -> None:
    """Raises what `open_source` would of a name that somebody gave, and opens nothing."""
    if is_file(wanted):
        files.probe(user_path(wanted))
    elif wanted.strip():
        find("input", wanted)


def open_sink(wanted: str, on_trouble: Trouble = lambda _code, _message: None) -> Sink:
    """What `wanted` means as a speaker: `none`, a .wav file to write, a part of a device's name, or "" for the default.

    Raises UsageError for a file that cannot be written, MissingError for a device that is not there or cannot be opened.
    """
    if wanted.strip().casefold() == "none":
        return NullSink()
    if Path(wanted).suffix.casefold() == ".wav":
        return FileSink(user_path(wanted))
    if is_file(wanted):
        raise UsageError(f"the speaker {wanted} is no .wav file", code="cannot-write", hint="Only .wav files are written")
    return SpeakerSink(find("output", wanted), on_trouble)


def has_microphone() -> tuple[bool, str]:
    """Whether a live session is possible here: True and the microphone's name, or False and why not. Never raises."""
    return _has("input")


def has_speaker() -> tuple[bool, str]:
    """Whether the interviewer can be heard here: True and the speaker's name, or False and why not. Never raises."""
    return _has("output")


def _has(kind: Kind) -> tuple[bool, str]:
    try:
        device = find(kind)
        portaudio.check(kind, device)
    except VoiceprepError as error:
        return False, error.message
    except Exception as error:  # noqa: BLE001 - a question is answered, whatever a driver does
        return False, f"the sound system fails: {error}"
    return True, device.name


def is_file(wanted: str) -> bool:
    """Whether `wanted` means an audio file rather than a part of a device's name."""
    if not wanted.strip():
        return False
    if os.sep in wanted or "/" in wanted or Path(wanted).suffix.casefold() in files.SUFFIXES:
        return True
    try:
        return Path(wanted).is_file()
    except OSError:  # a name no file can have, too long for one
        return False
