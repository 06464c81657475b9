"""The user's own voice: `voiceprep sound-check --own-voice`, by which they are known in a recording of two people."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from voiceprep.cli.output import console, messages, print_json

if TYPE_CHECKING:  # heavy, and `--help` needs none
    from voiceprep.config import Places, Settings

SECONDS = 15.0


async def listen_and_keep(settings: Settings, places: Places, *, as_json: bool = False) -> None:
    """Listen, keep the vector, say so. Raises what opening the microphone or getting the network raises."""
    from voiceprep.cli.sound_check import listened
    from voiceprep.review.kept_recording import speaker_encoder
    from voiceprep.speech.speakers.apart import ENOUGH, voice_of
    from voiceprep.speech.vad.silero import SileroActivity
    from voiceprep.store.own_voice import keep

    tell = messages()
    encoder = await asyncio.to_thread(speaker_encoder, settings, places, lambda _, what: tell.print(f"… {what}", style="dim"))
    sound, _ = await listened(
        settings["microphone"], SECONDS, f"Now talk for {SECONDS:.0f} seconds, as you would in the interview"
    )
    voice = await asyncio.to_thread(voice_of, [sound], SileroActivity(), encoder)
    kept = voice.seconds >= ENOUGH and not voice.several
    if kept:
        keep(places.home, tuple(map(float, voice.middle)))
    if as_json:
        print_json({"own_voice": {"kept": kept, "seconds": round(voice.seconds, 1), "several_voices": voice.several}})
    elif kept:
        told = "in a recording of two people you are known by it (forget it: voiceprep sound-check --forget-voice)"
        console().print(f"✓ your voice is kept as {len(voice.middle)} numbers, on this machine alone; {told}", markup=False)
    elif voice.several:
        told = "take it alone, in a quiet room: voiceprep sound-check --own-voice"
        console().print(
            f"! more than one voice was heard, and which is yours nobody can tell: nothing is kept; {told}", markup=False
        )
    else:
        console().print(
            f"! only {voice.seconds:.0f} s of speech were heard, too little to know you by: nothing is kept", markup=False
        )
