"""What a session's header calls its content by: one sum over every file that its questions and rules came from."""

from __future__ import annotations

import hashlib
from pathlib import Path

from voiceprep.config import data_folder
from voiceprep.content.lenses import lens_file
from voiceprep.content.loader import files_of
from voiceprep.core.pack import RoundPack


def content_fingerprint(
    pack: RoundPack, lens: str = "", *, intake: bool = False, prompts: Path | None = None, rubrics: Path | None = None
) -> str:
    """sha256, in hexadecimal. Another one means that a replay with the files of today may decide otherwise.

    `lens` is the id of the company's lens that the round is held through, or ""; `intake`: it asks about a CV, too.
    """
    prompts = prompts or data_folder("prompts")
    used = files_of(pack, prompts, rubrics)
    used += [lens_file(lens, prompts)] if lens else []
    used += [prompts / "intake.toml"] if intake else []
    digest = hashlib.sha256()
    for path in used:
        digest.update(path.read_bytes())
    return digest.hexdigest()
