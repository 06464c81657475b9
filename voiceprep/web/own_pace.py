"""REST: the sound check's minute at one's own pace, in the page. The figures are kept, the sound is not."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.concurrency import run_in_threadpool

from voiceprep.audio.base import BLOCK, RATE
from voiceprep.audio.samples import from_pcm16
from voiceprep.core.events import Language
from voiceprep.core.listening.rates import UNITS
from voiceprep.errors import BadInputError, UsageError
from voiceprep.live.own_pace import MINUTE, OwnPace, own_pace
from voiceprep.store.own_pace import Minute, forget, keep
from voiceprep.web.services import Served, Services

router = APIRouter(prefix="/api", tags=["sound check"])


@router.post("/own-pace")
async def listen(served: Served, request: Request, lang: Annotated[Language, Query()] = "en") -> dict[str, Any]:
    """A minute of speech, PCM16 at 16 kHz. What it shows is kept, unless it is too little or cannot be made out (`reason`)."""
    data = await request.body()
    if len(data) % 2 or not BLOCK * 2 <= len(data) <= MINUTE * RATE * 2:
        raise BadInputError("the minute is PCM16 at 16 kHz, up to 60 s of it", code="bad-frame")
    measuring = UsageError("a minute at your own pace is being measured", code="busy", hint="Try again in a moment")
    with served.studio.given_to(measuring):  # the machine has one recogniser's worth of time
        found = await _measured(data, lang, served)
    told: dict[str, Any] = {"kept": found.sample is not None, "reason": found.reason, "seconds": round(found.seconds, 1)}
    if found.sample is None:
        return told
    minute = Minute(datetime.now(UTC).isoformat(timespec="seconds"), found.sample)
    await run_in_threadpool(keep, served.places.recordings, minute)
    return (
        told | {"unit": UNITS[lang]} | {k: round(v, 1) if isinstance(v, float) else v for k, v in asdict(found.sample).items()}
    )


@router.delete("/own-pace")
def forget_it(served: Served, lang: Annotated[Language | None, Query()] = None) -> dict[str, bool]:
    """Delete what is kept of such minutes: of those in this language, or of all."""
    return {"forgotten": forget(served.places.recordings, lang)}


async def _measured(data: bytes, lang: Language, served: Services) -> OwnPace:
    """What this minute shows. Nothing is loaded on the event loop: pages are served there."""
    settings = (await run_in_threadpool(served.settings)).with_arguments(language=lang)
    recogniser = await served.recogniser(settings)
    if recogniser is None:
        raise UsageError("your pace is counted in words, and stt is off", code="bad-setting", hint="Choose a recogniser first")
    return await own_pace(from_pcm16(data), lang, recogniser)
