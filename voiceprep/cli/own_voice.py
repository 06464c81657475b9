"""The user's own voice: `voiceprep sound-check --own-voice`, by which they are known in a recording of two people."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from voiceprep.cli.output import console, messages, print_json

if TYPE_CHECKING:  # heavy, and `--help` needs none
    from voiceprep.config import Places, Settings


async def listen_and_keep(settings: Settings, places: Places, *, as_json: bool = False) -> None:
    """Listen, keep the vector, say so. Raises what opening the microphone or getting the network raises."""
    from voiceprep.cli.sound_check import listened
    from voiceprep.review.kept_recording import speaker_encoder
    from voiceprep.review.own_voice import SECONDS, keep_own_voice
    from voiceprep.store.own_voice import SIZE

    tell = messages()
    encoder = await asyncio.to_thread(speaker_encoder, settings, places, lambda _, what: tell.print(f"… {what}", style="dim"))
    invitation = f"Now talk for {SECONDS:.0f} seconds, as you would in the interview"
    sound, _ = await listened(settings["microphone"], SECONDS, invitation)
    heard = await asyncio.to_thread(keep_own_voice, sound, encoder, places.home)
    if as_json:
        several = heard.reason == "several-voices"
        print_json({"own_voice": {"kept": heard.kept, "seconds": round(heard.seconds, 1), "several_voices": several}})
        return
    told = {
        "": f"✓ your voice is kept as {SIZE} numbers, on this machine alone; "
        "in a recording of two people you are known by it (forget it: voiceprep sound-check --forget-voice)",
        "too-little": f"! only {heard.seconds:.0f} s of speech were heard, too little to know you by: this is not kept",
        "several-voices": "! more than one voice was heard, and which is yours nobody can tell: this is not kept; "
        "take it alone, in a quiet room: voiceprep sound-check --own-voice",
    }
    console().print(told[heard.reason], markup=False)
