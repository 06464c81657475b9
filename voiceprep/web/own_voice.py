"""REST: how the user sounds, from the page's sound check. One vector is kept, the sound is not."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import APIRouter, Request

from voiceprep.audio.base import BLOCK, RATE
from voiceprep.audio.samples import from_pcm16
from voiceprep.errors import BadInputError, UsageError
from voiceprep.review.kept_recording import speaker_encoder
from voiceprep.review.own_voice import SECONDS, OwnVoice, keep_own_voice
from voiceprep.store.own_voice import forget, load
from voiceprep.web.services import Served, Services

router = APIRouter(prefix="/api", tags=["sound check"])


@router.get("/own-voice")
def kept(served: Served) -> dict[str, bool]:
    """Whether a voice is kept."""
    return {"kept": load(served.places.home) is not None}


@router.post("/own-voice")
async def listen(served: Served, request: Request) -> dict[str, Any]:
    """Some seconds of speech, PCM16 at 16 kHz. The voice is kept, unless it is too little or not alone (`reason`)."""
    data = await request.body()
    if len(data) % 2 or not BLOCK * 2 <= len(data) <= SECONDS * RATE * 2:
        raise BadInputError(f"the sound is PCM16 at 16 kHz, up to {SECONDS:.0f} s of it", code="bad-frame")
    listening = UsageError("your voice is being listened to", code="busy", hint="Try again in a moment")
    with served.studio.given_to(listening):
        heard = await asyncio.to_thread(_heard, data, served)
    return {"kept": heard.kept, "reason": heard.reason, "seconds": round(heard.seconds, 1)}


@router.delete("/own-voice")
def forget_it(served: Served) -> dict[str, bool]:
    """Delete what is kept of it."""
    return {"forgotten": forget(served.places.home)}


def _heard(data: bytes, served: Services) -> OwnVoice:
    encoder = speaker_encoder(served.settings(), served.places, lambda _share, _what: None)
    return keep_own_voice(from_pcm16(data), encoder, served.places.home)
