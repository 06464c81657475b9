"""What a round, its interviewer and its sections are called: all that is needed to look back on a session of it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from voiceprep.config import data_folder
from voiceprep.content.loader import round_alone


def titles_of(round_id: str) -> dict[str, Any] | None:
    """In both languages: `title`, `interviewer`, and `sections` by their ids. None: the round is gone, or cannot be read."""
    prompts = data_folder("prompts")
    try:
        stats = [
            path.stat() for path in (prompts / "rounds" / f"{round_id}.toml", *sorted((prompts / "personas").glob("*.md")))
        ]
    except OSError:
        return None
    return _titles(round_id, tuple((stat.st_mtime_ns, stat.st_size) for stat in stats))


@lru_cache(maxsize=32)
def _titles(round_id: str, _files: tuple[tuple[int, int], ...]) -> dict[str, Any] | None:
    pack = round_alone(round_id)
    if pack is None:
        return None
    sections = {section.id: dict(section.title) for section in pack.sections}
    return {"title": dict(pack.title), "interviewer": dict(pack.persona.name), "sections": sections}
