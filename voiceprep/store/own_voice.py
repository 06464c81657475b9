"""How the user's own voice sounds, as one vector: kept only if they ask for it, since by it somebody can be recognised.

`own-voice.json` lies in voiceprep's home, readable by its owner alone, until the user has it forgotten. No sound is kept.
"""

from __future__ import annotations

import math
from pathlib import Path

from voiceprep.files import parse_json
from voiceprep.store import disk

NAME = "own-voice.json"
SCHEMA = 1
SIZE = 256
"""Numbers of the vector, which has length 1 (`speech/speakers/encoder`)."""


def keep(home: Path, voice: tuple[float, ...]) -> None:
    """In place of what was kept before. Raises MissingError where the disk refuses."""
    with disk.writing(home / NAME, "VOICEPREP_HOME"):
        home.mkdir(parents=True, exist_ok=True, mode=disk.FOLDER_MODE)
        disk.replace_json(home / NAME, {"schema": SCHEMA, "voice": [round(number, 6) for number in voice]})


def load(home: Path) -> tuple[float, ...] | None:
    """The vector; None where none was kept, or what lies there is none."""
    try:
        raw = parse_json((home / NAME).read_bytes())
        voice = tuple(float(number) for number in raw["voice"])
        right = raw["schema"] == SCHEMA and len(voice) == SIZE and math.isclose(math.hypot(*voice), 1.0, abs_tol=0.01)
    except (OSError, ValueError, KeyError, TypeError, OverflowError):
        return None
    return voice if right else None


def forget(home: Path) -> bool:
    """Remove it. Returns whether it was there. Raises MissingError where the disk refuses."""
    with disk.writing(home / NAME, "VOICEPREP_HOME"):
        there = (home / NAME).is_file()
        (home / NAME).unlink(missing_ok=True)
        return there
