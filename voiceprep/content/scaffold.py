"""A round and its interviewer begun from the templates under prompts/templates."""

from __future__ import annotations

import os
import re
from pathlib import Path

from voiceprep.config import data_folder
from voiceprep.errors import BadInputError, UsageError, one_of

_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
MOST_LETTERS = 60
"""Of an id: with a date before it, it still makes a file's name anywhere."""
_REPEATED = re.compile(r"#begin (\d+)\n(.*?)#end\n", re.DOTALL)
"""A part of a template that is written so many times, numbered."""


def begin_round(round_id: str, persona: str | None = None, prompts: Path | None = None) -> list[Path]:
    """Write `rounds/<round_id>.toml` and, unless `persona` names an interviewer that is there, one for its interviewer.

    Every text that its author has to write begins with TODO, which the loader refuses; all else passes `rounds check`.

    Args:
        round_id: the new round's id, lower-case words joined by hyphens.
        persona: id of an interviewer under personas/.
        prompts: the folder to write to; without it the one that sessions read.

    Returns the files that were written. Raises UsageError for an id that is none, is taken, or names no interviewer,
    BadInputError (`cannot-write`) where the folder cannot be written to.
    """
    folder = prompts or data_folder("prompts")
    if not _ID.fullmatch(round_id) or len(round_id) > MOST_LETTERS:
        raise UsageError(
            f"{round_id[:MOST_LETTERS]!r} is no id",
            code="bad-id",
            hint=f"use lower-case words joined by hyphens, {MOST_LETTERS} letters at most: data-platform-hm",
        )
    people = sorted(path.stem for path in (folder / "personas").glob("*.md"))
    if persona is not None and persona not in people:
        raise UsageError(f"there is no interviewer {persona!r}", code="unknown-persona", hint=one_of(persona, people))
    interviewer = persona or f"{round_id}-interviewer"
    files = {folder / "rounds" / f"{round_id}.toml": _filled(folder, "round.toml", interviewer)}
    if persona is None:
        files[folder / "personas" / f"{interviewer}.md"] = _filled(folder, "persona.md", interviewer)
    for path in files:
        if os.path.lexists(path):  # a link that leads nowhere is there too: nothing is written through it
            raise UsageError(f"{path.name} is there already", code="round-exists", hint="choose another id, or edit that file")
    try:
        for path, text in files.items():
            with path.open("x", encoding="utf-8") as file:
                file.write(text)
    except OSError as error:
        raise BadInputError(
            f"{folder} cannot be written to: {error.strerror}",
            code="cannot-write",
            hint="begin a round in a checkout of your own",
        ) from error
    return list(files)


def _filled(folder: Path, name: str, interviewer: str) -> str:
    template = (folder / "templates" / name).read_text(encoding="utf-8")

    def numbered(found: re.Match[str]) -> str:
        count = int(found[1])
        # The first half of the questions is asked in the first section, the rest in the second.
        sections = ("background", "case")
        parts = (found[2].replace("@N@", str(n + 1)).replace("@SECTION@", sections[2 * n // count]) for n in range(count))
        return "".join(parts)

    return _REPEATED.sub(numbered, template).replace("@PERSONA@", interviewer)
