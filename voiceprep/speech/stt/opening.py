"""Opens the recogniser that the settings name."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from voiceprep.config import Places, Settings, user_path
from voiceprep.errors import UsageError
from voiceprep.speech.models import find_model, get_model
from voiceprep.speech.stt.base import Recogniser
from voiceprep.speech.stt.whisper import FasterWhisper

Progress = Callable[[str, float | None], None]
"""Told what is being done and, where it is known, how much of it, 0..1."""


SIZES = ("tiny.en", "tiny", "base.en", "base", "small.en", "small", "medium.en", "medium", "large-v3-turbo", "large-v3")
"""The smallest first."""


OTHERS = {"kokoro": "a voice", "speaker": "what tells voices apart"}
"""Models of the store that write nothing down."""


async def open_recogniser(settings: Settings, places: Places, progress: Progress, *, live: bool = True) -> Recogniser | None:
    """A started recogniser, its model fetched where it is not here yet; None where the setting `stt` is off.

    `live`: somebody waits for captions and drafts. They come from a smaller model that is on this machine already where the one
    asked for is too slow, unless the setting `captions_model` is `same`.

    Raises MissingError or UsageError for the model, VoiceprepError when it cannot be loaded.
    """
    name, given = settings["stt"], settings["model_folder"]
    if name == "off":
        return None
    if name in OTHERS:
        raise UsageError(f"{name} is {OTHERS[name]}, not a recogniser", code="bad-setting", hint="see: voiceprep models")
    folder = await asyncio.to_thread(_model, name, given, places, progress)
    progress(f"loading the recogniser ({name})", None)
    smaller = await asyncio.to_thread(_smaller, name, places) if live and settings["captions_model"] == "auto" else []
    recogniser = FasterWhisper(folder, name=name, device=settings["device"], live=live, smaller=smaller)
    try:
        await recogniser.start()
    except BaseException:
        await recogniser.close()
        raise
    return recogniser


def _model(name: str, given: str, places: Places, progress: Progress) -> Path:
    return get_model(name, models=places.models, folder=user_path(given) if given else None, progress=progress)


def _smaller(name: str, places: Places) -> list[tuple[str, Path]]:
    """The models that are here and smaller than the one of this name, the largest first."""
    sizes = SIZES[: SIZES.index(name)] if name in SIZES else ()
    found = [(size, find_model(size, models=places.models)) for size in reversed(sizes)]
    return [(size, folder) for size, folder in found if folder is not None]
