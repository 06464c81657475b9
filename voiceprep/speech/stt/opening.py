"""Opens the recogniser that the settings name."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from voiceprep.config import Places, Settings, user_path
from voiceprep.errors import UsageError
from voiceprep.speech.models import get_model
from voiceprep.speech.stt.base import Recogniser
from voiceprep.speech.stt.whisper import FasterWhisper

Progress = Callable[[str, float | None], None]
"""Told what is being done and, where it is known, how much of it, 0..1."""


async def open_recogniser(settings: Settings, places: Places, progress: Progress) -> Recogniser | None:
    """A started recogniser, its model fetched where it is not here yet; None where the setting `stt` is off.

    Raises MissingError or UsageError for the model, VoiceprepError when it cannot be loaded.
    """
    name, given = settings["stt"], settings["model_folder"]
    if name == "off":
        return None
    if name == "kokoro":  # in the store too, but a voice
        raise UsageError("kokoro is a voice, not a recogniser", code="bad-setting", hint="`voiceprep models` lists recognisers")
    folder = await asyncio.to_thread(_model, name, given, places, progress)
    progress(f"loading the recogniser ({name})", None)
    recogniser = FasterWhisper(folder, name=name, device=settings["device"])
    try:
        await recogniser.start()
    except BaseException:
        await recogniser.close()
        raise
    return recogniser


def _model(name: str, given: str, places: Places, progress: Progress) -> Path:
    return get_model(name, models=places.models, folder=user_path(given) if given else None, progress=progress)
