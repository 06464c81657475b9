"""What the language model is told: files under prompts/model/, filled in. The longest part is the same all session."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from voiceprep.agent.guard import LIMIT, Signs
from voiceprep.config import data_folder
from voiceprep.core.events import Reword
from voiceprep.core.pack import RoundPack, Tongue
from voiceprep.errors import BadInputError
from voiceprep.files import parse_toml

Message = dict[Literal["role", "content"], str]
REMEMBERED = 6_000
"""Characters of conversation that are sent at most: a small server's window is about this, after everything else."""
_MARKS = str.maketrans("<>", "‹›")
"""What was said cannot hold a mark of ours."""


class _SignsFile(BaseModel):
    """One language of prompts/model/guard.toml."""

    model_config = ConfigDict(extra="forbid", strict=True)

    praise: list[str]
    refusal: list[str]
    answering: list[str]
    slips: list[str]
    common: str


@dataclass(frozen=True, slots=True)
class Said:
    """One turn, as far as it was heard."""

    speaker: Literal["candidate", "interviewer"]
    text: str


@dataclass(frozen=True, slots=True)
class Instructions:
    """What a session's model is told. `system` never changes; the conversation grows at its end, so servers can cache both."""

    system: str
    brief: str
    signs: Signs

    def messages(self, conversation: Sequence[Said], command: Reword | None) -> list[Message]:
        """The request for this line; None: as far as it is known before there is one."""
        talk = "".join(f"<{one.speaker}>{plain(one.text)}</{one.speaker}>\n" for one in remembered(conversation))
        told = f"<conversation>\n{talk}"
        if command is not None:
            line = plain(command.text)
            brief = Template(self.brief).substitute(move=command.move, target=command.target or command.move, line=line)
            told += f"</conversation>\n\n{brief}"
        return [{"role": "system", "content": self.system}, {"role": "user", "content": told}]


def plain(text: str) -> str:
    """Something that was said, as data: in one line, and without anything that could close the marks around it."""
    return " ".join(text.translate(_MARKS).split())


def remembered(conversation: Sequence[Said]) -> Sequence[Said]:
    """The latest turns. What is too old goes half a memory at a time, so that the beginning seldom changes."""
    first = kept = 0
    for last, one in enumerate(conversation):
        kept += len(one.text)
        if kept > REMEMBERED:
            while kept > REMEMBERED // 2 and first < last:
                kept -= len(conversation[first].text)
                first += 1
    return conversation[first:]


def instructions(pack: RoundPack, tongue: Tongue, prompts: Path | None = None) -> Instructions:
    """What this round's model is told. Raises BadInputError (`bad-prompt`) for a file that is missing or wrong."""
    prompts = prompts or data_folder("prompts")
    persona = pack.persona
    prose = re.split(r"^\+\+\+\s*$", _read(prompts / "personas" / f"{persona.id}.md"), maxsplit=2, flags=re.MULTILINE)[-1]
    path = prompts / "model" / f"wording.{tongue}.md"
    try:
        system = Template(_read(path)).substitute(
            limit=LIMIT[tongue],
            name=persona.name[tongue],
            role=persona.role[tongue],
            persona=prose.strip(),
            title=pack.title[tongue],
            tests=pack.tests[tongue],
        )
    except (KeyError, ValueError) as error:
        raise BadInputError(f"{path.name} has a place for something that is not known: {error}", code="bad-prompt") from error
    return Instructions(system, _read(prompts / "model" / f"brief.{tongue}.md"), signs(tongue, prompts))


def signs(tongue: Tongue, prompts: Path | None = None) -> Signs:
    """The guard's patterns of this language. Raises BadInputError (`bad-prompt`)."""
    path = (prompts or data_folder("prompts")) / "model" / "guard.toml"
    try:
        raw: dict[str, Any] = parse_toml(_read(path))
        file = _SignsFile.model_validate(raw.get(tongue, {}))
        kinds = {"praise": file.praise, "refusal": file.refusal, "answering": file.answering, "slip": file.slips}
        bad = {kind: tuple(re.compile(one, re.IGNORECASE) for one in patterns) for kind, patterns in kinds.items()}
        return Signs(bad, re.compile(file.common, re.IGNORECASE))
    except (tomllib.TOMLDecodeError, ValidationError, re.error) as error:
        raise BadInputError(f"{path} is wrong: {type(error).__name__}: {error}", code="bad-prompt") from error


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInputError(f"{path} cannot be read: {error}", code="bad-prompt") from error
