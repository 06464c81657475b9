"""What the recogniser is shown before the first word, by language: prompts/recogniser.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import get_args

from voiceprep.config import data_folder
from voiceprep.core.events import Language
from voiceprep.errors import BadInputError
from voiceprep.files import parse_toml

_LONGEST = 200
"""Characters: the prompt and the text share the model's 448 tokens."""


def read_prompts(path: Path | None = None) -> Mapping[Language, str]:
    """A line for each language; an empty one shows nothing.

    Raises:
        BadInputError: the file is missing, no TOML, or has no fit line for a language (code ``bad-prompts``).
    """
    path = path or data_folder("prompts") / "recogniser.toml"
    try:
        read = parse_toml(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadInputError(f"cannot read the recogniser's prompts in {path}: {error}", code="bad-prompts") from error
    prompts: dict[Language, str] = {}
    for language in get_args(Language):
        line = read.get(language)
        if not isinstance(line, str) or len(line) > _LONGEST:
            raise BadInputError(f"{path} needs a line of at most {_LONGEST} characters for {language}", code="bad-prompts")
        prompts[language] = line
    return prompts
