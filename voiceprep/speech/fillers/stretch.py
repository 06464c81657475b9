"""The held sounds of a stretch that is being written down: the same live and offline, for the stretches are the same."""

from __future__ import annotations

import asyncio

from voiceprep.audio.recent import Recent
from voiceprep.core.events import HeldSound, Transcribe
from voiceprep.core.units import Media
from voiceprep.speech.fillers.detector import CONTEXT, HeldSounds


async def held_in(recent: Recent, command: Transcribe) -> tuple[HeldSound, ...]:
    """Those that begin in the stretch, as places in the recording; found in a thread of their own.

    What came before the stretch is heard as well, since speech may have been cut there; what comes after is not known yet.
    """
    lead = Media(max(0.0, command.start - CONTEXT))
    samples = recent.between(lead, command.end)
    found = HeldSounds()
    await asyncio.to_thread(found.feed, samples)
    placed = (HeldSound(one.start + lead, one.end + lead, one.odds) for one in await asyncio.to_thread(found.flush))
    return tuple(one for one in placed if command.start <= one.start < command.end)
